package grid

import "math"

// Constraint says for what tracks are sized: a container of its own size, or the least or greatest size that it can have.
type Constraint uint8

// The constraints.
const (
	None Constraint = iota
	Least
	Most
)

// Sizing sizes the tracks of one axis (CSS Grid 1, section 11).
type Sizing struct {
	// Room is the size of the content box of the container, or Indefinite; Least and Most are its limits, 0 and Inf (or anything
	// large) if there are none.
	Room, Least, Most float64
	Gap               float64
	Constraint        Constraint
	// Stretch gives tracks of automatic sizes what is left over.
	Stretch bool
	// Stop is asked now and then; its error ends the work. It may be nil.
	Stop func() error
}

// Want is what an item wants of the tracks that it spans: sizes of its margin box.
type Want struct {
	Range
	// Least and Most are its min-content and max-content contributions.
	Least, Most float64
	// Minimum is its minimum contribution when it has no automatic minimum size: it has lost it by a size of its own, or because
	// it hides what overflows. Automatic says that it has one, and then Minimum is what remains of it when it does not apply.
	Minimum   float64
	Automatic bool
}

// work is the state of tracks while they are sized. Growth limits may be infinite; nothing else is.
type work struct {
	Sizing
	tracks []Track
	items  []Want
	base   []float64
	limit  []float64
	grow   []bool    // infinitely growable
	add    []float64 // what one item adds; 0 between items
	solid  []int     // how many tracks before this one are not collapsed
	steps  int
}

// Tracks returns the sizes of the tracks. It fails only as Stop does.
func (s Sizing) Tracks(tracks []Track, items []Want) ([]float64, error) {
	w := &work{Sizing: s, tracks: tracks, items: items}
	w.start()
	if err := w.intrinsic(); err != nil {
		return nil, err
	}
	w.maximize()
	if err := w.flex(); err != nil {
		return nil, err
	}
	w.stretch()
	for i := range w.base {
		w.base[i] = finite(w.base[i])
	}
	return w.base, nil
}

// Sum is how much room tracks take with the gaps between them.
func (s Sizing) Sum(tracks []Track, sizes []float64) float64 {
	sum, solid := 0.0, 0
	for i, size := range sizes {
		sum += size
		if !tracks[i].Collapsed {
			solid++
		}
	}
	return sum + float64(float64(max(solid-1, 0))*s.Gap)
}

// start gives tracks their first sizes (section 11.4).
func (w *work) start() {
	n := len(w.tracks)
	w.base, w.limit, w.grow, w.solid = make([]float64, n), make([]float64, n), make([]bool, n), make([]int, n+1)
	w.add = make([]float64, n)
	for i, t := range w.tracks {
		w.limit[i] = math.Inf(1)
		if t.Min.Kind == Fixed {
			w.base[i] = t.Min.Value
		}
		if t.Max.Kind == Fixed {
			w.limit[i] = max(t.Max.Value, w.base[i])
		}
		w.solid[i+1] = w.solid[i]
		if !t.Collapsed {
			w.solid[i+1]++
		}
	}
}

// gaps is what the gaps between the tracks of a range take.
func (w *work) gaps(r Range) float64 {
	return float64(float64(max(w.solid[r.End]-w.solid[r.Start]-1, 0)) * w.Gap)
}

func (w *work) all() Range { return Range{0, len(w.tracks)} }

func (w *work) sum(r Range) float64 {
	sum := w.gaps(r)
	for i := r.Start; i < r.End; i++ {
		sum += w.base[i]
	}
	return sum
}

// ask is called once for each item in each step.
func (w *work) ask(cost int) error {
	if w.steps += cost + 1; w.steps < 4096 || w.Stop == nil {
		return nil
	}
	w.steps = 0
	return w.Stop()
}

// maximize gives what is left over to tracks up to their limits (section 11.6). A greatest size of the container does not count
// here: browsers leave that out.
func (w *work) maximize() {
	switch {
	case w.Constraint == Least:
	case w.Room >= 0:
		w.raise(w.Room)
	default:
		copy(w.base, w.limit)
	}
}

func (w *work) raise(room float64) {
	space := room - w.sum(w.all())
	if space <= 0 {
		return
	}
	add := make([]float64, len(w.base))
	shares := make([]share, len(w.base))
	for i := range shares {
		shares[i] = share{track: i, weight: 1, room: w.limit[i] - w.base[i]}
	}
	pour(space, shares, add)
	for i := range w.base {
		w.base[i] += add[i]
	}
}

// stretch gives what is left over to tracks of automatic sizes (section 11.8).
func (w *work) stretch() {
	room := w.Room
	if room < 0 {
		room = w.Least
	}
	if !w.Stretch || w.Constraint != None || room <= 0 {
		return
	}
	var open []int
	for i, t := range w.tracks {
		if t.Max.Kind == Auto && !t.Limited && !t.Collapsed {
			open = append(open, i)
		}
	}
	free := room - w.sum(w.all())
	if free <= 0 {
		return
	}
	for _, i := range open {
		w.base[i] += free / float64(len(open))
	}
}
