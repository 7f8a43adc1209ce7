package table

// rigid reports whether a column of a fixed table has a width of its own: one of 0 pixels is none, in all browsers.
func (c *Column) rigid() bool { return c.fixed() && c.Max != 0 }

// void reports whether its width is said to be 0.
func (c *Column) void() bool { return c.constrained && !c.hasPercent && c.Max == 0 }

// fixedSums are what columns of a fixed table come to.
type fixedSums struct {
	pixels, percent          float64
	rigid, shared, free, off int
}

// distributeFixed gives a width to the columns of a fixed table: to pixels, then to percentages, then to the rest in equal
// parts. What has a width grows only if there is nothing else.
func distributeFixed(target float64, columns []Column, sizes []float64) {
	var s fixedSums
	for i := range columns {
		switch c := &columns[i]; {
		case c.hasPercent:
			s.shared++
			s.percent += c.resolved(target)
		case c.rigid():
			s.rigid++
			s.pixels += c.Max
		case c.void():
			s.off++
		default:
			s.free++
		}
	}
	rest := pool{left: target}
	room := max(0, target-s.percent)
	scale := 1.0
	if s.pixels > target || s.pixels < room && s.free == 0 {
		scale = room / s.pixels
	}
	for i := range columns {
		if c := &columns[i]; s.rigid > 0 && c.rigid() && !c.hasPercent {
			rest.give(&sizes[i], down(c.Max*scale))
		}
	}
	if s.rigid > 0 && rest.left <= 0 {
		return
	}
	fixedPercent(target, columns, sizes, &s, &rest)
	fixedRest(columns, sizes, &s, &rest)
	rest.close()
}

func fixedPercent(target float64, columns []Column, sizes []float64, s *fixedSums, rest *pool) {
	room := rest.left
	scale := 1.0
	if s.percent > room || s.percent < room && s.free == 0 {
		scale = room / s.percent
	}
	for i := range columns {
		switch c := &columns[i]; {
		case !c.hasPercent:
		case s.percent == 0 && s.free == 0:
			rest.give(&sizes[i], share(room, 1, float64(s.shared)))
		default:
			rest.give(&sizes[i], down(c.resolved(target)*scale))
		}
	}
}

// fixedRest gives the columns without a width equal parts; those of width 0 only if there are no others at all.
func fixedRest(columns []Column, sizes []float64, s *fixedSums, rest *pool) {
	all := s.off == len(columns)
	room, parts := rest.left, float64(s.free)
	if all {
		parts = float64(s.off)
	}
	for i := range columns {
		c := &columns[i]
		if c.hasPercent || c.rigid() || c.void() && !all {
			continue
		}
		rest.give(&sizes[i], share(room, 1, parts))
	}
}
