package flex

import "github.com/platen-render/platen/internal/render/native/align"

// Place says where items and lines stand, from the start of the content box; cross is what [Container.Stretch] returned. Main of
// the container must be known by now, or it is that of the longest line.
func (c *Container) Place(items []Item, lines []Line, cross float64) {
	room := c.Main
	if room < 0 {
		room = c.Natural(items)
	}
	free := cross - c.depth(lines)
	at, between := 0.0, 0.0
	if c.Wrap {
		at, between = share(c.Content, free, len(lines), c.CrossReversed)
	}
	for i := range lines {
		line := &lines[i]
		line.At = at
		on := items[line.First:line.End]
		c.justify(on, room)
		line.place(on)
		at += line.Cross + c.CrossGap + between
	}
}

// justify places the items of a line along it. Automatic margins take what is left over before alignment does (section 9.5).
func (c *Container) justify(on []Item, room float64) {
	free, autos := room-gaps(len(on), c.MainGap), 0
	for i := range on {
		free -= on[i].outer(on[i].Main)
		autos += on[i].MainMargin.autos()
	}
	at, between := share(c.Justify, free, len(on), c.MainReversed)
	each := 0.0
	if autos > 0 {
		at, between, each = min(at, 0), 0, max(free, 0)/float64(autos)
	}
	if autos > 0 && free > 0 {
		at = 0
	}
	for i := range on {
		item := &on[i]
		item.MainMargin.give(each)
		item.MainAt = at + item.MainMargin.Start
		at += item.outer(item.Main) + c.MainGap + between
	}
}

// share is [align.Mode.Share] along an axis that may be reversed: what has no room to be spread around stands where the text begins.
func share(mode align.Mode, free float64, n int, reversed bool) (before, between float64) {
	if reversed && free < 0 && (mode == align.Around || mode == align.Evenly) {
		return free, 0
	}
	return mode.Share(free, n)
}

// give sets automatic margins.
func (m *Margins) give(each float64) {
	if m.AutoStart {
		m.Start = each
	}
	if m.AutoEnd {
		m.End = each
	}
}

// place places the items of a line across it (section 9.6, steps 13 and 14). An item that is larger than the line keeps an
// automatic margin of 0 at its start.
func (l *Line) place(on []Item) {
	for i := range on {
		item := &on[i]
		free := l.Cross - item.outerCross()
		switch n := item.CrossMargin.autos(); {
		case n > 0:
			item.CrossMargin.give(max(free, 0) / float64(n))
			item.CrossAt = l.At + item.CrossMargin.Start
		case item.onBaseline():
			item.CrossAt = l.At + l.ascent - item.Baseline
		default:
			item.CrossAt = l.At + item.CrossMargin.Start + item.Align.Offset(free)
		}
	}
}
