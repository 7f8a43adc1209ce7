package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// placed is a color of a gradient at a place, in pixels along it.
type placed struct {
	at    float64
	color value.Color
	hint  bool
}

// places puts the stops of a gradient along a line of this length (CSS Images 3, section 3.4.3): what has no place is
// spaced evenly, what would go back does not, and hints become colors.
func places(g *value.Gradient, length float64) []placed {
	stops := make([]placed, len(g.Stops))
	known := make([]bool, len(stops))
	for i, s := range g.Stops {
		stops[i] = placed{s.At.Resolve(length), s.Color, s.Hint}
		known[i] = s.HasAt
	}
	last := len(stops) - 1
	if !known[0] {
		stops[0].at, known[0] = 0, true
	}
	if !known[last] {
		stops[last].at, known[last] = length, true
	}
	most := math.Inf(-1)
	for i := range stops {
		if known[i] {
			most = max(most, stops[i].at)
			stops[i].at = most
		}
	}
	for i := 1; i < last; i++ {
		if known[i] {
			continue
		}
		next := i
		for !known[next] {
			next++
		}
		step := (stops[next].at - stops[i-1].at) / float64(next-i+1)
		stops[i].at, known[i] = stops[i-1].at+step, true
	}
	return withoutHints(stops)
}

// hintSteps is how many colors stand for the curve that a hint asks for.
const hintSteps = 12

// withoutHints replaces hints by the colors of their curve (section 3.5.1).
func withoutHints(stops []placed) []placed {
	var out []placed
	for i, s := range stops {
		if !s.hint {
			out = append(out, s)
			continue
		}
		a, b := stops[i-1], stops[i+1]
		h := (s.at - a.at) / (b.at - a.at)
		switch {
		case b.at <= a.at:
			continue
		case h <= 0:
			out = append(out, placed{a.at, b.color, false})
			continue
		case h >= 1:
			out = append(out, placed{b.at, a.color, false})
			continue
		}
		for j := 1; j < hintSteps; j++ {
			t := float64(j) / hintSteps
			out = append(out, placed{a.at + float64(t*(b.at-a.at)), mixed(a.color, b.color, math.Pow(t, math.Log(0.5)/math.Log(h))), false})
		}
	}
	return out
}

// mixed is a color between two, premultiplied.
func mixed(a, b value.Color, t float64) value.Color {
	alpha := a.A + float64((b.A-a.A)*t)
	if alpha <= 0 {
		return value.Color{}
	}
	part := func(x, y float64) float64 {
		return (float64(x*a.A*(1-t)) + float64(y*b.A*t)) / alpha
	}
	return value.Color{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: alpha}
}

// maxRepeats bounds how often a gradient is repeated.
const maxRepeats = 2000

// repeated repeats the stops from one place to another.
func repeated(stops []placed, from, to float64) []placed {
	first := stops[0].at
	span := stops[len(stops)-1].at - first
	start := math.Floor((from - first) / span)
	count := int(min(max(math.Ceil((to-first)/span)-start, 1), maxRepeats))
	out := make([]placed, 0, count*len(stops))
	for i := range count {
		for _, s := range stops {
			s.at += float64(span * (start + float64(i)))
			out = append(out, s)
		}
	}
	return out
}

// clipped cuts off what lies before 0: a radius is never negative.
func clipped(stops []placed) []placed {
	for i := 0; i+1 < len(stops); i++ {
		a, b := stops[i], stops[i+1]
		if b.at <= 0 {
			continue
		}
		if a.at < 0 {
			a.color = mixed(a.color, b.color, -a.at/(b.at-a.at))
			a.at = 0
		}
		return append([]placed{a}, stops[i+1:]...)
	}
	last := stops[len(stops)-1]
	last.at = max(last.at, 0)
	return []placed{last}
}

// scaledStops are the stops as shares of the way from first to last.
func scaledStops(stops []placed, first, last float64) []pdf.Stop {
	out := make([]pdf.Stop, 0, len(stops)+1)
	for _, s := range stops {
		out = append(out, pdf.Stop{Offset: (s.at - first) / (last - first), Color: ink(s.color)})
	}
	if len(out) == 1 {
		out = append(out, out[0])
	}
	return out
}
