package paint

import (
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Notes are what is seen of a document only while it is painted.
type Notes struct {
	// Blank are the numbers of pages in whose area nothing was painted but for the background of the canvas. What is white counts for
	// nothing, but text does in any color.
	Blank []int
	// Clipped are texts of which something is cut off, in the order of painting: each once a page.
	Clipped []Clipped
	// Families are the first names of the font-family lists that painted text has, sorted.
	Families []string
}

// Clipped is a text that is cut off: by an edge of the page, or by a box that clips.
type Clipped struct {
	Page int
	Text string // of the whole text node, as it is shown
}

// noticing is what is noticed so far.
type noticing struct {
	to       *Notes
	page     int
	inked    bool // there was text on this page
	marks    int  // of the document, when the area of this page began
	cut      map[*box.Box]bool
	style    *property.Style // of the text before
	families map[string]bool
	// edges are those of the page, in points of the sheet: text beyond them along the page is on another one.
	edges rect
}

func newNoticing(to *Notes) *noticing {
	return &noticing{to: to, cut: map[*box.Box]bool{}, families: map[string]bool{}}
}

// begin is the beginning of the area of a page.
func (n *noticing) begin(page int, edges rect, doc *pdf.Document) {
	n.page, n.edges, n.inked, n.marks = page, edges, false, doc.Marks()
	clear(n.cut)
}

// end is the end of it.
func (n *noticing) end(doc *pdf.Document) {
	if !n.inked && doc.Marks() == n.marks {
		n.to.Blank = append(n.to.Blank, n.page)
	}
}

// done is the end of the document.
func (n *noticing) done() { n.to.Families = slices.Sorted(maps.Keys(n.families)) }

// uses notes the font of a text.
func (n *noticing) uses(s *property.Style) {
	if s == n.style {
		return
	}
	if n.style = s; len(s.FontFamily) > 0 {
		n.families[s.FontFamily[0]] = true
	}
}

// text notes that glyphs were painted.
func (b *brush) text(r pdf.Run, font *fonts.Font, style *property.Style) {
	b.notes.uses(style)
	if b.notes.inked {
		return
	}
	for _, g := range r.Glyphs {
		if !boundsOf(font, g.ID).empty() {
			b.notes.inked = true
			return
		}
	}
}

// Bounds of what counts as cut off, which are those of the browser's engine.
const (
	// slack is what a text may lose at its sides, in pixels.
	slack = 1.5
	// enough is the part of the height of a text that must be seen, the room above and below its letters included.
	enough = 0.7
	// hidden is the size of a box, in pixels, that is there to hide its text from all but programs.
	hidden = 1
)

// cutOff notes a text with ink that is not seen, when it has lost enough.
//
// Text that is wholly off to the left was put there so that it is not seen, and so was text in a box of hardly a pixel. Text that is
// wholly above or below the area of the page is on another one.
func (b *brush) cutOff(t *fragment.Text, at offset) {
	if b.notes.cut[t.Box] {
		return
	}
	x, y := at.x+t.X, at.y+t.Y
	place, seen := rect{x, y - t.Ascent, x + t.Width, y + t.Descent}, b.seen()
	onSheet, edges := mapped(b.matrix, place), b.notes.edges
	switch {
	case seen.width() <= hidden || seen.height() <= hidden, place.x1 <= seen.x0, onSheet.x1 <= b.around.x0:
	case onSheet.y1 <= edges.y0, onSheet.y0 >= edges.y1:
	case lost(place, seen, slack), lost(onSheet, b.around, slack*points):
		b.notes.cut[t.Box] = true
		b.notes.to.Clipped = append(b.notes.to.Clipped, Clipped{b.notes.page, t.Box.Text})
	}
}

// lost reports whether a window leaves too little of a text to be seen; it may take so much at the sides.
func lost(text, window rect, sides float64) bool {
	visible := min(text.y1, window.y1) - max(text.y0, window.y0)
	return text.x0 < window.x0-sides || text.x1 > window.x1+sides || visible < float64(enough*text.height())
}
