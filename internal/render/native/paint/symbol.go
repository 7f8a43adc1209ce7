package paint

import (
	"image/color"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// symbol draws a list marker that is a shape: see box.Box.Symbol for where. Its text may have come in parts, when the font has no such
// glyph; the shape is drawn for the first of them, by the ascent of the last, which is a space in the font of the marker.
func (b *brush) symbol(line *fragment.Line, i int, at offset) {
	t := line.Parts[i].Text
	same := func(j int) bool {
		return j >= 0 && j < len(line.Parts) && line.Parts[j].Text != nil && line.Parts[j].Text.Box == t.Box
	}
	if same(i - 1) {
		return
	}
	last := i
	for same(last + 1) {
		last++
	}
	ascent := int(line.Parts[last].Text.Ascent)
	side := float64((ascent*2/3 + 1) / 2)
	x := at.x + t.X + 1
	y := at.y + t.Y - float64(ascent) + float64(3*(ascent-ascent*2/3)/2)
	r := rect{x, y, x + side, y + side}.snapped()
	c := b.textInk(t.Box.Style.Color, t.Box.Style)
	if t.Box.Symbol == "square" {
		b.c.Fill(r.path(), c)
		return
	}
	var p pdf.Path
	half := r.width() / 2
	p.AddEllipse(r.x0+half, r.y0+half, half, half)
	if t.Box.Symbol == "circle" { // its line is a pixel wide, half of it outside
		b.c.Stroke(p, pdf.Pen{Width: 1, Color: c})
		return
	}
	b.c.Fill(p, c)
}

// Colors of check boxes in Chromium. Those of disabled ones let the page show through.
var (
	boxLine  = color.NRGBA{0x76, 0x76, 0x76, 0xff}
	boxBlue  = color.NRGBA{0x00, 0x75, 0xff, 0xff}
	boxWhite = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	offLine  = color.NRGBA{0x76, 0x76, 0x76, 0x4d}
	offShade = color.NRGBA{0xa9, 0xa9, 0xa9, 0x33}
	offWhite = color.NRGBA{0xff, 0xff, 0xff, 0x99}
)

// widget draws what a browser shows by itself into the content box.
func (b *brush) widget(kind box.Widget, r rect) {
	switch kind {
	case box.Checkbox:
		b.checkbox(r, 0.2, boxWhite)
		b.boxRing(r, boxLine)
	case box.DisabledCheckbox:
		b.checkbox(r, 0.2, offShade)
		b.checkbox(r, 0.2, offWhite)
		b.boxRing(r, offLine)
	case box.CheckedBox:
		b.checkbox(r, 0, boxBlue)
		b.tick(r, boxWhite)
	case box.DisabledCheckedBox:
		b.checkbox(r, 0.2, offShade)
		b.checkbox(r, 0.2, offWhite)
		b.checkbox(r, 0, offLine)
		b.tick(r, offWhite)
	case box.BrokenImage:
		b.torn(r)
	case box.NoWidget:
	}
}

// boxShape is a check box, or what is inside of its edge: its corners have a radius of 2 pixels, whatever its size.
func boxShape(r rect, inset float64) shape {
	corner := pdf.Radius{X: 2, Y: 2}
	return shape{r.grown(-inset), pdf.Radii{TopLeft: corner, TopRight: corner, BottomRight: corner, BottomLeft: corner}}
}

func (b *brush) checkbox(r rect, inset float64, c color.NRGBA) {
	b.c.Fill(boxShape(r, inset).path(), c)
}

func (b *brush) boxRing(r rect, c color.NRGBA) {
	b.c.Stroke(boxShape(r, 0.5).path(), pdf.Pen{Width: 1, Color: c})
}

func (b *brush) tick(r rect, c color.NRGBA) {
	x, y := r.width()/5, r.height()/2 // of the left end
	var p pdf.Path
	p.MoveTo(r.x0+x, r.y0+y)
	p.LineTo(r.x0+2*x, r.y0+float64(0.7*r.height()))
	p.LineTo(r.x0+4*x, r.y0+x)
	b.c.Stroke(p, pdf.Pen{Width: float64(0.16 * r.width()), Color: c})
}

// torn is the icon for an image that is not to be had: a sheet with a corner folded down.
func (b *brush) torn(r rect) {
	k := min(r.width(), r.height()) / 16
	at := func(x, y float64) (float64, float64) { return r.x0 + float64(x*k), r.y0 + float64(y*k) }
	var p pdf.Path
	p.MoveTo(at(2.5, 1.5))
	p.LineTo(at(10.5, 1.5))
	p.LineTo(at(13.5, 4.5))
	p.LineTo(at(13.5, 14.5))
	p.LineTo(at(2.5, 14.5))
	p.Close()
	b.c.Stroke(p, pdf.Pen{Width: k, Color: boxLine})
	var hill pdf.Path
	hill.MoveTo(at(4, 12.5))
	hill.LineTo(at(7, 8))
	hill.LineTo(at(9.5, 11))
	hill.LineTo(at(10.5, 10))
	hill.LineTo(at(12, 12.5))
	hill.Close()
	b.c.Fill(hill, color.NRGBA{0x34, 0xa8, 0x53, 0xff})
}
