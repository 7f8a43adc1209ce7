package flex

// maxRounds bounds how often what is left is given out again. Each round freezes at least one item, and nearly always all that
// meet their limits from one side: real pages need two or three.
const maxRounds = 1000

// flexing is the state of one line while its flexible lengths are resolved.
type flexing struct {
	active  []*Item // not frozen
	room    float64 // for all items, without gaps
	used    float64 // by frozen items
	first   float64 // free room at the beginning
	growing bool
}

// resolve gives the items of a line their Main (section 9.7).
func resolve(items []Item, room float64) {
	f := start(items, room)
	for range maxRounds {
		if len(f.active) == 0 {
			return
		}
		f.round()
	}
	for _, item := range f.active {
		item.Main = item.clamp(item.Main)
	}
}

// start decides whether items grow or shrink, and freezes those that cannot.
func start(items []Item, room float64) *flexing {
	hypothetical, base := 0.0, 0.0
	for i := range items {
		hypothetical += items[i].outer(items[i].Hypothetical())
		base += items[i].outer(items[i].Base)
	}
	f := &flexing{room: room, growing: hypothetical < room}
	for i := range items {
		item := &items[i]
		item.Main = item.Hypothetical()
		if f.factor(item) == 0 || f.growing && item.Base > item.Main || !f.growing && item.Base < item.Main {
			f.used += item.outer(item.Main)
			base += item.Main - item.Base
			continue
		}
		f.active = append(f.active, item)
	}
	f.first = room - base
	return f
}

func (f *flexing) factor(item *Item) float64 {
	if f.growing {
		return item.Grow
	}
	return item.Shrink
}

// weight is what the share of an item is in proportion to.
func (f *flexing) weight(item *Item) float64 {
	if f.growing {
		return item.Grow
	}
	return item.Shrink * max(item.Base-item.Frame, 0)
}

// free is the room that is left when the items that flex have their base sizes. Factors that are less than 1 together do not take
// all of it.
func (f *flexing) free() float64 {
	free, factors := f.room-f.used, 0.0
	for _, item := range f.active {
		free -= item.outer(item.Base)
		factors += f.factor(item)
	}
	if factors < 1 {
		if part := f.first * factors; abs(part) < abs(free) {
			return part
		}
	}
	return free
}

// round gives out the free room and freezes the items that meet a limit: those at their least size if sizes were added in sum,
// those at their greatest if sizes were taken away.
func (f *flexing) round() {
	free, weights, violation := f.free(), 0.0, 0.0
	for _, item := range f.active {
		weights += f.weight(item)
	}
	for _, item := range f.active {
		share := 0.0
		if weights > 0 {
			share = free * (f.weight(item) / weights)
		}
		item.Main = item.Base + share
		violation += item.clamp(item.Main) - item.Main
	}
	f.freeze(violation)
}

func (f *flexing) freeze(violation float64) {
	kept := f.active[:0]
	for _, item := range f.active {
		limited := item.clamp(item.Main)
		over := limited - item.Main
		if violation != 0 && (violation > 0) != (over > 0) || violation != 0 && over == 0 {
			kept = append(kept, item)
			continue
		}
		item.Main = limited
		f.used += item.outer(limited)
	}
	f.active = kept
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
