package property

import (
	"math"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

var identity = [6]float64{1, 0, 0, 1, 0, 0}

// transform reads a list of 2D functions (CSS Transforms 1, section 8). Those of space are outside.
func transform(r *value.Reader) ([]Transform, bool) {
	if _, ok := r.Keyword("none"); ok {
		return nil, true
	}
	var list []Transform
	for !r.Done() {
		v := r.Peek()
		if v.Kind != syntax.Function {
			return nil, false
		}
		r.Skip()
		in := r.Inside(v)
		t, ok := transformFunction(r, in, v.Text)
		if !ok || !r.Take(in) {
			return nil, false
		}
		list = append(list, t)
	}
	return list, len(list) > 0
}

const spatial = "matrix3d translate3d translatez scale3d scalez rotate3d rotatex rotatey perspective"

func transformFunction(r, in *value.Reader, name string) (Transform, bool) {
	if t, ok := flat(in, name); ok {
		return t, true
	}
	if slices.Contains(strings.Fields(spatial), name) {
		r.Refuse("the transform " + name + "() is not supported")
		for !in.Done() {
			in.Skip()
		}
		return Transform{Matrix: identity}, true
	}
	switch name {
	case "translate", "translatex", "translatey":
		return translate(in, name)
	case "scale", "scalex", "scaley":
		return scale(in, name)
	case "rotate", "rotatez":
		a, ok := in.Angle(true)
		sin, cos := math.Sincos(a * math.Pi / 180)
		return Transform{Matrix: [6]float64{cos, sin, -sin, cos, 0, 0}}, ok
	case "skew", "skewx", "skewy":
		return skew(in, name)
	case "matrix":
		return matrix(in)
	}
	return Transform{}, false
}

func translate(in *value.Reader, name string) (Transform, bool) {
	t := Transform{Matrix: identity}
	first, ok := in.LengthPercent()
	if name == "translatey" {
		t.Y = first
		return t, ok
	}
	t.X = first
	if name == "translate" && in.Delim(",") {
		t.Y, ok = in.LengthPercent()
	}
	return t, ok
}

func scale(in *value.Reader, name string) (Transform, bool) {
	x, ok := in.NumberOrPercent()
	y := x
	switch {
	case name == "scalex":
		y = 1
	case name == "scaley":
		x, y = 1, x
	case in.Delim(","):
		y, ok = in.NumberOrPercent()
	}
	return Transform{Matrix: [6]float64{x, 0, 0, y, 0, 0}}, ok
}

func skew(in *value.Reader, name string) (Transform, bool) {
	x, ok := in.Angle(true)
	y := 0.0
	switch {
	case name == "skewy":
		x, y = 0, x
	case name == "skew" && in.Delim(","):
		y, ok = in.Angle(true)
	}
	tan := func(a float64) float64 { return math.Tan(a * math.Pi / 180) }
	return Transform{Matrix: [6]float64{1, tan(y), tan(x), 1, 0, 0}}, ok
}

func matrix(in *value.Reader) (Transform, bool) {
	var t Transform
	for i := range t.Matrix {
		if i > 0 && !in.Delim(",") {
			return t, false
		}
		v, ok := in.Number()
		if !ok {
			return t, false
		}
		t.Matrix[i] = v
	}
	return t, true
}

// transformOrigin is a position whose third part, the depth, has no effect in the plane.
func transformOrigin(r *value.Reader) (value.Position, bool) {
	mark := r.Mark()
	p, ok := r.PlanePosition()
	if ok && !r.Done() && r.Mark() == mark+2 {
		_, ok = r.Length()
	}
	return p, ok
}
