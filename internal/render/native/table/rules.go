package table

// Rule is a piece of a collapsed border, by its middle line. Positions are from the padding edge of the table, X from the side at
// which it begins.
type Rule struct {
	X1, Y1, X2, Y2 float64
	Border
}

// stronger compares two edges that meet: 1 if the first is drawn over the second, -1 if it is the other way round.
func stronger(a, b edge) int {
	switch {
	case !a.paints() && !b.paints():
		return 0
	case !b.paints():
		return 1
	case !a.paints():
		return -1
	case a.Width != b.Width:
		return sign(a.Width > b.Width)
	case a.Style.drawn() != b.Style.drawn():
		return sign(a.Style.drawn() > b.Style.drawn())
	case a.order != b.order:
		return sign(a.order < b.order)
	}
	return 0
}

func sign(first bool) int {
	if first {
		return 1
	}
	return -1
}

// joint is where up to four edges meet. The rules are Chromium's: the strongest has the whole joint, and of equals all have it.
type joint struct {
	// level and upright are the edges that win in both directions; one that leads away from the joint wins against an equal one
	// that leads to it.
	level, upright edge
	// between compares before and after, over and under, and the two winners.
	levels, uprights, versus int
}

func meet(before, after, over, under edge) joint {
	j := joint{level: after, upright: under, levels: stronger(before, after), uprights: stronger(over, under)}
	if j.levels > 0 {
		j.level = before
	}
	if j.uprights > 0 {
		j.upright = over
	}
	j.versus = stronger(j.level, j.upright)
	return j
}

// alike reports whether one edge may run through a joint that another has: nobody can tell.
func alike(a, b edge) bool {
	return b.paints() && a.Color == b.Color && a.Color[3] >= 1 && a.Style == Solid && b.Style == Solid
}

// same reports whether an edge only makes a rule longer.
func same(r *Rule, e edge) bool {
	return r.Style == Solid && e.Style == Solid && r.Width == e.Width && r.Color == e.Color
}

// drawing makes the rules of a table.
type drawing struct {
	g     *Grid
	x, y  []float64
	rules []Rule
	// upright is the rule that was drawn before each column in the row above, or -1.
	upright []int
}

// Rules makes the list of what is drawn of collapsed borders, from the top to the bottom: in the order of rows, each rule where it
// begins. Solid lines of one look are one rule, level ones in a row, upright ones in a group of rows.
func (g *Grid) Rules(parts *Parts, lines Lines, tops Tops) ([]Rule, error) {
	n, rows := len(g.Columns), len(g.Rows)
	if n == 0 || rows == 0 {
		return nil, nil
	}
	d := drawing{g: g, upright: filled(n + 1)}
	d.x = append(append(d.x, lines.From...), lines.To[n-1])
	d.y = append(append(d.y, tops.Rows...), tops.Rows[rows-1]+g.Rows[rows-1].Size)
	w := newLattice(g, parts)
	above := w.above
	here, err := w.next()
	if err != nil {
		return nil, err
	}
	next := 0
	for row := range rows + 1 {
		var below *crossing
		if row < rows {
			if below, err = w.next(); err != nil {
				return nil, err
			}
		}
		if row == next {
			mark(d.upright, 0, n+1, -1)
			next = g.nextGroup(row)
		}
		d.row(row, above, here, below)
		above, here = here, below
	}
	return d.rules, nil
}

// nextGroup is the first row after the group of this one.
func (g *Grid) nextGroup(row int) int {
	end := 0
	for i := range g.Groups {
		if end += g.Groups[i].Rows; end > row {
			return end
		}
	}
	return end
}

// at is the joint before a column, above the row here.
func at(i int, above, here *crossing) joint {
	var before, after, under edge
	if i > 0 {
		before = here.top[i-1]
	}
	if i < len(here.top) {
		after = here.top[i]
	}
	under = here.sides[i]
	return meet(before, after, above.sides[i], under)
}

// row draws the edges above a row and, but below the last one, those in it.
func (d *drawing) row(row int, above, here, below *crossing) {
	left := at(0, above, here)
	level := -1 // the rule that ends at the joint
	for i := range d.x {
		if below != nil {
			d.drawUpright(row, i, here.sides[i], left, at(i, here, below))
		}
		if i == len(here.top) {
			return
		}
		right := at(i+1, above, here)
		if d.x[i+1] > d.x[i] {
			level = d.drawLevel(row, i, here.top[i], left, right, level)
		}
		left = right
	}
}

// drawLevel draws the edge above a column and returns its rule, which is the one before if that goes on.
func (d *drawing) drawLevel(row, i int, e edge, left, right joint, before int) int {
	if !e.paints() {
		return -1
	}
	to := reach(d.x[i+1], right.upright.width()/2, right.versus >= 0 && right.levels >= 0)
	if before >= 0 && same(&d.rules[before], e) && (left.versus >= 0 || alike(e, left.upright)) {
		d.rules[before].X2 = to
		return before
	}
	from := reach(d.x[i], -left.upright.width()/2, left.versus >= 0 && left.levels <= 0)
	d.rules = append(d.rules, Rule{from, d.y[row], to, d.y[row], border(e)})
	return len(d.rules) - 1
}

// drawUpright draws the edge before a column in a row.
func (d *drawing) drawUpright(row, i int, e edge, top, bottom joint) {
	before := d.upright[i]
	d.upright[i] = -1
	if !e.paints() || d.y[row+1] <= d.y[row] {
		return
	}
	to := reach(d.y[row+1], bottom.level.width()/2, bottom.versus <= 0 && bottom.uprights >= 0)
	if before >= 0 && same(&d.rules[before], e) && (top.versus <= 0 || alike(e, top.level)) {
		d.rules[before].Y2 = to
		d.upright[i] = before
		return
	}
	from := reach(d.y[row], -top.level.width()/2, top.versus <= 0 && top.uprights <= 0)
	d.upright[i] = len(d.rules)
	d.rules = append(d.rules, Rule{d.x[i], from, d.x[i], to, border(e)})
}

// border is the look of an edge.
func border(e edge) Border {
	return Border{Style: e.Style.drawn(), Width: e.Width, Color: e.Color}
}

// reach moves the end of a line outwards if it has the joint, and inwards otherwise.
func reach(at, by float64, has bool) float64 {
	if has {
		return at + by
	}
	return at - by
}
