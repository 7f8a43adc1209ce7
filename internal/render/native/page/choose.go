package page

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// space is what a box is given on a page.
type space struct {
	// limit is where the page ends, from the top of the box.
	limit float64
	// trail is what must stand on the page below the box: borders and padding of those whose last child it is.
	trail float64
	// top says that the box begins with the page, so that waiting for the next one helps nothing.
	top bool
}

// cutter cuts one document.
type cutter struct {
	facts
	sorted map[*fragment.Fragment]bands
	rules  map[*fragment.Fragment]*rules
	// height is that of the page area.
	height float64
	parts  int // that have been made
}

// choose decides where the part of a box that begins at m is to be broken. It returns the mark of the next part and how good the
// place is, or nil if the rest of the box fits — or if nothing can be done for it but to break in what is below it.
func (c *cutter) choose(m *mark, s space) (*mark, appeal) {
	if !c.step() {
		return nil, perfect
	}
	if monolithic(m.f) {
		if m.rest+s.trail <= s.limit+epsilon || m.rest <= s.limit+epsilon {
			return nil, lastResort
		}
		return c.slice(m, s), lastResort
	}
	w := c.walk(m, s)
	var to *mark
	var a appeal
	if len(m.f.Lines) > 0 {
		to, a = w.lines()
	} else {
		to, a = w.blocks()
	}
	if a < forced && avoids(m.f.Box) {
		a = min(a, violatesAvoid)
	}
	return to, a
}

// slice cuts through something at the end of the page, whatever is there.
func (c *cutter) slice(m *mark, s space) *mark {
	limit := max(s.limit, 0)
	return &mark{f: m.f, begun: true, lead: m.lead + limit, next: m.next, loose: m.loose, taken: m.taken + limit, rest: max(m.rest-limit, 0)}
}

// walk goes through the children of a box, or its lines, from a mark to the end of the page.
type walk struct {
	c      *cutter
	m      *mark
	s      space
	seq    bands
	repeat repeat
	// origin is where the children begin on the page: below a repeated table head.
	origin float64
	// limit is where they must end: above a table foot.
	limit float64
	// slack is how much higher the box is than its content; roomy that it is, at the top or at the bottom. margin is what of its height
	// is the margin of its last child.
	slack, margin float64
	roomy         bool
	// trail is what must stand below the last child.
	trail float64
	// flowing is the last band in the flow.
	flowing int
	// open are children that go on beside what follows, each with the band that it is of; low is the worst appeal of their breaks.
	open   []*mark
	openAt []int
	low    appeal
}

func (c *cutter) walk(m *mark, s space) *walk {
	w := &walk{c: c, m: m, s: s, seq: c.bands(m.f), limit: s.limit, low: perfect}
	w.slack, w.margin = c.slack(m.f)
	w.roomy = w.slack > 0 || definite(m.f) || raise(m.f) > 0
	w.flowing = w.seq.inFlow()
	if m.f.Box.Kind == box.TableGrid {
		w.table()
	}
	if !w.roomy {
		w.trail = trailing(m.f) + s.trail
		if m.f.Box.Kind == box.TableGrid && w.flowing >= 0 {
			w.trail = max(m.f.Height-below(m.f, w.seq.band(w.flowing))-w.repeat.below, 0) + s.trail
		}
	}
	return w
}

// y is where something stands on the page, from the top of the box.
func (w *walk) y(position float64) float64 { return position - w.m.lead + w.origin }

// to is a mark of what is left of the box when its content is broken at lead.
func (w *walk) to(next int, lead float64, open []*mark) *mark {
	m, limit := w.m, max(w.s.limit, 0)
	to := &mark{f: m.f, begun: true, lead: lead, next: next, loose: m.loose, open: open, taken: m.taken + limit}
	if next == len(m.f.Lines) && next > 0 {
		to.loose = w.seq.count()
	}
	content := m.f.Height - w.slack - lead
	switch {
	case m.ended():
		return to
	case definite(m.f):
		to.rest = max(m.rest-limit, 0)
	case w.roomy:
		to.rest = max(content, m.rest-limit, 0)
	default:
		to.rest = max(content, 0)
	}
	if w.repeat.head != nil && next > 0 {
		to.rest += w.repeat.shift
	}
	if establishes(m.f) && !definite(m.f) {
		for _, o := range open {
			if o.f.Box.Floats() {
				to.rest = max(to.rest, o.at+o.rest+o.f.Margin.Bottom+trailing(m.f))
			}
		}
	}
	return to
}

// end is reached when all children have found room, or at least begun.
func (w *walk) end(next int) (*mark, appeal) {
	m, limit := w.m, w.s.limit
	if m.rest-w.margin > max(limit, 0)+epsilon && !m.ended() {
		a := lastResort
		if w.roomy {
			a = perfect
		}
		to := w.to(next, m.lead+limit-w.origin, w.open)
		to.rest = max(to.rest, m.rest-limit)
		return to, min(a, w.low)
	}
	if len(w.open) == 0 {
		return nil, lastResort
	}
	to := w.to(next, m.f.Height, w.open)
	to.rest = 0
	if len(m.f.Lines) == 0 {
		to.next = max(next, len(m.f.Children))
	}
	return to, w.low
}

// hold notes a child that goes on beside what follows.
func (w *walk) hold(m *mark, band int, a appeal) {
	w.open, w.openAt, w.low = append(w.open, m), append(w.openAt, band), min(w.low, a)
}

// held are the children of bands before one that go on, and others.
func (w *walk) held(band int, others []*mark) []*mark {
	var list []*mark
	for i, o := range w.open {
		if w.openAt[i] < band {
			list = append(list, o)
		}
	}
	return append(list, others...)
}
