package page

import (
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
