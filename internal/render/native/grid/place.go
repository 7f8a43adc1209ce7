package grid

// Flow is grid-auto-flow.
type Flow struct{ Column, Dense bool }

// Item is what an item asks for in both axes.
type Item struct{ Columns, Rows Request }

// Placement is where items stand: lines are counted from the first track, implicit ones included. ColumnsBefore and RowsBefore
// are how many implicit tracks stand before the explicit ones.
type Placement struct {
	Areas                     []Area
	Columns, Rows             int
	ColumnsBefore, RowsBefore int
}

// placing places items along two axes: tracks of the major one are added when there is no room, and the minor one is filled
// first. Rows are the major axis of grid-auto-flow: row.
type placing struct {
	taken  occupancy
	minor  int // tracks
	items  []pair
	dense  bool
	cursor struct{ major, minor int }
	seen   map[shape]int // of dense placement: where a search for such a shape begins
	locked map[int]int   // by major track: the end of what step 1 has placed in it
}

// pair are the slots of an item.
type pair struct{ minor, major slot }

type shape struct{ major, minor, at int }

// Place places items in the order that they are given in, which is that of `order` (section 8.5). Stop is asked now and then.
func Place(columns, rows *Axis, items []Item, flow Flow, stop func() error) (Placement, error) {
	p := &placing{dense: flow.Dense, seen: map[shape]int{}, locked: map[int]int{}, items: make([]pair, len(items))}
	minor, major := columns, rows
	if flow.Column {
		minor, major = rows, columns
	}
	for i, item := range items {
		across, along := item.Columns, item.Rows
		if flow.Column {
			across, along = along, across
		}
		p.items[i] = pair{minor.resolve(across, maxTracks), major.resolve(along, maxTracks+len(items))}
	}
	before := p.shift()
	p.minor = len(minor.Explicit) + before.minor
	p.taken.most = maxGrowth + len(items)
	if err := p.run(stop); err != nil {
		return Placement{}, err
	}
	return p.result(flow, before, len(major.Explicit)), nil
}

// offsets are how many tracks stand before the explicit ones.
type offsets struct{ minor, major int }

// shift moves all definite positions so that they begin at 0.
func (p *placing) shift() offsets {
	var o offsets
	for _, item := range p.items {
		if item.minor.definite {
			o.minor = max(o.minor, -item.minor.start)
		}
		if item.major.definite {
			o.major = max(o.major, -item.major.start)
		}
	}
	for i := range p.items {
		p.items[i].minor.start += o.minor
		p.items[i].major.start += o.major
	}
	return o
}

func (p *placing) result(flow Flow, before offsets, explicit int) Placement {
	out := Placement{Areas: make([]Area, len(p.items)), Columns: p.minor, ColumnsBefore: before.minor, RowsBefore: before.major}
	out.Rows = explicit + before.major
	for i, item := range p.items {
		minor, major := item.minor.tracks(), item.major.tracks()
		out.Columns, out.Rows = max(out.Columns, minor.End), max(out.Rows, major.End)
		out.Areas[i] = Area{Columns: minor, Rows: major}
	}
	if !flow.Column {
		return out
	}
	out.Columns, out.Rows = out.Rows, out.Columns
	out.ColumnsBefore, out.RowsBefore = out.RowsBefore, out.ColumnsBefore
	for i, a := range out.Areas {
		out.Areas[i] = Area{Columns: a.Rows, Rows: a.Columns}
	}
	return out
}

func (s slot) tracks() Range { return Range{s.start, s.start + s.span} }
