package page

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// facts are found once, before anything is cut. Only what is out of the ordinary is kept: that a table of 50,000 rows has none of
// it costs no memory.
type facts struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call of Paginate
	steps int
	// reach is how far down a box and what sticks out of it come, if that is more than its height.
	reach map[*fragment.Fragment]float64
	// forced are the boxes with a break inside that must be.
	forced map[*fragment.Fragment]bool
}

// step counts a step and reports whether to go on.
func (x *facts) step() bool {
	x.steps++
	return x.steps%1024 != 0 || x.ctx.Err() == nil
}

// gather looks at a fragment and all that is in it.
func (x *facts) gather(f *fragment.Fragment) {
	if !x.step() {
		return
	}
	down := f.Height
	for _, line := range f.Lines {
		down = max(down, line.Top+line.Height)
	}
	var previous *fragment.Fragment
	for _, c := range f.Children {
		x.gather(c)
		if r := x.reaches(c); r > 0 && c.Box.Style.Position != "fixed" {
			down = max(down, c.Y+r)
		}
		if !c.InFlow() {
			continue
		}
		if x.forced[c] || previous != nil && between(one(previous), one(c)) == 2 {
			x.forced[f] = true
		}
		previous = c
	}
	if down > f.Height+epsilon && !clips(f) {
		x.reach[f] = down
	}
}

// reaches is how far down a fragment comes.
func (x *facts) reaches(f *fragment.Fragment) float64 {
	if r, ok := x.reach[f]; ok {
		return r
	}
	return f.Height
}

// crosses reports whether what is left of a fragment has to be looked at: it comes further down than limit, which is from its top,
// or has to be broken. Trail is what has to stand below it.
func (x *facts) crosses(m *mark, limit, trail float64) bool {
	if x.forced[m.f] || m.rest+trail > max(limit, 0)+epsilon {
		return true
	}
	if r, ok := x.reach[m.f]; ok && r-m.lead > limit+epsilon {
		return true
	}
	for _, o := range m.open {
		if x.crosses(o, limit-o.at, 0) {
			return true
		}
	}
	return false
}

func one(f *fragment.Fragment) []*fragment.Fragment { return []*fragment.Fragment{f} }
