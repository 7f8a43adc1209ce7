package value

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Image is a picture: by address, or a gradient. The zero value is none.
type Image struct {
	URL      string
	Gradient *Gradient
}

// IsNone reports whether there is nothing to draw.
func (i Image) IsNone() bool { return i.URL == "" && i.Gradient == nil }

// String is the image as CSS, gradients only by their kind.
func (i Image) String() string {
	switch {
	case i.Gradient != nil && i.Gradient.Radial:
		return "radial-gradient()"
	case i.Gradient != nil:
		return "linear-gradient()"
	case i.URL != "":
		return `url("` + i.URL + `")`
	}
	return "none"
}

// Gradient is a linear or a radial one (CSS Images 3, section 3).
type Gradient struct {
	Radial, Repeating bool

	// Of a linear gradient: the angle in degrees, 0 pointing up, clockwise; or the corner it points to.
	Angle  float64
	Corner string // "", "top left", "top right", "bottom left", "bottom right"

	// Of a radial gradient. Extent is "farthest-corner" and so on; or "" and Size counts.
	Circle bool
	Extent string
	Size   [2]Length
	Center Position

	Stops []Stop
}

// Stop is a color at a place; a place that was not given is to be spaced evenly. A stop without color is a hint.
type Stop struct {
	Color Color
	At    Length
	HasAt bool
	Hint  bool
}

// Position is a point in a box: each part is resolved against what is left of the box beside the thing placed.
type Position struct{ X, Y Length }

// String is the position as CSS.
func (p Position) String() string { return p.X.String() + " " + p.Y.String() }

// maxStops bounds a gradient.
const maxStops = 256

var gradients = map[string]bool{
	"linear-gradient": true, "repeating-linear-gradient": true, "radial-gradient": true, "repeating-radial-gradient": true,
	"-webkit-linear-gradient": false, "-webkit-repeating-linear-gradient": false, "-webkit-radial-gradient": false,
	"-webkit-repeating-radial-gradient": false, "-webkit-gradient": false, "conic-gradient": false, "repeating-conic-gradient": false,
	"image-set": false, "-webkit-image-set": false, "-webkit-cross-fade": false, "paint": false,
}

// Image reads an address or a gradient, or "none".
func (r *Reader) Image() (Image, bool) {
	if _, none := r.Keyword("none"); none {
		return Image{}, true
	}
	v := r.Peek()
	if v.Kind == syntax.URL {
		r.next++
		return Image{URL: v.Text}, true
	}
	inside, known := gradients[v.Text]
	if v.Kind != syntax.Function || !known {
		return Image{}, false
	}
	r.next++
	if !inside {
		r.Refuse("the image " + v.Text + "() is not supported")
		return Image{}, true
	}
	g := &Gradient{Radial: strings.Contains(v.Text, "radial"), Repeating: strings.HasPrefix(v.Text, "repeating")}
	if !g.read(r, syntax.SplitComma(v.Args)) {
		return Image{}, false
	}
	return Image{Gradient: g}, true
}

// read reads the parts between commas.
func (g *Gradient) read(r *Reader, parts [][]syntax.Value) bool {
	in := NewReader(r.Context, parts[0])
	if found, ok := in.colorSpace(); found {
		r.Refuse("color spaces of gradients are not supported")
		return ok
	}
	head := g.linearHead
	if g.Radial {
		head = g.radialHead
	}
	ok, found := head(in)
	if !ok {
		return false
	}
	if found {
		if !r.Take(in) {
			return false
		}
		parts = parts[1:]
	}
	for _, part := range parts {
		in := NewReader(r.Context, part)
		if !g.stop(in) || !r.Take(in) {
			return false
		}
	}
	return g.goodStops()
}

// colorSpaces are those that colors can be mixed in (CSS Color 4, section 12.1).
const colorSpaces = " srgb srgb-linear display-p3 display-p3-linear a98-rgb prophoto-rgb rec2020 lab oklab xyz xyz-d50 xyz-d65 hsl hwb lch oklch "

// colorSpace looks for the space in which the colors of a gradient are mixed: before or after its direction or shape.
func (r *Reader) colorSpace() (found, ok bool) {
	for i, v := range r.values {
		if v.IsIdent("in") {
			return true, i+1 < len(r.values) && r.values[i+1].Kind == syntax.Ident &&
				strings.Contains(colorSpaces, " "+strings.ToLower(r.values[i+1].Text)+" ")
		}
	}
	return false, false
}

// goodStops: at least one color, hints only between two.
func (g *Gradient) goodStops() bool {
	if len(g.Stops) == 0 || len(g.Stops) > maxStops || g.Stops[0].Hint || g.Stops[len(g.Stops)-1].Hint {
		return false
	}
	for i := 1; i < len(g.Stops); i++ {
		if g.Stops[i].Hint && g.Stops[i-1].Hint {
			return false
		}
	}
	return true
}

var sideAngles = map[string]float64{"top": 0, "right": 90, "bottom": 180, "left": 270}

// linearHead reads the direction.
func (g *Gradient) linearHead(r *Reader) (ok, found bool) {
	g.Angle = 180
	if a, ok := r.Angle(true); ok {
		g.Angle = a
		return true, true
	}
	if _, to := r.Keyword("to"); !to {
		return true, false
	}
	first, ok := r.Keyword("top", "bottom", "left", "right")
	if !ok {
		return false, true
	}
	if r.Done() {
		g.Angle = sideAngles[first]
		return true, true
	}
	second, ok := r.Keyword("top", "bottom", "left", "right")
	if first == "left" || first == "right" {
		first, second = second, first
	}
	g.Corner = first + " " + second
	return ok && (first == "top" || first == "bottom") && (second == "left" || second == "right"), true
}

