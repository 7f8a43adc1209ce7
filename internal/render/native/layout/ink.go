package layout

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/box"
)

// inked reports whether a container of lines has a line: one with nothing in it does not count (CSS 2.2, section 9.4.2).
func (l *layouter) inked(b *box.Box) bool {
	st := l.state(b)
	if st.ink == unknown {
		st.ink = no
		if anyInk(b.Children) {
			st.ink = yes
		}
	}
	return st.ink == yes
}

func anyInk(boxes []*box.Box) bool {
	return slices.ContainsFunc(boxes, makesLine)
}

func makesLine(b *box.Box) bool {
	switch {
	case b.Kind == box.Text:
		return textInk(b)
	case b.Kind == box.Break:
		return true
	case b.OutOfFlow(), b.Floats(), b.Kind == box.Wbr:
		return false
	case b.Kind == box.Inline:
		return edged(b) || anyInk(b.Children)
	}
	return true
}

func textInk(b *box.Box) bool {
	switch b.Style.WhiteSpaceCollapse {
	case "preserve", "break-spaces":
		return b.Text != ""
	case "preserve-breaks":
		return strings.Trim(b.Text, " \t\r\f") != ""
	}
	return strings.Trim(b.Text, " \t\r\n\f") != ""
}

// edged reports whether an inline box has margins, borders or padding at its ends.
func edged(b *box.Box) bool {
	s := b.Style
	start := !s.Margin.Left.Length.IsZero() || s.BorderWidth.Left > 0 || !s.Padding.Left.IsZero()
	end := !s.Margin.Right.Length.IsZero() || s.BorderWidth.Right > 0 || !s.Padding.Right.IsZero()
	return b.First && start || b.Last && end
}
