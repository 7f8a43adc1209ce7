package text

import (
	"context"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/box"
)

// textBox adds the text of a box, blanks collapsed where its style says so (CSS Text 3, section 4.1.1). Blanks at the end of a line
// are left to the lines.
func (c *collector) textBox(b *box.Box) error {
	l := c.setter.look(b.Style, b.Lang)
	text := b.Text
	for i := 0; i < len(text); {
		if c.steps++; c.steps%every == 0 && c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		switch text[i] {
		case ' ', '\t', '\n', '\r', '\f':
			i = c.blanks(b, l, i)
		default:
			if text[i] < ' ' { // controls have no glyph and no effect
				i++
				continue
			}
			i = c.letters(b, l, i)
		}
	}
	return nil
}

// letters adds the word that begins at i and returns where it ends. Words that would be very long are cut.
func (c *collector) letters(b *box.Box, l *look, i int) int {
	end := i
	for end < len(b.Text) && !isBlank(b.Text[end]) && end-i < longWord {
		if b.Text[end] < utf8.RuneSelf {
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(b.Text[end:])
		if r == lineSeparator || r == paragraphSeparator {
			if end > i {
				break
			}
			c.newline(b, l)
			return end + size
		}
		c.wide = true
		c.bidi = c.bidi || rightToLeft(r)
		if r >= ideographs && end > i && end+size < len(b.Text) && end-i >= shortWord {
			end += size
			break // text without blanks is cut early: it may break nearly everywhere
		}
		end += size
	}
	text := b.Text[i:end]
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	c.append(wordPiece, text, b, l)
	c.start, c.blank = false, false
	return end
}

const (
	// longWord is how many bytes a word has at most: a longer one is several.
	longWord = 256
	// shortWord is the same for scripts without blanks, which begin at ideographs.
	shortWord  = 48
	ideographs = '\u2e80'

	lineSeparator, paragraphSeparator = '\u2028', '\u2029'
)

// isBlank also finds the other controls, to end words at them.
func isBlank(b byte) bool { return b <= ' ' }

// blanks adds the blanks that begin at i and returns where they end.
func (c *collector) blanks(b *box.Box, l *look, i int) int {
	if !l.collapse {
		return c.preserved(b, l, i)
	}
	text, end := b.Text, i
	breaks := 0
	for end < len(text) && isBlank(text[end]) {
		if text[end] == '\n' || text[end] == '\r' && (end+1 == len(text) || text[end+1] != '\n') || text[end] == '\f' {
			breaks++
		}
		end++
	}
	switch {
	case breaks > 0 && l.newlines:
		for range breaks {
			c.newline(b, l)
		}
	case c.start || c.blank:
	case breaks > 0 && c.droppedBreak(text[end:]):
	default:
		c.append(blank, " ", b, l)
		c.blank = true
	}
	return end
}

// preserved adds blanks that do not collapse.
func (c *collector) preserved(b *box.Box, l *look, i int) int {
	c.blank = false
	switch text := b.Text; text[i] {
	case '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return i + 1
		}
		c.newline(b, l)
	case '\n', '\f':
		c.newline(b, l)
	case '\t':
		c.append(tab, "\t", b, l)
		c.start = false
	default:
		end := i + 1
		for end < len(text) && text[end] == ' ' && !l.breakSpace && end-i < longWord {
			end++
		}
		c.append(blank, text[i:end], b, l)
		c.start = false
		return end
	}
	return i + 1
}

// droppedBreak reports whether the end of a line in the source is nothing, as between ideographs, and not a space (CSS Text 3,
// section 4.1.3, as Blink does).
func (c *collector) droppedBreak(rest string) bool {
	before, _ := utf8.DecodeLastRune(c.text)
	after, _ := utf8.DecodeRuneInString(rest)
	const zeroWidthSpace = '\u200b'
	return before == zeroWidthSpace || after == zeroWidthSpace || wideLetter(before) && wideLetter(after)
}

// wideLetter reports whether a character is East Asian, wide, and not Korean (UAX #11).
func wideLetter(r rune) bool {
	switch {
	case r >= 0x1100 && r <= 0x11ff, r >= 0x3130 && r <= 0x318f, r >= 0xac00 && r <= 0xd7ff, r >= 0xa960 && r <= 0xa97f:
		return false
	}
	return r >= ideographs && r <= 0xa4cf || r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f ||
		r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff
}
