package pdf

import "math"

// FillRule says what is inside a path that crosses itself. The zero rule is NonZero.
type FillRule byte

// The fill rules (8.5.3.3).
const (
	NonZero FillRule = iota
	EvenOdd
)

// Path is a shape of lines and Bézier curves. The zero Path is empty. Its methods change it in place.
type Path struct {
	buf            []byte
	x0, y0, x1, y1 float64 // bounds, control points included
	startX, startY float64
	began          bool
}

// Empty reports whether there is nothing to draw.
func (p *Path) Empty() bool { return len(p.buf) == 0 }

// Bounds returns a rectangle that holds the path and the control points of its curves.
func (p *Path) Bounds() (x0, y0, x1, y1 float64) { return p.x0, p.y0, p.x1, p.y1 }

// MoveTo begins a new part.
func (p *Path) MoveTo(x, y float64) {
	p.startX, p.startY = x, y
	p.add('m', x, y)
}

// LineTo adds a straight line.
func (p *Path) LineTo(x, y float64) {
	p.begin(x, y)
	p.add('l', x, y)
}

// CurveTo adds a cubic Bézier curve to (x, y).
func (p *Path) CurveTo(x1, y1, x2, y2, x, y float64) {
	p.begin(x1, y1)
	p.add('c', x1, y1, x2, y2, x, y)
}

// Close draws a line to where the part began.
func (p *Path) Close() {
	if p.Empty() {
		return
	}
	p.buf = append(p.buf, "h\n"...)
}

// begin makes a path that begins without MoveTo a valid one.
func (p *Path) begin(x, y float64) {
	if !p.began {
		p.MoveTo(x, y)
	}
}

func (p *Path) add(operator byte, points ...float64) {
	p.buf = append(appendNumbers(p.buf, points...), ' ', operator, '\n')
	for ; len(points) >= 2; points = points[2:] {
		p.include(points[0], points[1])
	}
}

func (p *Path) include(x, y float64) {
	if !p.began {
		p.began = true
		p.x0, p.y0, p.x1, p.y1 = x, y, x, y
		return
	}
	p.x0, p.y0 = min(p.x0, x), min(p.y0, y)
	p.x1, p.y1 = max(p.x1, x), max(p.y1, y)
}

func (p *Path) append(b []byte) []byte { return append(b, p.buf...) }

// Line is a path of one straight line.
func Line(x1, y1, x2, y2 float64) Path {
	var p Path
	p.MoveTo(x1, y1)
	p.LineTo(x2, y2)
	return p
}

// Rect is the path of a rectangle.
func Rect(x, y, width, height float64) Path {
	var p Path
	p.AddRect(x, y, width, height)
	return p
}

// AddRect adds a closed rectangle.
func (p *Path) AddRect(x, y, width, height float64) {
	p.startX, p.startY = x, y
	p.buf = append(appendNumbers(p.buf, x, y, width, height), " re\n"...)
	p.include(x, y)
	p.include(x+width, y+height)
}

// Radius holds the two half-axes of an elliptic corner.
type Radius struct{ X, Y float64 }

// Radii are the corners of a rectangle.
type Radii struct{ TopLeft, TopRight, BottomRight, BottomLeft Radius }

// arc is the length of the handles of a Bézier quarter circle of radius 1.
const arc = 0.5522847498307936

// AddRounded adds a rectangle with elliptic corners, clockwise. Radii that do not fit are scaled down together, as CSS Backgrounds 3
// section 4.5 says.
func (p *Path) AddRounded(x, y, width, height float64, r Radii) {
	r = r.Fit(width, height)
	x1, y1 := x+width, y+height
	p.MoveTo(x+r.TopLeft.X, y)
	p.LineTo(x1-r.TopRight.X, y)
	p.corner(x1, y, r.TopRight.X, 0, 0, r.TopRight.Y)
	p.LineTo(x1, y1-r.BottomRight.Y)
	p.corner(x1, y1, 0, r.BottomRight.Y, -r.BottomRight.X, 0)
	p.LineTo(x+r.BottomLeft.X, y1)
	p.corner(x, y1, -r.BottomLeft.X, 0, 0, -r.BottomLeft.Y)
	p.LineTo(x, y+r.TopLeft.Y)
	p.corner(x, y, 0, -r.TopLeft.Y, r.TopLeft.X, 0)
	p.Close()
}

// corner goes around (x, y): it comes along (inX, inY) and leaves along (outX, outY).
func (p *Path) corner(x, y, inX, inY, outX, outY float64) {
	if inX == 0 && inY == 0 || outX == 0 && outY == 0 {
		return
	}
	const rest = 1 - arc
	p.CurveTo(
		x-float64(inX*rest), y-float64(inY*rest),
		x+float64(outX*rest), y+float64(outY*rest),
		x+outX, y+outY)
}

// AddEllipse adds a closed ellipse around (x, y).
func (p *Path) AddEllipse(x, y, radiusX, radiusY float64) {
	r := Radius{radiusX, radiusY}
	p.AddRounded(x-radiusX, y-radiusY, 2*radiusX, 2*radiusY, Radii{r, r, r, r})
}

// Fit returns the radii scaled down together so far that they fit a rectangle of this size.
func (r Radii) Fit(width, height float64) Radii {
	f := 1.0
	shrink := func(room, need float64) {
		if need > room {
			f = min(f, room/need)
		}
	}
	shrink(width, r.TopLeft.X+r.TopRight.X)
	shrink(width, r.BottomLeft.X+r.BottomRight.X)
	shrink(height, r.TopLeft.Y+r.BottomLeft.Y)
	shrink(height, r.TopRight.Y+r.BottomRight.Y)
	f = max(f, 0)
	return Radii{r.TopLeft.times(f), r.TopRight.times(f), r.BottomRight.times(f), r.BottomLeft.times(f)}
}

func (r Radius) times(f float64) Radius {
	if math.IsNaN(f) {
		return Radius{}
	}
	return Radius{r.X * f, r.Y * f}
}
