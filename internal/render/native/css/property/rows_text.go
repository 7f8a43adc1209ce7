package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// fontRows come first: em is relative to them.
func fontRows() []*Property {
	return []*Property{
		inherited("font-family", "serif", func(s *Style) *[]string { return &s.FontFamily }, fontFamily),
		fontSizeRow(),
		inherited("font-weight", "normal", func(s *Style) *float64 { return &s.FontWeight }, fontWeight),
		inherited("font-style", "normal", func(s *Style) *Keyword { return &s.FontStyle }, fontStyle),
		inherited("font-stretch", "normal", func(s *Style) *float64 { return &s.FontStretch }, fontStretch),
	}
}

// colorRows come next: currentColor and the sides of flow depend on them.
func colorRows() []*Property {
	return []*Property{
		inherited("color", "canvastext", func(s *Style) *value.Color { return &s.Color }, color),
		inherited("direction", "ltr", func(s *Style) *Keyword { return &s.Direction }, keyword("ltr rtl")),
	}
}

// textRows are how text looks and where its lines end.
func textRows() []*Property {
	return []*Property{
		inherited("visibility", "visible", func(s *Style) *Keyword { return &s.Visibility }, keyword("visible hidden collapse")),
		inherited("font-kerning", "auto", func(s *Style) *Keyword { return &s.FontKerning }, keyword("auto normal none")),
		inherited("font-variant-numeric", "normal", func(s *Style) *Keyword { return &s.FontVariantNumeric }, words("normal", "lining-nums oldstyle-nums proportional-nums tabular-nums slashed-zero diagonal-fractions stacked-fractions ordinal")),
		inherited("font-variant-ligatures", "normal", func(s *Style) *Keyword { return &s.FontVariantLigatures }, words("normal none", "common-ligatures no-common-ligatures discretionary-ligatures no-discretionary-ligatures historical-ligatures no-historical-ligatures contextual no-contextual")),
		inherited("font-variant-caps", "normal", func(s *Style) *Keyword { return &s.FontVariantCaps }, keyword("normal", "small-caps all-small-caps petite-caps all-petite-caps unicase titling-caps")),
		inherited("font-feature-settings", "normal", func(s *Style) *[]Feature { return &s.FontFeatures }, features),
		inherited("line-height", "normal", func(s *Style) *LineHeight { return &s.LineHeight }, lineHeight),
		inherited("letter-spacing", "normal", func(s *Style) *float64 { return &s.LetterSpacing }, spacing).pixels(func(s *Style) *float64 { return &s.LetterSpacing }),
		inherited("word-spacing", "normal", func(s *Style) *float64 { return &s.WordSpacing }, spacing).pixels(func(s *Style) *float64 { return &s.WordSpacing }),
		inherited("text-align", "start", func(s *Style) *Keyword { return &s.TextAlign }, keyword("start end left right center justify -webkit-left -webkit-center -webkit-right -internal-center", "-webkit-auto -webkit-match-parent")),
		inherited("text-align-last", "auto", func(s *Style) *Keyword { return &s.TextAlignLast }, keyword("auto start end left right center justify")),
		inherited("text-indent", "0", func(s *Style) *value.Length { return &s.TextIndent }, textIndent),
		inherited("text-transform", "none", func(s *Style) *Keyword { return &s.TextTransform }, keyword("none uppercase lowercase capitalize", "math-auto")),
		inherited("text-underline-offset", "auto", func(s *Style) *Size { return &s.TextUnderlineOffset }, size("auto", true)),
		inherited("text-decoration-skip-ink", "auto", func(s *Style) *Keyword { return &s.TextDecorationSkipInk }, keyword("auto none all")),
		inherited("white-space-collapse", "collapse", func(s *Style) *Keyword { return &s.WhiteSpaceCollapse }, keyword("collapse preserve preserve-breaks break-spaces")),
		inherited("text-wrap-mode", "wrap", func(s *Style) *Keyword { return &s.TextWrap }, keyword("wrap nowrap")),
		inherited("tab-size", "8", func(s *Style) *TabSize { return &s.TabSize }, tabSize),
		inherited("word-break", "normal", func(s *Style) *Keyword { return &s.WordBreak }, keyword("normal break-all keep-all break-word", "auto-phrase")),
		inherited("overflow-wrap", "normal", func(s *Style) *Keyword { return &s.OverflowWrap }, keyword("normal anywhere break-word")),
		inherited("line-break", "auto", func(s *Style) *Keyword { return &s.LineBreak }, keyword("auto normal", "loose strict anywhere")),
		inherited("hyphens", "manual", func(s *Style) *Keyword { return &s.Hyphens }, keyword("manual none", "auto")),
		inherited("quotes", "auto", func(s *Style) *Quotes { return &s.Quotes }, quotes),
		inherited("list-style-type", "disc", func(s *Style) *ListStyle { return &s.ListStyleType }, listStyle),
		inherited("list-style-position", "outside", func(s *Style) *Keyword { return &s.ListStylePosition }, keyword("outside inside")),
		inherited("list-style-image", "none", func(s *Style) *value.Image { return &s.ListStyleImage }, ownSize),
		inherited("orphans", "2", func(s *Style) *int { return &s.Orphans }, count),
		inherited("widows", "2", func(s *Style) *int { return &s.Widows }, count),
		inherited("border-collapse", "separate", func(s *Style) *Keyword { return &s.BorderCollapse }, keyword("separate collapse")),
		inherited("-webkit-border-horizontal-spacing", "0", func(s *Style) *float64 { return &s.BorderSpacingX }, pixelsOf(false)).pixels(func(s *Style) *float64 { return &s.BorderSpacingX }),
		inherited("-webkit-border-vertical-spacing", "0", func(s *Style) *float64 { return &s.BorderSpacingY }, pixelsOf(false)).pixels(func(s *Style) *float64 { return &s.BorderSpacingY }),
		inherited("caption-side", "top", func(s *Style) *Keyword { return &s.CaptionSide }, keyword("top bottom")),
		inherited("empty-cells", "show", func(s *Style) *Keyword { return &s.EmptyCells }, keyword("show hide")),
		inherited("print-color-adjust", "economy", func(s *Style) *Keyword { return &s.PrintColorAdjust }, keyword("economy exact")),
	}
}
