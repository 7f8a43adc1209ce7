package text

// symbolWidth is the width of a list marker that is a shape (see box.Box.Symbol): 2 px more than the shape.
func symbolWidth(l *look) float64 {
	ascent := int(l.metrics.Ascent)
	return float64((ascent*2/3+1)/2) + 2
}

// symbol reports whether the piece is such a marker; outside, that it stands outside of the list item.
func (p *piece) symbol() (is, outside bool) {
	is = p.box != nil && p.box.Symbol != ""
	return is, is && p.box.Parent != nil && p.box.Parent.Marker == p.box
}

// fitSymbol gives a marker its width: inside, it begins 1 px before the line, and what follows it stands 1 em after it.
func (p *piece) fitSymbol() {
	is, outside := p.symbol()
	switch {
	case !is:
	case p.kind == blank:
		p.width = 0
	case outside:
		p.width = symbolWidth(p.look)
	default:
		p.width = symbolWidth(p.look) - 1 + p.look.size
	}
}

// placeSymbol places a marker at the start of what it takes, which is at the right when text runs from right to left.
func (l *liner) placeSymbol(it *item, outside bool) {
	v, end := &l.visual, l.visual.x+it.width
	switch {
	case outside:
	case it.piece.level%2 == 1:
		v.x = end - symbolWidth(it.piece.look) + 1
	default:
		v.x--
	}
	for i := range it.piece.word.runs {
		l.placeRun(it, &it.piece.word.runs[i])
	}
	v.x = end
	l.endText()
}
