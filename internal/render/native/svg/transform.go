package svg

import (
	"math"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// identity changes nothing.
var identity = pdf.Matrix{A: 1, D: 1}

// times is m after n: what n maps, m maps further.
func times(m, n pdf.Matrix) pdf.Matrix {
	return pdf.Matrix{
		A: float64(m.A*n.A) + float64(m.C*n.B), B: float64(m.B*n.A) + float64(m.D*n.B),
		C: float64(m.A*n.C) + float64(m.C*n.D), D: float64(m.B*n.C) + float64(m.D*n.D),
		E: float64(m.A*n.E) + float64(m.C*n.F) + m.E, F: float64(m.B*n.E) + float64(m.D*n.F) + m.F,
	}
}

// invertible reports whether something is left to see.
func invertible(m pdf.Matrix) bool {
	d := float64(m.A*m.D) - float64(m.B*m.C)
	return math.Abs(d) > 1e-12 && !math.IsInf(d, 0) && !math.IsNaN(d+m.E+m.F)
}

// functions of the transform attribute with the numbers of arguments they take (CSS Transforms 1, section 8).
var functions = map[string]struct {
	least, most int
	matrix      func(v []float64) pdf.Matrix
}{
	"matrix":    {6, 6, func(v []float64) pdf.Matrix { return pdf.Matrix{A: v[0], B: v[1], C: v[2], D: v[3], E: v[4], F: v[5]} }},
	"translate": {1, 2, func(v []float64) pdf.Matrix { return pdf.Matrix{A: 1, D: 1, E: v[0], F: second(v, 0)} }},
	"scale":     {1, 2, func(v []float64) pdf.Matrix { return pdf.Matrix{A: v[0], D: second(v, v[0])} }},
	"rotate":    {1, 3, rotation},
	"skewX":     {1, 1, func(v []float64) pdf.Matrix { return pdf.Matrix{A: 1, C: math.Tan(v[0] * math.Pi / 180), D: 1} }},
	"skewY":     {1, 1, func(v []float64) pdf.Matrix { return pdf.Matrix{A: 1, B: math.Tan(v[0] * math.Pi / 180), D: 1} }},
}

func second(v []float64, otherwise float64) float64 {
	if len(v) > 1 {
		return v[1]
	}
	return otherwise
}

func rotation(v []float64) pdf.Matrix {
	sin, cos := math.Sincos(v[0] * math.Pi / 180)
	m := pdf.Matrix{A: cos, B: sin, C: -sin, D: cos}
	if len(v) < 3 {
		return m
	}
	return times(times(pdf.Matrix{A: 1, D: 1, E: v[1], F: v[2]}, m), pdf.Matrix{A: 1, D: 1, E: -v[1], F: -v[2]})
}

// parseTransform reads the attribute; one that is wrong counts as if it were not there.
func parseTransform(text string) pdf.Matrix {
	s := scanner{text}
	m := identity
	for !s.done() {
		name, rest, ok := strings.Cut(s.rest, "(")
		f, known := functions[strings.TrimRight(name, blanks)]
		if !ok || !known {
			return identity
		}
		s.rest = rest
		v := s.numbers(f.most + 1)
		s.blank()
		if len(v) < f.least || len(v) > f.most || len(v) == 2 && f.most == 3 || !strings.HasPrefix(s.rest, ")") {
			return identity
		}
		s.rest = s.rest[1:]
		s.comma()
		m = times(m, f.matrix(v))
	}
	return m
}

// transform is what the element says, by its style or by its attribute; percentages are of the viewport.
func (p *painter) transform(n *dom.Node, s *property.Style) pdf.Matrix {
	if len(s.Transform) == 0 {
		text, _ := n.Attr("transform")
		return parseTransform(text)
	}
	x, y := s.TransformOrigin.X.Resolve(p.width), s.TransformOrigin.Y.Resolve(p.height)
	m := pdf.Matrix{A: 1, D: 1, E: x, F: y}
	for _, t := range s.Transform {
		m = times(m, pdf.Matrix{A: 1, D: 1, E: t.X.Resolve(p.width), F: t.Y.Resolve(p.height)})
		m = times(m, pdf.Matrix{A: t.Matrix[0], B: t.Matrix[1], C: t.Matrix[2], D: t.Matrix[3], E: t.Matrix[4], F: t.Matrix[5]})
	}
	return times(m, pdf.Matrix{A: 1, D: 1, E: -x, F: -y})
}
