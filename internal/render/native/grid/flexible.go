package grid

import "slices"

// flex gives flexible tracks their share (section 11.7).
func (w *work) flex() error {
	var flexible []int
	for i, t := range w.tracks {
		if t.Max.Kind == Flexible {
			flexible = append(flexible, i)
		}
	}
	if len(flexible) == 0 || w.Constraint == Least {
		return nil
	}
	if w.Room >= 0 {
		w.expand(flexible, w.fraction(w.all(), w.Room))
		return nil
	}
	fr, err := w.contentFraction(flexible)
	if err != nil {
		return err
	}
	// When the container is not to be so small, or so large, its limit is the room.
	if total := w.expanded(flexible, fr); total < w.Least {
		fr = w.fraction(w.all(), w.Least)
	} else if total > w.Most {
		fr = w.fraction(w.all(), w.Most)
	}
	w.expand(flexible, fr)
	return nil
}

func (w *work) expand(flexible []int, fr float64) {
	for _, i := range flexible {
		w.base[i] = max(w.base[i], finite(fr*w.tracks[i].Max.Value))
	}
}

// expanded is the size of all tracks with such a fraction.
func (w *work) expanded(flexible []int, fr float64) float64 {
	sum := w.sum(w.all())
	for _, i := range flexible {
		sum += max(finite(fr*w.tracks[i].Max.Value)-w.base[i], 0)
	}
	return sum
}

// contentFraction is the least fraction that gives all items what they want.
func (w *work) contentFraction(flexible []int) (float64, error) {
	fr := 0.0
	for _, i := range flexible {
		fr = max(fr, w.base[i]/max(w.tracks[i].Max.Value, 1))
	}
	for i := range w.items {
		item := &w.items[i]
		if err := w.ask(item.Len()); err != nil {
			return 0, err
		}
		if w.spansFlexible(item.Range) {
			fr = max(fr, w.fraction(item.Range, item.Most))
		}
	}
	return fr, nil
}

// fraction is the size of a fraction when tracks fill room (section 11.7.1). Tracks whose content is larger than their share do
// not take part.
func (w *work) fraction(r Range, room float64) float64 {
	room -= w.gaps(r)
	var flexible []int
	sum := 0.0
	for i := r.Start; i < r.End; i++ {
		if w.tracks[i].Max.Kind != Flexible {
			room -= w.base[i]
			continue
		}
		sum += w.tracks[i].Max.Value
		flexible = append(flexible, i)
	}
	slices.SortStableFunc(flexible, w.byShare)
	fr := max(room, 0) / max(sum, 1)
	for _, i := range flexible {
		value := w.tracks[i].Max.Value
		if float64(fr*value) >= w.base[i] {
			break
		}
		room -= w.base[i]
		sum -= value
		fr = max(room, 0) / max(sum, 1)
	}
	return finite(fr)
}

// byShare orders tracks by how large a fraction they want, the largest first.
func (w *work) byShare(i, j int) int {
	a := float64(w.base[i] * w.tracks[j].Max.Value)
	b := float64(w.base[j] * w.tracks[i].Max.Value)
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
