package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/table"
)

// tableWidths resolves what a table's style says of its width to that of the border box.
type tableWidths struct {
	l     *layouter
	m     *tableModel
	space space
	// across is what border and padding take; least and most are the widths that the content wants.
	across, least, most float64
}

// tableMinMax returns the least and the greatest width of the border box of a table, whose width is as its style wants it.
func (l *layouter) tableMinMax(b *box.Box) (least, most float64) {
	m := l.tableModel(b)
	if l.err() != nil {
		return 0, 0
	}
	w := tableWidths{l: l, m: m, space: within(indefinite, indefinite), across: m.edges.across()}
	w.ask(percentagesCount(b))
	if m.grid.Fixed && b.Style.Width.Length.HasPercent() {
		w.most = max(w.most, table.Widest)
	}
	if len(m.grid.Columns) == 0 {
		w.least, w.most = w.across, w.across
	}
	least, most = w.least, w.most
	if width, ok := w.resolve(b.Style.Width); ok {
		least, most = width, width
	}
	return w.limit(least), w.limit(most)
}

// percentagesCount reports whether the percentages of columns make a table want to be wider: nowhere inside of a cell, a flex
// container or a grid.
func percentagesCount(b *box.Box) bool {
	for a := b.Parent; a != nil; a = a.Parent {
		if a.Kind == box.TableCell || a.Kind == box.Flex || a.Kind == box.Grid {
			return false
		}
	}
	return true
}

func (w *tableWidths) ask(percentages bool) {
	w.least, w.most = w.m.grid.MinMax(w.across, percentages && !w.m.box.Style.Width.Is("max-content"))
}

// used is the width of the border box.
func (w *tableWidths) used() float64 {
	if w.space.fixedWidth >= 0 {
		return bounded(w.space.fixedWidth)
	}
	w.ask(true)
	style := w.m.box.Style
	width, ok := w.resolve(style.Width)
	switch {
	case ok:
	case len(w.m.grid.Columns) == 0 && style.MinWidth.Is("auto"):
		return w.empty()
	default:
		width = min(max(w.least, w.space.room()), w.most)
	}
	return w.limit(width)
}

// empty is the width of a table without columns: that of its edges, nothing if these collapse.
func (w *tableWidths) empty() float64 {
	if w.m.collapsed {
		return 0
	}
	return w.across
}

// resolve turns a size into a width; ok is false when it says nothing.
func (w *tableWidths) resolve(size sizeOf) (width float64, ok bool) {
	switch size.Keyword {
	case "":
		if size.Length.HasPercent() && w.space.width < 0 {
			return 0, false
		}
		return outer(w.m.box, size.Length.Resolve(max(w.space.width, 0)), w.across), true
	case "min-content":
		return w.least, true
	case "max-content":
		return w.most, true
	}
	return 0, false
}

// limit applies min-width and max-width, and what the content needs.
func (w *tableWidths) limit(width float64) float64 {
	if most, ok := w.resolve(w.m.box.Style.MaxWidth); ok {
		width = min(width, most)
	}
	if least, ok := w.resolve(w.m.box.Style.MinWidth); ok {
		width = max(width, least)
	}
	return bounded(max(width, w.least))
}

// tableLengthOf is a size in the words of package table. What mixes pixels with percentages says nothing, as in browsers.
func tableLengthOf(size sizeOf) table.Length {
	switch whole := size.Length.Resolve(100); {
	case size.Keyword != "":
		return table.Length{}
	case !size.Length.HasPercent():
		return table.Px(max(size.Length.Px, 0))
	case size.Length.Px == 0 && whole == size.Length.Percent:
		return table.Share(max(whole, 0))
	}
	return table.Length{}
}
