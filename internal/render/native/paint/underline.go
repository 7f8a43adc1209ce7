package paint

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// decoration is a box whose text-decoration reaches a text.
type decoration struct {
	box                      *box.Box
	under, over, through     bool
	style                    *property.Style
	color                    color.NRGBA
	thickness, underlineDrop float64
}

// decorationsOf returns the decorations of the text in a box, the outermost first.
func (p *painter) decorationsOf(b *box.Box) []decoration {
	if b == nil {
		return nil
	}
	if known, ok := p.decorations[b]; ok {
		return known
	}
	shared := len(b.Children) > 1 // of a single text nothing need be remembered
	var list []decoration
	if !stopsDecoration(b) {
		list = p.decorationsOf(b.Parent)
	}
	if d, ok := p.decorationOf(b); ok {
		list = append(slices.Clip(list), d)
	}
	if shared {
		p.decorations[b] = list
	}
	return list
}

func (p *painter) decorationOf(b *box.Box) (decoration, bool) {
	s := b.Style
	words := string(s.TextDecorationLine)
	d := decoration{
		box: b, style: s,
		under: strings.Contains(words, "underline"), over: strings.Contains(words, "overline"), through: strings.Contains(words, "line-through"),
	}
	if b.Anonymous || !d.under && !d.over && !d.through {
		return d, false
	}
	d.color = p.textInk(s.TextDecorationColor, s)
	d.thickness = s.FontSize / 10
	if k := s.TextDecorationThickness; k.Keyword == "" {
		d.thickness = k.Length.Resolve(s.FontSize)
	}
	d.thickness = max(d.thickness, 1)
	// Chromium leaves half the thickness free, at least a pixel.
	d.underlineDrop = max(math.Ceil(d.thickness/2), 1)
	if o := s.TextUnderlineOffset; o.Keyword == "" {
		d.underlineDrop = o.Length.Resolve(s.FontSize)
	}
	return d, true
}

// decorate draws the lines under and over a text, or those through it. Their places are those of Chromium, measured: the line under a
// text hangs from the base line of the box that wants it, the others from the top of the text itself.
func (b *brush) decorate(list []decoration, t *fragment.Text, line *fragment.Line, at offset, through bool) {
	for _, d := range list {
		x, y := at.x+t.X, at.y+t.Y
		thick := math.Floor(d.thickness)
		ascent := snap(t.Ascent * d.style.FontSize / t.Size)
		if d.through && through {
			b.decorationLine(d, x, y-t.Ascent+float64(2*ascent/3)-d.thickness/2, t.Width)
		}
		if through {
			continue
		}
		if d.under {
			drop := baseline(d, t, line) - t.Y + d.underlineDrop
			b.interrupted(d, x, y+drop, t.Width, b.gaps(d, t, drop))
		}
		if d.over {
			drop := -t.Ascent - thick
			b.interrupted(d, x, y+drop, t.Width, b.gaps(d, t, drop))
		}
	}
}

// baseline is that of the decorating box in the line.
func baseline(d decoration, t *fragment.Text, line *fragment.Line) float64 {
	if t.Box.Parent == d.box {
		return t.Y
	}
	if d.box.Kind != box.Inline {
		return line.Baseline
	}
	for _, p := range line.Parts {
		if p.Text != nil && p.Text.Box.Parent == d.box {
			return p.Text.Y
		}
	}
	return t.Y
}

// interrupted draws a line but for the gaps in it.
func (b *brush) interrupted(d decoration, x, y, width float64, gaps []span) {
	if len(gaps) == 0 {
		b.decorationLine(d, x, y, width)
		return
	}
	top, bottom := d.band()
	rest := remains(gaps, x, y+top-1, width, bottom-top+2)
	if rest.Empty() {
		return
	}
	b.c.Save()
	defer b.c.Restore()
	b.c.Clip(rest, pdf.NonZero)
	b.decorationLine(d, x, y, width)
}

// decorationLine draws a line whose upper edge is at y.
func (b *brush) decorationLine(d decoration, x, y, width float64) {
	thick := math.Floor(d.thickness)
	upper := snap(y)
	switch d.style.TextDecorationStyle {
	case "double":
		b.c.Fill(pdf.Rect(x, upper, width, thick), d.color)
		b.c.Fill(pdf.Rect(x, snap(y+d.thickness+1), width, thick), d.color)
	case "dotted", "dashed":
		b.dottedLine(d, x, y, width)
	case "wavy":
		b.wave(d, x, y, width)
	default:
		b.c.Fill(pdf.Rect(x, upper, width, thick), d.color)
	}
}

// dottedLine: dashes are as thick as they are, their pattern is of whole pixels.
func (b *brush) dottedLine(d decoration, x, y, width float64) {
	whole := max(snap(d.thickness), 1)
	pen := dashes(d.style.TextDecorationStyle, whole, width, false)
	pen.Width, pen.Color = d.thickness, d.color
	middle := snap(y) + snap(d.thickness)/2
	b.c.Stroke(pdf.Line(x, middle, x+width, middle), pen)
}

// mostWaves bounds the arcs of one line: more do not fit on any sheet.
const mostWaves = 20_000

// bend is how far the handles of a wave are from its middle.
func (d decoration) bend() float64 { return 0.5 + snap(3*d.thickness+0.5) }

// wave draws a wavy line with the waves of Chromium, which hang a pixel and the thickness lower than a straight line would.
func (b *brush) wave(d decoration, x, y, width float64) {
	step, bend := 0.5+snap(2*d.thickness+0.5), d.bend()
	middle := y + d.thickness + 1.5
	b.c.Save()
	defer b.c.Restore()
	b.c.Clip(pdf.Rect(x, middle-bend, width, 2*bend), pdf.NonZero)
	var p pdf.Path
	p.MoveTo(x, middle)
	for at, n := x, 0; at < x+width && n < mostWaves; at, n = at+2*step, n+1 {
		p.CurveTo(at+step, middle+bend, at+step, middle-bend, at+2*step, middle)
	}
	b.c.Stroke(p, pdf.Pen{Width: d.thickness, Color: d.color})
}
