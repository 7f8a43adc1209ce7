package page

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
)

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
