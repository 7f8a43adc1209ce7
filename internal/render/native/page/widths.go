package page

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// resize goes on in a layout of another width when a page has one. Blocks, rows, lines of flex items and rows of grids that have not
// begun are taken from it, and the rest of a paragraph is broken anew. Only rows, items and floats that are in the middle of a page
// break stay as wide as they began, where Chromium lays them out again.
func (p *pagination) resize(m *mark, page *Page) (*mark, error) {
	width := page.Area.Width * page.Scale
	if p.o.Relayout == nil || width == p.width {
		return m, nil
	}
	p.width = width
	root := p.sheets[width]
	if root == nil {
		var err error
		if root, err = p.o.Relayout(width, page.Area.Height*page.Scale); err != nil {
			return nil, err
		}
		p.sheets[width] = root
		p.c.gather(root)
	}
	p.root = root
	return p.over(m, root)
}

// over is the same mark in another layout of the box; where the two do not match it stays where it is.
func (p *pagination) over(m *mark, f *fragment.Fragment) (*mark, error) {
	switch {
	case f.Box != m.f.Box:
		return m, nil
	case !m.begun:
		return &mark{f: f, at: m.at, rest: f.Height}, nil
	case len(m.f.Lines) > 0 && len(f.Lines) > 0:
		to, err := p.rebreak(m, f)
		if to == nil {
			to = m
		}
		return to, err
	case parallel(f) || len(f.Lines) > 0 || len(m.f.Lines) > 0 || len(f.Children) != len(m.f.Children) || f.Box.Kind == box.Replaced:
		return m, nil
	}
	again := *m
	again.f, again.open, again.places = f, nil, nil
	// What follows keeps its distance to what goes on.
	end, other := m.f.Height, f.Height
	if m.next < len(f.Children) {
		end, other = m.f.Children[m.next].Y, f.Children[m.next].Y
	}
	again.lead = m.lead + other - end
	for _, o := range m.open {
		to, err := p.open(o, m.f, f)
		if err != nil {
			return nil, err
		}
		again.open = append(again.open, to)
		if o.f.InFlow() {
			again.lead += o.rest - to.rest
		}
	}
	if !m.ended() && !definite(f) {
		again.rest = max(m.rest+f.Height-m.f.Height-again.lead+m.lead, 0)
	}
	return &again, nil
}

// open is the mark of a child in another layout of its parent.
func (p *pagination) open(o *mark, parent, other *fragment.Fragment) (*mark, error) {
	for i, child := range parent.Children {
		if child.Box == o.f.Box {
			return p.over(o, other.Children[i])
		}
	}
	return o, nil
}
