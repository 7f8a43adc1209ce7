package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/grid"
)

// gridItem is an item of a grid.
type gridItem struct {
	grid.Area
	e edges
	// across and along are how it stands in its area.
	across, along align.Mode
	// lower is how far it moves down so that it stands on the baseline of its row.
	lower float64
	// space is the one that it was measured in, and f what came of it; nil if it was not.
	space space
	f     *fragment.Fragment
}

// newItems finds what does not depend on the sizes of tracks.
func (c *gridbox) newItems() {
	c.items = make([]gridItem, len(c.boxes))
	for i, b := range c.boxes {
		item := &c.items[i]
		item.Area = c.placement.Areas[i]
		turned := rtl(b) != rtl(c.b)
		item.across = side{right: rtl(c.b), turned: turned}.mode(justifyOf(b, c.b))
		item.along = side{vertical: true}.mode(alignOf(b, c.b))
		if item.across == align.Baseline || item.across == align.Stretch && !stretchesAcross(b, justifyOf(b, c.b)) {
			item.across = align.Start
		}
		if item.along == align.Baseline && (b.Style.Margin.Top.Is("auto") || b.Style.Margin.Bottom.Is("auto")) {
			item.along = align.Start
		}
		if item.along == align.Stretch && !stretchesAlong(b, alignOf(b, c.b)) {
			item.along = align.Start
		}
	}
}

// stretchesAcross reports whether an item fills the width of its area: images only when they are told to.
func stretchesAcross(b *box.Box, word property.Keyword) bool {
	if !b.Style.Width.Is("auto") || b.Style.Margin.Left.Is("auto") || b.Style.Margin.Right.Is("auto") {
		return false
	}
	return word == "stretch" || b.Kind != box.Replaced && !(ratioOf(b) > 0 && definite(b.Style.Height))
}

// stretchesAlong reports whether an item fills the height of its area.
func stretchesAlong(b *box.Box, word property.Keyword) bool {
	if !b.Style.Height.Is("auto") || b.Style.Margin.Top.Is("auto") || b.Style.Margin.Bottom.Is("auto") {
		return false
	}
	return word == "stretch" || b.Kind != box.Replaced && ratioOf(b) <= 0
}

// areaSpace is the space in the area of an item, as wide as its columns.
func (c *gridbox) areaSpace(b *box.Box, item *gridItem, height float64) space {
	_, width := c.columns.edges.Of(item.Columns)
	s := within(max(width, 0), indefinite)
	s.shrink = true
	item.e = c.l.edges(b, s)
	if dependsOnSpace(b) {
		s.height = height
	}
	if item.across == align.Stretch {
		s.fixedWidth = c.l.limitWidth(b, max(width-item.e.margin.Across(), 0), s, item.e)
	}
	return s
}

// finalSpace is the space in which an item is laid out for good. It is the one in which it was measured if that makes no difference.
func (c *gridbox) finalSpace(b *box.Box, item *gridItem) space {
	_, height := c.rows.edges.Of(item.Rows)
	s := c.areaSpace(b, item, max(height, 0))
	if item.along != align.Stretch {
		return s
	}
	full := c.l.limitHeight(b, max(height-item.e.margin.Along(), 0), s, item.e)
	if item.f != nil && item.f.Height == full && item.space == s && !c.l.dependsOnHeight(b) {
		return s
	}
	s.fixedHeight = full
	return s
}

// put places an item in its area. Automatic margins take what is left over before alignment does (section 10).
func (c *gridbox) put(f *fragment.Fragment, item *gridItem) {
	x, width := c.columns.edges.Of(item.Columns)
	y, height := c.rows.edges.Of(item.Rows)
	e := &item.e
	start, end, autoStart, autoEnd := e.margin.Left, e.margin.Right, e.auto.Left, e.auto.Right
	if rtl(c.b) {
		start, end, autoStart, autoEnd = end, start, autoEnd, autoStart
	}
	at, start, end := inArea(width-f.Width, start, end, autoStart, autoEnd, item.across)
	if x += at; rtl(c.b) {
		x = c.inner.width - x - f.Width
		start, end = end, start
	}
	at, top, bottom := inArea(height-f.Height, e.margin.Top, e.margin.Bottom, e.auto.Top, e.auto.Bottom, item.along)
	if !e.auto.Top && !e.auto.Bottom {
		at += item.lower
	}
	f.X, f.Y = bounded(c.f.ContentX()+x), bounded(c.f.ContentY()+y+at)
	f.Margin = fragment.Edges{Top: top, Right: end, Bottom: bottom, Left: start}
}

// inArea finds where a border box begins in an area that is larger by free, and gives automatic margins their sizes.
func inArea(free, start, end float64, autoStart, autoEnd bool, mode align.Mode) (at, usedStart, usedEnd float64) {
	free -= start + end
	switch {
	case autoStart && autoEnd:
		start += max(free, 0) / 2
		end += max(free, 0) / 2
	case autoStart:
		start += max(free, 0)
	case autoEnd:
		end += max(free, 0)
	default:
		return start + mode.Offset(free), start, end
	}
	return start, start, end
}
