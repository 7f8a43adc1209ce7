package table

// excess is more height than rows need, and which of them may take it. No specification says; these are the rules of Chromium
// (csswg-drafts issue 4418).
type excess struct {
	rows []Row
	// base is what percentages are of, or unset.
	base float64
	// spanning says that the height is wanted by a cell over these rows.
	spanning bool
	free     float64

	total, deficit, loose float64
	counts                struct{ starts, deficits, loose, empty, looseEmpty int }
}

// grow gives rows the height that is wanted of them all together, with the spacing between them.
func grow(rows []Row, height, spacing, base float64, spanning bool) {
	if len(rows) == 0 {
		return
	}
	e := excess{rows: rows, base: base, spanning: spanning}
	for i := range rows {
		e.count(i)
	}
	e.free = up(height) - float64(spacing*float64(len(rows)-1)) - e.total
	if e.free <= 0 {
		return
	}
	e.toPercentages()
	switch {
	case e.free <= 0:
	case e.counts.starts > 0:
		e.equally(e.startsSpan, e.counts.starts)
	case e.counts.loose > 0:
		e.inProportion(func(i int) bool { return !e.empty(i) && !e.firm(i) }, e.loose)
	case spanning && e.counts.empty == len(rows):
		rows[len(rows)-1].Size += e.free
	case !spanning && e.counts.empty > 0:
		e.toEmpty()
	default:
		e.inProportion(func(i int) bool { return !e.empty(i) }, e.total)
	}
}

func (e *excess) count(i int) {
	r := &e.rows[i]
	e.total += r.Size
	e.deficit += e.lacks(i)
	switch {
	case e.lacks(i) > 0:
		e.counts.deficits++
	case r.Size == 0:
		e.counts.empty++
		if !e.firm(i) {
			e.counts.looseEmpty++
		}
	}
	if e.startsSpan(i) {
		e.counts.starts++
	}
	if !e.empty(i) && !e.firm(i) {
		e.counts.loose++
		e.loose += r.Size
	}
}

// lacks is how far a row is from the percentage that it wants.
func (e *excess) lacks(i int) float64 {
	r := &e.rows[i]
	if !r.hasPercent || e.base == unset {
		return 0
	}
	return max(0, share(e.base, r.percent, 100)-r.Size)
}

func (e *excess) empty(i int) bool { return e.rows[i].Size == 0 && e.lacks(i) == 0 }

// firm reports whether the row has a height of its own. A percentage of nothing known is none.
func (e *excess) firm(i int) bool {
	return e.rows[i].constrained && (!e.rows[i].hasPercent || e.base != unset)
}

// startsSpan reports whether another cell of several rows begins in the row: it takes what an outer one wants.
func (e *excess) startsSpan(i int) bool { return e.spanning && i > 0 && e.rows[i].spanStarts }

func (e *excess) toPercentages() {
	if e.counts.deficits == 0 {
		return
	}
	free := min(e.deficit, e.free)
	rest := pool{left: free}
	for i := range e.rows {
		if lack := e.lacks(i); lack > 0 {
			rest.give(&e.rows[i].Size, share(free, lack, e.deficit))
		}
	}
	rest.close()
	e.total += free
	e.free -= free
}

func (e *excess) equally(takes func(i int) bool, n int) {
	rest := pool{left: e.free}
	for i := range e.rows {
		if takes(i) {
			rest.give(&e.rows[i].Size, share(e.free, 1, float64(n)))
		}
	}
	rest.close()
}

func (e *excess) inProportion(takes func(i int) bool, whole float64) {
	rest := pool{left: e.free}
	for i := range e.rows {
		if takes(i) {
			rest.give(&e.rows[i].Size, share(e.free, e.rows[i].Size, whole))
		}
	}
	rest.close()
}

// toEmpty lets empty rows grow when all others have a height of their own.
func (e *excess) toEmpty() {
	n, takes := e.counts.empty, e.empty
	if e.counts.looseEmpty > 0 {
		n, takes = e.counts.looseEmpty, func(i int) bool { return e.empty(i) && !e.firm(i) }
	}
	e.equally(takes, n)
}
