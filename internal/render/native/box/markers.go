package box

import (
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// symbols are the markers that are drawn as shapes.
var symbols = map[property.Keyword]bool{"disc": true, "circle": true, "square": true}

// marker makes the marker of a list item: outside, or as its first child. Said is what the page says of it, or nil.
func (b *builder) marker(x *Box, said *property.Style, in place, out *[]*Box) {
	if x.Style.Display != "list-item" {
		return
	}
	style := b.derived.marker(x.Style, said)
	marker := b.markerImage(x, style)
	if marker == nil {
		marker = b.markerText(x.Style.ListStyleType, style)
	}
	if marker == nil {
		return
	}
	marker.Node, marker.Pseudo, marker.Lang = x.Node, "marker", in.lang
	if x.Style.ListStylePosition == "inside" {
		*out = append(*out, marker)
		return
	}
	x.Marker = marker
}

func (b *builder) markerText(list property.ListStyle, style *property.Style) *Box {
	if list.Name == "none" && !list.IsText {
		return nil
	}
	text := numeral(list, b.counters.value(listItem))
	x := b.box(Text, style)
	switch {
	case list.IsText:
	case symbols[list.Name]:
		x.Symbol = string(list.Name)
		text += " "
	default:
		text += ". "
	}
	x.Text = text
	return x
}

// markerImage is nil without an image, or when it is not to be had: then the type of the list counts.
func (b *builder) markerImage(x *Box, style *property.Style) *Box {
	address := x.Style.ListStyleImage.URL
	if address == "" {
		return nil
	}
	if x.Style.ListStylePosition == "inside" {
		style = b.derived.make(style, "marker inside", func(s *property.Style) {
			s.Margin.Right = property.Size{Length: value.Px(insideGap)}
		})
	}
	return b.picture(address, style)
}

// insideGap is the room between a picture as a marker and the text after it, as in Chromium.
const insideGap = 7
