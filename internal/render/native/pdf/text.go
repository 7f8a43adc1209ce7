package pdf

import (
	"image/color"
	"math"
)

// Run is a piece of text in one font, size and color, already shaped. Its glyphs stand in visual order.
type Run struct {
	Font  Typeface
	Size  float64
	Color color.NRGBA
	// X and Y are the start of the base line.
	X, Y   float64
	Glyphs []Glyph
	// Oblique slants upright glyphs by this many degrees, for a family that has no italic face.
	Oblique float64
	// Embolden thickens the glyphs by a line of this width around them, for a family that has no bold face.
	Embolden float64
}

// Glyph is one shape of a font.
type Glyph struct {
	ID uint16
	// X and Y are where its origin stands, from the start of the run. Y grows downwards, as everywhere.
	X, Y float64
	// Text is what the glyph stands for. When several glyphs stand for a text together (a cluster), the first one in visual
	// order has it, and those that follow have none.
	Text string
}

// Text draws a run.
func (c *Canvas) Text(r Run) {
	if len(r.Glyphs) == 0 || r.Color.A == 0 || r.Size <= 0 || !c.ready() {
		return
	}
	if r.Embolden > 0 {
		c.Save()
		defer c.Restore()
		c.setStroke(r.Color)
		c.buf = append(appendNumber(c.buf, r.Embolden), " w 2 Tr\n"...)
	}
	c.setFill(r.Color)
	use := c.doc.font(r.Font)
	c.buf = append(c.buf, "BT "...)
	c.setFont(use, r.Size)
	// The page has y growing downwards; glyphs do not. So the text matrix turns them over again.
	c.buf = append(c.buf, "1 0 "...)
	c.buf = append(appendFine(c.buf, math.Tan(r.Oblique*math.Pi/180)), " -1 "...)
	c.buf = append(appendNumbers(c.buf, r.X, r.Y), " Tm "...)
	line := showing{Canvas: c, use: use, size: r.Size}
	for rest := r.Glyphs; len(rest) > 0; {
		n := clusterLength(rest)
		line.cluster(rest[:n])
		rest = rest[n:]
	}
	line.closeArray()
	line.rise(0)
	c.buf = append(c.buf, "ET\n"...)
}

func (c *Canvas) setFont(use *fontUse, size float64) {
	if c.state.font == use && c.state.fontSize == size {
		return
	}
	c.state.font, c.state.fontSize = use, size
	c.buf = append(appendName(c.buf, use.name), ' ')
	c.buf = append(appendNumber(c.buf, size), " Tf "...)
}

func clusterLength(glyphs []Glyph) int {
	n := 1
	for n < len(glyphs) && glyphs[n].Text == "" {
		n++
	}
	return n
}

// showing is the state inside a text object: which brackets are open, and where the reader's pen stands.
type showing struct {
	*Canvas
	use      *fontUse
	size     float64
	pen      float64 // from the start of the run, in thousandths of the size, as a reader computes it
	raised   float64
	inArray  bool
	inString bool
}

// cluster shows the glyphs of one cluster, and says what they mean when the ToUnicode map cannot.
func (s *showing) cluster(glyphs []Glyph) {
	text := glyphs[0].Text
	if len(glyphs) == 1 { // nearly always
		if known := s.use.glyph(glyphs[0].ID); text == "" || known.say(glyphs[0].ID, text) {
			s.glyph(&glyphs[0], known)
			return
		}
	}
	if text != "" {
		s.closeArray()
		s.buf = append(s.buf, "/Span<</ActualText"...)
		s.buf = append(appendText(s.buf, text), ">>BDC "...)
		defer func() {
			s.closeArray()
			s.buf = append(s.buf, "EMC "...)
		}()
	}
	for i := range glyphs {
		s.glyph(&glyphs[i], s.use.glyph(glyphs[i].ID))
	}
}

func (s *showing) glyph(g *Glyph, known *glyphUse) {
	s.rise(-g.Y)
	s.openArray()
	// Whole thousandths are finer than any printer; what is rounded away here is made up for by the next glyph.
	if move := math.Round(g.X*1000/s.size - s.pen); move != 0 {
		s.closeString()
		s.buf = appendNumber(s.buf, -move)
		s.pen += move
	}
	if !s.inString {
		s.buf = append(s.buf, '<')
		s.inString = true
	}
	s.buf = appendHex16(s.buf, known.cid)
	s.pen += known.width
}

// rise moves the base line, for marks above and below others (9.3.7).
func (s *showing) rise(by float64) {
	by = math.Round(by*1000) / 1000
	if by == s.raised {
		return
	}
	s.closeArray()
	s.raised = by
	s.buf = append(appendNumber(s.buf, by), " Ts "...)
}

func (s *showing) openArray() {
	if !s.inArray {
		s.buf = append(s.buf, '[')
		s.inArray = true
	}
}

func (s *showing) closeString() {
	if s.inString {
		s.buf = append(s.buf, '>')
		s.inString = false
	}
}

func (s *showing) closeArray() {
	s.closeString()
	if s.inArray {
		s.buf = append(s.buf, "]TJ "...)
		s.inArray = false
	}
}
