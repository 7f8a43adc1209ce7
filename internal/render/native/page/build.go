package page

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// build makes the part of a box that begins at m and, unless to is nil, ends at to. What fits whole is shared with the sheet. It returns
// the part with the mark of the next one: there may be one where to was nil, when only positioned boxes are left.
func (c *cutter) build(m, to *mark, s space) (*fragment.Fragment, *mark) {
	if !c.step() {
		return m.f, nil
	}
	if monolithic(m.f) {
		whole := *m.f
		return &whole, to
	}
	c.parts++
	b := &builder{c: c, m: m, to: to, s: s}
	b.part = *m.f
	b.part.Lines, b.part.Children, b.part.Overflow = nil, nil, 0
	b.walk = c.walk(m, s)
	b.part.Lead = m.lead - b.walk.origin
	b.children()
	b.lines()
	b.table()
	b.positioned()
	b.edges()
	return &b.part, b.to
}

// builder makes one part of a box.
type builder struct {
	c    *cutter
	m    *mark
	to   *mark
	s    space
	walk *walk
	part fragment.Fragment
	// down is where the flow ends on the page.
	down float64
}

// edges gives the part its height and cuts what the page cuts.
func (b *builder) edges() {
	p := &b.part
	p.Before = b.m.taken
	p.CutTop = b.m.begun
	p.CutBottom = b.to != nil && b.to.rest > epsilon
	switch {
	case b.m.ended():
		p.Height, p.CutBottom = 0, true
	case p.CutBottom && p.Box.Kind == box.TableRowGroup && b.down > 0:
		p.Height = b.down
	case p.CutBottom:
		p.Height = max(b.s.limit, 0)
	default:
		p.Height = b.m.rest
	}
	if p.CutTop {
		p.Marker = nil
		p.Margin.Top, p.Padding.Top = 0, 0
		if b.walk.repeat.edge == 0 || b.walk.origin == 0 {
			p.Border.Top = 0
		}
	}
	if p.CutBottom {
		p.Margin.Bottom, p.Padding.Bottom, p.Border.Bottom = 0, 0, 0
	}
	p.Overflow = p.Height
}

// add puts a child onto the page, y from the top of the part.
func (b *builder) add(from *mark, y float64) {
	to := b.to.find(from.f)
	limit := b.walk.limit - y
	if !from.begun && from.lead == 0 && to == nil && b.whole(from.f, y, limit) {
		b.part.Children = append(b.part.Children, from.f)
		b.down = max(b.down, y+from.f.Height)
		return
	}
	part, rest := b.c.build(from, to, space{limit: limit, top: b.s.top && y <= epsilon})
	part.Y = b.part.Lead + y
	if monolithic(from.f) {
		part.Y -= from.taken
	}
	b.part.Children = append(b.part.Children, part)
	if part.InFlow() {
		b.down = max(b.down, y+part.Height)
	}
	if rest != nil && to == nil {
		b.keep(rest)
	}
}

// whole says that a child stands where it did on the sheet, and that nothing of it comes below the page.
func (b *builder) whole(f *fragment.Fragment, y, limit float64) bool {
	return f.Y-b.part.Lead == y && b.c.reaches(f) <= limit+epsilon
}

// keep notes a child that goes on although the flow does not.
func (b *builder) keep(rest *mark) {
	b.goOn()
	b.to.open = append(b.to.open, rest)
}

// goOn gives a box that ends a next part, for what sticks out of it.
func (b *builder) goOn() {
	if b.to != nil {
		return
	}
	m := b.m
	b.to = &mark{f: m.f, begun: true, lead: m.f.Height, next: len(m.f.Children), loose: len(m.f.Children), taken: m.taken + max(b.s.limit, 0)}
	if n := len(m.f.Lines); n > 0 {
		b.to.next = n
	}
}

// children adds what is in the flow, and floats.
func (b *builder) children() {
	for _, o := range b.m.open {
		if !o.f.Box.OutOfFlow() {
			b.add(o, b.walk.origin+o.at)
		}
	}
	if len(b.m.f.Lines) > 0 {
		end := b.walk.seq.count()
		if b.to != nil {
			end = min(end, b.to.loose)
		}
		for i := b.m.loose; i < end; i++ {
			b.child(b.walk.seq.list[i])
		}
		return
	}
	end := b.walk.seq.count()
	if b.to != nil {
		end = min(end, b.to.next)
	}
	for i := b.m.next; i < end; i++ {
		b.band(b.walk.seq.band(i))
	}
}

// band adds the items of a band.
func (b *builder) band(band []*fragment.Fragment) {
	cut := false
	if b.m.f.Box.Kind == box.TableRow && b.to != nil {
		for _, f := range band {
			cut = cut || b.to.find(f) != nil && !spans(b.m.f, f)
		}
	}
	for _, f := range band {
		switch {
		case f.Box.OutOfFlow():
		case raise(f) > 0 && (cut || b.to.find(f) != nil):
			from := start(f)
			from.lead = raise(f)
			b.add(from, f.Y-b.part.Lead)
		default:
			b.child(f)
		}
	}
}

// child adds a child that begins on this page, unless it waits for the next one.
func (b *builder) child(f *fragment.Fragment) {
	if to := b.to.find(f); to == nil || to.begun {
		b.add(start(f), f.Y-b.part.Lead)
	}
}

// lines adds lines. One that is higher than the page is on all pages that it reaches.
func (b *builder) lines() {
	lines := b.m.f.Lines
	if len(lines) == 0 || b.m.next >= len(lines) {
		return
	}
	end := len(lines)
	if b.to != nil {
		if end = b.to.next; end < len(lines) && lines[end].Top < b.to.lead-epsilon {
			end++
		}
	}
	b.part.Lines = lines[b.m.next:end]
}
