package fidelity

import (
	"cmp"
	"math"
	"slices"
)

// maxEdits bounds the search in a stretch without landmarks. Beyond it the words of the stretch are not matched in order;
// they may still be found elsewhere, as moved. Its square bounds the memory.
const maxEdits = 1000

// pair says that a word of one sequence is that of another, by their indices.
type pair struct{ a, b int }

// match pairs the words of two sequences, in order and each at most once: a common subsequence, in about linear time.
//
// Words that both have once are landmarks (the patience diff): the longest chain of them that keeps the order divides the
// sequences, over and over. Between landmarks the search for the fewest edits is Myers' (1986), which is quick where little
// differs.
func match(a, b []string) []pair {
	m := matcher{a: a, b: b}
	m.stretch(0, len(a), 0, len(b))
	return m.pairs
}

type matcher struct {
	a, b  []string
	pairs []pair
}

// stretch matches a[a0:a1] with b[b0:b1].
func (m *matcher) stretch(a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && m.a[a0] == m.b[b0] {
		m.pairs = append(m.pairs, pair{a0, b0})
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a0 < a1 && b0 < b1 && m.a[a1-1] == m.b[b1-1] {
		a1, b1, tail = a1-1, b1-1, tail+1
	}
	if a0 < a1 && b0 < b1 {
		m.between(a0, a1, b0, b1)
	}
	for i := range tail {
		m.pairs = append(m.pairs, pair{a1 + i, b1 + i})
	}
}

// between divides a stretch at its landmarks.
func (m *matcher) between(a0, a1, b0, b1 int) {
	marks := m.landmarks(a0, a1, b0, b1)
	if len(marks) == 0 {
		m.pairs = append(m.pairs, fewestEdits(m.a[a0:a1], m.b[b0:b1], a0, b0)...)
		return
	}
	for _, mark := range marks {
		m.stretch(a0, mark.a, b0, mark.b)
		m.pairs = append(m.pairs, mark)
		a0, b0 = mark.a+1, mark.b+1
	}
	m.stretch(a0, a1, b0, b1)
}

// landmarks returns the longest chain of words that are there once on each side.
func (m *matcher) landmarks(a0, a1, b0, b1 int) []pair {
	inA, inB := once(m.a[a0:a1]), once(m.b[b0:b1])
	var marks []pair
	for word, i := range inA {
		if j, ok := inB[word]; ok && i >= 0 && j >= 0 {
			marks = append(marks, pair{a0 + i, b0 + j})
		}
	}
	slices.SortFunc(marks, func(x, y pair) int { return cmp.Compare(x.a, y.a) })
	return longestChain(marks)
}

// once returns the index of each word, or -1 for those that are there more than once.
func once(words []string) map[string]int {
	index := make(map[string]int, len(words))
	for i, word := range words {
		if _, again := index[word]; again {
			i = -1
		}
		index[word] = i
	}
	return index
}

// longestChain returns the longest subsequence of pairs, sorted by a, in which b increases as well: patience sorting.
func longestChain(marks []pair) []pair {
	var piles []int // the index of the top of each pile
	before := make([]int, len(marks))
	for i, mark := range marks {
		p, _ := slices.BinarySearchFunc(piles, mark.b, func(top, b int) int { return cmp.Compare(marks[top].b, b) })
		if before[i] = -1; p > 0 {
			before[i] = piles[p-1]
		}
		if p == len(piles) {
			piles = append(piles, i)
		} else {
			piles[p] = i
		}
	}
	chain := make([]pair, len(piles))
	if len(piles) == 0 {
		return chain
	}
	for k, i := len(piles)-1, piles[len(piles)-1]; i >= 0; k, i = k-1, before[i] {
		chain[k] = marks[i]
	}
	return chain
}

// fewestEdits is the greedy algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with all of its
// steps kept. It returns the pairs, moved by a0 and b0, or none when more than maxEdits edits are needed.
func fewestEdits(a, b []string, a0, b0 int) []pair {
	var steps [][]int // steps[d][k+d]: how far in a one gets on diagonal k = (index in a) − (index in b) with d edits
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		reach := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := start(steps, d, k)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[k+d] = x
			if x >= len(a) && x-k >= len(b) {
				return walkBack(append(steps, reach), len(a), len(b), a0, b0)
			}
		}
		steps = append(steps, reach)
	}
	return nil
}

