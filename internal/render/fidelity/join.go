package fidelity

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// touching is the gap, in parts of a word's height, below which two words are one: a space is wider.
const touching = 0.1

// joined returns the words with those made one that stand in a line without a gap. pdftotext cuts a word where the font changes, or by
// a gap that is a hair wider than it expects, and another PDF of the same document may be on the other side of that hair.
func joined(words []Word) []Word {
	var all []Word
	for _, w := range words {
		if n := len(all); n > 0 && touch(all[n-1], w) {
			last := &all[n-1]
			last.Text += w.Text
			last.Box = union(last.Box, w.Box)
			continue
		}
		all = append(all, w)
	}
	return all
}

// touch reports whether a word goes on where the one before it ends: at the right, or at the left in text from right to left.
func touch(before, next Word) bool {
	a, b := before.Box, next.Box
	height := min(a.Bottom-a.Top, b.Bottom-b.Top)
	if before.Page != next.Page || math.Abs(a.Bottom-b.Bottom) > height/4 {
		return false
	}
	gap := touching * height
	return math.Abs(b.Left-a.Right) < gap || math.Abs(a.Left-b.Right) < gap
}

func union(a, b Box) Box {
	return Box{Left: min(a.Left, b.Left), Top: min(a.Top, b.Top), Right: max(a.Right, b.Right), Bottom: max(a.Bottom, b.Bottom)}
}

// rejoin makes one of those words that are left over on their side and together are a word that is left over on the other side, in the
// same place. It returns the words and whether any were made one.
func rejoin(words []Word, lost []int, others []Word, lostOthers []int) ([]Word, bool) {
	gone := map[int]bool{}
	for _, j := range lostOthers {
		for n := range lost {
			if end := together(words, lost[n:], others[j]); end > 0 && !gone[lost[n]] {
				for _, i := range lost[n+1 : n+end] {
					gone[i] = true
				}
				words = slices.Clone(words)
				words[lost[n]] = Word{Text: others[j].Text, Page: others[j].Page, Box: union(words[lost[n]].Box, words[lost[n+end-1]].Box)}
				break
			}
		}
	}
	if len(gone) == 0 {
		return words, false
	}
	kept := make([]Word, 0, len(words))
	for i, w := range words {
		if !gone[i] {
			kept = append(kept, w)
		}
	}
	return kept, true
}

// together returns how many words, the first ones of those left over, are the other one together; 0 when they are not.
func together(words []Word, lost []int, other Word) int {
	text, box := "", Box{}
	for n, i := range lost {
		if n > 0 && i != lost[n-1]+1 || words[i].Page != other.Page {
			return 0
		}
		if box = union(box, words[i].Box); n == 0 {
			box = words[i].Box
		}
		text += words[i].Text
		switch {
		case n > 0 && text == other.Text && samePlace(box, other.Box):
			return n + 1
		case len(text) >= len(other.Text):
			return 0
		}
	}
	return 0
}

// key is the text of a word, as it is compared. pdftotext turns the letters of what runs from right to left; in what order the parts of a
// ligature and the marks of a letter then come depends on how the writer has cut them, so that of such a word its letters alone count.
func (w Word) key() string {
	if !strings.ContainsFunc(w.Text, func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
	}) {
		return w.Text
	}
	letters := []rune(w.Text)
	slices.Sort(letters)
	return string(letters)
}
