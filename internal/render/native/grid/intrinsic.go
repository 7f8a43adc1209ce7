package grid

import (
	"math"
	"slices"
)

// intrinsic makes tracks as large as what is in them (section 11.5): first for items in one track, then for those in two, and so
// on, and at the end for those that span flexible tracks, all together.
func (w *work) intrinsic() error {
	var spanning, flexing []*Want
	for i := range w.items {
		item := &w.items[i]
		if err := w.ask(item.Len()); err != nil {
			return err
		}
		switch {
		case w.spansFlexible(item.Range):
			flexing = append(flexing, item)
		case item.Len() == 1:
			w.fit(item)
		case item.Len() > 1:
			spanning = append(spanning, item)
		}
	}
	w.settle()
	slices.SortStableFunc(spanning, func(a, b *Want) int { return a.Len() - b.Len() })
	for len(spanning) > 0 {
		n := 1
		for n < len(spanning) && spanning[n].Len() == spanning[0].Len() {
			n++
		}
		if err := w.accommodate(spanning[:n], false); err != nil {
			return err
		}
		spanning = spanning[n:]
	}
	if err := w.accommodate(flexing, true); err != nil {
		return err
	}
	for i := range w.limit {
		if math.IsInf(w.limit[i], 1) {
			w.limit[i] = w.base[i]
		}
	}
	return nil
}

func (w *work) spansFlexible(r Range) bool {
	for i := r.Start; i < r.End; i++ {
		if w.tracks[i].Max.Kind == Flexible {
			return true
		}
	}
	return false
}

// fit makes one track large enough for an item that is in no other.
func (w *work) fit(item *Want) {
	i := item.Start
	t := w.tracks[i]
	switch t.Min.Kind {
	case MinContent:
		w.base[i] = max(w.base[i], item.Least)
	case MaxContent:
		w.base[i] = max(w.base[i], item.Most)
	case Auto:
		w.base[i] = max(w.base[i], w.minimum(item))
	case Fixed, Flexible:
	}
	limit := 0.0
	switch t.Max.Kind {
	case MinContent:
		limit = item.Least
	case MaxContent, Auto:
		if limit = item.Most; t.Limited {
			limit = min(limit, max(t.Fit, w.base[i]))
		}
	case Fixed, Flexible:
		return
	}
	if math.IsInf(w.limit[i], 1) {
		w.limit[i] = 0
	}
	w.limit[i] = max(w.limit[i], limit)
}

// settle keeps growth limits at or above base sizes.
func (w *work) settle() {
	for i := range w.base {
		w.limit[i] = max(w.limit[i], w.base[i])
	}
}

// minimum is the minimum contribution of an item: its automatic minimum size, if it has one here, is what its content wants at
// least, within the limits of the tracks.
func (w *work) minimum(item *Want) float64 {
	if !item.Automatic || !w.automatic(item.Range) {
		return item.Minimum
	}
	return max(min(item.Least, w.most(item.Range)), item.Minimum)
}

// automatic reports whether items in a range have an automatic minimum size: one track at least has an automatic least size, and
// either it is the only one or none is flexible (section 6.6).
func (w *work) automatic(r Range) bool {
	found := false
	for i := r.Start; i < r.End; i++ {
		found = found || w.tracks[i].Min.Kind == Auto
	}
	return found && (r.Len() == 1 || !w.spansFlexible(r))
}

// most is the greatest size of tracks if all of them have one.
func (w *work) most(r Range) float64 {
	sum := w.gaps(r)
	for i := r.Start; i < r.End; i++ {
		if w.tracks[i].Max.Kind != Fixed {
			return math.Inf(1)
		}
		sum += max(w.tracks[i].Max.Value, w.base[i])
	}
	return sum
}

// accommodate makes room for items that span tracks, in six phases.
func (w *work) accommodate(items []*Want, flexible bool) error {
	if len(items) == 0 {
		return nil
	}
	for i, p := range phases {
		if flexible && p.limits {
			continue // a flexible track has no limit
		}
		if err := w.spread(items, p, flexible); err != nil {
			return err
		}
		if i == 2 {
			w.settle()
		}
	}
	for i := range w.grow {
		w.grow[i] = false
	}
	return nil
}

var phases = []phase{
	{ // intrinsic minimums
		want:    (*work).minimum,
		affects: func(_ *work, t Track) bool { return intrinsic(t.Min) },
		prefers: func(_ *work, t Track) bool { return intrinsic(t.Max) },
	},
	{ // content-based minimums
		want:    func(_ *work, i *Want) float64 { return i.Least },
		affects: func(_ *work, t Track) bool { return t.Min.Kind == MinContent || t.Min.Kind == MaxContent },
		prefers: func(_ *work, t Track) bool { return intrinsic(t.Max) },
	},
	{ // max-content minimums
		want:    func(_ *work, i *Want) float64 { return i.Most },
		affects: func(_ *work, t Track) bool { return t.Min.Kind == MaxContent },
		prefers: func(_ *work, t Track) bool { return t.Max.Kind == MaxContent || t.Max.Kind == Auto },
	},
	{ // intrinsic maximums
		want:    func(_ *work, i *Want) float64 { return i.Least },
		affects: func(_ *work, t Track) bool { return intrinsic(t.Max) },
		limits:  true, mark: true,
	},
	{ // max-content maximums
		want:    func(_ *work, i *Want) float64 { return i.Most },
		affects: func(_ *work, t Track) bool { return t.Max.Kind == MaxContent || t.Max.Kind == Auto },
		limits:  true,
	},
}

func intrinsic(b Breadth) bool { return b.Kind == Auto || b.Kind == MinContent || b.Kind == MaxContent }
