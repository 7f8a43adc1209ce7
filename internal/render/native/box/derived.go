package box

import (
	"sync"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// derived are styles that the cascade does not make. Each is made once: boxes of the same kind share them.
type derived struct {
	initial *property.Style
	known   map[derivation]*property.Style
}

// derivation is what is done to a style.
type derivation struct {
	from *property.Style
	how  property.Keyword // a display for anonymous boxes, or one of the words below
}

func newDerived() derived {
	return derived{initial: initial(), known: map[derivation]*property.Style{}}
}

// initial are the initial values made consistent: a border that is not there has no width. They are never changed.
var initial = sync.OnceValue(func() *property.Style {
	s := *property.InitialStyle()
	s.BorderWidth, s.OutlineWidth = property.Edges[float64]{}, 0
	return &s
})

// make returns a changed copy, always the same for the same style.
func (d derived) make(from *property.Style, how property.Keyword, change func(*property.Style)) *property.Style {
	key := derivation{from, how}
	if s, ok := d.known[key]; ok {
		return s
	}
	s := *from
	change(&s)
	d.known[key] = &s
	return &s
}

// anonymous has the inherited values of a style and the initial ones of the rest.
func (d derived) anonymous(from *property.Style, display property.Keyword) *property.Style {
	return d.make(from, display, func(s *property.Style) {
		s.Box = d.initial.Box
		s.Display = display
	})
}

// root is not taken out of the flow: there is nothing that it could be taken out of.
func (d derived) root(from *property.Style) *property.Style {
	fixed := from.Position == "absolute" || from.Position == "fixed"
	if !fixed && from.Float == "none" {
		return from
	}
	return d.make(from, "root of the tree", func(s *property.Style) {
		s.Float = "none"
		if fixed {
			s.Position = "static"
		}
	})
}

// inFlex is what a display becomes as item of a flex container or of a grid (CSS Display 3, section 2.7).
var inFlex = map[property.Keyword]property.Keyword{
	"inline": "block", "inline-block": "block", "inline-flex": "flex", "inline-grid": "grid", "inline-table": "table",
	"table-row-group": "block", "table-header-group": "block", "table-footer-group": "block", "table-row": "block",
	"table-cell": "block", "table-column-group": "block", "table-column": "block", "table-caption": "block",
}

// item makes a block of what stands in a flex container or a grid, and no float. The cascade has done the first already, but for
// what stands in an element with display: contents.
func (d derived) item(from *property.Style) *property.Style {
	display, inline := inFlex[from.Display]
	if !inline && from.Float == "none" {
		return from
	}
	return d.make(from, "item", func(s *property.Style) {
		s.Float = "none"
		if inline {
			s.Display = display
		}
	})
}

// wrapper and grid share out the properties of a table between its two boxes (CSS 2.2, section 17.4). Sizes are in both.
func (d derived) wrapper(from *property.Style) *property.Style {
	return d.make(from, "table wrapper", func(s *property.Style) {
		i := &d.initial.Box
		s.Padding, s.BorderWidth, s.BorderStyle, s.BorderColor, s.BorderRadius = i.Padding, i.BorderWidth, i.BorderStyle, i.BorderColor, i.BorderRadius
		s.OutlineWidth, s.OutlineStyle = i.OutlineWidth, i.OutlineStyle
		s.BackgroundColor, s.BackgroundImage = i.BackgroundColor, i.BackgroundImage
		s.OverflowX, s.OverflowY = i.OverflowX, i.OverflowY
	})
}

func (d derived) grid(from *property.Style) *property.Style {
	return d.make(from, "table grid", func(s *property.Style) {
		i := &d.initial.Box
		s.Display = "table"
		s.Position, s.Float, s.Clear, s.ZIndex, s.Inset, s.Margin = i.Position, i.Float, i.Clear, i.ZIndex, i.Inset, i.Margin
		s.Opacity, s.Transform, s.VerticalAlign = i.Opacity, i.Transform, i.VerticalAlign
		s.BreakBefore, s.BreakAfter, s.BreakInside = i.BreakBefore, i.BreakAfter, i.BreakInside
		s.FlexGrow, s.FlexShrink, s.FlexBasis, s.Order = i.FlexGrow, i.FlexShrink, i.FlexBasis, i.Order
		s.AlignSelf, s.JustifySelf = i.AlignSelf, i.JustifySelf
		s.GridRowStart, s.GridRowEnd, s.GridColumnStart, s.GridColumnEnd = i.GridRowStart, i.GridRowEnd, i.GridColumnStart, i.GridColumnEnd
		s.TextDecorationLine = i.TextDecorationLine
	})
}

// marker is what the browser says of ::marker, below what the page says of it, if it does.
func (d derived) marker(item, said *property.Style) *property.Style {
	from := item
	if said != nil {
		from = said
	}
	return d.make(from, "marker", func(s *property.Style) {
		s.Box = d.initial.Box
		s.Display, s.UnicodeBidi = "inline", "isolate"
		s.TextTransform, s.TextIndent = "none", value.Length{}
		if s.FontVariantNumeric == item.FontVariantNumeric {
			s.FontVariantNumeric = "tabular-nums"
		}
		s.WhiteSpaceCollapse, s.TextWrap = "preserve", "nowrap"
	})
}

// sized is a square of so many pixels.
func (d derived) sized(from *property.Style, how property.Keyword, side float64) *property.Style {
	return d.make(from, how, func(s *property.Style) { s.Width, s.Height = pixels(side), pixels(side) })
}

func pixels(v float64) property.Size { return property.Size{Length: value.Px(v)} }

// missing is the frame around an image that is not to be had, but whose size is known.
func (d derived) missing(from *property.Style) *property.Style {
	return d.make(from, "missing image", func(s *property.Style) {
		if s.Display == "inline" {
			s.Display = "inline-block"
		}
		silver := value.RGB(192, 192, 192)
		s.BorderWidth = property.Edges[float64]{Top: 1, Right: 1, Bottom: 1, Left: 1}
		s.BorderStyle = property.Edges[property.Keyword]{Top: "solid", Right: "solid", Bottom: "solid", Left: "solid"}
		s.BorderColor = property.Edges[value.Color]{Top: silver, Right: silver, Bottom: silver, Left: silver}
		one := value.Px(1)
		s.Padding = property.Edges[value.Length]{Top: one, Right: one, Bottom: one, Left: one}
		s.BoxSizing, s.OverflowX, s.OverflowY = "border-box", "hidden", "hidden"
	})
}
