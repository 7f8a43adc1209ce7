package fragment

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Rect is a rectangle by two corners.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Times is m after n: what n maps, m maps further.
func Times(m, n pdf.Matrix) pdf.Matrix {
	return pdf.Matrix{
		A: float64(m.A*n.A) + float64(m.C*n.B), B: float64(m.B*n.A) + float64(m.D*n.B),
		C: float64(m.A*n.C) + float64(m.C*n.D), D: float64(m.B*n.C) + float64(m.D*n.D),
		E: float64(m.A*n.E) + float64(m.C*n.F) + m.E, F: float64(m.B*n.E) + float64(m.D*n.F) + m.F,
	}
}

// Mapped is the smallest rectangle around what m makes of r.
func Mapped(m pdf.Matrix, r Rect) Rect {
	out := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, c := range [4][2]float64{{r.X0, r.Y0}, {r.X1, r.Y0}, {r.X0, r.Y1}, {r.X1, r.Y1}} {
		x := float64(m.A*c[0]) + float64(m.C*c[1]) + m.E
		y := float64(m.B*c[0]) + float64(m.D*c[1]) + m.F
		out = Rect{min(out.X0, x), min(out.Y0, y), max(out.X1, x), max(out.Y1, y)}
	}
	return out
}

// Transformation is what the transform of a style does to a box with this border box (CSS Transforms 1, section 5). It is false when
// nothing is left to see.
func Transformation(s *property.Style, border Rect) (pdf.Matrix, bool) {
	if len(s.Transform) == 0 {
		return pdf.Matrix{A: 1, D: 1}, true
	}
	width, height := border.X1-border.X0, border.Y1-border.Y0
	x := border.X0 + s.TransformOrigin.X.Resolve(width)
	y := border.Y0 + s.TransformOrigin.Y.Resolve(height)
	m := pdf.Matrix{A: 1, D: 1, E: x, F: y}
	for _, t := range s.Transform {
		m = Times(m, pdf.Matrix{A: 1, D: 1, E: t.X.Resolve(width), F: t.Y.Resolve(height)})
		m = Times(m, pdf.Matrix{A: t.Matrix[0], B: t.Matrix[1], C: t.Matrix[2], D: t.Matrix[3], E: t.Matrix[4], F: t.Matrix[5]})
	}
	m = Times(m, pdf.Matrix{A: 1, D: 1, E: -x, F: -y})
	det := float64(m.A*m.D) - float64(m.B*m.C)
	return m, math.Abs(det) > 1e-12 && !math.IsInf(det, 0) && !math.IsNaN(det+m.E+m.F)
}
