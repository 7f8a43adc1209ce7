package property

import (
	"math"
	"slices"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// moves are what makes a box stand elsewhere (CSS Transforms 2, section 3). A filter that changes nothing is as a transform that moves
// nothing: other boxes are positioned against its box, and it is painted by itself.
type moves struct{ translate, rotate, scale, transform, filter []Transform }

func (m *moves) all() []Transform {
	if m.translate == nil && m.rotate == nil && m.scale == nil && m.filter == nil {
		return m.transform
	}
	return slices.Concat(m.translate, m.rotate, m.scale, m.transform, m.filter)
}

// translation reads the property translate: what is in the depth has to be 0.
func translation(r *value.Reader) ([]Transform, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	t := Transform{Matrix: identity}
	var ok bool
	if t.X, ok = r.LengthPercent(); !ok {
		return nil, false
	}
	if !r.Done() {
		t.Y, ok = r.LengthPercent()
	}
	if ok && !r.Done() {
		var z float64
		if z, ok = r.Length(); z != 0 {
			r.Refuse("the depth of translate is not supported")
		}
	}
	return []Transform{t}, ok
}

// rotation reads the property rotate, around the axis that points out of the paper.
func rotation(r *value.Reader) ([]Transform, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	if a, ok := r.Angle(false); ok && r.Done() {
		sin, cos := math.Sincos(a * math.Pi / 180)
		return []Transform{{Matrix: [6]float64{cos, sin, -sin, cos, 0, 0}}}, true
	}
	r.Refuse("rotations around an axis are not supported")
	for !r.Done() {
		r.Skip()
	}
	return nil, true
}

// scaling reads the property scale: that of the depth has no effect in the plane.
func scaling(r *value.Reader) ([]Transform, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	x, ok := r.NumberOrPercent()
	y := x
	if ok && !r.Done() {
		y, ok = r.NumberOrPercent()
	}
	if ok && !r.Done() {
		var z float64
		if z, ok = r.NumberOrPercent(); z != 1 {
			r.Refuse("the depth of scale is not supported")
		}
	}
	return []Transform{{Matrix: [6]float64{x, 0, 0, y, 0, 0}}}, ok
}

// flat reads a function of space that stays in the plane; it reads nothing of another.
func flat(in *value.Reader, name string) (Transform, bool) {
	mark := in.Mark()
	t, ok := flatFunction(in, name)
	if !ok || !in.Done() {
		in.Reset(mark)
		return Transform{}, false
	}
	return t, true
}

func flatFunction(in *value.Reader, name string) (Transform, bool) {
	t := Transform{Matrix: identity}
	switch name {
	case "translatez":
		z, ok := in.Length()
		return t, ok && z == 0
	case "translate3d":
		var first, second bool
		t.X, first = in.LengthPercent()
		first = first && in.Delim(",")
		t.Y, second = in.LengthPercent()
		second = second && in.Delim(",")
		z, ok := in.Length()
		return t, first && second && ok && z == 0
	case "scalez":
		z, ok := in.NumberOrPercent()
		return t, ok && z == 1
	case "rotatex", "rotatey":
		a, ok := in.Angle(true)
		return t, ok && a == 0
	}
	return t, false
}

// neutral are the arguments with which a filter changes nothing.
var neutral = map[string]float64{
	"blur": 0, "brightness": 1, "contrast": 1, "grayscale": 0, "hue-rotate": 0, "invert": 0, "opacity": 1, "saturate": 1, "sepia": 0,
}

// filter reads a list of filters; those that change something are outside.
func filter(r *value.Reader) ([]Transform, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	list := []Transform{{Matrix: identity}}
	for !r.Done() {
		v := r.Peek()
		if v.Kind != syntax.Function && v.Kind != syntax.URL {
			return nil, false
		}
		r.Skip()
		if !changesNothing(r.Inside(v), v.Text) {
			r.Refuse("filters are not supported")
		}
	}
	return list, true
}

func changesNothing(in *value.Reader, name string) bool {
	want, ok := neutral[name]
	if !ok {
		return false
	}
	var v float64
	switch name {
	case "blur":
		v, ok = in.Length()
	case "hue-rotate":
		v, ok = in.Angle(true)
	default:
		v, ok = in.NumberOrPercent()
	}
	return ok && v == want && in.Done() && in.Outside == ""
}

// Unseen reports whether a value of an Outside property draws nothing: shadows without color, or right behind the box that casts them.
func Unseen(name string, context *value.Context, values []syntax.Value) bool {
	if name != "box-shadow" && name != "text-shadow" {
		return false
	}
	for _, part := range syntax.SplitComma(values) {
		if !unseenShadow(value.NewReader(context, part), name == "box-shadow") {
			return false
		}
	}
	return true
}

func unseenShadow(r *value.Reader, behind bool) bool {
	clear, moved, lengths := false, false, 0
	for !r.Done() {
		if _, ok := r.Keyword("inset"); ok {
			continue
		}
		if l, ok := r.Length(); ok {
			lengths++
			moved = moved || l != 0
			continue
		}
		c, ok := r.Color()
		if !ok || clear {
			return false
		}
		clear = !c.Current && c.A == 0
	}
	return r.Outside == "" && lengths >= 2 && lengths <= 4 && (clear || behind && !moved)
}
