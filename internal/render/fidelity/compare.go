// Package fidelity compares two PDFs of one document, word by word: whether they have the same pages, the same text in the
// same order, and each word in the same place. It knows no engine and looks at nothing but text; what is drawn beside it is
// for the eye.
package fidelity

import (
	"cmp"
	"math"
	"slices"
)

// Tolerance is how far, in points, a word may stand from its place in the other document and still count as being there.
const Tolerance = 1.5

// worst is how many pairs a report names.
const worst = 10

// Report says how two documents differ. A is the one that is measured by, B the one that is measured.
type Report struct {
	PagesA, PagesB int
	SameSizes      bool // of all pages
	WordsA, WordsB int
	Matched        int    // words with the same text, in the same order or in the same place
	Moved          []Pair // words with the same text, in another order and another place, in the order of A
	Missing        []Word // words of A that B lacks
	Added          []Word // words that only B has
	OtherPage      int    // how many of the matched and moved words stand on another page

	// Distances of the matched and moved words that stand on the same page, in points; 0 when there are none.
	P50, P95, Max float64
	Within        int    // how many of them are at most Tolerance
	Worst         []Pair // the farthest ones, at most ten, the farthest first; words on another page come before all others
}

// Pair is a word and its counterpart.
type Pair struct{ A, B Word }

// Distance is how far the edge of the box that moved most did, in points. It is infinite between two pages.
func (p Pair) Distance() float64 {
	if p.A.Page != p.B.Page {
		return math.Inf(1)
	}
	a, b := p.A.Box, p.B.Box
	return max(math.Abs(a.Left-b.Left), math.Abs(a.Top-b.Top), math.Abs(a.Right-b.Right), math.Abs(a.Bottom-b.Bottom))
}

// SameText reports whether both have the same words in the same order. That order is what pdftotext guesses from the places of words on
// the paper; of two words that are both in their places, another guess means nothing.
func (r Report) SameText() bool { return r.Matched == r.WordsA && r.Matched == r.WordsB }

// Share is the part of all words that is in its place, 0–1: of the document that has more of them, so that a word that is
// missing, or one too many, counts like one that is elsewhere. It is 1 for two documents without text.
func (r Report) Share() float64 {
	if r.WordsA+r.WordsB == 0 {
		return 1
	}
	return float64(r.Within) / float64(max(r.WordsA, r.WordsB))
}

// Compare measures b by a. Words without a gap between them are one, in both. It takes about linear time in the number of words,
// whatever they are.
func Compare(a, b Document) Report {
	a.Words, b.Words = joined(a.Words), joined(b.Words)
	matched, strays := pairs(a, b)
	lostA, lostB := left(slices.Concat(matched, strays), len(a.Words), len(b.Words))
	inA, changedA := rejoin(a.Words, lostA, b.Words, lostB)
	inB, changedB := rejoin(b.Words, lostB, a.Words, lostA)
	if changedA || changedB {
		a.Words, b.Words = inA, inB
		matched, strays = pairs(a, b)
	}
	r := Report{
		PagesA: len(a.Pages), PagesB: len(b.Pages), SameSizes: slices.EqualFunc(a.Pages, b.Pages, sameSize),
		WordsA: len(a.Words), WordsB: len(b.Words),
	}
	r.Matched = len(matched)
	r.Moved = resolve(strays, a.Words, b.Words)

	all := slices.Concat(matched, strays)
	lostA, lostB = left(all, len(a.Words), len(b.Words))
	r.Missing, r.Added = pick(a.Words, lostA), pick(b.Words, lostB)
	r.measure(resolve(all, a.Words, b.Words))
	return r
}

// pairs finds the counterparts of words: those in order, and then those elsewhere, sorted by where they are in a.
func pairs(a, b Document) (matched, strays []pair) {
	matched = inOrder(a.Words, b.Words)
	leftA, leftB := left(matched, len(a.Words), len(b.Words))
	strays = moved(a.Words, b.Words, leftA, leftB)
	slices.SortFunc(strays, func(x, y pair) int { return cmp.Compare(x.a, y.a) })
	return matched, strays
}

// inOrder pairs the words that are in the same order or in the same place. Of a text that is there more often than once, order alone may
// take one that is elsewhere: it gives way to one that is in its place and is left over.
func inOrder(a, b []Word) []pair {
	pairs := match(texts(a), texts(b))
	leftA, leftB := left(pairs, len(a), len(b))
	for n, p := range pairs {
		if (Pair{a[p.a], b[p.b]}).Distance() <= Tolerance {
			continue
		}
		if better := inPlace(a, b, leftA, []int{p.b}); len(better) == 1 {
			pairs[n] = better[0]
		} else if better := inPlace(a, b, []int{p.a}, leftB); len(better) == 1 {
			pairs[n] = better[0]
		} else {
			continue
		}
		leftA, leftB = left(pairs, len(a), len(b))
	}
	return append(pairs, inPlace(a, b, leftA, leftB)...)
}

// measure fills in the distances.
func (r *Report) measure(pairs []Pair) {
	slices.SortStableFunc(pairs, func(x, y Pair) int { return cmp.Compare(y.Distance(), x.Distance()) })
	for r.OtherPage < len(pairs) && math.IsInf(pairs[r.OtherPage].Distance(), 1) {
		r.OtherPage++
	}
	r.Worst = slices.Clone(pairs[:min(worst, len(pairs))])
	same := pairs[r.OtherPage:]
	for _, p := range same {
		if p.Distance() <= Tolerance {
			r.Within++
		}
	}
	if len(same) > 0 {
		r.P50, r.P95, r.Max = quantile(same, 0.50), quantile(same, 0.95), same[0].Distance()
	}
}

// quantile returns the distance that a part q of the pairs, the farthest first, does not exceed.
func quantile(pairs []Pair, q float64) float64 {
	rank := int(math.Ceil(q * float64(len(pairs))))
	return pairs[len(pairs)-max(rank, 1)].Distance()
}

// sameSize allows a page half a point, because engines round millimetres in different ways.
func sameSize(a, b Page) bool {
	return math.Abs(a.Width-b.Width) <= 0.5 && math.Abs(a.Height-b.Height) <= 0.5
}

// left returns the indices that are in no pair.
func left(pairs []pair, a, b int) (leftA, leftB []int) {
	inA, inB := make([]bool, a), make([]bool, b)
	for _, p := range pairs {
		inA[p.a], inB[p.b] = true, true
	}
	return unset(inA), unset(inB)
}

func unset(flags []bool) []int {
	var indices []int
	for i, set := range flags {
		if !set {
			indices = append(indices, i)
		}
	}
	return indices
}

func resolve(pairs []pair, a, b []Word) []Pair {
	resolved := make([]Pair, len(pairs))
	for i, p := range pairs {
		resolved[i] = Pair{a[p.a], b[p.b]}
	}
	return resolved
}

func pick(words []Word, indices []int) []Word {
	picked := make([]Word, len(indices))
	for i, index := range indices {
		picked[i] = words[index]
	}
	return picked
}
