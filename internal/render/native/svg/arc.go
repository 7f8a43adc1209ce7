package svg

import "math"

// arc adds an elliptic arc from one point to another as cubic curves of at most a quarter each (SVG 2, appendix B.2).
func (o *outline) arc(from, to point, rx, ry, turn float64, large, sweep bool) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if from == to {
		return
	}
	if rx == 0 || ry == 0 {
		o.line(to)
		return
	}
	sin, cos := math.Sincos(turn * math.Pi / 180)
	// Half of the chord, in the axes of the ellipse.
	half := point{(from.x - to.x) / 2, (from.y - to.y) / 2}
	p := point{float64(cos*half.x) + float64(sin*half.y), float64(cos*half.y) - float64(sin*half.x)}
	if grow := float64(p.x*p.x)/(rx*rx) + float64(p.y*p.y)/(ry*ry); grow > 1 {
		rx, ry = rx*math.Sqrt(grow), ry*math.Sqrt(grow)
	}
	c := center(p, rx, ry, large != sweep)
	start := math.Atan2((p.y-c.y)/ry, (p.x-c.x)/rx)
	sweeps := math.Atan2((-p.y-c.y)/ry, (-p.x-c.x)/rx) - start
	switch {
	case sweep && sweeps < 0:
		sweeps += 2 * math.Pi
	case !sweep && sweeps > 0:
		sweeps -= 2 * math.Pi
	}
	middle := point{(from.x + to.x) / 2, (from.y + to.y) / 2}
	place := func(x, y float64) point {
		x, y = float64(x*rx)+c.x, float64(y*ry)+c.y
		return middle.plus(point{float64(cos*x) - float64(sin*y), float64(sin*x) + float64(cos*y)})
	}
	o.quarters(place, start, sweeps, to)
}

// center is that of the ellipse, in its own axes, from the middle of the chord.
func center(p point, rx, ry float64, positive bool) point {
	rest := float64(rx*rx*ry*ry) - float64(rx*rx*p.y*p.y) - float64(ry*ry*p.x*p.x)
	k := math.Sqrt(max(rest, 0) / (float64(rx*rx*p.y*p.y) + float64(ry*ry*p.x*p.x)))
	if math.IsNaN(k) || math.IsInf(k, 0) {
		return point{}
	}
	if !positive {
		k = -k
	}
	return point{k * rx * p.y / ry, -k * ry * p.x / rx}
}

// quarters draws along the unit circle, which place puts where it belongs.
func (o *outline) quarters(place func(x, y float64) point, start, sweep float64, to point) {
	n := max(math.Ceil(math.Abs(sweep)/(math.Pi/2)-1e-9), 1)
	step := sweep / n
	k := 4.0 / 3 * math.Tan(step/4)
	for i := range int(n) {
		s0, c0 := math.Sincos(start + float64(step*float64(i)))
		s1, c1 := math.Sincos(start + float64(step*float64(i+1)))
		end := place(c1, s1)
		if i == int(n)-1 {
			end = to
		}
		o.curve(place(c0-float64(k*s0), s0+float64(k*c0)), place(c1+float64(k*s1), s1-float64(k*c1)), end)
	}
}
