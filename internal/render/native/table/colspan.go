package table

// inner is what is left of a wide cell for its columns: without the spacing between them.
func inner(size, spacing float64, columns int) float64 {
	return max(0, size-float64(spacing*float64(columns-1)))
}

// spreadAuto makes columns as wide as a cell over all of them needs (CSS Tables 3, section 3.8.3, as Chromium does it: minimal
// and maximal widths go out like the width of a table does).
func spreadAuto(m *Measure, columns []Column, spacing float64) {
	for i := range columns {
		columns[i].Min, columns[i].Max = max(columns[i].Min, 0), max(columns[i].Max, 0)
	}
	if m.HasPercent {
		spreadPercent(m.Percent, columns)
	}
	sizes := make([]float64, len(columns))
	distribute(inner(m.Min, spacing, len(columns)), columns, sizes, true)
	for i := range columns {
		columns[i].Min = max(columns[i].Min, sizes[i])
	}
	distribute(inner(m.Max, spacing, len(columns)), columns, sizes, m.Constrained)
	for i := range columns {
		columns[i].Max = max(columns[i].Min, columns[i].Max, sizes[i])
	}
}

// spreadPercent gives the columns without a percentage what the others leave, by their maximal widths.
func spreadPercent(percent float64, columns []Column) {
	free, widths := 0, 0.0
	for i := range columns {
		if columns[i].hasPercent {
			percent -= columns[i].percent
			continue
		}
		free++
		widths += columns[i].Max
	}
	if percent <= 0 {
		return
	}
	for i := range columns {
		c := &columns[i]
		switch {
		case c.hasPercent:
			continue
		case widths > 0:
			c.percent = percent * c.Max / widths
		default:
			c.percent = percent / float64(free)
		}
		c.hasPercent = true
	}
}

// spreadEvenly is for fixed layout: all columns of which nothing is known get the same.
func spreadEvenly(m *Measure, columns []Column, spacing float64) {
	n := float64(len(columns))
	least, most := 0.0, inner(m.Max, spacing, len(columns))
	if m.Constrained {
		least = inner(m.Min, spacing, len(columns))
	}
	leastEach, mostEach := share(least, 1, n), share(most, 1, n)
	var last *Column
	for i := range columns {
		c := &columns[i]
		if c.Min == unset {
			c.Min, c.constrained = leastEach, c.constrained || m.Constrained
		}
		if c.Max == unset {
			c.Max, c.constrained = mostEach, c.constrained || m.Constrained
		}
		if !c.hasPercent && !c.constrained && m.HasPercent {
			c.percent, c.hasPercent = m.Percent/n, true
		}
		last = c
	}
	last.Min += least - float64(leastEach*n)
	last.Max += most - float64(mostEach*n)
}
