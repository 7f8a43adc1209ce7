package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// rectangle is a containing block.
type rectangle struct{ x, y, width, height float64 }

func (r rectangle) inside(left, top, right, bottom float64) rectangle {
	return rectangle{r.x + left, r.y + top, max(r.width-left-right, 0), max(r.height-top-bottom, 0)}
}

func (r rectangle) union(o rectangle) rectangle {
	x, y := min(r.x, o.x), min(r.y, o.y)
	return rectangle{x, y, max(r.x+r.width, o.x+o.width) - x, max(r.y+r.height, o.y+o.height) - y}
}

// resolveInset resolves one of top, right, bottom and left; ok is false when it is automatic, or a share of what is not known.
func resolveInset(size property.Size, base float64) (px float64, ok bool) {
	if size.Keyword != "" || size.Length.HasPercent() && base < 0 {
		return 0, false
	}
	return bounded(size.Length.Resolve(max(base, 0))), true
}

// axis is one direction of a positioned box: its insets and margins, in which size the containing block has and where the box
// would stand if it were static.
type axis struct {
	start, end             float64
	hasStart, hasEnd       bool
	marginStart, marginEnd float64
	autoStart, autoEnd     bool
	base                   float64
	static, staticEnd      float64
	along                  bool // it is the vertical one
	fromEnd                bool // of both insets the end counts
}

// free is the room for the border box when its size is automatic.
func (a *axis) free() float64 {
	margins := a.marginStart + a.marginEnd
	switch {
	case a.hasStart && a.hasEnd:
		return max(max(a.base-a.start-a.end, 0)-margins, 0)
	case a.hasStart:
		return max(a.base-a.start-margins, 0)
	case a.hasEnd:
		return max(a.base-a.end-margins, 0)
	case a.staticEnd > 0.75:
		return max(a.static-margins, 0)
	case a.staticEnd > 0.25:
		return max(2*min(a.static, a.base-a.static)-margins, 0)
	}
	return max(a.base-a.static-margins, 0)
}

// place finds where the border box of this size begins (CSS 2.2, sections 10.3.7 and 10.6.4).
func (a *axis) place(size float64) float64 {
	rest := max(a.base-a.start-a.end, 0) - size - a.marginStart - a.marginEnd
	switch {
	case a.hasStart && a.hasEnd && (a.autoStart || a.autoEnd):
		a.share(rest)
		if a.fromEnd {
			return min(a.start, a.base-a.end) + a.marginStart
		}
		return a.start + a.marginStart
	case a.hasStart && (!a.hasEnd || !a.fromEnd):
		return a.start + a.marginStart
	case a.hasEnd:
		return a.base - a.end - a.marginEnd - size
	}
	outside := size + a.marginStart + a.marginEnd
	return a.static - float64(a.staticEnd*outside) + a.marginStart
}

// share gives what is left over to automatic margins. Across, without room for both, the one at the end gives way.
func (a *axis) share(rest float64) {
	switch {
	case a.autoStart && a.autoEnd && (rest >= 0 || a.along):
		a.marginStart = bounded(rest / 2)
		a.marginEnd = rest - a.marginStart
	case a.autoStart && a.autoEnd && a.fromEnd:
		a.marginStart = rest
	case a.autoStart && a.autoEnd:
		a.marginEnd = rest
	case a.autoStart:
		a.marginStart = rest
	default:
		a.marginEnd = rest
	}
}

// absolute lays out a positioned box in its containing block.
func (l *layouter) absolute(p pending, in rectangle) (*fragment.Fragment, error) {
	b := p.box
	s := within(in.width, in.height)
	e := l.edges(b, s)
	across := axisAcross(b, e, in, l.directionAround(p) == "rtl")
	across.static, across.staticEnd = p.x-in.x, p.endX
	along := axisAlong(b, e, in)
	along.static, along.staticEnd = p.y-in.y, p.endY
	s.shrink = true
	s.beside = in.width - across.free() - e.margin.Across()
	if stretches(b, b.Style.Width) && across.hasStart && across.hasEnd && !(ratioOf(b) > 0 && definite(b.Style.Height)) {
		s.fixedWidth = l.limitWidth(b, across.free(), s, e)
	}
	if stretches(b, b.Style.Height) && along.hasStart && along.hasEnd && !(ratioOf(b) > 0) {
		s.fixedHeight = l.limitHeight(b, along.free(), s, e)
	}
	f, err := l.layout(b, s)
	if err != nil {
		return nil, err
	}
	f.X, f.Y = bounded(in.x+across.place(f.Width)), bounded(in.y+along.place(f.Height))
	f.Margin = fragment.Edges{Top: along.marginStart, Right: across.marginEnd, Bottom: along.marginEnd, Left: across.marginStart}
	return f, nil
}

// directionAround is that of the containing block.
func (l *layouter) directionAround(p pending) property.Keyword {
	if p.around != nil {
		return p.around.Style.Direction
	}
	return l.root.Style.Direction
}

func definite(size property.Size) bool { return size.Keyword == "" }

// stretches reports whether an automatic size of a box fills what its insets leave: those of images and tables do not.
func stretches(b *box.Box, size property.Size) bool {
	return size.Is("auto") && b.Kind != box.Table && b.Kind != box.Replaced
}

func axisAcross(b *box.Box, e edges, in rectangle, rtl bool) axis {
	a := axis{marginStart: e.margin.Left, marginEnd: e.margin.Right, autoStart: e.auto.Left, autoEnd: e.auto.Right, base: in.width}
	a.start, a.hasStart = resolveInset(b.Style.Inset.Left, in.width)
	a.end, a.hasEnd = resolveInset(b.Style.Inset.Right, in.width)
	a.fromEnd = rtl
	return a
}

func axisAlong(b *box.Box, e edges, in rectangle) axis {
	a := axis{along: true, marginStart: e.margin.Top, marginEnd: e.margin.Bottom, autoStart: e.auto.Top, autoEnd: e.auto.Bottom, base: in.height}
	a.start, a.hasStart = resolveInset(b.Style.Inset.Top, in.height)
	a.end, a.hasEnd = resolveInset(b.Style.Inset.Bottom, in.height)
	return a
}
