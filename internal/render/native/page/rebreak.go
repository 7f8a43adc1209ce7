package page

import (
	"strings"
	"unicode"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout"
)

// rebreak lays out the rest of a paragraph anew, as wide as it is in another layout. It returns nil for what it cannot do that with.
func (p *pagination) rebreak(m *mark, f *fragment.Fragment) (*mark, error) {
	if p.o.Margins.Setter == nil || len(m.open) > 0 || m.ended() || m.next >= len(m.f.Lines) || m.lead > m.f.Lines[m.next].Top+epsilon {
		return nil, nil //nolint:nilnil // no mark is no failure
	}
	source := m.f.Box
	if b := p.clipped[m.f]; b != nil {
		source = b
	}
	left := remainder(m, source)
	fresh, err := layout.Alone(p.ctx, left, p.o.Margins.Setter, f.Width, -1)
	if err != nil {
		return nil, err
	}
	p.clipped[fresh] = left
	fresh.Box, fresh.X, fresh.Y = f.Box, f.X, f.Y
	p.c.gather(fresh)
	lead := fresh.ContentY()
	return &mark{f: fresh, begun: true, lead: lead, at: m.at, taken: m.taken, rest: max(fresh.Height-lead, 0)}, nil
}

// remainder is the box of a paragraph without what its first lines have shown.
func remainder(m *mark, source *box.Box) *box.Box {
	c := clipper{shown: map[*box.Box]int{}}
	for _, line := range m.f.Lines[:m.next] {
		c.forced = line.Forced
		for _, part := range line.Parts {
			switch {
			case part.Text != nil:
				for _, g := range part.Text.Glyphs {
					c.shown[part.Text.Box] += visible(g.Text)
				}
			case part.Atomic != nil:
				c.shown[part.Atomic.Box]++
			}
		}
	}
	left := c.clip(source)
	style := *left.Style
	style.TextIndent = value.Length{}
	left.Style = &style
	return left
}

// visible counts the characters that no line loses: blanks may collapse, and hyphens come and go.
func visible(text string) int {
	n := 0
	for _, r := range text {
		if counts(r) {
			n++
		}
	}
	return n
}

func counts(r rune) bool {
	return !unicode.IsSpace(r) && r != '\u00ad' && r != '\u2010' && r != '\u200b'
}

// clipper drops what has been shown of the boxes in lines.
type clipper struct {
	shown   map[*box.Box]int
	forced  bool // the last line that was shown ends with a break
	reached bool // what follows has not been shown
}

// clip is a copy of a box with what is left in it.
func (c *clipper) clip(b *box.Box) *box.Box {
	left := *b
	left.Children = nil
	for _, child := range b.Children {
		if c.reached {
			left.Children = append(left.Children, child)
			continue
		}
		switch {
		case child.Kind == box.Text:
			if t := c.text(child); t != nil {
				left.Children = append(left.Children, t)
			}
		case child.Kind == box.Inline:
			if i := c.clip(child); len(i.Children) > 0 {
				i.First = false
				left.Children = append(left.Children, i)
			}
		case child.Inline && c.shown[child] == 0:
			c.reached = true
			left.Children = append(left.Children, child)
		}
	}
	return &left
}

// text is what is left of a text, or nil.
func (c *clipper) text(t *box.Box) *box.Box {
	n := c.shown[t]
	if visible(t.Text) <= n {
		return nil
	}
	c.reached = true
	rest := t.Text
	for i, r := range t.Text {
		if n == 0 {
			rest = t.Text[i:]
			break
		}
		if counts(r) {
			n--
		}
	}
	if c.forced {
		rest = strings.TrimPrefix(strings.TrimLeft(rest, " \t"), "\n")
	}
	left := *t
	left.Text = rest
	return &left
}
