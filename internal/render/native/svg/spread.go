package svg

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

// maxRepeats bounds how often a gradient is repeated over a shape; beyond that the last color goes on.
const maxRepeats = 200

// spreadOver is the gradient with its stops repeated until it covers the area.
func (g *gradient) spreadOver(area pdf.Bounds) pdf.Gradient {
	first, last := g.turns(area)
	first, last = max(first, -maxRepeats), min(last, maxRepeats)
	if last <= first {
		return g.Gradient
	}
	n := float64(last - first)
	out := g.Gradient
	out.Stops = nil
	g.fillUp()
	for turn := first; turn < last; turn++ {
		for i := range g.Stops {
			s := g.Stops[i]
			if g.spread == "reflect" && turn%2 != 0 {
				s = g.Stops[len(g.Stops)-1-i]
				s.Offset = 1 - s.Offset
			}
			s.Offset = (float64(turn-first) + s.Offset) / n
			out.Stops = append(out.Stops, s)
		}
	}
	dx, dy, dr := g.X2-g.X1, g.Y2-g.Y1, g.R2-g.R1
	out.X1, out.Y1, out.R1 = g.X1+float64(dx*float64(first)), g.Y1+float64(dy*float64(first)), g.R1+float64(dr*float64(first))
	out.X2, out.Y2, out.R2 = g.X1+float64(dx*float64(last)), g.Y1+float64(dy*float64(last)), g.R1+float64(dr*float64(last))
	return out
}

// fillUp makes the stops reach from 0 to 1.
func (g *gradient) fillUp() {
	from, to := g.Stops[0], g.Stops[len(g.Stops)-1]
	from.Offset, to.Offset = 0, 1
	g.Stops = append(append([]pdf.Stop{from}, g.Stops...), to)
}

// turns is from which to which repetition the area reaches.
func (g *gradient) turns(area pdf.Bounds) (first, last int) {
	corners := []point{{area.X0, area.Y0}, {area.X1, area.Y0}, {area.X0, area.Y1}, {area.X1, area.Y1}}
	if g.Radial {
		far := 0.0
		for _, c := range corners {
			far = max(far, math.Hypot(c.x-g.X2, c.y-g.Y2)+math.Hypot(g.X1-g.X2, g.Y1-g.Y2))
		}
		step := g.R2 - g.R1 - math.Hypot(g.X1-g.X2, g.Y1-g.Y2)
		if step <= 0 {
			return 0, 1
		}
		return 0, whole(math.Ceil((far-g.R1)/step), 1)
	}
	dx, dy := g.X2-g.X1, g.Y2-g.Y1
	length := float64(dx*dx) + float64(dy*dy)
	low, high := 0.0, 1.0
	for _, c := range corners {
		t := (float64((c.x-g.X1)*dx) + float64((c.y-g.Y1)*dy)) / length
		low, high = min(low, t), max(high, t)
	}
	return whole(math.Floor(low), 0), whole(math.Ceil(high), 1)
}

// whole is a number of repetitions; what is none is the other value.
func whole(v float64, otherwise int) int {
	if math.IsNaN(v) {
		return otherwise
	}
	return int(min(max(v, -maxRepeats), maxRepeats))
}
