package text

import "sort"

// findOrder finds out whether places in the text can be looked for by halves.
func (r *run) findOrder() {
	forward, backward := true, true
	for i := 1; i < len(r.glyphs); i++ {
		forward = forward && r.glyphs[i-1].at <= r.glyphs[i].at
		backward = backward && r.glyphs[i-1].at >= r.glyphs[i].at
	}
	r.order = count(forward)
	if !forward {
		r.order = -count(backward)
	}
}

// within returns the glyphs among which those are that belong to a stretch of the word: nearly always no others.
func (r *run) within(from, to int) []glyph {
	first := func(at int) int {
		return sort.Search(len(r.glyphs), func(i int) bool { return int(r.glyphs[i].at) >= at })
	}
	if r.order < 0 {
		first = func(at int) int {
			return sort.Search(len(r.glyphs), func(i int) bool { return int(r.glyphs[i].at) < at })
		}
		from, to = to, from
	}
	if r.order == 0 {
		return r.glyphs
	}
	i := first(from)
	return r.glyphs[i:max(i, first(to))]
}

// width is that of the glyphs whose clusters begin in a stretch of the word.
func (w *word) width(l *look, from, to int) float64 {
	if from == 0 && to == len(w.text) {
		sum := float64(float64(w.clusters)*l.letter) + float64(float64(w.blanks)*l.word)
		for i := range w.runs {
			sum += float64(w.runs[i].units) * l.scaled / w.runs[i].em
		}
		return finite(sum)
	}
	sum := 0.0
	for i := range w.runs {
		sum += w.runs[i].width(l, from, to)
	}
	return finite(sum)
}

func (r *run) width(l *look, from, to int) float64 {
	units, clusters, blanks := 0, 0, 0
	glyphs := r.within(from, to)
	for j := range glyphs {
		g := &glyphs[j]
		if int(g.at) < from || int(g.at) >= to {
			continue
		}
		units += int(g.advance)
		clusters += count(g.last)
		blanks += count(g.blank)
	}
	return float64(units)*l.scaled/r.em + float64(float64(clusters)*l.letter) + float64(float64(blanks)*l.word)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cut reports whether the word can be cut before a byte without shaping it anew, and is not inside of a cluster.
func (w *word) cut(at int) bool {
	safe, starts := w.cluster(at)
	return safe && starts
}

// cluster reports whether a cluster starts at a byte, or the word ends there, and whether the word is safe to be cut there.
func (w *word) cluster(at int) (safe, starts bool) {
	if at == 0 || at == len(w.text) {
		return true, true
	}
	for i := range w.runs {
		for _, g := range w.runs[i].within(at, at+1) {
			if int(g.at) == at {
				return g.safe, true
			}
		}
	}
	return false, false
}
