package paint

import (
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// places notes where names and headings stand: the first part of each box counts. Headings make the outline, in the order of the
// document.
func (p *painter) places(f *fragment.Fragment, x, y float64, m pdf.Matrix) {
	if p.stopped() || f.Repeated {
		return
	}
	p.place(f.Box, x, y, m)
	for _, line := range f.Lines {
		for _, part := range line.Parts {
			switch {
			case part.Inline != nil:
				p.place(part.Inline.Box, x+part.Inline.X, y+part.Inline.Y-f.Lead, m)
			case part.Atomic != nil:
				a := part.Atomic
				p.places(a, x+a.X+a.ShiftX, y+a.Y+a.ShiftY-f.Lead, m)
			}
		}
	}
	for _, c := range f.Children {
		p.places(c, x+c.X+c.ShiftX, y+c.Y+c.ShiftY-f.Lead, m)
	}
}

func (p *painter) place(b *box.Box, x, y float64, m pdf.Matrix) {
	if b.Anchor == "" && b.Heading == 0 || p.placed[b] {
		return
	}
	p.placed[b] = true
	at := fragment.Mapped(m, fragment.Rect{X0: x, Y0: y, X1: x, Y1: y})
	if b.Anchor != "" {
		p.page.Destination(b.Anchor, at.X0, at.Y0)
	}
	if b.Heading == 0 || !p.options.Outline {
		return
	}
	title := strings.Join(strings.Fields(textOf(b)), " ")
	if title == "" {
		return
	}
	name := "\x00heading " + strconv.Itoa(b.Order) // no id has this byte
	p.page.Destination(name, at.X0, at.Y0)
	p.doc.Outline(b.Heading, title, name)
}

// textOf is all text in a box.
func textOf(b *box.Box) string {
	var s strings.Builder
	var walk func(b *box.Box)
	walk = func(b *box.Box) {
		s.WriteString(b.Text)
		if b.Kind == box.Break || b.Kind != box.Inline && b.Kind != box.Text {
			s.WriteString(" ")
		}
		for _, c := range b.Children {
			walk(c)
		}
	}
	walk(b)
	return s.String()
}
