package paint

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Made-up faces are those of Chromium: Skia slants by a quarter and thickens by up to a 24th of the size.
const (
	obliqueAngle = 14.036243467926479 // whose tangent is 1/4
	emboldenBy   = 1.0 / 24
)

// lines paints the lines of a fragment.
func (b *brush) lines(s *step) {
	areas := linkAreas{inside: b.linkOf(s.f.Box)}
	for _, line := range s.f.Lines {
		if b.stopped() {
			return
		}
		at := offset{s.x, s.y - s.f.Lead}
		for i := range line.Parts {
			b.part(s, line, i, at, &areas)
		}
		b.flush(&areas)
	}
}

// offset is where the fragment of a line begins.
type offset struct{ x, y float64 }

// part paints one part of a line.
func (b *brush) part(s *step, line *fragment.Line, i int, at offset, areas *linkAreas) {
	p := line.Parts[i]
	switch {
	case p.Atomic != nil:
		if made := s.atomics[p.Atomic]; made != nil && b.sorter.owner(p, s.f.Box) == s.owner {
			b.show(made)
			b.use(s.clip)
		}
	case b.sorter.owner(p, s.f.Box) != s.owner:
	case p.Inline != nil:
		b.inline(p.Inline, s.f.ContentWidth(), at)
	default:
		b.textPart(line, i, at)
		areas.add(b, p.Text, at)
	}
}

// inline paints background, border and outline of a piece of an inline box; base is what percentages are of.
func (b *brush) inline(i *fragment.Inline, base float64, at offset) {
	style := i.Box.Style
	if style.Visibility != "visible" {
		return
	}
	border := rect{at.x + i.X, at.y + i.Y, at.x + i.X + i.Width, at.y + i.Y + i.Height}.snapped()
	p := panel{style: style, cut: sides{left: !i.Start, right: !i.End}, whole: border}
	w, d := style.BorderWidth, style.Padding
	p.widths = fragment.Edges{Top: w.Top, Right: w.Right, Bottom: w.Bottom, Left: w.Left}
	p.padding = fragment.Edges{Top: d.Top.Resolve(base), Right: d.Right.Resolve(base), Bottom: d.Bottom.Resolve(base), Left: d.Left.Resolve(base)}
	if p.cut.left {
		p.widths.Left, p.padding.Left = 0, 0
	}
	if p.cut.right {
		p.widths.Right, p.padding.Right = 0, 0
	}
	p.border = rounded(border, style, p.cut)
	b.background(p)
	b.border(p)
	if style.OutlineWidth > 0 {
		b.rim(style, p.border)
	}
}

// textPart paints text with the lines under, over and through it.
func (b *brush) textPart(line *fragment.Line, i int, at offset) {
	t := line.Parts[i].Text
	style := t.Box.Style
	if style.Visibility != "visible" {
		return
	}
	if t.Box.Symbol != "" {
		b.symbol(line, i, at)
		return
	}
	lines := b.decorationsOf(t.Box.Parent)
	b.decorate(lines, t, line, at, false)
	b.run(t, at)
	b.decorate(lines, t, line, at, true)
}

// run shows the glyphs. Base lines are on whole pixels, as in the browser.
func (b *brush) run(t *fragment.Text, at offset) {
	r := pdf.Run{
		Font: t.Choice.Font, Size: t.Size, Color: b.textInk(t.Box.Style.Color, t.Box.Style),
		X: at.x + t.X, Y: snap(at.y + t.Y), Glyphs: t.Glyphs,
	}
	if t.Choice.Slant {
		r.Oblique = obliqueAngle
	}
	if t.Choice.Embolden {
		r.Embolden = t.Size * emboldenBy
	}
	if t.Choice.Font == nil {
		return
	}
	if r.Glyphs = b.unclipped(r, t, at); len(r.Glyphs) > 0 {
		b.text(r, t.Choice.Font, t.Box.Style)
		b.c.Text(r)
	}
}

// marker paints the marker of a list item beside it.
func (b *brush) marker(s *step) {
	at := offset{s.x, s.y - s.f.Lead}
	for i, p := range s.f.Marker.Parts {
		switch {
		case p.Text != nil:
			b.textPart(s.f.Marker, i, at)
		case p.Atomic != nil:
			made := b.sorter.build(p.Atomic, at.x+p.Atomic.X, at.y+p.Atomic.Y, s.clip)
			b.show(made)
			b.use(s.clip)
		}
	}
}

// stopsDecoration reports where decorations do not reach further in (CSS Text Decoration 3, section 2).
func stopsDecoration(b *box.Box) bool {
	return b.Inline || b.Floats() || b.OutOfFlow()
}