// start returns where in a diagonal k begins with its d-th edit.
func start(steps [][]int, d, k int) int {
	if d == 0 {
		return 0
	}
	last := steps[d-1]
	at := func(k int) int { return last[k+d-1] }
	if k == -d || (k != d && at(k-1) < at(k+1)) {
		return at(k + 1) // a word of b too many
	}
	return at(k-1) + 1 // a word of a too many
}

func walkBack(steps [][]int, x, y, a0, b0 int) []pair {
	var pairs []pair
	for d := range slices.Backward(steps) {
		k := x - y
		from := start(steps, d, k)
		for ; x > from; x, y = x-1, y-1 {
			pairs = append(pairs, pair{a0 + x - 1, b0 + y - 1})
		}
		if d == 0 {
			break
		}
		if last := steps[d-1]; k == -d || (k != d && last[k-1+d-1] < last[k+1+d-1]) {
			y--
		} else {
			x--
		}
	}
	slices.Reverse(pairs)
	return pairs
}

// maxSame bounds how many words of one text and page are looked at for one that is in its place.
const maxSame = 500

// inPlace pairs words that are left over on both sides with those of the same text that stand in the same place.
func inPlace(a, b []Word, leftA, leftB []int) []pair {
	waiting := map[place][]int{}
	for _, j := range leftB {
		key := place{b[j].key(), b[j].Page}
		waiting[key] = append(waiting[key], j)
	}
	var pairs []pair
	for _, i := range leftA {
		key := place{a[i].key(), a[i].Page}
		queue := waiting[key]
		for n, j := range queue[:min(maxSame, len(queue))] {
			if samePlace(a[i].Box, b[j].Box) {
				pairs = append(pairs, pair{i, j})
				waiting[key] = slices.Delete(queue, n, n+1)
				break
			}
		}
	}
	return pairs
}

// samePlace reports whether two words of a page stand in the same place of the same line. The height of their boxes does not matter: a glyph
// that is made bold may be in a font that states another one.
func samePlace(a, b Box) bool {
	overlap := min(a.Bottom, b.Bottom) - max(a.Top, b.Top)
	return math.Abs(a.Left-b.Left) <= 2*Tolerance && math.Abs(a.Right-b.Right) <= 2*Tolerance && overlap > min(a.Bottom-a.Top, b.Bottom-b.Top)/2
}

// moved pairs words that are left over on both sides with others of the same text, those of one page first.
func moved(a, b []Word, leftA, leftB []int) []pair {
	var pairs []pair
	for _, key := range []func(Word) place{
		func(w Word) place { return place{w.key(), w.Page} },
		func(w Word) place { return place{w.key(), 0} },
	} {
		var found []pair
		found, leftA, leftB = inTurn(a, b, leftA, leftB, key)
		pairs = append(pairs, found...)
	}
	return pairs
}

type place struct {
	text string
	page int
}

// inTurn pairs the first word of a place with the first, the second with the second, and returns what is left.
func inTurn(a, b []Word, leftA, leftB []int, key func(Word) place) (pairs []pair, restA, restB []int) {
	waiting := map[place][]int{}
	for _, j := range leftB {
		waiting[key(b[j])] = append(waiting[key(b[j])], j)
	}
	taken := map[int]bool{}
	for _, i := range leftA {
		queue := waiting[key(a[i])]
		if len(queue) == 0 {
			restA = append(restA, i)
			continue
		}
		pairs, taken[queue[0]] = append(pairs, pair{i, queue[0]}), true
		waiting[key(a[i])] = queue[1:]
	}
	restB = slices.DeleteFunc(slices.Clone(leftB), func(j int) bool { return taken[j] })
	return pairs, restA, restB
}

// texts returns the texts of words, as they are compared.
func texts(words []Word) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.key()
	}
	return all
}
