package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// flat reports whether a gradient has nothing but bands of one color each: stripes, lines, crosses. Those are areas, which readers draw
// sharper than shadings, and without a mask when some of them are transparent.
func flat(stops []placed) bool {
	for i := 1; i < len(stops); i++ {
		if stops[i].at > stops[i-1].at && !same(stops[i].color, stops[i-1].color) {
			return false
		}
	}
	return true
}

// same reports whether colors look the same.
func same(a, b value.Color) bool { return a == b || a.A == 0 && b.A == 0 }

// bands fills a rectangle with the bands of a flat gradient that begins at (x, y) of along and goes in the direction of its other two. An
// opaque band is filled to the end and what follows covers it, so that no seam shows; others must not overlap.
func bands(c *pdf.Canvas, stops []placed, r rect, along [4]float64) {
	far := math.Hypot(r.width(), r.height()) + 1
	opaque := true
	for _, s := range stops {
		opaque = opaque && s.color.A >= 1
	}
	c.Save()
	defer c.Restore()
	c.Clip(r.path(), pdf.NonZero)
	from := -far
	for i, s := range stops {
		to := 2 * far
		if i+1 < len(stops) {
			to = stops[i+1].at
		}
		if i+1 < len(stops) && (to <= from || same(s.color, stops[i+1].color)) {
			continue // the next one begins where this one does
		}
		end := to
		if opaque {
			end = 2 * far
		}
		if to > from {
			c.Fill(band(along, from, end, far), ink(s.color))
		}
		from = to
	}
}

// band is the area between two places of the line, far to both sides of it.
func band(along [4]float64, from, to, far float64) pdf.Path {
	x, y, ux, uy := along[0], along[1], along[2], along[3]
	at := func(along, across float64) (float64, float64) {
		return x + float64(ux*along) - float64(uy*across), y + float64(uy*along) + float64(ux*across)
	}
	var p pdf.Path
	p.MoveTo(at(from, -far))
	p.LineTo(at(to, -far))
	p.LineTo(at(to, far))
	p.LineTo(at(from, far))
	p.Close()
	return p
}
