package grid

import (
	"math"
	"slices"
)

// share is a track that takes part in getting room: by its weight, and no more than it has room for.
type share struct {
	track        int
	weight, room float64
}

// pour gives space to tracks in proportion to their weights, none more than its room, and returns what is left. It adds to add.
func pour(space float64, shares []share, add []float64) float64 {
	slices.SortStableFunc(shares, func(a, b share) int {
		switch x, y := a.room/a.weight, b.room/b.weight; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	weights := 0.0
	for _, s := range shares {
		weights += s.weight
	}
	for _, s := range shares {
		if space <= 0 || weights <= 0 {
			return max(space, 0)
		}
		part := min(float64(space*(s.weight/weights)), s.room)
		add[s.track] += part
		space -= part
		weights -= s.weight
	}
	return leftover(space)
}

// leftover is what is left, unless it is what sums lose.
func leftover(space float64) float64 {
	if space < 1e-7 {
		return 0
	}
	return space
}

// phase is one step of making room for items that span several tracks (sections 11.5 and 11.5.1).
type phase struct {
	// want is what an item contributes.
	want func(w *work, item *Want) float64
	// affects says which tracks grow, prefers which of these grow beyond their limits.
	affects, prefers func(w *work, t Track) bool
	// limits says that growth limits grow, not base sizes; mark that those that were infinite may go on growing.
	limits, mark bool
}

// spread makes room for items by growing tracks: all of them plan first, then the tracks grow.
func (w *work) spread(items []*Want, p phase, flexible bool) error {
	planned := map[int]float64{}
	var order []int
	add := w.add
	for _, item := range items {
		if err := w.ask(item.Len()); err != nil {
			return err
		}
		shares := w.affected(item.Range, p, flexible)
		space := p.want(w, item) - w.gaps(item.Range)
		for i := item.Start; i < item.End; i++ {
			space -= w.size(i, p)
		}
		if len(shares) == 0 || space <= 0 {
			continue
		}
		space = pour(space, shares, add)
		w.beyond(space, shares, p, add)
		for _, s := range shares {
			if _, seen := planned[s.track]; !seen {
				order = append(order, s.track)
			}
			planned[s.track] = max(planned[s.track], add[s.track])
			add[s.track] = 0
		}
	}
	for _, i := range order {
		w.enlarge(i, planned[i], p)
	}
	return nil
}

// size is what grows: the base size, or the growth limit if it is finite.
func (w *work) size(i int, p phase) float64 {
	if p.limits && !math.IsInf(w.limit[i], 1) {
		return w.limit[i]
	}
	return w.base[i]
}

// affected are the tracks of a range that grow in a phase. Those with fractions grow in proportion to them, if they have any.
func (w *work) affected(r Range, p phase, flexible bool) []share {
	var shares []share
	sum := 0.0
	for i := r.Start; i < r.End; i++ {
		t := w.tracks[i]
		if !p.affects(w, t) || flexible && t.Max.Kind != Flexible {
			continue
		}
		s := share{track: i, weight: 1, room: w.headroom(i, p)}
		if flexible {
			s.weight = t.Max.Value
			sum += s.weight
		}
		shares = append(shares, s)
	}
	if !flexible {
		return shares
	}
	if sum <= 0 {
		for i := range shares {
			shares[i].weight = 1
		}
		return shares
	}
	return slices.DeleteFunc(shares, func(s share) bool { return s.weight <= 0 })
}

// headroom is how far a track may grow before it meets its limit.
func (w *work) headroom(i int, p phase) float64 {
	t := w.tracks[i]
	if !p.limits {
		limit := w.limit[i]
		if t.Limited {
			limit = min(limit, max(t.Fit, w.base[i]))
		}
		return limit - w.base[i]
	}
	switch {
	case !w.grow[i] && !math.IsInf(w.limit[i], 1):
		return 0
	case t.Limited:
		return max(t.Fit-w.size(i, p), 0)
	}
	return math.Inf(1)
}

// beyond gives the rest to tracks whatever their limits, first of all to those that the phase prefers.
func (w *work) beyond(space float64, shares []share, p phase, add []float64) {
	if space <= 0 {
		return
	}
	var open []share
	for _, s := range shares {
		if p.prefers != nil && p.prefers(w, w.tracks[s.track]) {
			open = append(open, share{s.track, s.weight, math.Inf(1)})
		}
	}
	if len(open) == 0 {
		for _, s := range shares {
			open = append(open, share{s.track, s.weight, math.Inf(1)})
		}
	}
	pour(space, open, add)
}

func (w *work) enlarge(i int, by float64, p phase) {
	if !p.limits {
		w.base[i] += by
		return
	}
	if math.IsInf(w.limit[i], 1) {
		w.limit[i] = w.base[i]
		w.grow[i] = p.mark
	}
	w.limit[i] += by
}
