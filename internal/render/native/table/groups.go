package table

// Grow gives out the height of the table: room is that of the padding box, spacing included. Bodies take what is left over if
// there are any, and among them those without a height of their own (Chromium's rules).
func (g *Grid) Grow(room float64) {
	room = max(0, up(room)-float64(g.SpacingY*float64(len(g.Groups)+1)))
	size := 0.0
	for i := range g.Groups {
		size += g.Groups[i].Size
	}
	if len(g.Groups) == 0 || room <= size {
		return
	}
	grown := make([]bool, len(g.Groups))
	free := room - g.growShares(room, size, grown)
	if free > 0 {
		g.growRest(free, grown)
	}
	first := 0
	for i := range g.Groups {
		group := &g.Groups[i]
		if grown[i] {
			grow(g.Rows[first:first+group.Rows], group.Size, g.SpacingY, group.Size, false)
		}
		first += group.Rows
	}
}

// growShares lets groups with a percentage grow up to that, and returns what all have then.
func (g *Grid) growShares(room, size float64, grown []bool) float64 {
	wants := func(group *Group) float64 {
		return max(group.Size, share(room, sane(group.Height.Value), 100)) - group.Size
	}
	lack := 0.0
	for i := range g.Groups {
		if g.Groups[i].Height.Unit == Percent {
			lack += wants(&g.Groups[i])
		}
	}
	if lack <= 0 {
		return size
	}
	free := min(lack, room-size)
	rest := pool{left: free}
	for i := range g.Groups {
		if g.Groups[i].Height.Unit == Percent {
			rest.give(&g.Groups[i].Size, share(free, wants(&g.Groups[i]), lack))
			grown[i] = true
		}
	}
	rest.close()
	return size + free
}

// growRest lets the groups of the best class grow in proportion.
func (g *Grid) growRest(free float64, grown []bool) {
	best := 0
	for i := range g.Groups {
		best = max(best, g.Groups[i].class())
	}
	sum, n := 0.0, 0
	for i := range g.Groups {
		if g.Groups[i].class() == best {
			sum += g.Groups[i].Size
			n++
		}
	}
	rest := pool{left: free}
	for i := range g.Groups {
		group := &g.Groups[i]
		if group.class() != best {
			continue
		}
		grown[i] = true
		if sum > 0 {
			rest.give(&group.Size, share(free, group.Size, sum))
		} else {
			rest.give(&group.Size, share(free, 1, float64(n)))
		}
	}
	rest.close()
}

// class tells which groups grow first: the greatest ones.
func (group *Group) class() int {
	class := 3 - int(group.Height.Unit) // auto, then pixels, then percent
	if group.Body {
		class += 3
	}
	return class
}

// Collapse takes the height from rows that are not to be shown and returns how much less the table is to have.
func (g *Grid) Collapse() float64 {
	less := 0.0
	for i := range g.Rows {
		r := &g.Rows[i]
		if !r.Collapsed {
			continue
		}
		less += r.Size
		if len(g.Rows) > 1 {
			less += g.SpacingY
		}
		r.Size, r.Baseline = 0, 0
	}
	return less
}

// Tops are where groups and rows begin, from the top padding edge of the table.
type Tops struct {
	Groups, Rows []float64
	// Bottom is the end of the last group and the spacing below.
	Bottom float64
}

// Stack puts rows and groups below each other, and sets the sizes of groups to what their rows make. A group without rows takes
// no spacing.
func (g *Grid) Stack() Tops {
	at := Tops{Groups: make([]float64, len(g.Groups)), Rows: make([]float64, len(g.Rows))}
	y, row := 0.0, 0
	for i := range g.Groups {
		group := &g.Groups[i]
		if group.Rows > 0 {
			y += g.SpacingY
			group.Size = g.stackRows(at.Rows[row:row+group.Rows], row, y)
		}
		at.Groups[i] = y
		y += group.Size
		row += group.Rows
	}
	if len(g.Groups) > 0 {
		y += g.SpacingY
	}
	at.Bottom = y
	return at
}

func (g *Grid) stackRows(tops []float64, first int, top float64) float64 {
	y, shown := top, false
	for i := range tops {
		r := &g.Rows[first+i]
		if shown && !r.Collapsed {
			y += g.SpacingY
		}
		shown = shown || !r.Collapsed
		tops[i] = y
		y += r.Size
	}
	return y - top
}

// Height is how high a cell is: its rows that show, and the spacing between them. One that begins in a collapsed row has none.
func (g *Grid) Height(c *Cell) float64 {
	if g.Rows[c.Row].Collapsed {
		return 0
	}
	h := 0.0
	for i := c.Row; i < c.Row+c.Rows; i++ {
		if g.Rows[i].Collapsed {
			continue
		}
		h += g.Rows[i].Size
		if i > c.Row {
			h += g.SpacingY
		}
	}
	return h
}
