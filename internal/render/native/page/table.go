package page

import (
	"cmp"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// repeat says which groups of rows a table shows again on each page. Chromium repeats a head or a foot that is not to be cut and takes no
// more than a quarter of the page.
type repeat struct {
	head, foot *fragment.Fragment
	// shift is what the head takes at the top of later pages, with the space below it; edge is where it begins there.
	shift, edge float64
	// below is what the foot takes at the bottom of pages, with the space above it.
	below float64
	// alone says that a head at the end of a page would have nothing above it but the rest of the page.
	alone bool
}

// before says that a band is the first after the head: a break there would leave the head alone.
func (r *repeat) before(i int) bool { return r.head != nil && r.alone && i == 1 }

// repeats finds out what is repeated of a table.
func (c *cutter) repeats(f *fragment.Fragment) repeat {
	var r repeat
	rows := f.Children
	n := len(rows)
	if n < 2 {
		return r
	}
	again := func(g *fragment.Fragment) bool {
		return avoids(g.Box) && c.reaches(g) <= min(c.height/4, g.Height)+epsilon
	}
	if g := rows[n-1]; g.Box.Group == box.Foot && again(g) && rows[n-2].Box.Group != box.Head {
		r.foot = g
		r.below = g.Y + g.Height - rows[n-2].Y - rows[n-2].Height
	}
	if g := rows[0]; g.Box.Group == box.Head && again(g) && rows[1].Box.Group != box.Foot {
		r.head = g
		if f.Box.Style.BorderCollapse == "collapse" {
			r.edge = f.Border.Top
		}
		r.shift = r.edge + rows[1].Y - g.Y
		r.alone = !captioned(f)
	}
	return r
}

// captioned reports whether a caption stands above the rows.
func captioned(f *fragment.Fragment) bool {
	table := f.Box.Parent
	if table == nil {
		return false
	}
	return slices.ContainsFunc(table.Children, func(b *box.Box) bool {
		return b.Kind == box.TableCaption && b.Style.CaptionSide != "bottom"
	})
}

// table makes room for what is repeated.
func (w *walk) table() {
	w.repeat = w.c.repeats(w.m.f)
	if w.repeat.head != nil && w.m.begun && w.m.next > 0 && !w.m.ended() {
		w.origin = w.repeat.shift
	}
	if w.repeat.foot != nil && w.m.next < w.seq.count() && !w.m.ended() {
		w.limit -= w.repeat.below
		w.seq.list = w.seq.list[:len(w.seq.list)-1]
		w.flowing--
	}
}

// rules are the collapsed borders of a table, found by their height.
type rules struct {
	order []int // of the short ones, by their tops
	long  []int
}

// short is the height above which a border is looked at for every page: one that is the height of many rows.
const short = 500

func (c *cutter) ruled(t *fragment.Table) *rules {
	r := &rules{}
	for i := range t.Collapsed {
		if x := &t.Collapsed[i]; max(x.Y1, x.Y2)-min(x.Y1, x.Y2) > short {
			r.long = append(r.long, i)
		} else {
			r.order = append(r.order, i)
		}
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(top(t, a), top(t, b)) })
	return r
}

func top(t *fragment.Table, i int) float64 { return min(t.Collapsed[i].Y1, t.Collapsed[i].Y2) }

// collapsed appends the borders that stand between two heights, cut there, and moves them down.
func (r *rules) collapsed(t *fragment.Table, from, to, down float64, list []fragment.Rule) []fragment.Rule {
	begin, _ := slices.BinarySearchFunc(r.order, from-short, func(i int, y float64) int { return cmp.Compare(top(t, i), y) })
	end, _ := slices.BinarySearchFunc(r.order, to+epsilon, func(i int, y float64) int { return cmp.Compare(top(t, i), y) })
	var found []int
	for _, i := range append(slices.Clone(r.order[begin:max(begin, end)]), r.long...) {
		if x := &t.Collapsed[i]; max(x.Y1, x.Y2) >= from-epsilon && top(t, i) <= to+epsilon {
			found = append(found, i)
		}
	}
	slices.Sort(found)
	for _, i := range found {
		x := t.Collapsed[i]
		x.Y1, x.Y2 = min(max(x.Y1, from), to)+down, min(max(x.Y2, from), to)+down
		if x.Y1 == x.Y2 && x.X1 == x.X2 {
			continue // what stands upright and only touches the place of the cut
		}
		list = append(list, x)
	}
	return list
}

// table adds the head and the foot that are repeated, and the borders and columns that the part has.
func (b *builder) table() {
	f := b.m.f
	if f.Box.Kind != box.TableGrid {
		return
	}
	r := &b.walk.repeat
	broken := b.to != nil && b.to.rest > epsilon
	end := f.Height
	if broken {
		end = b.to.lead
	}
	lead := b.part.Lead
	var list []fragment.Rule
	sheet := b.c.tableRules(f)
	if b.walk.origin > 0 {
		b.repeated(r.head, r.edge)
		list = sheet.collapsed(f.Table, 0, f.Children[1].Y, r.edge-r.head.Y, list)
	}
	list = sheet.collapsed(f.Table, b.m.lead, end, -lead, list)
	if r.foot != nil && !b.m.ended() && b.m.next < len(f.Children) {
		y := r.foot.Y - lead
		if broken {
			gap := r.below - r.foot.Height
			y = min(b.down+gap, b.s.limit-r.below)
			list = sheet.collapsed(f.Table, r.foot.Y, f.Height, y-r.foot.Y, list)
		}
		b.repeated(r.foot, y)
	}
	if f.Table != nil {
		b.part.Table = &fragment.Table{Collapsed: list, Columns: b.columns(end)}
	}
}

// repeated adds a group of rows that is shown on several pages.
func (b *builder) repeated(g *fragment.Fragment, y float64) {
	again := *g
	again.Y = b.part.Lead + y
	again.Repeated = b.m.begun
	b.part.Children = append(b.part.Children, &again)
}

// columns are as high as the rows on the page.
func (b *builder) columns(end float64) []*fragment.Fragment {
	var list []*fragment.Fragment
	for _, f := range b.m.f.Table.Columns {
		again := *f
		again.Y = max(f.Y, b.m.lead) - b.part.Lead
		if b.walk.origin > 0 {
			again.Y = b.walk.repeat.edge
		}
		again.Height = max(min(f.Y+f.Height, end)-b.part.Lead-again.Y, 0)
		list = append(list, &again)
	}
	return list
}

// tableRules are the collapsed borders of a table, put in order once.
func (c *cutter) tableRules(f *fragment.Fragment) *rules {
	if f.Table == nil {
		return &rules{}
	}
	r := c.rules[f]
	if r == nil {
		r = c.ruled(f.Table)
		c.rules[f] = r
	}
	return r
}
