package page

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/text"
)

// Margins is what the margin boxes of pages are made with. Without a Setter there are none.
type Margins struct {
	Setter   *text.Setter
	Pictures *images.Loader
	Lang     string
}

// strip is a side of the sheet with the boxes on it, or a corner, which has one.
type strip struct {
	names []string
	// across says that the boxes stand beside each other; otherwise they stand below each other.
	across bool
	// farX and farY say that the page is at the left, or above.
	farX, farY bool
}

// strips are those of CSS Paged Media 3, section 5.2, in the order in which they are painted.
func strips() [8]strip {
	return [8]strip{
		{names: []string{"top-left-corner"}},
		{names: []string{"top-left", "top-center", "top-right"}, across: true},
		{names: []string{"top-right-corner"}, farX: true},
		{names: []string{"left-top", "left-middle", "left-bottom"}},
		{names: []string{"right-top", "right-middle", "right-bottom"}, farX: true},
		{names: []string{"bottom-left-corner"}, farY: true},
		{names: []string{"bottom-left", "bottom-center", "bottom-right"}, across: true, farY: true},
		{names: []string{"bottom-right-corner"}, farX: true, farY: true},
	}
}

// area is where the boxes of strip i stand on a page.
func (p *Page) strip(i int) Area {
	x := [4]float64{0, p.Border.X, p.Border.X + p.Border.Width, p.Width}
	y := [4]float64{0, p.Border.Y, p.Border.Y + p.Border.Height, p.Height}
	cell := [8][2]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}[i]
	a := Area{x[cell[0]], y[cell[1]], x[cell[0]+1] - x[cell[0]], y[cell[1]+1] - y[cell[1]]}
	a.Width, a.Height = max(a.Width, 0), max(a.Height, 0)
	return a
}

// margins lays out the margin boxes of all pages, now that it is known how many there are.
func (p *pagination) margins() error {
	if p.o.Margins.Setter == nil {
		return nil
	}
	for _, page := range p.list {
		styles := p.o.Sheets(page.Number == 1, page.Number%2 == 0, false).Boxes
		if len(styles) == 0 {
			continue
		}
		for i, s := range strips() {
			side := &side{ctx: p.ctx, m: p.o.Margins, strip: s, area: page.strip(i)}
			for j, name := range s.names {
				if style := styles[name]; style != nil {
					b := box.Margin(name, style, box.Page{Page: page.Number, Pages: len(p.list)}, p.o.Margins.Pictures, p.o.Margins.Lang)
					side.add(j, b)
				}
			}
			list, err := side.layout()
			if err != nil {
				return err
			}
			page.Margins = append(page.Margins, list...)
		}
		if p.ctx.Err() != nil {
			return context.Cause(p.ctx)
		}
	}
	return nil
}

// side is one strip of one page.
type side struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one page
	m     Margins
	strip strip
	area  Area
	boxes [3]*marginBox
}

// marginBox is one box, with its sizes along both axes: of the margin box.
type marginBox struct {
	b    *box.Box
	x, y axis
}

func (s *side) add(i int, b *box.Box) {
	if b == nil {
		return
	}
	style := b.Style
	s.boxes[i] = &marginBox{
		b: b,
		x: newAxis(style.Margin.Left, style.Margin.Right, style.Width, style.MinWidth, style.MaxWidth, s.area.Width, inner(style, s.area.Width, true), style.BoxSizing),
		y: newAxis(style.Margin.Top, style.Margin.Bottom, style.Height, style.MinHeight, style.MaxHeight, s.area.Height, inner(style, s.area.Width, false), style.BoxSizing),
	}
}

// inner is what border and padding take.
func inner(s *property.Style, base float64, across bool) float64 {
	if across {
		return s.BorderWidth.Left + s.BorderWidth.Right + s.Padding.Left.Resolve(base) + s.Padding.Right.Resolve(base)
	}
	return s.BorderWidth.Top + s.BorderWidth.Bottom + s.Padding.Top.Resolve(base) + s.Padding.Bottom.Resolve(base)
}

// layout gives the boxes their sizes and places.
func (s *side) layout() ([]*fragment.Fragment, error) {
	if err := s.sizes(); err != nil {
		return nil, err
	}
	var list []*fragment.Fragment
	for i, m := range s.boxes {
		if m == nil {
			continue
		}
		f, err := layout.Alone(s.ctx, m.b, s.m.Setter, m.x.border(), m.y.border())
		if err != nil {
			return nil, err
		}
		f.X, f.Y = s.area.X+m.x.cross(s.area.Width, s.strip.farX), s.area.Y+m.y.cross(s.area.Height, s.strip.farY)
		if s.strip.across {
			f.X = s.area.X + m.x.along(i, s.area.Width)
		} else if len(s.strip.names) > 1 {
			f.Y = s.area.Y + m.y.along(i, s.area.Height)
		}
		align(f)
		list = append(list, f)
	}
	return list, nil
}

// align moves the content of a margin box down as vertical-align says; what is too high for it begins at its top.
func align(f *fragment.Fragment) {
	content := f.ContentY()
	for _, line := range f.Lines {
		content = max(content, line.Top+line.Height)
	}
	for _, c := range f.Children {
		content = max(content, c.Y+c.Height+c.Margin.Bottom)
	}
	free := max(f.Height-trailing(f)-content, 0)
	switch f.Box.Style.VerticalAlign.Keyword {
	case "middle":
		f.Lead = -free / 2
	case "bottom":
		f.Lead = -free
	}
}

// sizes finds the sizes of the boxes: across a strip they fill it, along it they share it.
func (s *side) sizes() error {
	along := len(s.strip.names) > 1
	for _, m := range s.boxes {
		if m == nil {
			continue
		}
		if !along || !s.strip.across {
			m.x.fill(s.area.Width)
		}
		if !along || s.strip.across {
			m.y.fill(s.area.Height)
		}
		if err := s.measure(m); err != nil {
			return err
		}
	}
	if !along {
		return nil
	}
	var axes [3]*axis
	for i, m := range s.boxes {
		switch {
		case m == nil:
		case s.strip.across:
			axes[i] = &m.x
		default:
			axes[i] = &m.y
		}
	}
	length := s.area.Height
	if s.strip.across {
		length = s.area.Width
	}
	share(axes, length)
	return nil
}

// measure asks the content of a box how long it wants to be along the strip.
func (s *side) measure(m *marginBox) error {
	if s.strip.across {
		if m.x.auto {
			least, most, err := layout.MinMax(s.ctx, m.b, s.m.Setter)
			m.x.least, m.x.most = least, most
			return err
		}
		return nil
	}
	if m.y.auto {
		f, err := layout.Alone(s.ctx, m.b, s.m.Setter, m.x.border(), -1)
		if err != nil {
			return err
		}
		m.y.least = f.Height + m.y.start + m.y.end
		m.y.most = m.y.least
	}
	return nil
}
