package chromium

import (
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
)

// drawing is what a page of a PDF shows, as far as it can be told from how the browser draws. It begins with what the page of the job has
// on this sheet; header and footer, if there are any, come last, in a frame as large as the sheet.
type drawing struct {
	sheet area
	wide  map[string]bool // the fonts whose codes have two bytes
	parts []part
	forms []string // the names of pictures and of what is drawn as one piece
	lost  []string // texts that were drawn with the glyph for what a font does not have; "" where nobody knows which
}

// part is what was drawn in one frame that is as large as the sheet, or before the first.
type part struct {
	shows bool    // something but a background
	boxes []area  // of its lines and pictures
	clip  area    // beyond which nothing of it is drawn
	scale float64 // points to a pixel of the page; 0 if it cannot be told
}

// pen is the state of the graphics that matters here.
type pen struct {
	ctm    matrix
	text   matrix
	wide   bool // the codes of its font have two bytes
	size   float64
	path   []area // its rectangles
	curved bool   // and something else
	actual []string
}

// trace follows the operations of a page, or of a form.
func (d *drawing) trace(content []byte) {
	p, saved := pen{ctm: identity}, []matrix{}
	if len(d.parts) == 0 {
		d.parts = []part{{}}
	}
	clipped := false
	for s := (steps{content: content}); ; {
		op, ok := s.next()
		if !ok {
			return
		}
		switch string(op.name) {
		case "q":
			saved = append(saved, p.ctm)
		case "Q":
			if last := len(saved) - 1; last >= 0 {
				p.ctm, saved = saved[last], saved[:last]
			}
		case "cm":
			if m, ok := op.matrix(); ok {
				p.ctm = m.times(p.ctm)
				d.parts[len(d.parts)-1].begin(p.ctm)
			}
		case "W", "W*":
			clipped = true
		case "n":
			if clipped && len(saved) == 1 {
				d.frame(p)
			}
			clipped, p.path, p.curved = false, nil, false
		default:
			d.step(&p, op)
		}
	}
}

// frame notes a clip at the top: one as large as the sheet begins a part. Of smaller ones the largest is that of the page: a picture can have
// one of its own, and stand before it.
func (d *drawing) frame(p pen) {
	if len(p.path) != 1 || p.curved {
		return
	}
	if p.path[0].holds(area{d.sheet.left + 4, d.sheet.bottom + 4, d.sheet.right - 4, d.sheet.top - 4}) {
		d.parts = append(d.parts, part{clip: p.path[0]})
	} else if now := &d.parts[len(d.parts)-1]; now.clip.size() < p.path[0].size() {
		now.clip, now.scale = p.path[0], 0
	}
}

// largestPixel is how many points a pixel can have: three quarters, and the page at twice its size. What is larger is the unit of a picture.
const largestPixel = 2 * 0.75

// begin notes how large a pixel of the page is: that is told where the page begins, at the corner of the clip.
func (p *part) begin(ctm matrix) {
	atCorner := p.clip != (area{}) && math.Abs(ctm[4]-p.clip.left) < 1
	if p.scale == 0 && atCorner && ctm[0] > 0 && ctm[0] < largestPixel+0.01 && ctm[1] == 0 {
		p.scale = ctm[0]
	}
}

// step draws.
func (d *drawing) step(p *pen, op *operation) {
	now := &d.parts[len(d.parts)-1]
	switch string(op.name) {
	case "re":
		if n, ok := op.numbers(4); ok {
			p.path = append(p.path, p.ctm.box(n[0], n[1], n[2], n[3]))
		}
	case "m", "l", "c", "v", "y":
		p.curved = true
	case "f", "F", "f*":
		now.shows = now.shows || !d.isBackground(p)
		p.path, p.curved = nil, false
	case "S", "s", "B", "B*", "b", "b*":
		now.shows = true
		p.path, p.curved = nil, false
	case "sh":
		now.shows = true
	case "Do":
		now.shows = true
		now.boxes = append(now.boxes, p.ctm.box(0, 0, 1, 1))
		d.forms = append(d.forms, string(op.label))
	default:
		d.write(p, op, now)
	}
}

// isBackground reports whether a path to be filled takes so much of the sheet that it shows nothing.
func (d *drawing) isBackground(p *pen) bool {
	const much = 0.4
	return !p.curved && !slices.ContainsFunc(p.path, func(a area) bool { return a.size() < much*d.sheet.size() })
}

// write follows text.
func (d *drawing) write(p *pen, op *operation, now *part) {
	switch string(op.name) {
	case "Tf":
		p.wide = d.wide[string(op.label)]
		if n, ok := op.numbers(1); ok {
			p.size = n[0]
		}
	case "Tm":
		p.text, _ = op.matrix()
	case "BDC":
		text := ""
		if string(op.label) == "ActualText" {
			text = utf16Text(op.text)
		}
		p.actual = append(p.actual, text)
	case "BMC":
		p.actual = append(p.actual, "")
	case "EMC":
		if n := len(p.actual); n > 0 {
			p.actual = p.actual[:n-1]
		}
	case "Tj", "TJ":
		now.shows = true
		const ascent = 0.7 // of a letter; what is above belongs to accents
		now.boxes = append(now.boxes, p.text.times(p.ctm).box(0, 0, 0, ascent*p.size))
		d.codes(p, op.text)
	}
}

// codes looks for the glyph 0 (ISO 32000-1, 9.7.6.3), which fonts have for what they do not have.
func (d *drawing) codes(p *pen, digits []byte) {
	width := 2
	if p.wide {
		width = 4
	}
	for ; len(digits) >= width; digits = digits[width:] {
		if string(digits[:width]) == "0000"[:width] {
			text := ""
			if n := len(p.actual); n > 0 {
				text = p.actual[n-1]
			}
			d.lost = append(d.lost, text)
		}
	}
}

func (op *operation) matrix() (matrix, bool) {
	n, ok := op.numbers(6)
	if !ok {
		return identity, false
	}
	return matrix(n), true
}

// utf16Text reads a text string with a byte order mark (ISO 32000-1, 7.9.2.2).
func utf16Text(digits []byte) string {
	raw := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(raw, digits[:len(digits)/2*2]); err != nil {
		return ""
	}
	var units []uint16
	for ; len(raw) >= 2; raw = raw[2:] {
		units = append(units, uint16(raw[0])<<8|uint16(raw[1]))
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\uFEFF")
}
