package page

import (
	"cmp"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// blocks goes through bands.
func (w *walk) blocks() (*mark, appeal) {
	if to, a := w.resume(); to != nil {
		return to, a
	}
	for i := w.m.next; i < w.seq.count(); i++ {
		if to, a := w.band(i); to != nil {
			return to, a
		}
	}
	return w.end(w.seq.count())
}

// placed is a child, or what is left of one, and where it begins on the page.
type placed struct {
	m *mark
	y float64
}

// resume goes on with what has begun on pages before.
func (w *walk) resume() (*mark, appeal) {
	var flow []placed
	for _, o := range w.m.open {
		p := placed{o, w.origin + o.at}
		switch {
		case o.f.Box.OutOfFlow():
		case o.f.Box.Floats() || o.ended() || spans(w.m.f, o.f):
			if to, a := w.choose(p, 0); to != nil {
				w.hold(to, -1, a)
			}
		default:
			flow = append(flow, p)
		}
	}
	if len(flow) == 0 {
		return nil, lastResort
	}
	trail := 0.0
	if w.m.next > w.flowing {
		trail = w.trail
	}
	r := w.beside(flow, trail)
	if !r.broken {
		for _, o := range r.open {
			w.hold(o, -1, r.appeal)
		}
		if r.stuck {
			return w.cut(w.m.next), lastResort
		}
		return nil, lastResort
	}
	bottom := 0.0
	for i, p := range flow {
		if end := p.m.f.Y + ending(w.m.f, p.m.f); i == 0 || end > bottom {
			bottom = end
		}
	}
	return w.to(w.m.next, w.bottom(bottom)-r.rest, w.held(0, r.open)), r.appeal
}

func (w *walk) bottom(y float64) float64 {
	if w.m.f.Box.Kind == box.TableRow {
		return w.m.f.Height
	}
	return y
}

// choose breaks one child; nil is returned for one that fits.
func (w *walk) choose(p placed, trail float64) (*mark, appeal) {
	limit := w.limit - p.y
	if !w.c.crosses(p.m, limit, trail) {
		return nil, perfect
	}
	return w.c.choose(p.m, space{limit: limit, trail: trail, top: w.s.top && p.y <= w.origin+epsilon})
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

// band finds room for the next band, or the place to break that is best now that there is none.
func (w *walk) band(i int) (*mark, appeal) {
	band := w.seq.band(i)
	switch {
	case band[0].Box.OutOfFlow():
		return nil, lastResort
	case band[0].Box.Floats():
		return w.float(i, band[0])
	case w.flowed(i) && w.between(i) == 2:
		return w.breakBefore(i, true), forced
	}
	y := w.y(above(w.m.f, band))
	if y >= w.limit-epsilon && (y > w.origin+epsilon || !w.s.top) && w.tall(i) {
		return w.best(i, nil, lastResort)
	}
	trail := 0.0
	if i == w.flowing {
		trail = w.trail
	}
	r := w.beside(w.places(band), trail)
	if r.broken {
		return w.best(i, w.breakIn(i, r), r.appeal)
	}
	if r.stuck || len(r.open) > 0 && r.appeal == lastResort {
		if to, a := w.best(i, nil, lastResort); to != nil {
			return to, a
		}
		if r.stuck && w.owns(band) {
			return w.cut(i + 1), lastResort
		}
	}
	for _, o := range r.open {
		w.hold(o, i, r.appeal)
	}
	return nil, lastResort
}

// tall reports whether anything of a band, or of what follows, has a height: what is nothing does not begin a page.
func (w *walk) tall(i int) bool {
	for _, f := range w.seq.band(i) {
		if f.Height > epsilon || w.c.reaches(f) > epsilon || w.c.forced[f] {
			return true
		}
	}
	return false
}

// owns says that it is for this box to be cut below its last child: no box around it can do better.
func (w *walk) owns(band []*fragment.Fragment) bool {
	return w.y(below(w.m.f, band))+w.trail-w.s.trail > w.limit+epsilon
}

// cut goes through the bottom edge of the box.
func (w *walk) cut(next int) *mark {
	to := w.to(next, w.m.lead+w.limit-w.origin, w.open)
	to.rest = max(w.m.rest-w.s.limit, 0)
	return to
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

// between is what is said of the place before a band.
func (w *walk) between(i int) int {
	var previous []*fragment.Fragment
	for j := i - 1; j >= 0 && previous == nil; j-- {
		if b := w.seq.band(j); b[0].InFlow() {
			previous = b
		}
	}
	return between(previous, w.seq.band(i))
}

// appealBefore says how good it is to break before a band; ok is false if that would leave the page as it is.
func (w *walk) appealBefore(i int) (a appeal, ok bool) {
	y := w.y(above(w.m.f, w.seq.band(i)))
	switch {
	case !w.flowed(i):
		return lastResort, y > w.origin+epsilon || !w.s.top
	case w.repeat.before(i):
		return lastResort, true
	case w.between(i) == 1:
		return violatesAvoid, true
	}
	return perfect, true
}

// flowed reports whether something in the flow stands on the page before a band.
func (w *walk) flowed(i int) bool {
	for j := w.m.next; j < i; j++ {
		if w.seq.band(j)[0].InFlow() {
			return true
		}
	}
	return slices.ContainsFunc(w.m.open, func(o *mark) bool { return o.f.InFlow() && !o.ended() })
}

// breakBefore begins the next part with a band. Its margin goes, unless the break must be.
func (w *walk) breakBefore(i int, must bool) *mark {
	band := w.seq.band(i)
	lead := above(w.m.f, band)
	if must && !parallel(w.m.f) {
		lead -= topMargin(band[0])
	}
	open := w.held(i, nil)
	if band[0].Box.Style.Clear != "none" {
		for _, o := range open {
			if o.f.Box.Floats() {
				lead = min(lead, above(w.m.f, band)-o.at-o.rest)
			}
		}
	}
	return w.to(i, lead, open)
}

// breakIn goes on with a band.
func (w *walk) breakIn(i int, r outcome) *mark {
	return w.to(i+1, below(w.m.f, w.seq.band(i))-r.rest, w.held(i, r.open))
}

// float finds room for a float, in which it is broken if it can be. What cannot be goes to the next page with what follows.
func (w *walk) float(i int, f *fragment.Fragment) (*mark, appeal) {
	p := placed{start(f), w.y(f.Y)}
	to, a := w.choose(p, 0)
	if to == nil {
		return nil, lastResort
	}
	if a == lastResort && !(w.s.top && p.y <= w.origin+epsilon) {
		if before, b := w.best(i, nil, lastResort); before != nil && b > lastResort {
			return before, b
		}
		to = p.m
	}
	w.hold(to, i, max(a, violatesAvoid))
	return nil, lastResort
}

// best is the best of three ways out: through a band (inside, which may be nil), before it, or somewhere earlier on the page.
func (w *walk) best(i int, inside *mark, a appeal) (*mark, appeal) {
	if inside != nil && a >= perfect {
		return inside, a
	}
	to := inside
	if b, ok := w.appealBefore(i); ok && (to == nil || b > a || a == lastResort) {
		to, a = w.first(i), b
	}
	if a < perfect || to == nil {
		if earlier, b := w.earlier(i); earlier != nil && (to == nil || b > a) {
			to, a = earlier, b
		}
	}
	return to, a
}

// first breaks before a band. The blank above the first one is cut at the end of the page if it is longer than that.
func (w *walk) first(i int) *mark {
	if y := w.y(above(w.m.f, w.seq.band(i))); !w.flowed(i) && y > w.limit {
		return w.to(i, w.m.lead+w.limit-w.origin, w.held(i, nil))
	}
	return w.breakBefore(i, false)
}

// earlier looks for the best break before a band, from there upwards.
func (w *walk) earlier(i int) (to *mark, a appeal) {
	for j := i - 1; j >= w.m.next; j-- {
		band := w.seq.band(j)
		if !band[0].InFlow() {
			continue
		}
		if len(band) == 1 && w.m.f.Box.Kind != box.TableRow {
			p := w.places(band)[0]
			if n, b := w.c.within(p.m, space{limit: w.limit - p.y}); n != nil && (to == nil || b > a) {
				r := outcome{open: []*mark{n}}
				w.count(&r, n)
				to, a = w.breakIn(j, r), b
			}
		}
		if b, ok := w.appealBefore(j); ok && b > lastResort && (to == nil || b > a) {
			to, a = w.breakBefore(j, false), b
		}
		if to != nil && a >= perfect {
			break
		}
	}
	return to, a
}

// within is the best place to break a box that fits, if there is any but the last resort.
func (c *cutter) within(m *mark, s space) (*mark, appeal) {
	if !c.step() || monolithic(m.f) {
		return nil, lastResort
	}
	w := c.walk(m, s)
	var to *mark
	var a appeal
	if len(m.f.Lines) > 0 {
		to, a = w.withinLines()
	} else {
		to, a = w.earlier(w.seq.count())
	}
	if avoids(m.f.Box) {
		a = min(a, violatesAvoid)
	}
	return to, a
}
