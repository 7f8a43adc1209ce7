package paint

import (
	"image/color"
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// rules paints the borders of a table whose borders collapse.
func (b *brush) rules(s *step) {
	if s.f.Box.Style.Visibility != "visible" {
		return
	}
	for _, r := range s.f.Table.Collapsed {
		if b.stopped() {
			return
		}
		b.rule(r, s.x, s.y) // package page has moved it already
	}
}

// rule paints a line: on whole pixels, of a whole width.
func (b *brush) rule(r fragment.Rule, x, y float64) {
	half := r.Width / 2
	vertical := r.X1 == r.X2
	area := rect{x + min(r.X1, r.X2), y + min(r.Y1, r.Y2), x + max(r.X1, r.X2), y + max(r.Y1, r.Y2)}
	if vertical {
		area.x0, area.x1 = area.x0-half, area.x1+half
	} else {
		area.y0, area.y1 = area.y0-half, area.y1+half
	}
	area = area.snapped()
	c := inkOf(r.Color)
	switch r.Style {
	case "dashed", "dotted":
		b.dashedLine(area, vertical, property.Keyword(r.Style), c)
	case "double":
		if r.Width < 3 {
			b.c.Fill(area.path(), c)
			return
		}
		first, second := outerThirds(area, vertical)
		b.c.Fill(first.path(), c)
		b.c.Fill(second.path(), c)
	case "groove", "outset", "ridge", "inset":
		b.carvedRule(r, area, vertical, c)
	case "none", "hidden":
	default:
		b.c.Fill(area.path(), c)
	}
}

// carvedRule paints a line that looks carved or raised, unless it is too narrow for that.
func (b *brush) carvedRule(r fragment.Rule, area rect, vertical bool, c color.NRGBA) {
	if r.Width < 2 {
		b.c.Fill(area.path(), c)
		return
	}
	first, second := halves(area, vertical)
	shadow, lit := relief(c)
	switch r.Style {
	case "groove", "outset": // where borders collapse, outset is a groove and inset a ridge (CSS 2.2, section 17.6.3)
		b.c.Fill(first.path(), shadow)
		b.c.Fill(second.path(), lit)
	default:
		b.c.Fill(first.path(), lit)
		b.c.Fill(second.path(), shadow)
	}
}

// halves cuts a line along its middle: of whole pixels the first half has the one that is left over.
func halves(r rect, vertical bool) (first, second rect) {
	first, second = r, r
	if vertical {
		first.x1 = r.x0 + math.Ceil(r.width()/2)
		second.x0 = first.x1
	} else {
		first.y1 = r.y0 + math.Ceil(r.height()/2)
		second.y0 = first.y1
	}
	return first, second
}

func outerThirds(r rect, vertical bool) (first, second rect) {
	first, second = r, r
	if vertical {
		third := snap(r.width() / 3)
		first.x1, second.x0 = r.x0+third, r.x1-third
	} else {
		third := snap(r.height() / 3)
		first.y1, second.y0 = r.y0+third, r.y1-third
	}
	return first, second
}
