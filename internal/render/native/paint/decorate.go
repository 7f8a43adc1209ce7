package paint

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// panel is what backgrounds and borders are painted on: a box, or its part on a page or in a line.
type panel struct {
	style           *property.Style
	border          shape
	widths, padding fragment.Edges
	cut             sides
	// whole is the border box of all parts together: background images are placed in it.
	whole rect
	hr    bool // it is that of an <hr>
}

// panelOf is that of a fragment.
func panelOf(f *fragment.Fragment, x, y float64) panel {
	border := rect{x, y, x + f.Width, y + f.Height}.snapped()
	p := panel{style: f.Box.Style, widths: f.Border, padding: f.Padding, cut: cutOf(f), whole: border}
	p.hr = f.Box.Node != nil && f.Box.Node.Tag == "hr" && f.Box.Pseudo == ""
	if f.CutTop {
		p.widths.Top, p.padding.Top = 0, 0
		p.whole.y0 -= f.Before
	}
	if f.CutBottom {
		p.widths.Bottom, p.padding.Bottom = 0, 0
	}
	p.border = rounded(border, p.style, p.cut)
	return p
}

// box paints background and border of a fragment.
func (b *brush) box(s *step) {
	f := s.f
	if f.Box.Style.Visibility != "visible" || f.Box.Kind == box.Table || f.Hidden {
		return
	}
	p := panelOf(f, s.x, s.y)
	if b.tree == nil || f.Box != b.tree.CanvasBox {
		b.background(p)
	}
	if !collapsed(f.Box) {
		b.border(p)
	}
	b.linkTo(f, p.border.rect)
}

// collapsed reports whether the border of a box is painted by its table.
func collapsed(b *box.Box) bool {
	return (b.Kind == box.TableCell || b.Kind == box.TableGrid) && b.Style.BorderCollapse == "collapse"
}

// outline paints the outline of a fragment.
func (b *brush) outline(s *step) {
	style := s.f.Box.Style
	if style.Visibility != "visible" {
		return
	}
	p := panelOf(s.f, s.x, s.y)
	b.rim(style, p.border)
}

// rim paints an outline around a shape: like a border, but outside.
func (b *brush) rim(style *property.Style, around shape) {
	width := style.OutlineWidth
	outer := around.around(style.OutlineOffset + width)
	if outer.empty() {
		return
	}
	line := edge{width: width, style: style.OutlineStyle, color: ink(style.OutlineColor)}
	b.edges(outer, [4]edge{line, line, line, line}, sides{})
}

// cellsOf paints the background of a row or a group of rows: behind each of its cells, as browsers do, not between them.
func (b *brush) cellsOf(s *step) {
	p := panelOf(s.f, s.x, s.y)
	p.widths, p.padding = fragment.Edges{}, fragment.Edges{}
	if !p.shows() || p.style.Visibility != "visible" || !b.backgrounds(p.style) {
		return
	}
	var cells []rect
	collectCells(&cells, s.f, s.x, s.y)
	for _, r := range merged(cells) {
		part := p
		part.border = shape{rect: r}
		b.background(part)
	}
}

func collectCells(cells *[]rect, f *fragment.Fragment, x, y float64) {
	for _, c := range f.Children {
		cx, cy := x+c.X+c.ShiftX, y+c.Y-f.Lead+c.ShiftY
		switch {
		case c.Box.OutOfFlow():
		case c.Box.Kind == box.TableRow:
			collectCells(cells, c, cx, cy)
		case c.Box.Kind == box.TableCell && c.Box.Style.Visibility == "visible" && !c.Hidden:
			*cells = append(*cells, rect{cx, cy, cx + c.Width, cy + c.Height}.snapped())
		}
	}
}

// merged makes one of cells that stand side by side without a gap.
func merged(cells []rect) []rect {
	var out []rect
	for _, c := range cells {
		if n := len(out); n > 0 && out[n-1].y0 == c.y0 && out[n-1].y1 == c.y1 && out[n-1].x1 == c.x0 {
			out[n-1].x1 = c.x1
			continue
		}
		out = append(out, c)
	}
	return out
}
