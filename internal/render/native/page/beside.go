package page

import (
	"cmp"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// placed is a child, or what is left of one, and where it begins on the page.
type placed struct {
	m *mark
	y float64
}

// highest is where the first of some children begins.
func highest(list []placed) float64 {
	return slices.MinFunc(list, func(a, b placed) int { return cmp.Compare(a.y, b.y) }).y
}

// outcome is what becomes of a band.
type outcome struct {
	open   []*mark
	rest   float64 // the height of what is left of it
	broken bool    // what follows has to wait for that
	stuck  bool    // all of it fits, but not what has to stand below it
	appeal appeal
}

// beside breaks what stands side by side. An item that begins lower than others and does not fit at all waits for the next page
// by itself: there are no other places to break before it.
func (w *walk) beside(items []placed, trail float64) outcome {
	r := outcome{appeal: forced}
	top := highest(items)
	var pushed []placed
	for _, p := range items {
		if !w.c.crosses(p.m, w.limit-p.y, trail) {
			continue
		}
		blank := !p.m.begun && p.y > top+epsilon
		to, a := w.choose(p, trail)
		switch {
		case blank && (p.y >= w.limit-epsilon || to != nil && a == lastResort):
			pushed = append(pushed, p)
			r.appeal = min(r.appeal, perfect)
		case to != nil:
			r.open, r.appeal = append(r.open, to), min(r.appeal, a)
			w.count(&r, to)
		case p.m.rest+trail > w.limit-p.y+epsilon:
			r.stuck = true
		}
	}
	w.push(&r, pushed)
	if w.m.f.Box.Kind == box.TableRow && r.broken {
		w.level(&r)
	}
	return r
}

// count takes what is left of an item into account.
func (w *walk) count(r *outcome, to *mark) {
	if to.ended() || spans(w.m.f, to.f) {
		return
	}
	r.broken = true
	rest := to.at + to.rest
	if parallel(w.m.f) {
		rest += to.f.Margin.Bottom
	}
	r.rest = max(r.rest, rest)
}

// push puts items that wait onto the next page. What begins below the end of this page keeps its distance to it; the rows of a grid
// move together.
func (w *walk) push(r *outcome, pushed []placed) {
	for _, p := range pushed {
		top := w.limit
		if w.m.f.Box.Kind == box.Grid {
			top = min(top, highest(pushed))
		}
		to := p.m.moved(max(p.y-top, 0))
		r.open = append(r.open, to)
		w.count(r, to)
	}
}

// level makes what is left of the cells of a row equally high.
func (w *walk) level(r *outcome) {
	for _, o := range r.open {
		if !spans(w.m.f, o.f) {
			o.rest = max(o.rest, r.rest-o.at)
		}
	}
}

// places are the items of a band that has not begun. The content of cells whose row is cut begins at their top.
func (w *walk) places(band []*fragment.Fragment) []placed {
	list := make([]placed, len(band))
	row := w.m.f.Box.Kind == box.TableRow
	cut := false
	for i, f := range band {
		list[i] = placed{start(f), w.y(f.Y)}
		cut = cut || row && !spans(w.m.f, f) && w.c.crosses(list[i].m, w.limit-list[i].y, 0)
	}
	for _, p := range list {
		if cut || spans(w.m.f, p.m.f) && w.c.crosses(p.m, w.limit-p.y, 0) {
			p.m.lead = raise(p.m.f)
		}
	}
	return list
}

// raise is how far vertical-align has moved the content of a cell down.
func raise(f *fragment.Fragment) float64 {
	if f.Box.Kind != box.TableCell {
		return 0
	}
	top := f.ContentY()
	if len(f.Lines) > 0 {
		return max(f.Lines[0].Top-top, 0)
	}
	if c := first(f); c != nil {
		return max(c.Y-topMargin(c)-top, 0)
	}
	return 0
}
