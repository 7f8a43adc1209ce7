package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// gradient fills a rectangle with a gradient of CSS (CSS Images 3, section 3).
func gradient(c *pdf.Canvas, g *value.Gradient, r rect) {
	if g.Radial {
		radialGradient(c, g, r)
		return
	}
	x1, y1, x2, y2 := ray(g, r)
	length := math.Hypot(x2-x1, y2-y1)
	stops := places(g, length)
	first, last := stops[0].at, stops[len(stops)-1].at
	if g.Repeating && last > first {
		stops = repeated(stops, 0, length)
		first, last = stops[0].at, stops[len(stops)-1].at
	}
	if length == 0 || g.Repeating && last <= first {
		c.Fill(r.path(), ink(stops[len(stops)-1].color))
		return
	}
	if last <= first {
		first, last = first-1, last+1
	}
	ux, uy := (x2-x1)/length, (y2-y1)/length
	if flat(stops) {
		bands(c, stops, r, [4]float64{x1, y1, ux, uy})
		return
	}
	c.FillGradient(r.path(), pdf.Gradient{
		X1: x1 + float64(ux*first), Y1: y1 + float64(uy*first), X2: x1 + float64(ux*last), Y2: y1 + float64(uy*last),
		Stops: scaledStops(stops, first, last),
	})
}

// plain reports in which directions a gradient does not change: across, down, or both when it has a single color.
func plain(g *value.Gradient) (across, down bool) {
	solid := true
	for i := range g.Stops {
		solid = solid && (g.Stops[i].Hint || g.Stops[i].Color == g.Stops[0].Color)
	}
	straight := !g.Radial && g.Corner == ""
	turn := math.Mod(math.Abs(g.Angle), 180)
	return solid || straight && turn == 0, solid || straight && turn == 90
}

// ray is the line along which a linear gradient runs (section 3.1).
func ray(g *value.Gradient, r rect) (x1, y1, x2, y2 float64) {
	w, h := r.width(), r.height()
	sin, cos := math.Sincos(g.Angle * math.Pi / 180)
	if g.Corner != "" { // the line through the middle runs along the other diagonal, so to say
		sin, cos = h, w
		if g.Corner[:3] != "top" {
			cos = -cos
		}
		if g.Corner[len(g.Corner)-4:] == "left" {
			sin = -sin
		}
		l := math.Hypot(sin, cos)
		sin, cos = sin/l, cos/l
	}
	half := (math.Abs(w*sin) + math.Abs(h*cos)) / 2
	cx, cy := (r.x0+r.x1)/2, (r.y0+r.y1)/2
	return cx - float64(sin*half), cy + float64(cos*half), cx + float64(sin*half), cy - float64(cos*half)
}

// radialGradient: an ellipse is a circle that is stretched.
func radialGradient(c *pdf.Canvas, g *value.Gradient, r rect) {
	cx, cy := g.Center.X.Resolve(r.width()), g.Center.Y.Resolve(r.height())
	rx, ry := radii(g, cx, cy, r)
	rx, ry = max(rx, 1e-3), max(ry, 1e-3)
	stops := places(g, rx)
	if stops[0].at < 0 {
		stops = clipped(stops)
	}
	far := math.Hypot(max(cx, r.width()-cx), max(cy, r.height()-cy)*rx/ry)
	if g.Repeating && stops[len(stops)-1].at > stops[0].at {
		stops = repeated(stops, 0, far)
		if stops[0].at < 0 {
			stops = clipped(stops)
		}
	}
	first, last := stops[0].at, stops[len(stops)-1].at
	if last <= first {
		first, last = max(first-1, 0), last+1
	}
	c.Save()
	defer c.Restore()
	c.Clip(r.path(), pdf.NonZero)
	c.Transform(pdf.Matrix{A: 1, D: ry / rx, E: r.x0 + cx, F: r.y0 + cy})
	reach := far + 1
	c.FillGradient(pdf.Rect(-reach, -reach, 2*reach, 2*reach), pdf.Gradient{
		Radial: true, R1: first, R2: last, Stops: scaledStops(stops, first, last),
	})
}

// radii are those of the ending shape (section 3.2.1).
func radii(g *value.Gradient, cx, cy float64, r rect) (rx, ry float64) {
	left, right, top, bottom := math.Abs(cx), math.Abs(r.width()-cx), math.Abs(cy), math.Abs(r.height()-cy)
	nearX, nearY, farX, farY := min(left, right), min(top, bottom), max(left, right), max(top, bottom)
	switch g.Extent {
	case "":
		rx, ry = g.Size[0].Resolve(r.width()), g.Size[1].Resolve(r.height())
		if g.Circle {
			ry = rx
		}
		return rx, ry
	case "closest-side", "farthest-side":
		if g.Extent == "farthest-side" {
			nearX, nearY = farX, farY
		}
		if g.Circle {
			nearX = min(nearX, nearY)
			if g.Extent == "farthest-side" {
				nearX = max(farX, farY)
			}
			return nearX, nearX
		}
		return nearX, nearY
	}
	cornerX, cornerY := farX, farY
	if g.Extent == "closest-corner" {
		cornerX, cornerY = nearX, nearY
	}
	if g.Circle {
		d := math.Hypot(cornerX, cornerY)
		return d, d
	}
	// The ellipse has the proportions of the one that reaches the sides.
	return cornerX * math.Sqrt2, cornerY * math.Sqrt2
}
