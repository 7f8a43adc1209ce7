package layout

import (
	"sort"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// pending is a positioned box that waits for its containing block to get its size.
type pending struct {
	box *box.Box
	// x and y are where it would stand if it were static, from the border box of holder; endX and endY are which part of its
	// margin box stands there: 0 the start, 1 the end.
	holder     *box.Box
	x, y       float64
	endX, endY float64
	// around is the box whose padding box it is positioned in, nil for the initial containing block; host is where that is laid
	// out: the container of its lines, if it is an inline box.
	around, host *box.Box
	// area is its containing block if that is the area of a grid, from the border box of holder, which is around.
	area *rectangle
}

// positioned notes that a positioned box would have the corner of its margin box here, from the border box of a fragment, if it
// were static. It is laid out when its containing block has its size.
func (l *layouter) positioned(b *box.Box, in *fragment.Fragment, x, y float64) {
	l.positionedAt(b, in, x, y, 0, 0)
}

// positionedAt is [layouter.positioned] for any point of the margin box: endX and endY are shares of its width and height, 0.5 for
// instance for one that is centered.
func (l *layouter) positionedAt(b *box.Box, in *fragment.Fragment, x, y, endX, endY float64) {
	p := pending{box: b, holder: in.Box, x: bounded(x), y: bounded(y), endX: endX, endY: endY}
	for a := b.Parent; a != nil; a = a.Parent {
		if contains(a, b.Style.Position == "fixed") {
			p.around = a
			break
		}
	}
	for p.host = p.around; p.host != nil && p.host.Kind == box.Inline; {
		p.host = p.host.Parent
	}
	l.pending = append(l.pending, p)
}

// contains reports whether a box is the containing block of positioned boxes in it (CSS 2.2, section 10.1; CSS Transforms 1, section
// 2). The wrapper of a table is, not the table in it.
func contains(b *box.Box, fixed bool) bool {
	if b.Kind == box.TableGrid || b.Kind == box.Text {
		return false
	}
	return len(b.Style.Transform) > 0 && b.Kind != box.Inline || !fixed && b.Style.Position != "static"
}

// shift notes how far a relative box is moved.
func shift(f *fragment.Fragment, s space) {
	if f.Box.Kind != box.TableGrid {
		f.ShiftX, f.ShiftY = relativeShift(f.Box, s)
	}
}

// relativeShift finds how far a relative box is moved (CSS 2.2, section 9.4.3).
func relativeShift(b *box.Box, s space) (x, y float64) {
	if b.Style.Position != "relative" {
		return 0, 0
	}
	inset := b.Style.Inset
	rtl := b.Parent != nil && b.Parent.Style.Direction == "rtl"
	left, hasLeft := resolveInset(inset.Left, s.width)
	right, hasRight := resolveInset(inset.Right, s.width)
	switch {
	case hasLeft && (!rtl || !hasRight):
		x = left
	case hasRight:
		x = -right
	}
	if s.passed {
		s.height = indefinite
	}
	top, hasTop := resolveInset(inset.Top, s.height)
	bottom, hasBottom := resolveInset(inset.Bottom, s.height)
	switch {
	case hasTop:
		y = top
	case hasBottom:
		y = -bottom
	}
	return x, y
}

// adopt lays out the boxes, of those pending since mark, that are positioned in a fragment.
func (l *layouter) adopt(f *fragment.Fragment, mark int) error {
	return l.adoptOf(f, mark, f.Box)
}

// adoptRest lays out in the root what is positioned in the initial containing block.
func (l *layouter) adoptRest(root *fragment.Fragment) error {
	if err := l.adoptOf(root, 0, nil); err != nil {
		return err
	}
	root.Overflow = reach(root)
	return nil
}

func (l *layouter) adoptOf(f *fragment.Fragment, mark int, host *box.Box) error {
	for {
		mine := l.take(mark, host)
		if len(mine) == 0 {
			return l.err()
		}
		origins := findOrigins(f, mine)
		rects := l.rectangles(f, mine)
		for _, p := range mine {
			at := origins[p.holder]
			p.x, p.y = p.x+at.x, p.y+at.y
			in := rects[p.around]
			if p.area != nil {
				in = *p.area
			}
			child, err := l.absolute(p, in)
			if err != nil {
				return err
			}
			f.Children = append(f.Children, child)
		}
		first := sort.Search(len(f.Children), func(i int) bool { return f.Children[i].Box.OutOfFlow() })
		rest := f.Children[first:]
		sort.SliceStable(rest, func(i, j int) bool { return rest[i].Box.Order < rest[j].Box.Order })
	}
}

// take removes from what is pending since mark what has this host.
func (l *layouter) take(mark int, host *box.Box) []pending {
	var mine []pending
	rest := l.pending[:mark]
	for _, p := range l.pending[mark:] {
		if p.host == host {
			mine = append(mine, p)
		} else {
			rest = append(rest, p)
		}
	}
	l.pending = rest
	return mine
}

// point is a position.
type point struct{ x, y float64 }

// findOrigins finds where the border boxes are that hold the boxes, from that of a fragment they are all in.
func findOrigins(f *fragment.Fragment, of []pending) map[*box.Box]point {
	onTheWay := map[*box.Box]bool{}
	for _, p := range of {
		for b := p.holder; b != nil && b != f.Box && !onTheWay[b]; b = b.Parent {
			onTheWay[b] = true
		}
	}
	origins := map[*box.Box]point{}
	var walk func(f *fragment.Fragment, at point)
	walk = func(f *fragment.Fragment, at point) {
		origins[f.Box] = at
		step := func(c *fragment.Fragment) {
			if onTheWay[c.Box] {
				walk(c, point{at.x + c.X + c.ShiftX, at.y + c.Y + c.ShiftY})
			}
		}
		for _, c := range f.Children {
			step(c)
		}
		for _, line := range f.Lines {
			for _, part := range line.Parts {
				if part.Atomic != nil {
					step(part.Atomic)
				}
			}
		}
	}
	walk(f, point{})
	return origins
}

// rectangles finds the containing blocks of boxes, from the border box of the fragment that has them: its own padding box, the area
// of the page for the root, or what the inline boxes in its lines cover.
func (l *layouter) rectangles(f *fragment.Fragment, of []pending) map[*box.Box]rectangle {
	rects := map[*box.Box]rectangle{
		nil:   {-f.X, -f.Y, l.area.Width, l.area.Height},
		f.Box: {f.Border.Left, f.Border.Top, max(f.Width-f.Border.Across(), 0), max(f.Height-f.Border.Along(), 0)},
	}
	inline := false
	for _, p := range of {
		inline = inline || p.around != p.host
	}
	if !inline {
		return rects
	}
	for _, line := range f.Lines {
		for _, part := range line.Parts {
			if i := part.Inline; i != nil {
				covered, ok := rects[i.Box]
				own := rectangle{i.X, i.Y, i.Width, i.Height}.inside(i.Box.Style.BorderWidth.Left, i.Box.Style.BorderWidth.Top, i.Box.Style.BorderWidth.Right, i.Box.Style.BorderWidth.Bottom)
				if ok {
					own = covered.union(own)
				}
				rects[i.Box] = own
			}
		}
	}
	return rects
}
