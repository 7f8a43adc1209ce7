package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// edges are margins, borders and padding as used. Automatic margins are 0 until they are known.
type edges struct {
	margin, border, padding fragment.Edges
	// auto says which margins are automatic.
	auto property.Edges[bool]
	// quirkTop and quirkBottom say that these margins are of the kind that cells and the body have no room for: see [strut].
	quirkTop, quirkBottom bool
}

// across is what borders and padding take of the width, along of the height.
func (e *edges) across() float64 { return e.border.Across() + e.padding.Across() }

// along is described at [edges.across].
func (e *edges) along() float64 { return e.border.Along() + e.padding.Along() }

// edges resolves those of a box. Percentages, the vertical ones too, are of the width of the space.
func (l *layouter) edges(b *box.Box, s space) edges {
	var e edges
	base := max(s.width, 0)
	if b.Kind != box.TableGrid && !tablePart(b.Kind) { // the margins of a table are those of its wrapper
		e.margins(&b.Style.Margin, base)
		if l.quirks {
			e.quirkTop, e.quirkBottom = b.Style.Margin.Top.Length.Quirk, b.Style.Margin.Bottom.Length.Quirk
		}
	}
	if b.Kind == box.Table {
		return e
	}
	if e.border = fragment.Edges(b.Style.BorderWidth); s.collapsed {
		e.border = s.border
	}
	e.padding = fragment.Edges{
		Top: padding(b.Style.Padding.Top, base), Right: padding(b.Style.Padding.Right, base),
		Bottom: padding(b.Style.Padding.Bottom, base), Left: padding(b.Style.Padding.Left, base),
	}
	return e
}

func tablePart(k box.Kind) bool {
	switch k {
	case box.TableColumn, box.TableRowGroup, box.TableRow, box.TableCell:
		return true
	default:
		return false
	}
}

func (e *edges) margins(margin *property.Edges[property.Size], base float64) {
	e.margin.Top, e.auto.Top = marginOf(margin.Top, base)
	e.margin.Right, e.auto.Right = marginOf(margin.Right, base)
	e.margin.Bottom, e.auto.Bottom = marginOf(margin.Bottom, base)
	e.margin.Left, e.auto.Left = marginOf(margin.Left, base)
}

func marginOf(size property.Size, base float64) (px float64, auto bool) {
	if size.Keyword != "" {
		return 0, size.Is("auto")
	}
	return bounded(size.Length.Resolve(base)), false
}

func padding(length value.Length, base float64) float64 {
	return max(bounded(length.Resolve(base)), 0)
}

// justify finds where the border box of a block of this width begins in a content box, and gives automatic margins their sizes
// (CSS 2.2, section 10.3.3). Align is the text-align of the containing block: -webkit-center and -webkit-right, which HTML's
// align makes, move blocks as well.
func justify(e *edges, width, room float64, rtl bool, align property.Keyword) float64 {
	free := room - width - e.margin.Across()
	switch {
	case free > 0 && e.auto.Left && e.auto.Right:
		e.margin.Left = bounded(free / 2)
		e.margin.Right = free - e.margin.Left
	case free > 0 && e.auto.Left:
		e.margin.Left = free
	case free > 0 && e.auto.Right:
		e.margin.Right = free
		return e.margin.Left
	case e.auto.Left || e.auto.Right:
		return fromEdge(e, free, rtl)
	case align == "-webkit-center" && free > 0:
		return e.margin.Left + bounded(free/2)
	case align == "-webkit-right" && !rtl, align == "-webkit-left" && rtl:
		return e.margin.Left + fromSide(free, align)
	default:
		return fromEdge(e, free, rtl && align != "-webkit-left")
	}
	return e.margin.Left
}

// fromEdge is where a block stands that is over-constrained: the margin at the end gives way.
func fromEdge(e *edges, free float64, rtl bool) float64 {
	if rtl {
		return e.margin.Left + free
	}
	return e.margin.Left
}

func fromSide(free float64, align property.Keyword) float64 {
	if align == "-webkit-left" {
		return 0
	}
	return max(free, 0)
}
