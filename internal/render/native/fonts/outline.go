package fonts

import (
	"math"
	"sync/atomic"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// Outlines reads the shapes of glyphs. It is for one goroutine.
type Outlines struct {
	face *font.Face
	em   float64
}

// Outlines returns the shapes of the glyphs of a font; those of one that cannot be read have no ink.
func (f *Font) Outlines() *Outlines {
	p, err := f.load()
	if err != nil {
		return &Outlines{}
	}
	return &Outlines{bare(p), float64(p.sfnt.UnitsPerEm)}
}

// bare is a face for outlines alone: font.NewFace makes room for what it learns of all glyphs, which outlines do not ask for.
func bare(p *program) *font.Face { return &font.Face{Font: p.shaping} }

// Ink returns from where to where a glyph has an edge between two heights above the base line, all in ems; it is false when it has none.
func (o *Outlines) Ink(glyph uint16, low, high float64) (left, right float64, ok bool) {
	if o.face == nil {
		return 0, 0, false
	}
	defer func() {
		if recover() != nil { // a parser that strangers' fonts are given to
			ok = false
		}
	}()
	shape, _ := o.face.GlyphDataOutline(font.GID(glyph))
	e := edges{low: low * o.em, high: high * o.em, left: math.Inf(1), right: math.Inf(-1)}
	for i := range shape.Segments {
		e.segment(&shape.Segments[i])
	}
	return e.left / o.em, e.right / o.em, e.left <= e.right
}

// corners are those of a glyph's outline from its place on the base line, y upwards, in units of the font. Those of a glyph without ink
// are none: left is more than right.
type corners struct{ left, bottom, right, top float32 }

// knownCorners are those of glyphs that some document had.
type knownCorners struct {
	blocks [256]atomic.Pointer[cornersBlock] // by the high byte of the glyph
	count  atomic.Int32
}

type cornersBlock [256]atomic.Pointer[corners] // by the low byte

// maxCorners bounds the memory of a font, to less than a megabyte: when more are known all are forgotten.
const maxCorners = 8192

func (k *knownCorners) find(glyph uint16) *corners {
	if block := k.blocks[glyph>>8].Load(); block != nil {
		return block[glyph&0xff].Load()
	}
	return nil
}

func (k *knownCorners) keep(glyph uint16, c *corners) {
	if k.count.Add(1) > maxCorners {
		for i := range k.blocks {
			k.blocks[i].Store(nil)
		}
		k.count.Store(0)
	}
	at := &k.blocks[glyph>>8]
	block := at.Load()
	if block == nil {
		block = new(cornersBlock)
		if !at.CompareAndSwap(nil, block) {
			return // another document is there first: the next one finds out anew
		}
	}
	block[glyph&0xff].Store(c)
}

// Bounds returns the corners of a glyph's outline from its place on the base line, y upwards, in ems; it is false when it has none. Points
// that steer curves count.
func (f *Font) Bounds(glyph uint16) (left, bottom, right, top float64, ok bool) {
	p, err := f.load()
	if err != nil {
		return 0, 0, 0, 0, false
	}
	c := f.corners.find(glyph)
	if c == nil {
		c = cornersOf(p, glyph)
		f.corners.keep(glyph, c)
	}
	em := float64(p.sfnt.UnitsPerEm)
	return float64(c.left) / em, float64(c.bottom) / em, float64(c.right) / em, float64(c.top) / em, c.left <= c.right
}

// cornersOf reads the outline of a glyph.
func cornersOf(p *program, glyph uint16) (c *corners) {
	inf := float32(math.Inf(1))
	c = &corners{inf, inf, -inf, -inf}
	defer func() {
		if recover() != nil { // as above
			c = &corners{inf, inf, -inf, -inf}
		}
	}()
	shape, _ := bare(p).GlyphDataOutline(font.GID(glyph))
	for i := range shape.Segments {
		for _, at := range shape.Segments[i].ArgsSlice() {
			c.left, c.bottom, c.right, c.top = min(c.left, at.X), min(c.bottom, at.Y), max(c.right, at.X), max(c.top, at.Y)
		}
	}
	return c
}

// edges gathers the parts of an outline in a band.
type edges struct {
	low, high, left, right float64
	x, y                   float64 // where the outline is
	startX, startY         float64
}

// curveSteps is how many straight lines stand for a curve.
const curveSteps = 12

func (e *edges) segment(s *opentype.Segment) {
	var p [3][2]float64
	for i, a := range s.ArgsSlice() {
		p[i] = [2]float64{float64(a.X), float64(a.Y)}
	}
	x0, y0 := e.x, e.y
	switch s.Op {
	case opentype.SegmentOpMoveTo:
		e.line(e.startX, e.startY) // a contour is closed
		e.x, e.y, e.startX, e.startY = p[0][0], p[0][1], p[0][0], p[0][1]
	case opentype.SegmentOpLineTo:
		e.line(p[0][0], p[0][1])
	case opentype.SegmentOpQuadTo:
		for i := 1; i <= curveSteps; i++ {
			t := float64(i) / curveSteps
			u := 1 - t
			a, b, c := float64(u*u), 2*float64(u*t), float64(t*t)
			e.line(float64(a*x0)+float64(b*p[0][0])+float64(c*p[1][0]), float64(a*y0)+float64(b*p[0][1])+float64(c*p[1][1]))
		}
	case opentype.SegmentOpCubeTo:
		for i := 1; i <= curveSteps; i++ {
			t := float64(i) / curveSteps
			u := 1 - t
			a, b, c, d := float64(u*u*u), 3*float64(u*u*t), 3*float64(u*t*t), float64(t*t*t)
			e.line(float64(a*x0)+float64(b*p[0][0])+float64(c*p[1][0])+float64(d*p[2][0]),
				float64(a*y0)+float64(b*p[0][1])+float64(c*p[1][1])+float64(d*p[2][1]))
		}
	}
}

// line goes on to a point, and includes what of the way is in the band.
func (e *edges) line(x, y float64) {
	x0, y0 := e.x, e.y
	e.x, e.y = x, y
	if max(y0, y) < e.low || min(y0, y) > e.high {
		return
	}
	for _, at := range [2]float64{e.low, e.high} {
		if (y0 < at) != (y < at) {
			e.include(x0 + float64((x-x0)*(at-y0)/(y-y0)))
		}
	}
	if y0 >= e.low && y0 <= e.high {
		e.include(x0)
	}
	if y >= e.low && y <= e.high {
		e.include(x)
	}
}

func (e *edges) include(x float64) { e.left, e.right = min(e.left, x), max(e.right, x) }
