package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/grid"
)

// static notes where a positioned child would stand if it were the only item: in the area that it names if the grid is its
// containing block, or else in the content box (section 9).
func (c *gridbox) static(b *box.Box) {
	in := rectangle{c.f.ContentX(), c.f.ContentY(), c.inner.width, c.f.ContentHeight()}
	mine := contains(c.b, b.Style.Position == "fixed")
	if mine {
		in = c.positionedArea(b)
	}
	turned := rtl(b) != rtl(c.b)
	across := staticShare(side{right: rtl(c.b), turned: turned}.mode(justifyOf(b, c.b)))
	if rtl(c.b) {
		across = 1 - across
	}
	along := side{vertical: true}.mode(alignOf(b, c.b))
	down := staticShare(along)
	c.l.positionedAt(b, c.f, in.x+float64(in.width*across), in.y+float64(in.height*down), across, down)
	if mine {
		c.l.pending[len(c.l.pending)-1].area = &in
	}
}

// positionedArea is the containing block of a positioned child: from the border box of the container. What it does not name is the
// edge of its padding box.
func (c *gridbox) positionedArea(b *box.Box) rectangle {
	q := requestOf(b)
	border := c.f.Border
	left, right := c.between(&c.columns, q.Columns, c.placement.ColumnsBefore, c.placement.Columns)
	top, bottom := c.between(&c.rows, q.Rows, c.placement.RowsBefore, c.placement.Rows)
	if rtl(c.b) {
		left, right = mirrored(right, c.inner.width), mirrored(left, c.inner.width)
	}
	x, y := c.f.ContentX(), c.f.ContentY()
	x1, x2 := edgeOr(left, x, border.Left), edgeOr(right, x, c.f.Width-border.Right)
	y1, y2 := edgeOr(top, y, border.Top), edgeOr(bottom, y, c.f.Height-border.Bottom)
	return rectangle{x1, y1, max(x2-x1, 0), max(y2-y1, 0)}
}

// edge is a place that may be left open.
type edge struct {
	at float64
	ok bool
}

func (c *gridbox) between(a *gridAxis, q grid.Request, before, count int) (start, end edge) {
	first, last := a.Lines(q, before, count)
	if first != grid.NoLine {
		start = edge{a.edges.Start(first), true}
	}
	if last != grid.NoLine {
		end = edge{a.edges.End(last), true}
	}
	return start, end
}

func mirrored(e edge, width float64) edge { return edge{width - e.at, e.ok} }

func edgeOr(e edge, from, otherwise float64) float64 {
	if !e.ok {
		return otherwise
	}
	return from + e.at
}

// baselines finds those of the container: of the first item in its first row and in its last row, or of those that are aligned by
// their baselines there (section 10.6).
func (c *gridbox) baselines() {
	first, last := -1, -1
	for i := range c.items {
		if first < 0 || c.before(i, first, c.items[i].Rows.Start-c.items[first].Rows.Start) {
			first = i
		}
		if last < 0 || c.before(i, last, c.items[last].Rows.End-c.items[i].Rows.End) {
			last = i
		}
	}
	if first < 0 {
		return
	}
	c.f.HasBaseline = true
	c.f.Baseline = c.items[first].f.Y + baselineOf(c.items[first].f)
	c.f.LastBaseline = c.items[last].f.Y + baselineOf(c.items[last].f)
}

// before reports whether an item comes before another for the baseline: by how far away their rows are; in the same one it is
// the one that is aligned by its baseline, and then the one that begins first.
func (c *gridbox) before(i, j, rows int) bool {
	a, b := &c.items[i], &c.items[j]
	if rows != 0 {
		return rows < 0
	}
	if x, y := a.along == align.Baseline, b.along == align.Baseline; x != y {
		return x
	}
	return a.Columns.Start < b.Columns.Start
}
