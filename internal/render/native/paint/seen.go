package paint

import (
	"math"
	"slices"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// window is a rectangle outside of which a clip, and those around it up to the base of the brush, leave nothing to be seen.
type window struct {
	of   *clip
	seen rect
	ok   bool
}

// unbounded is what there is to see without a clip.
var unbounded = rect{-endless, -endless, endless, endless}

// seen is the window of the clip that is set. It is empty where everything is cut off.
func (b *brush) seen() rect {
	if b.window.ok && b.window.of == b.now {
		return b.window.seen
	}
	r := unbounded
	for c := b.now; c.beyond(b.base); c = c.outer {
		r = r.and(c.shape.rect)
	}
	b.window = window{b.now, r, true}
	return r
}

// shows reports whether something of a rectangle can be seen.
func (b *brush) shows(r rect) bool { return b.seen().meets(r) && b.around.meets(mapped(b.matrix, r)) }

// showsAll reports whether nothing of a rectangle is cut off.
func (b *brush) showsAll(r rect) bool {
	return b.seen().holds(r) && b.around.holds(mapped(b.matrix, r))
}

// meets reports whether two rectangles have an area in common.
func (r rect) meets(s rect) bool { return !r.and(s).empty() }

// holds reports whether a rectangle is all in another one.
func (r rect) holds(s rect) bool { return r.and(s) == s }

// farInk is how many ems a glyph can have ink around its place, with room to spare: text this far inside needs no closer look.
const farInk = 3

// speck is a length that is as good as nothing.
const speck = 1e-6

// unclipped are the glyphs of a run of which something can be seen. The others must not be in the file: programs that extract text do not
// ask what is cut off. Chromium does the same, glyph by glyph.
func (b *brush) unclipped(r pdf.Run, t *fragment.Text, at offset) []pdf.Glyph {
	if len(r.Glyphs) == 0 || b.showsAll(reach(r)) {
		return r.Glyphs
	}
	font := t.Choice.Font
	if b.showsAll(b.inkOf(r, font)) {
		return r.Glyphs
	}
	if r.Color.A > 0 {
		b.cutOff(t, at)
	}
	clipped := func(g pdf.Glyph) bool { return !b.shows(b.placeOf(g, r, font)) }
	if !slices.ContainsFunc(r.Glyphs, clipped) {
		return r.Glyphs
	}
	return slices.DeleteFunc(slices.Clone(r.Glyphs), clipped) // glyphs are shared
}

// reach is a rectangle that no ink of a run is outside of.
func reach(r pdf.Run) rect {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range r.Glyphs {
		g := &r.Glyphs[i]
		x0, x1, y0, y1 = min(x0, g.X), max(x1, g.X), min(y0, g.Y), max(y1, g.Y)
	}
	return rect{r.X + x0, r.Y + y0, r.X + x1, r.Y + y1}.grown(farInk * r.Size)
}

// inkOf is a rectangle around the ink of all glyphs of a run; those without ink count with their places.
func (b *brush) inkOf(r pdf.Run, font *fonts.Font) rect {
	all := b.placeOf(r.Glyphs[0], r, font)
	for _, g := range r.Glyphs[1:] {
		ink := b.placeOf(g, r, font)
		all = rect{min(all.x0, ink.x0), min(all.y0, ink.y0), max(all.x1, ink.x1), max(all.y1, ink.y1)}
	}
	return all
}

// placeOf is a rectangle around the ink of a glyph; one without ink has a speck at its place.
func (b *brush) placeOf(g pdf.Glyph, r pdf.Run, font *fonts.Font) rect {
	x, y := r.X+g.X, r.Y+g.Y
	ink := boundsOf(font, g.ID)
	if ink.empty() {
		return rect{x, y, x + speck, y + speck}
	}
	lean := 0.0
	if r.Oblique > 0 {
		lean = 1.0 / 4
	}
	return rect{
		x + float64(r.Size*(ink.x0+min(0, lean*ink.y0))), y - float64(r.Size*ink.y1),
		x + float64(r.Size*(ink.x1+max(0, lean*ink.y1))), y - float64(r.Size*ink.y0),
	}.grown(r.Embolden / 2)
}

// boundsOf are those of a glyph at size 1, y upwards.
func boundsOf(font *fonts.Font, glyph uint16) rect {
	left, bottom, right, top, inked := font.Bounds(glyph)
	if !inked {
		return rect{}
	}
	return rect{left, bottom, right, top}
}
