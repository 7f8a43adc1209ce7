package text

import (
	"slices"
	"unicode/utf8"
)

// takeWord adds a word, or as much of it as there is room for.
func (f *filler) takeWord(p *piece) (full bool, err error) {
	f.allow(p)
	if f.fits(p.width) {
		f.add(item{piece: p, width: p.width})
		return false, nil
	}
	b := p.look.breaking
	if p.look.wraps {
		if done, err := f.cutWhere(p, f.flow.canBreak, false); done || err != nil {
			return done, err
		}
	}
	if f.back() {
		return true, nil
	}
	if p.look.wraps && (b.anywhere || b.word) {
		if done, err := f.cutWhere(p, f.flow.cutAnywhere, f.before == nil); done || err != nil {
			return done, err
		}
		if f.before != nil && f.flow.clusterAt(int(p.start)) && f.before.look.wraps {
			f.last = f.after
			return f.back(), nil
		}
	}
	if p.look.wraps {
		if done, err := f.cutWhere(p, f.flow.canBreak, true); done || err != nil {
			return done, err
		}
	}
	f.add(item{piece: p, width: p.width})
	return false, nil
}

// cutAnywhere reports whether a cluster begins at a place.
func (f *Flow) cutAnywhere(at int, _ *look) bool { return f.clusterAt(at) }

// cutWhere cuts a word at the last allowed place before which there is room. Force takes the first place when there is room before
// none.
func (f *filler) cutWhere(p *piece, allowed func(int, *look) bool, force bool) (done bool, err error) {
	room := f.line.right - f.line.left - f.width + epsilon
	var places []int32 // from the last fitting one backwards are tried
	measured := false
	for at := p.start + 1; at < p.end; at++ {
		if !utf8.RuneStart(f.flow.text[at]) || !allowed(int(at), p.look) {
			continue
		}
		if !measured {
			f.sum(p, room)
			measured = true
		}
		if int(at-p.start) >= len(f.sums) || f.sums[at-p.start] > room {
			if len(places) == 0 && force {
				return true, f.cutAt(p, at)
			}
			break
		}
		places = append(places, at)
	}
	for i, at := range slices.Backward(places) {
		head, tail, err := f.halves(p, at)
		if err != nil {
			return false, err
		}
		hyphen, err := f.hyphen(&head)
		if err != nil {
			return false, err
		}
		if width := head.width + hyphenWidth(hyphen); width <= room || force && i == 0 {
			f.split(head, tail, hyphen)
			return true, nil
		}
	}
	return false, nil
}

// cutAt ends the line within a word.
func (f *filler) cutAt(p *piece, at int32) error {
	head, tail, err := f.halves(p, at)
	if err != nil {
		return err
	}
	hyphen, err := f.hyphen(&head)
	if err != nil {
		return err
	}
	f.split(head, tail, hyphen)
	return nil
}

// split adds the head of a word and leaves its tail for the next line.
func (f *filler) split(head, tail piece, hyphen *piece) {
	f.add(item{piece: &head, width: head.width})
	if hyphen != nil {
		f.line.items = append(f.line.items, item{piece: hyphen, width: hyphen.width})
	}
	f.place.rest = &tail
}

func hyphenWidth(p *piece) float64 {
	if p == nil {
		return 0
	}
	return p.width
}

// sum finds how wide the word is before each of its bytes, as long as it is not shaped anew, up to where it is wider than the room.
func (f *filler) sum(p *piece, room float64) {
	n := int(p.end - p.start)
	if p.word.ordered() && p.level%2 == 0 {
		f.sumUntil(p, room)
		return
	}
	f.sums = append(f.sums[:0], make([]float64, n+1)...)
	for i := range p.word.runs {
		r := &p.word.runs[i]
		for _, g := range p.of(r) {
			if at := int(g.at - p.from); at >= 0 && at < n {
				f.sums[at+1] += p.look.wide(&g, r)
			}
		}
	}
	for i := range n {
		f.sums[i+1] += f.sums[i]
	}
}

// sumUntil is sum for glyphs in the order of the text, and looks at no more of them than there is room for.
func (f *filler) sumUntil(p *piece, room float64) {
	f.sums = append(f.sums[:0], 0)
	width := 0.0
	for i := range p.word.runs {
		r := &p.word.runs[i]
		for _, g := range p.of(r) {
			for len(f.sums) <= int(g.at-p.from) {
				f.sums = append(f.sums, width)
			}
			if width > room {
				return
			}
			width += p.look.wide(&g, r)
		}
	}
	for len(f.sums) <= int(p.end-p.start) {
		f.sums = append(f.sums, width)
	}
}

// ordered reports whether the glyphs stand in the order of the text.
func (w *word) ordered() bool {
	return !slices.ContainsFunc(w.runs, func(r run) bool { return r.order != 1 })
}

// wide is how wide a glyph is with what is added after it.
func (l *look) wide(g *glyph, r *run) float64 {
	width := l.advance(g, r)
	if g.last {
		width += l.letter
	}
	if g.blank {
		width += l.word
	}
	return width
}

// halves cuts a word in two, which are shaped anew when the letters at the cut depend on each other.
func (f *filler) halves(p *piece, at int32) (head, tail piece, err error) {
	head, tail = *p, *p
	head.end, tail.start = at, at
	tail.from = p.from + at - p.start
	// A ligature with what follows, in another element, stays as it is: the rest of it would be lost.
	if _, whole := p.word.cluster(int(p.from + p.end - p.start)); whole && !p.word.cut(int(tail.from)) {
		if head.word, err = f.flow.wordOf(p, head.start, head.end); err != nil {
			return head, tail, err
		}
		if tail.word, err = f.flow.wordOf(p, tail.start, tail.end); err != nil {
			return head, tail, err
		}
		head.from, tail.from = 0, 0
	}
	head.width = head.word.width(p.look, int(head.from), int(head.from+head.end-head.start))
	if tail.width = p.width - head.width; tail.word != p.word {
		tail.width = tail.word.width(p.look, int(tail.from), int(tail.from+tail.end-tail.start))
	}
	return head, tail, nil
}

// hyphenate adds a hyphen when the line ends with a soft one.
func (f *filler) hyphenate() {
	n := len(f.line.items)
	if n == 0 {
		return
	}
	hyphen, err := f.hyphen(f.line.items[n-1].piece)
	if err == nil && hyphen != nil {
		f.line.items = append(f.line.items, item{piece: hyphen, width: hyphen.width})
	}
}

// hyphen returns what is shown behind a piece that ends with a soft hyphen; nil behind others.
func (f *filler) hyphen(p *piece) (*piece, error) {
	if p.kind != wordPiece {
		return nil, nil //nolint:nilnil // no hyphen is the usual answer
	}
	if r, _ := utf8.DecodeLastRuneInString(f.flow.text[:p.end]); r != softHyphen {
		return nil, nil //nolint:nilnil // as above
	}
	sign := "\u2010"
	if !p.look.typo.faces.Primary().Font.Has('\u2010') {
		sign = "-"
	}
	w, err := f.flow.setter.word(wordKey{typo: p.look.typo.id, rtl: p.level%2 == 1, text: sign}, p.look.typo)
	if err != nil {
		return nil, err
	}
	h := *p
	h.start, h.end, h.from, h.word = p.end, p.end+int32(len(sign)), 0, w //nolint:gosec // G115: a few bytes
	h.width = w.width(p.look, 0, len(sign))
	return &h, nil
}
