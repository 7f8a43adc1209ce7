package shape

import (
	"slices"
	"unicode/utf8"

	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/bidi"
)

// Direction is the base direction of a paragraph. The zero Direction takes it from the first strong character, as dir=auto does.
type Direction = bidi.Direction

// The directions.
const (
	Auto = bidi.Auto
	LTR  = bidi.LTR
	RTL  = bidi.RTL
)

// Paragraph is text with what is to be known about it before it is shaped. It is immutable.
type Paragraph struct {
	Text  string
	Runes []rune
	// Levels are the embedding levels of UAX #9 before lines are broken; odd ones run from right to left.
	Levels []uint8
	// Breaks says for each character whether a line may or must end after it (UAX #14). The last character has None: the text ends anyway.
	Breaks []Break

	offsets   []int // of the runes in Text, and its length
	graphemes []bool
}

// Break is what may happen between two characters. The zero Break is none.
type Break byte

// The breaks.
const (
	None Break = iota
	Allowed
	Mandatory
)

// Segmenter prepares paragraphs. It is for one goroutine; the zero Segmenter is ready.
type Segmenter struct {
	lines segmenter.Segmenter
}

// Paragraph analyzes a text. Invalid UTF-8 becomes U+FFFD.
func (s *Segmenter) Paragraph(text string, base Direction) *Paragraph {
	n := utf8.RuneCountInString(text)
	p := &Paragraph{Text: text, Runes: make([]rune, 0, n), offsets: make([]int, 0, n+1)}
	for i, r := range text {
		p.Runes = append(p.Runes, r)
		p.offsets = append(p.offsets, i)
	}
	p.offsets = append(p.offsets, len(text))
	p.Levels, p.Breaks, p.graphemes = make([]uint8, n), make([]Break, n), make([]bool, n)
	if n == 0 {
		return p
	}
	if base == RTL || !simple(p.Runes) {
		p.Levels = bidi.Levels(p.Runes, base)
	}
	s.lines.Init(p.Runes)
	for it := s.lines.LineIterator(); it.Next(); {
		line := it.Line()
		if end := line.Offset + len(line.Text); end < n {
			p.Breaks[end-1] = Allowed
			if line.IsMandatoryBreak {
				p.Breaks[end-1] = Mandatory
			}
		}
	}
	for it := s.lines.GraphemeIterator(); it.Next(); {
		p.graphemes[it.Grapheme().Offset] = true
	}
	return p
}

// simple reports text without characters from right to left, and without those that embed, override or isolate: there all levels are 0
// whatever the algorithm. It knows them by blocks: those below the first right-to-left one, Hebrew, and the signs of an invoice.
func simple(text []rune) bool {
	return !slices.ContainsFunc(text, func(r rune) bool {
		return r >= 0x0590 && (r < 0x2010 || r > 0x2027) && (r < 0x20a0 || r > 0x20cf) // dashes, quotes and bullets; currencies
	})
}

// Slice is the text of some characters; it shares memory with the text of the paragraph.
func (p *Paragraph) Slice(start, end int) string { return p.Text[p.offsets[start]:p.offsets[end]] }

// Cluster returns the end of the grapheme cluster that begins at a character.
func (p *Paragraph) Cluster(start int) int {
	end := start + 1
	for end < len(p.Runes) && !p.graphemes[end] {
		end++
	}
	return end
}

// Item is a stretch of one level, script and face: what can be shaped at once.
type Item struct {
	Start, End int
	Level      uint8
	Script     language.Script
	Choice     fonts.Choice
}

// Items cuts a stretch of the paragraph, which has one style, into items in logical order.
func (p *Paragraph) Items(start, end int, faces *fonts.Selection) []Item {
	var items []Item
	script := p.firstScript(start, end)
	for at := start; at < end; {
		next := min(p.Cluster(at), end)
		if s := language.LookupScript(p.Runes[at]); strong(s) {
			script = s
		}
		item := Item{at, next, p.Levels[at], script, faces.For(p.Runes[at:next])}
		if n := len(items); n > 0 && items[n-1].joins(item) {
			items[n-1].End = next
		} else {
			items = append(items, item)
		}
		at = next
	}
	return items
}

// joins reports whether the next item continues this one.
func (i Item) joins(next Item) bool {
	return next.Choice == i.Choice && next.Level == i.Level && next.Script == i.Script
}

// strong reports whether a script is one of its own; punctuation, digits and marks belong to that of their neighbors (UAX #24).
func strong(s language.Script) bool {
	return s != language.Common && s != language.Inherited && s != language.Unknown
}

func (p *Paragraph) firstScript(start, end int) language.Script {
	for _, r := range p.Runes[start:end] {
		if s := language.LookupScript(r); strong(s) {
			return s
		}
	}
	return language.Latin
}

// VisualOrder returns the order in which the items of one line are drawn from left to right (UAX #9, rule L2).
func VisualOrder(levels []uint8) []int {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	if len(levels) == 0 {
		return order
	}
	for level := slices.Max(levels); level > 0; level-- {
		reverseRuns(order, levels, level)
	}
	return order
}

// reverseRuns reverses each run of places whose items are at this level or above it.
func reverseRuns(order []int, levels []uint8, level uint8) {
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && levels[order[j]] >= level {
			j++
		}
		slices.Reverse(order[i:j])
		i = j + 1
	}
}
