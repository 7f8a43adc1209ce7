package paint

import (
	"image/color"
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// edge is one side of a border or an outline.
type edge struct {
	width float64
	style property.Keyword
	color color.NRGBA
	hr    bool // of an <hr>
}

// relief returns the colors of what lies in the shadow and in the light. Those of a gray <hr> are its own.
func (e edge) relief() (shadow, lit color.NRGBA) {
	if e.hr && e.color == (color.NRGBA{0x80, 0x80, 0x80, 0xff}) {
		return color.NRGBA{0x9a, 0x9a, 0x9a, 0xff}, color.NRGBA{0xee, 0xee, 0xee, 0xff}
	}
	return relief(e.color)
}

// seen reports whether there is anything to paint.
func (e edge) seen() bool {
	return e.width > 0 && e.style != "none" && e.style != "hidden" && e.color.A > 0
}

// The sides, in the order of CSS.
const (
	top = iota
	right
	bottom
	left
)

// border paints the border of a panel.
func (b *brush) border(p panel) {
	s, w := p.style, p.widths
	sharp := func(width float64, cut bool) float64 {
		if cut {
			return 0
		}
		return width
	}
	b.edges(p.border, [4]edge{
		{sharp(w.Top, p.cut.top), s.BorderStyle.Top, ink(s.BorderColor.Top), p.hr},
		{sharp(w.Right, p.cut.right), s.BorderStyle.Right, ink(s.BorderColor.Right), p.hr},
		{sharp(w.Bottom, p.cut.bottom), s.BorderStyle.Bottom, ink(s.BorderColor.Bottom), p.hr},
		{sharp(w.Left, p.cut.left), s.BorderStyle.Left, ink(s.BorderColor.Left), p.hr},
	}, p.cut)
}

// edges paints four sides within the outer shape.
func (b *brush) edges(outer shape, e [4]edge, cut sides) {
	if outer.width() < 0 || outer.height() < 0 || !e[top].seen() && !e[right].seen() && !e[bottom].seen() && !e[left].seen() {
		return
	}
	f := frame{outer, e, fragment.Edges{Top: e[top].width, Right: e[right].width, Bottom: e[bottom].width, Left: e[left].width}}
	if f.uniform() && cut == (sides{}) {
		if b.ring(f) {
			return
		}
	}
	for i := range e {
		if e[i].seen() {
			b.side(f, i)
		}
	}
}

// frame is a border: its outer edge and its sides.
type frame struct {
	outer  shape
	edges  [4]edge
	widths fragment.Edges
}

// uniform reports whether all sides look the same.
func (f frame) uniform() bool {
	e := f.edges[top]
	return e == f.edges[right] && e == f.edges[bottom] && e == f.edges[left]
}

// middle are half the widths.
func (f frame) middle() fragment.Edges {
	w := f.widths
	return fragment.Edges{Top: w.Top / 2, Right: w.Right / 2, Bottom: w.Bottom / 2, Left: w.Left / 2}
}

// halves are half the widths; of whole pixels the outer half has the one that is left over.
func (f frame) halves() fragment.Edges {
	half := func(w float64) float64 { return math.Ceil(w / 2) }
	w := f.widths
	return fragment.Edges{Top: half(w.Top), Right: half(w.Right), Bottom: half(w.Bottom), Left: half(w.Left)}
}

// thirds are the widths of the outer line of a double border, and of that with the gap.
func (f frame) thirds() (line, gap fragment.Edges) {
	third := func(w float64) float64 { return math.Floor((w + 1) / 3) }
	w := f.widths
	line = fragment.Edges{Top: third(w.Top), Right: third(w.Right), Bottom: third(w.Bottom), Left: third(w.Left)}
	return line, fragment.Edges{Top: w.Top - line.Top, Right: w.Right - line.Right, Bottom: w.Bottom - line.Bottom, Left: w.Left - line.Left}
}

// between fills what lies between two shapes.
func (b *brush) between(outer, inner shape, c color.NRGBA) {
	var p pdf.Path
	outer.addTo(&p)
	if !inner.empty() {
		inner.addTo(&p)
	}
	b.c.FillBy(pdf.EvenOdd, p, c)
}

// ring paints four equal sides at once, if they can be.
func (b *brush) ring(f frame) bool {
	e := f.edges[top]
	switch e.style {
	case "solid":
		b.solidRing(f, e)
	case "double":
		if e.width < 3 {
			b.between(f.outer, f.outer.inside(f.widths), e.color)
			return true
		}
		line, gap := f.thirds()
		b.between(f.outer, f.outer.inside(line), e.color)
		b.between(f.outer.inside(gap), f.outer.inside(f.widths), e.color)
	case "dashed", "dotted":
		if !f.outer.round() {
			return false
		}
		b.dashedRing(f)
	default:
		return false
	}
	return true
}

// solidRing is a line around a rectangle when it can be: readers draw lines crisper than areas.
func (b *brush) solidRing(f frame, e edge) {
	inner := f.outer.inside(f.widths)
	if f.outer.round() || inner.empty() {
		b.between(f.outer, inner, e.color)
		return
	}
	b.c.Stroke(f.outer.rect.grown(-e.width/2).path(), pdf.Pen{Width: e.width, Color: e.color})
}

// side paints one side: what lies between the outer and the inner edge, cut off at the corners.
func (b *brush) side(f frame, i int) {
	e := f.edges[i]
	corner := f.corner(i)
	if e.style == "solid" && !f.outer.round() {
		b.c.Fill(corner, e.color)
		return
	}
	b.c.Save()
	defer b.c.Restore()
	if dashed := e.style == "dashed" || e.style == "dotted"; !dashed || !f.uniform() || f.outer.round() {
		b.c.Clip(corner, pdf.NonZero)
	}
	switch e.style {
	case "double":
		if e.width < 3 {
			break
		}
		line, gap := f.thirds()
		b.between(f.outer, f.outer.inside(line), e.color)
		b.between(f.outer.inside(gap), f.outer.inside(f.widths), e.color)
		return
	case "dashed", "dotted":
		b.dashedSide(f, i)
		return
	case "inset", "outset", "groove", "ridge":
		b.carved(f, i)
		return
	}
	b.between(f.outer, f.outer.inside(f.widths), e.color)
}

// carved paints a side that looks carved or raised: the light comes from the upper left.
func (b *brush) carved(f frame, i int) {
	e := f.edges[i]
	if e.width < 2 && (e.style == "groove" || e.style == "ridge") { // there is no room for both
		b.between(f.outer, f.outer.inside(f.widths), e.color)
		return
	}
	shadow, lit := e.relief()
	if i == bottom || i == right {
		shadow, lit = lit, shadow
	}
	half, inner := f.outer.inside(f.halves()), f.outer.inside(f.widths)
	switch e.style {
	case "inset":
		b.between(f.outer, inner, shadow)
	case "outset":
		b.between(f.outer, inner, lit)
	case "groove":
		b.between(f.outer, half, shadow)
		b.between(half, inner, lit)
	default:
		b.between(f.outer, half, lit)
		b.between(half, inner, shadow)
	}
}

// corner is the area of one side: a strip whose ends are mitered where the neighbor looks different.
func (f frame) corner(i int) pdf.Path {
	next := (i + 1) % 4
	from, to := f.outer.corners()[i], f.outer.corners()[next]
	a, d := f.miter(i), f.miter(next)
	along := func(p, end [2]float64) [2]float64 { // to the end of the box
		if i == top || i == bottom {
			return [2]float64{end[0], p[1]}
		}
		return [2]float64{p[0], end[1]}
	}
	if f.meets(i, f.edges[(i+3)%4]) {
		a = along(a, from)
	}
	if f.meets(i, f.edges[next]) {
		d = along(d, to)
	}
	var p pdf.Path
	p.MoveTo(from[0], from[1])
	p.LineTo(to[0], to[1])
	p.LineTo(d[0], d[1])
	p.LineTo(a[0], a[1])
	p.Close()
	return p
}

// corners are those of a rectangle, clockwise from the upper left: each is where the side of its number begins.
func (r rect) corners() [4][2]float64 {
	return [4][2]float64{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}
}

// miter is where the seam between two sides ends, which begins at the outer corner: at the inner corner, or, when that is round, on the
// line from one end of its curve to the other, so that all of the border is on this side.
func (f frame) miter(corner int) [2]float64 {
	in := f.outer.inside(f.widths)
	outer, inner := f.outer.corners()[corner], in.corners()[corner]
	radius := [4]pdf.Radius{in.radii.TopLeft, in.radii.TopRight, in.radii.BottomRight, in.radii.BottomLeft}[corner]
	x, y := inner[0]-outer[0], inner[1]-outer[1]
	if radius.X <= 0 || radius.Y <= 0 || x == 0 && y == 0 {
		return inner
	}
	further := 1 / (math.Abs(x)/radius.X + math.Abs(y)/radius.Y)
	return [2]float64{inner[0] + float64(x*further), inner[1] + float64(y*further)}
}

// meets reports whether a side runs on into its neighbor: the same opaque line, so that no seam shows.
func (f frame) meets(i int, neighbor edge) bool {
	e := f.edges[i]
	return e.style == "solid" && neighbor.style == "solid" && e.color == neighbor.color && e.color.A == 255 && neighbor.width > 0
}