// radialHead reads shape, size and center.
func (g *Gradient) radialHead(r *Reader) (ok, found bool) {
	g.Extent, g.Center = "farthest-corner", Position{Percent(50), Percent(50)}
	shape, lengths := "", 0
	sized := false
	for more := true; more; {
		more = false
		if k, is := r.Keyword("circle", "ellipse"); is {
			if shape != "" {
				return false, true
			}
			shape, found, more = k, true, true
		}
		if k, is := r.Keyword("closest-side", "farthest-side", "closest-corner", "farthest-corner"); is {
			if sized {
				return false, true
			}
			g.Extent, found, more, sized = k, true, true, true
		} else if l, is := r.NonNegative(); is {
			if sized {
				return false, true
			}
			g.Extent, g.Size, lengths, found, more, sized = "", [2]Length{l, l}, 1, true, true, true
			if m, two := r.NonNegative(); two {
				g.Size[1], lengths = m, 2
			}
		}
	}
	if lengths == 1 && shape == "ellipse" || lengths == 2 && shape == "circle" || lengths == 1 && g.Size[0].HasPercent() {
		return false, true
	}
	g.Circle = shape == "circle" || lengths == 1
	if _, at := r.Keyword("at"); at {
		var ok bool
		g.Center, ok = r.Position()
		return ok, true
	}
	return true, found
}

// stop reads a color with up to two places, or a place alone, which is a hint.
func (g *Gradient) stop(r *Reader) bool {
	c, ok := r.Color()
	if !ok {
		at, ok := r.LengthPercent()
		g.Stops = append(g.Stops, Stop{At: at, HasAt: true, Hint: true})
		return ok
	}
	at, has := r.LengthPercent()
	g.Stops = append(g.Stops, Stop{Color: c, At: at, HasAt: has})
	if second, two := r.LengthPercent(); two {
		g.Stops = append(g.Stops, Stop{Color: c, At: second, HasAt: true})
	}
	return true
}

// Position reads a place in a box (CSS Values 4, section 8.3): one, two or four parts.
func (r *Reader) Position() (Position, bool) { return r.place(4, 2, 1) }

// BackgroundPosition reads that of a background (CSS Backgrounds 3, section 2.6), which may have three parts.
func (r *Reader) BackgroundPosition() (Position, bool) { return r.place(4, 3, 2, 1) }

// PlanePosition reads the part of an origin of transforms that is in the plane: one or two parts.
func (r *Reader) PlanePosition() (Position, bool) { return r.place(2, 1) }

// place reads the first of so many parts that is a place.
func (r *Reader) place(counts ...int) (Position, bool) {
	mark := r.next
	var parts []positionPart
	ends := []int{mark}
	for len(parts) < counts[0] {
		if k, ok := r.Keyword("left", "right", "top", "bottom", "center"); ok {
			parts = append(parts, positionPart{keyword: k})
		} else if l, ok := r.LengthPercent(); ok {
			parts = append(parts, positionPart{length: l})
		} else {
			break
		}
		ends = append(ends, r.next)
	}
	for _, n := range counts {
		if n > len(parts) {
			continue
		}
		if p, ok := position(parts[:n]); ok {
			r.next = ends[n]
			return p, true
		}
	}
	r.next = mark
	return Position{}, false
}

type positionPart struct {
	keyword string
	length  Length
}

var sides = map[string]float64{"left": 0, "top": 0, "center": 50, "right": 100, "bottom": 100}

func (p positionPart) vertical() bool   { return p.keyword == "top" || p.keyword == "bottom" }
func (p positionPart) horizontal() bool { return p.keyword == "left" || p.keyword == "right" }
func (p positionPart) value() Length {
	if p.keyword != "" {
		return Percent(sides[p.keyword])
	}
	return p.length
}

func position(parts []positionPart) (Position, bool) {
	switch len(parts) {
	case 1:
		if parts[0].vertical() {
			return Position{Percent(50), parts[0].value()}, true
		}
		return Position{parts[0].value(), Percent(50)}, true
	case 2:
		first, second := parts[0], parts[1]
		if (first.vertical() || second.horizontal()) && (first.keyword == "" || second.keyword == "") {
			return Position{}, false
		}
		if first.vertical() || second.horizontal() {
			first, second = second, first
		}
		return Position{first.value(), second.value()}, !first.vertical() && !second.horizontal()
	case 3, 4:
		return edges(parts)
	}
	return Position{}, false
}

// edges reads "right 10px bottom 5px"; "center" has no offset.
func edges(parts []positionPart) (Position, bool) {
	p := Position{Percent(50), Percent(50)}
	seenX, seenY := false, false
	for i := 0; i < len(parts); i++ {
		side := parts[i]
		if side.keyword == "" {
			return p, false
		}
		at := Percent(sides[side.keyword])
		if i+1 < len(parts) && parts[i+1].keyword == "" && side.keyword != "center" {
			i++
			sign := 1.0
			if sides[side.keyword] == 100 {
				sign = -1
			}
			at = at.plus(parts[i].length, sign)
		}
		switch {
		case side.horizontal() && !seenX:
			p.X, seenX = at, true
		case side.vertical() && !seenY:
			p.Y, seenY = at, true
		case side.keyword != "center":
			return p, false
		}
	}
	return p, true
}
