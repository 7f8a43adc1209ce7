package table

// guess is one of the widths that columns would have, from the narrowest to the Widest (CSS Tables 3, section 3.9.3.2). A table
// lies between two of them.
type guess uint8

const (
	leastGuess   guess = iota // all columns have their minimal width
	percentGuess              // columns with a percentage have that
	pixelGuess                // and columns with a width have that
	mostGuess                 // and the others have their maximal width
	beyond                    // there is more than all ask for
)

// sums are what columns of each kind come to.
type sums struct {
	count  [beyond]int     // columns that grow to reach a guess
	size   [beyond]float64 // of all columns, by guess
	growth [beyond]float64 // of the columns that grow
	most   [beyond]float64 // the maximal widths of these
	shares float64         // percentages
}

// grows is the guess for which a column grows.
func (c *Column) grows() guess {
	switch {
	case c.hasPercent:
		return percentGuess
	case c.constrained:
		return pixelGuess
	}
	return mostGuess
}

// at is how wide a column is by a guess.
func (c *Column) at(g guess, target float64) float64 {
	switch {
	case g < c.grows():
		return c.Min
	case c.hasPercent:
		return c.resolved(target)
	}
	return c.Max
}

func sum(columns []Column, target float64) sums {
	var s sums
	for i := range columns {
		c := &columns[i]
		kind := c.grows()
		for g := range beyond {
			s.size[g] += c.at(g, target)
		}
		s.count[kind]++
		s.growth[kind] += c.at(kind, target) - c.Min
		s.most[kind] += c.Max
		if kind == percentGuess {
			s.shares += c.percent
		}
	}
	return s
}

// distribute gives a width to columns. Less than the sum of their minimal widths it never is. constrained lets columns with a
// width become wider than that when no others are there to grow.
func distribute(target float64, columns []Column, sizes []float64, constrained bool) {
	s := sum(columns, target)
	target = max(target, s.size[leastGuess])
	from := leastGuess
	for from < beyond && s.size[from] < target {
		from++
	}
	switch {
	case from == beyond:
		exceed(target, columns, sizes, &s, constrained)
	case s.size[from] == target && from == mostGuess || from == leastGuess:
		for i := range columns {
			sizes[i] = columns[i].at(from, target)
		}
	default:
		between(from, target, columns, sizes, &s)
	}
}

// between lets the columns that grow for a guess grow in part.
func between(to guess, target float64, columns []Column, sizes []float64, s *sums) {
	free := target - s.size[to-1]
	rest := pool{left: free}
	for i := range columns {
		c := &columns[i]
		sizes[i] = c.at(to-1, target)
		if c.grows() != to {
			continue
		}
		if s.growth[to] > 0 {
			rest.give(&sizes[i], share(free, c.at(to, target)-c.Min, s.growth[to]))
		} else {
			rest.give(&sizes[i], share(free, 1, float64(s.count[to])))
		}
	}
	rest.close()
}

// exceed lets columns grow beyond what they ask for: those without a width if there are any, then those with one, then those
// with a percentage.
func exceed(target float64, columns []Column, sizes []float64, s *sums, constrained bool) {
	kind := percentGuess
	switch {
	case s.count[mostGuess] > 0:
		kind = mostGuess
	case s.count[pixelGuess] > 0 && constrained:
		kind = pixelGuess
	}
	free := target - s.size[mostGuess]
	rest := pool{left: free}
	for i := range columns {
		c := &columns[i]
		sizes[i] = c.at(mostGuess, target)
		part, whole := c.Max, s.most[kind]
		if kind == percentGuess {
			part, whole = c.percent, s.shares
		}
		switch {
		case c.grows() != kind:
		case whole > 0:
			rest.give(&sizes[i], share(free, part, whole))
		default:
			rest.give(&sizes[i], share(free, 1, float64(s.count[kind])))
		}
	}
	rest.close()
}
