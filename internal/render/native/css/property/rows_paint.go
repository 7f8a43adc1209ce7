package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// paintRows are what is drawn in and over a box.
func paintRows() []*Property {
	return []*Property{
		own("background-color", "transparent", func(s *Style) *value.Color { return &s.BackgroundColor }, color),
		own("background-image", "none", func(s *Style) *[]value.Image { return &s.BackgroundImage }, listOf(image)),
		own("background-position", "0% 0%", func(s *Style) *[]value.Position { return &s.BackgroundPosition }, listOf(backgroundPlace)),
		own("background-size", "auto", func(s *Style) *[]BackgroundSize { return &s.BackgroundSize }, listOf(backgroundSize)),
		own("background-repeat", "repeat", func(s *Style) *[]Repeat { return &s.BackgroundRepeat }, listOf(repeat)),
		own("background-origin", "padding-box", func(s *Style) *[]Keyword { return &s.BackgroundOrigin }, listOf(keyword("border-box padding-box content-box", "border padding content"))),
		own("background-clip", "border-box", func(s *Style) *[]Keyword { return &s.BackgroundClip }, listOf(keyword("border-box padding-box content-box", "text border-area"))),
		own("background-attachment", "scroll", func(s *Style) *[]Keyword { return &s.BackgroundAttachment }, listOf(keyword("scroll local", "fixed"))),
		own("opacity", "1", func(s *Style) *float64 { return &s.Opacity }, alpha),
		own("translate", "none", func(s *Style) *[]Transform { return &s.moves.translate }, translation),
		own("rotate", "none", func(s *Style) *[]Transform { return &s.moves.rotate }, rotation),
		own("scale", "none", func(s *Style) *[]Transform { return &s.moves.scale }, scaling),
		own("transform", "none", func(s *Style) *[]Transform { return &s.moves.transform }, transform),
		own("filter", "none", func(s *Style) *[]Transform { return &s.moves.filter }, filter),
		own("transform-origin", "50% 50%", func(s *Style) *value.Position { return &s.TransformOrigin }, transformOrigin),
		own("transform-box", "view-box", func(s *Style) *Keyword { return &s.TransformBox }, keyword("view-box border-box", "content-box fill-box stroke-box")),
		own("text-decoration-line", "none", func(s *Style) *Keyword { return &s.TextDecorationLine }, words("none", "underline overline line-through", "blink spelling-error grammar-error")),
		own("text-decoration-style", "solid", func(s *Style) *Keyword { return &s.TextDecorationStyle }, keyword("solid double dotted dashed wavy")),
		own("text-decoration-color", "currentcolor", func(s *Style) *value.Color { return &s.TextDecorationColor }, color),
		own("text-decoration-thickness", "auto", func(s *Style) *Size { return &s.TextDecorationThickness }, thickness),
	}
}

// svgRows are how shapes are drawn.
func svgRows() []*Property {
	return []*Property{
		inherited("fill", "black", func(s *Style) *Paint { return &s.SVG.Fill }, paintValue),
		inherited("fill-opacity", "1", func(s *Style) *float64 { return &s.SVG.FillOpacity }, alpha),
		inherited("fill-rule", "nonzero", func(s *Style) *Keyword { return &s.SVG.FillRule }, keyword("nonzero evenodd")),
		inherited("clip-rule", "nonzero", func(s *Style) *Keyword { return &s.SVG.ClipRule }, keyword("nonzero evenodd")),
		inherited("stroke", "none", func(s *Style) *Paint { return &s.SVG.Stroke }, paintValue),
		inherited("stroke-opacity", "1", func(s *Style) *float64 { return &s.SVG.StrokeOpacity }, alpha),
		inherited("stroke-width", "1px", func(s *Style) *value.Length { return &s.SVG.StrokeWidth }, svgWidth),
		inherited("stroke-linecap", "butt", func(s *Style) *Keyword { return &s.SVG.StrokeLinecap }, keyword("butt round square")),
		inherited("stroke-linejoin", "miter", func(s *Style) *Keyword { return &s.SVG.StrokeLinejoin }, keyword("miter round bevel")),
		inherited("stroke-miterlimit", "4", func(s *Style) *float64 { return &s.SVG.StrokeMiterlimit }, factor),
		inherited("stroke-dasharray", "none", func(s *Style) *[]value.Length { return &s.SVG.StrokeDasharray }, dashes),
		inherited("stroke-dashoffset", "0px", func(s *Style) *value.Length { return &s.SVG.StrokeDashoffset }, svgLength),
		inherited("text-anchor", "start", func(s *Style) *Keyword { return &s.SVG.TextAnchor }, keyword("start middle end")),
		own("stop-color", "black", func(s *Style) *value.Color { return &s.StopColor }, color),
		own("stop-opacity", "1", func(s *Style) *float64 { return &s.StopOpacity }, alpha),
	}
}
