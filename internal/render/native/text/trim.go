package text

// trim takes the blanks at the end of the line away, or lets them hang (CSS Text 3, section 4.1.2), sums up how wide it is, and finds
// out whether there is anything to make a line for.
func (l *liner) trim() {
	end := true
	l.line.wanted = false
	l.line.width = l.line.indent
	for i := len(l.line.items) - 1; i >= 0; i-- {
		it := &l.line.items[i]
		p := it.piece
		switch {
		case it.gone:
			continue
		case p.kind == blank && end && p.look.collapse:
			it.gone, it.width = true, 0
			continue
		case (p.kind == blank || p.kind == tab) && end && p.look.wraps && !p.look.breakSpace:
			it.hangs = true
		case p.kind == open || p.kind == closing:
			in := &l.flow.inlines[p.inline]
			l.line.wanted = l.line.wanted || in.edged && (it.width != 0 || in.pressed(p.kind))
		case p.content():
			end = end && p.kind == newline
			l.line.wanted = true
		}
		l.line.wanted = l.line.wanted || it.hangs
		if !it.hangs {
			l.line.width += it.width
		}
	}
	l.line.width = finite(l.line.width)
	if l.place.rest == nil && l.place.at >= len(l.flow.pieces) {
		l.line.forced = true
	}
}

// pressed reports whether an edge of the box has something, even if its sum is 0.
func (in *inlineBox) pressed(k kind) bool {
	s := in.box.Style
	if (k == open) == (s.Direction != "rtl") {
		return s.BorderWidth.Left != 0 || !s.Padding.Left.IsZero() || !s.Margin.Left.Length.IsZero()
	}
	return s.BorderWidth.Right != 0 || !s.Padding.Right.IsZero() || !s.Margin.Right.Length.IsZero()
}

// offset is where the content begins in the room of the line, and what is added to each of its blanks (CSS Text 3, section 7).
func (l *liner) offset() (x, extra float64) {
	free := l.line.right - l.line.left - l.line.width
	if l.single || free <= 0 {
		if l.line.level == 1 && !l.single { // what is too wide goes over the end
			return free, 0
		}
		return 0, 0
	}
	switch l.alignment() {
	case "right":
		return free, 0
	case "center":
		return free / 2, 0
	case "justify":
		if n := l.gaps(); n > 0 {
			return 0, free / float64(n)
		}
		if l.line.level == 1 {
			return free, 0
		}
	}
	return 0, 0
}

// alignment is left, right, center or justify.
func (l *liner) alignment() string {
	style := l.flow.box.Style
	align := style.TextAlign
	if l.line.forced && align != "" {
		switch last := style.TextAlignLast; {
		case last != "auto" && last != "":
			align = last
		case align == "justify":
			align = "start"
		}
	}
	start, end := "left", "right"
	if l.line.level == 1 {
		start, end = end, start
	}
	switch align {
	case "left", "-webkit-left":
		return "left"
	case "right", "-webkit-right":
		return "right"
	case "center", "-webkit-center", "-internal-center":
		return "center"
	case "justify":
		return "justify"
	case "end":
		return end
	}
	return start
}

// gaps counts the blanks that can be made wider.
func (l *liner) gaps() int {
	n := 0
	for i := range l.line.items {
		it := &l.line.items[i]
		switch {
		case it.gone || it.hangs:
		case it.piece.kind == blank:
			n += int(it.piece.end - it.piece.start)
		case it.piece.kind == wordPiece && it.piece.word.blanks > 0:
			n += it.piece.blanks()
		}
	}
	return n
}

// blanks counts the no-break spaces of a word.
func (p *piece) blanks() int {
	n := 0
	for i := range p.word.runs {
		for _, g := range p.of(&p.word.runs[i]) {
			n += count(g.blank && p.covers(&g))
		}
	}
	return n
}

// covers reports whether a glyph of the word belongs to the piece.
func (p *piece) covers(g *glyph) bool { return g.at >= p.from && g.at < p.from+p.end-p.start }

// of returns the glyphs of a run among which those of the piece are.
func (p *piece) of(r *run) []glyph {
	from, to := int(p.from), int(p.from+p.end-p.start)
	if from == 0 && to == len(p.word.text) {
		return r.glyphs
	}
	return r.within(from, to)
}
