package page

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// resize goes on in a layout of another width when a page has one. Blocks, tables, rows, lines of flex items and rows of grids that have
// not begun are taken from it. What is in the middle of a page break stays as wide as it began: a paragraph, cells, items. (Chromium
// breaks the rest of a paragraph anew.)
func (p *pagination) resize(m *mark, page *Page) (*mark, error) {
	width := page.Area.Width
	if p.o.Relayout == nil || width == p.width {
		return m, nil
	}
	p.width = width
	root := p.sheets[width]
	if root == nil {
		var err error
		if root, err = p.o.Relayout(width, page.Area.Height); err != nil {
			return nil, err
		}
		p.sheets[width] = root
		p.c.gather(root)
	}
	p.root = root
	return p.c.over(m, root), nil
}

// over is the same mark in another layout of the box; where the two do not match it stays where it is.
func (c *cutter) over(m *mark, f *fragment.Fragment) *mark {
	if f.Box != m.f.Box || len(f.Children) != len(m.f.Children) {
		return m
	}
	if !m.begun {
		return &mark{f: f, at: m.at, rest: f.Height}
	}
	if len(f.Lines) > 0 || len(m.f.Lines) > 0 || f.Box.Kind == box.Flex || f.Box.Kind == box.Grid || f.Box.Kind == box.TableRow {
		return m
	}
	again := *m
	again.f, again.open = f, nil
	// What follows keeps its distance to what goes on.
	end, other := m.f.Height, f.Height
	if m.next < len(f.Children) {
		end, other = m.f.Children[m.next].Y, f.Children[m.next].Y
	}
	again.lead = m.lead + other - end
	for _, o := range m.open {
		for i, child := range m.f.Children {
			if child == o.f {
				to := c.over(o, f.Children[i])
				again.open = append(again.open, to)
				again.lead += o.rest - to.rest
				break
			}
		}
	}
	if !m.ended() && !definite(f) {
		again.rest = max(m.rest+f.Height-m.f.Height-again.lead+m.lead, 0)
	}
	return &again
}
