package table

import "math"

const (
	// grain is how many parts a pixel has.
	grain = 64
	// Widest is what a table asks for that wants to be as wide as it can, and the most that any length can be.
	Widest = 1_000_000
)

// down rounds to the next lower 64th.
func down(v float64) float64 { return math.Floor(sane(v)*grain) / grain }

// up rounds to the next higher 64th: a column is never narrower than the text that it was made for.
func up(v float64) float64 { return math.Ceil(sane(v)*grain) / grain }

// sane keeps lengths finite and in bounds.
func sane(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -Widest), Widest)
}

// share is the part of total that goes to one of whole.
func share(total, part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return math.Floor(total*part/whole*grain) / grain
}

// pool gives out a length piece by piece; what rounding leaves goes to whoever was last.
type pool struct {
	left float64
	last *float64
}

// give adds a piece to what another has.
func (p *pool) give(to *float64, piece float64) {
	*to += piece
	p.left -= piece
	p.last = to
}

// close hands over the rest.
func (p *pool) close() {
	if p.last != nil {
		*p.last = max(0, *p.last+p.left)
	}
}
