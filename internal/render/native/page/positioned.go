package page

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// positioned adds the positioned boxes whose place is on this page, and keeps those that are further down.
func (b *builder) positioned() {
	for _, o := range b.m.open {
		if o.f.Box.OutOfFlow() {
			b.place(o, o.at, true)
		}
	}
	all := b.m.f.Children
	n := len(all)
	for n > 0 && all[n-1].Box.OutOfFlow() {
		n--
	}
	for _, f := range all[n:] {
		if b.root() && f.Box.Style.Position == "fixed" {
			continue
		}
		switch y, here := b.stands(f); {
		case here:
			b.place(start(f), y, b.s.top && y <= epsilon)
		case y >= b.s.limit:
			b.goOn()
		}
	}
}

// root says that the box is that of the document: what is placed from a bottom there, is from the bottom of the first page.
func (b *builder) root() bool { return b.m.f.Box.Parent == nil }

// stands is where a positioned box stands on this page, and whether it does. Positions count along all parts of the containing block,
// pages that it does not fill included, as in Chromium. A box with no position stands where the flow has it. What does not stand here
// is on a page before, if y is less than the limit, or on a later one.
func (b *builder) stands(f *fragment.Fragment) (y float64, here bool) {
	broken := b.to != nil && b.to.rest > epsilon
	switch {
	case static(f):
		y = f.Y - b.part.Lead
		return min(y, b.s.limit-epsilon), !b.m.ended() && (!b.m.begun || f.Y >= b.m.lead-epsilon) && (!broken || f.Y < b.to.lead-epsilon)
	case fromBottom(f) && !b.root():
		y = b.m.rest - (b.m.f.Height - f.Y)
		if b.m.begun {
			y = max(y, 0)
		}
		return min(y, b.s.limit-epsilon), !broken && !b.m.ended()
	}
	y = f.Y - b.m.taken
	return y, (!b.m.begun || y >= 0) && y < b.s.limit
}

// place adds a positioned box, or what is left of one. What cannot be broken and does not fit goes to the next page.
func (b *builder) place(from *mark, y float64, top bool) {
	limit := b.s.limit - y
	if b.c.crosses(from, limit, 0) {
		to, a := b.c.choose(from, space{limit: limit, top: top})
		if to != nil && a == lastResort && !top {
			b.keep(from.moved(0))
			return
		}
		if to != nil {
			b.keep(to)
		}
	}
	b.add(from, y)
}

// fixed are the boxes that stand on each page. One whose place is below the first page begins there, as in Chromium.
func fixed(root *fragment.Fragment, page int, height float64) []*fragment.Fragment {
	var list []*fragment.Fragment
	for _, f := range root.Children {
		if f.Box.Style.Position != "fixed" {
			continue
		}
		begin := int(math.Floor(max(f.Y+root.Y, 0) / height))
		end := int(math.Floor((f.Y + root.Y + max(f.Height, f.Overflow, 1)) / height))
		for i := min(begin, page); i <= min(end, page); i++ {
			if i < begin {
				continue
			}
			again := *f
			again.X += root.X
			again.Y += root.Y - float64(height*float64(i))
			list = append(list, &again)
		}
	}
	return list
}
