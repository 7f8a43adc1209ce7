package svg

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

// point is a place in user units.
type point struct{ x, y float64 }

func (p point) plus(q point) point  { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point { return point{p.x - q.x, p.y - q.y} }

// segment is a part of an outline: 'M' and 'L' have their end, 'C' two handles and the end, 'Z' nothing.
type segment struct {
	kind byte
	ends [3]point
}

func (s segment) end() point {
	if s.kind == 'C' {
		return s.ends[2]
	}
	return s.ends[0]
}

// outline is a shape as lines and cubic curves.
type outline []segment

func (o *outline) move(p point)        { *o = append(*o, segment{'M', [3]point{p}}) }
func (o *outline) line(p point)        { *o = append(*o, segment{'L', [3]point{p}}) }
func (o *outline) curve(a, b, p point) { *o = append(*o, segment{'C', [3]point{a, b, p}}) }
func (o *outline) close()              { *o = append(*o, segment{kind: 'Z'}) }

// path is the outline as the canvas wants it.
func (o outline) path() pdf.Path {
	var p pdf.Path
	for _, s := range o {
		switch s.kind {
		case 'M':
			p.MoveTo(s.ends[0].x, s.ends[0].y)
		case 'L':
			p.LineTo(s.ends[0].x, s.ends[0].y)
		case 'C':
			p.CurveTo(s.ends[0].x, s.ends[0].y, s.ends[1].x, s.ends[1].y, s.ends[2].x, s.ends[2].y)
		case 'Z':
			p.Close()
		}
	}
	return p
}

// box is the smallest rectangle around the outline, without the stroke: its bounding box (SVG 2, section 8.10).
func (o outline) box() pdf.Bounds {
	b := pdf.Bounds{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	include := func(p point) {
		b.X0, b.Y0 = min(b.X0, p.x), min(b.Y0, p.y)
		b.X1, b.Y1 = max(b.X1, p.x), max(b.Y1, p.y)
	}
	var at point
	for _, s := range o {
		switch s.kind {
		case 'Z':
			continue
		case 'C':
			for _, t := range extremes(at, s) {
				include(along(at, s, t))
			}
		}
		at = s.end()
		include(at)
	}
	if b.X0 > b.X1 {
		return pdf.Bounds{}
	}
	return b
}

// along is the point of a curve that begins at p, at 0–1.
func along(p point, s segment, t float64) point {
	u := 1 - t
	k := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
	sum := func(a, b, c, d float64) float64 {
		return float64(k[0]*a) + float64(k[1]*b) + float64(k[2]*c) + float64(k[3]*d)
	}
	return point{sum(p.x, s.ends[0].x, s.ends[1].x, s.ends[2].x), sum(p.y, s.ends[0].y, s.ends[1].y, s.ends[2].y)}
}

// extremes are where a curve turns back in x or in y.
func extremes(p point, s segment) []float64 {
	var found []float64
	for _, v := range [2][4]float64{{p.x, s.ends[0].x, s.ends[1].x, s.ends[2].x}, {p.y, s.ends[0].y, s.ends[1].y, s.ends[2].y}} {
		// the derivative is a t² + b t + c
		a := float64(3*(v[1]-v[2])) + v[3] - v[0]
		b := 2 * (v[0] - float64(2*v[1]) + v[2])
		c := v[1] - v[0]
		if math.Abs(a) < 1e-9 {
			found = append(found, -c/b)
			continue
		}
		if d := float64(b*b) - float64(4*a*c); d >= 0 {
			root := math.Sqrt(d)
			found = append(found, (-b+root)/(2*a), (-b-root)/(2*a))
		}
	}
	inside := found[:0]
	for _, t := range found {
		if t > 0 && t < 1 {
			inside = append(inside, t)
		}
	}
	return inside
}

// rectangle has elliptic corners (SVG 2, section 9.2).
func rectangle(x, y, width, height, rx, ry float64) outline {
	var o outline
	x1, y1 := x+width, y+height
	if rx <= 0 || ry <= 0 {
		o.move(point{x, y})
		o.line(point{x1, y})
		o.line(point{x1, y1})
		o.line(point{x, y1})
		o.close()
		return o
	}
	rx, ry = min(rx, width/2), min(ry, height/2)
	kx, ky := rx*handle, ry*handle
	o.move(point{x + rx, y})
	o.line(point{x1 - rx, y})
	o.curve(point{x1 - rx + kx, y}, point{x1, y + ry - ky}, point{x1, y + ry})
	o.line(point{x1, y1 - ry})
	o.curve(point{x1, y1 - ry + ky}, point{x1 - rx + kx, y1}, point{x1 - rx, y1})
	o.line(point{x + rx, y1})
	o.curve(point{x + rx - kx, y1}, point{x, y1 - ry + ky}, point{x, y1 - ry})
	o.line(point{x, y + ry})
	o.curve(point{x, y + ry - ky}, point{x + rx - kx, y}, point{x + rx, y})
	o.close()
	return o
}

// handle is the length of the handles of a Bézier quarter circle of radius 1.
const handle = 0.5522847498307936

func ellipse(cx, cy, rx, ry float64) outline {
	kx, ky := rx*handle, ry*handle
	var o outline
	o.move(point{cx + rx, cy})
	o.curve(point{cx + rx, cy + ky}, point{cx + kx, cy + ry}, point{cx, cy + ry})
	o.curve(point{cx - kx, cy + ry}, point{cx - rx, cy + ky}, point{cx - rx, cy})
	o.curve(point{cx - rx, cy - ky}, point{cx - kx, cy - ry}, point{cx, cy - ry})
	o.curve(point{cx + kx, cy - ry}, point{cx + rx, cy - ky}, point{cx + rx, cy})
	o.close()
	return o
}
