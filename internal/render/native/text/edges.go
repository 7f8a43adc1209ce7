package text

import "github.com/platen-render/platen/internal/render/native/box"

// edge is the width of the start or the end of an inline box: margin, border and padding.
func (f *Flow) edge(p *piece, base float64) float64 {
	if !f.inlines[p.inline].edged {
		return 0
	}
	left, right := sides(p.box, base)
	if (p.kind == open) == (p.look.style.Direction != "rtl") {
		return left.sum()
	}
	return right.sum()
}

// side is one side of an inline box.
type side struct{ margin, border, padding float64 }

func (s side) sum() float64 { return finite(s.margin + s.border + s.padding) }

// sides are whole units of Blink: cut off, as there.
func sides(b *box.Box, base float64) (left, right side) {
	s := b.Style
	left = side{border: s.BorderWidth.Left, padding: max(0, inUnits(s.Padding.Left.Resolve(base)))}
	right = side{border: s.BorderWidth.Right, padding: max(0, inUnits(s.Padding.Right.Resolve(base)))}
	if s.Margin.Left.Keyword == "" {
		left.margin = inUnits(s.Margin.Left.Length.Resolve(base))
	}
	if s.Margin.Right.Keyword == "" {
		right.margin = inUnits(s.Margin.Right.Length.Resolve(base))
	}
	ltr := s.Direction != "rtl"
	if !b.First {
		clearSide(ltr, &left, &right)
	}
	if !b.Last {
		clearSide(!ltr, &left, &right)
	}
	return left, right
}

func clearSide(first bool, left, right *side) {
	if first {
		*left = side{}
	} else {
		*right = side{}
	}
}

// tab is how wide a tab is here (CSS Text 3, section 4.2, as Blink does).
func (f *filler) tab(l *look) float64 {
	space := l.blank
	stop := l.style.TabSize.Px
	if stop == 0 {
		stop = l.style.TabSize.Spaces * space
	}
	if stop <= 0 {
		return max(l.letter, 0)
	}
	width := stop - (f.width - float64(int(f.width/stop))*stop)
	if width < space/2 {
		width += stop
	}
	return finite(width)
}
