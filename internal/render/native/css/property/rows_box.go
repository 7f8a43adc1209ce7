package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// boxRows are where a box is and how large.
func boxRows() []*Property {
	return []*Property{
		own("display", "inline", func(s *Style) *Keyword { return &s.Display }, display),
		own("position", "static", func(s *Style) *Keyword { return &s.Position }, keyword("static relative absolute fixed", "sticky")),
		own("float", "none", func(s *Style) *Keyword { return &s.Float }, keyword("none left right", "inline-start inline-end")),
		own("clear", "none", func(s *Style) *Keyword { return &s.Clear }, keyword("none left right both", "inline-start inline-end")),
		own("box-sizing", "content-box", func(s *Style) *Keyword { return &s.BoxSizing }, keyword("content-box border-box")),
		own("z-index", "auto", func(s *Style) *Integer { return &s.ZIndex }, zIndex),
		own("width", "auto", func(s *Style) *Size { return &s.Width }, size("auto min-content max-content fit-content", false, "stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("height", "auto", func(s *Style) *Size { return &s.Height }, size("auto min-content max-content fit-content", false, "stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("min-width", "auto", func(s *Style) *Size { return &s.MinWidth }, size("auto min-content max-content fit-content", false, "stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("min-height", "auto", func(s *Style) *Size { return &s.MinHeight }, size("auto min-content max-content fit-content", false, "stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("max-width", "none", func(s *Style) *Size { return &s.MaxWidth }, size("none min-content max-content fit-content", false, "stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("max-height", "none", func(s *Style) *Size { return &s.MaxHeight }, size("none", false, "min-content max-content fit-content stretch -webkit-fill-available -webkit-fit-content -webkit-min-content -webkit-max-content")),
		own("aspect-ratio", "auto", func(s *Style) *Ratio { return &s.AspectRatio }, ratio),
		own("top", "auto", func(s *Style) *Size { return &s.Inset.Top }, size("auto", true)),
		own("right", "auto", func(s *Style) *Size { return &s.Inset.Right }, size("auto", true)),
		own("bottom", "auto", func(s *Style) *Size { return &s.Inset.Bottom }, size("auto", true)),
		own("left", "auto", func(s *Style) *Size { return &s.Inset.Left }, size("auto", true)),
		own("margin-top", "0", func(s *Style) *Size { return &s.Margin.Top }, size("auto", true)),
		own("margin-right", "0", func(s *Style) *Size { return &s.Margin.Right }, size("auto", true)),
		own("margin-bottom", "0", func(s *Style) *Size { return &s.Margin.Bottom }, size("auto", true)),
		own("margin-left", "0", func(s *Style) *Size { return &s.Margin.Left }, size("auto", true)),
		own("padding-top", "0", func(s *Style) *value.Length { return &s.Padding.Top }, positive),
		own("padding-right", "0", func(s *Style) *value.Length { return &s.Padding.Right }, positive),
		own("padding-bottom", "0", func(s *Style) *value.Length { return &s.Padding.Bottom }, positive),
		own("padding-left", "0", func(s *Style) *value.Length { return &s.Padding.Left }, positive),
		own("overflow-x", "visible", func(s *Style) *Keyword { return &s.OverflowX }, keyword("visible hidden clip auto scroll", "overlay")),
		own("overflow-y", "visible", func(s *Style) *Keyword { return &s.OverflowY }, keyword("visible hidden clip auto scroll", "overlay")),
		own("text-overflow", "clip", func(s *Style) *Keyword { return &s.TextOverflow }, keyword("clip ellipsis")),
		own("appearance", "none", func(s *Style) *Keyword { return &s.Appearance }, keyword("none auto", "button checkbox listbox menulist menulist-button meter progress-bar radio searchfield textarea textfield base-select base push-button square-button slider-horizontal slider-vertical")),
		own("vertical-align", "baseline", func(s *Style) *VerticalAlign { return &s.VerticalAlign }, size("baseline sub super top text-top middle bottom text-bottom", true, "-webkit-baseline-middle")),
		own("unicode-bidi", "normal", func(s *Style) *Keyword { return &s.UnicodeBidi }, keyword("normal isolate bidi-override isolate-override plaintext -webkit-isolate -webkit-plaintext", "embed")),
		own("table-layout", "auto", func(s *Style) *Keyword { return &s.TableLayout }, keyword("auto fixed")),
		own("object-fit", "fill", func(s *Style) *Keyword { return &s.ObjectFit }, keyword("fill contain cover none scale-down")),
		own("object-position", "50% 50%", func(s *Style) *value.Position { return &s.ObjectPosition }, place),
	}
}

// borderRows are its lines.
func borderRows() []*Property {
	return []*Property{
		own("border-top-width", "medium", func(s *Style) *float64 { return &s.BorderWidth.Top }, lineWidth).pixels(func(s *Style) *float64 { return &s.BorderWidth.Top }),
		own("border-right-width", "medium", func(s *Style) *float64 { return &s.BorderWidth.Right }, lineWidth).pixels(func(s *Style) *float64 { return &s.BorderWidth.Right }),
		own("border-bottom-width", "medium", func(s *Style) *float64 { return &s.BorderWidth.Bottom }, lineWidth).pixels(func(s *Style) *float64 { return &s.BorderWidth.Bottom }),
		own("border-left-width", "medium", func(s *Style) *float64 { return &s.BorderWidth.Left }, lineWidth).pixels(func(s *Style) *float64 { return &s.BorderWidth.Left }),
		own("border-top-style", "none", func(s *Style) *Keyword { return &s.BorderStyle.Top }, borderStyle),
		own("border-right-style", "none", func(s *Style) *Keyword { return &s.BorderStyle.Right }, borderStyle),
		own("border-bottom-style", "none", func(s *Style) *Keyword { return &s.BorderStyle.Bottom }, borderStyle),
		own("border-left-style", "none", func(s *Style) *Keyword { return &s.BorderStyle.Left }, borderStyle),
		own("border-top-color", "currentcolor", func(s *Style) *value.Color { return &s.BorderColor.Top }, color),
		own("border-right-color", "currentcolor", func(s *Style) *value.Color { return &s.BorderColor.Right }, color),
		own("border-bottom-color", "currentcolor", func(s *Style) *value.Color { return &s.BorderColor.Bottom }, color),
		own("border-left-color", "currentcolor", func(s *Style) *value.Color { return &s.BorderColor.Left }, color),
		own("border-top-left-radius", "0", func(s *Style) *Corner { return &s.BorderRadius.TopLeft }, corner),
		own("border-top-right-radius", "0", func(s *Style) *Corner { return &s.BorderRadius.TopRight }, corner),
		own("border-bottom-right-radius", "0", func(s *Style) *Corner { return &s.BorderRadius.BottomRight }, corner),
		own("border-bottom-left-radius", "0", func(s *Style) *Corner { return &s.BorderRadius.BottomLeft }, corner),
		own("outline-width", "medium", func(s *Style) *float64 { return &s.OutlineWidth }, lineWidth).pixels(func(s *Style) *float64 { return &s.OutlineWidth }),
		own("outline-style", "none", func(s *Style) *Keyword { return &s.OutlineStyle }, outlineStyle),
		own("outline-color", "currentcolor", func(s *Style) *value.Color { return &s.OutlineColor }, outlineColor),
		own("outline-offset", "0", func(s *Style) *float64 { return &s.OutlineOffset }, pixelsOf(true)).pixels(func(s *Style) *float64 { return &s.OutlineOffset }),
	}
}
