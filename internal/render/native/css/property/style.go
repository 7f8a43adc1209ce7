// Package property knows the properties: one table says of each its initial value, whether it is inherited, how
// its value is read and where it is kept, and which ones have no effect on paper or are outside of what the
// native engine draws. A [Style] is what the cascade makes of them for one element.
package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// Keyword is one of the words that a property takes, in lower case; the table says which.
type Keyword string

// Style holds the computed values of one element. Lengths are CSS pixels, resolved but for percentages. Colors
// are resolved. Styles are shared by the elements that have the same: they are never changed.
type Style struct {
	Inherited
	Box

	// Custom are the custom properties, inherited ones included; it may be nil.
	Custom *Custom
}

// Inherited are the properties that children take over.
type Inherited struct {
	Color      value.Color
	Direction  Keyword // ltr, rtl
	Visibility Keyword // visible, hidden, collapse

	FontFamily            []string // generic ones in lower case: serif, sans-serif, monospace, …
	FontSize              float64
	size                  fontSize
	FontWeight            float64
	FontStyle             Keyword // normal, italic, oblique
	FontStretch           float64 // percent
	FontKerning           Keyword // auto, normal, none
	FontVariantNumeric    Keyword // normal, or words
	FontVariantLigatures  Keyword // normal, none, or words
	FontVariantCaps       Keyword // normal
	FontFeatures          []Feature
	LineHeight            LineHeight
	LetterSpacing         float64
	WordSpacing           float64
	TextAlign             Keyword // start, end, left, right, center, justify, -webkit-left, -webkit-center, -webkit-right
	TextAlignLast         Keyword
	TextIndent            value.Length
	TextTransform         Keyword // none, uppercase, lowercase, capitalize
	TextUnderlineOffset   Size    // auto or a length
	WhiteSpaceCollapse    Keyword // collapse, preserve, preserve-breaks, break-spaces
	TextWrap              Keyword // wrap, nowrap
	TabSize               TabSize
	WordBreak             Keyword // normal, break-all, keep-all, break-word
	OverflowWrap          Keyword // normal, anywhere, break-word
	LineBreak             Keyword
	Hyphens               Keyword // manual, none
	Quotes                Quotes
	ListStyleType         ListStyle
	ListStylePosition     Keyword // outside, inside
	ListStyleImage        value.Image
	Orphans, Widows       int
	BorderCollapse        Keyword // separate, collapse
	BorderSpacingX        float64
	BorderSpacingY        float64
	CaptionSide           Keyword // top, bottom
	EmptyCells            Keyword // show, hide
	PrintColorAdjust      Keyword // economy, exact
	SVG                   SVG
	TextDecorationSkipInk Keyword
}

// Box are the properties that children do not take over.
type Box struct {
	Display Keyword // none, block, inline, inline-block, flow-root, list-item, flex, inline-flex, grid, inline-grid, table…, contents
	// WasInline says that Display would be that of an inline box, were it not for position, float or the parent: a positioned box
	// stands in a line then, if it is not moved (CSS 2.2, section 10.3.7).
	WasInline bool
	Position  Keyword // static, relative, absolute, fixed
	Float     Keyword // none, left, right
	Clear     Keyword // none, left, right, both
	BoxSizing Keyword // content-box, border-box
	ZIndex    Integer

	Width, Height        Size // auto, min-content, max-content, fit-content or a length
	MinWidth, MinHeight  Size
	MaxWidth, MaxHeight  Size // none, …
	AspectRatio          Ratio
	Inset                Edges[Size]
	Margin               Edges[Size]
	Padding              Edges[value.Length]
	BorderWidth          Edges[float64] // 0 where the style is none
	BorderStyle          Edges[Keyword]
	BorderColor          Edges[value.Color]
	BorderRadius         Corners
	OutlineWidth         float64
	OutlineStyle         Keyword
	OutlineColor         value.Color
	OutlineOffset        float64
	TextOverflow         Keyword // clip; ellipsis where nothing is cut off
	Appearance           Keyword // auto, none: of what is not a control they mean the same
	OverflowX, OverflowY Keyword // visible, hidden, clip, auto, scroll: on paper the last two are hidden
	VerticalAlign        VerticalAlign
	UnicodeBidi          Keyword
	TableLayout          Keyword // auto, fixed

	BackgroundColor      value.Color
	BackgroundImage      []value.Image
	BackgroundPosition   []value.Position
	BackgroundSize       []BackgroundSize
	BackgroundRepeat     []Repeat
	BackgroundOrigin     []Keyword
	BackgroundClip       []Keyword
	BackgroundAttachment []Keyword
	Opacity              float64
	ObjectFit            Keyword
	ObjectPosition       value.Position
	Transform            []Transform // of transform and of translate, rotate and scale, once the style is finished
	moves                moves
	TransformOrigin      value.Position
	TransformBox         Keyword

	TextDecorationLine      Keyword // none, or words
	TextDecorationStyle     Keyword
	TextDecorationColor     value.Color
	TextDecorationThickness Size // auto, from-font or a length

	Content          Content
	CounterReset     []Counter
	CounterIncrement []Counter
	CounterSet       []Counter

	BreakBefore, BreakAfter, BreakInside Keyword

	FlexDirection                         Keyword
	FlexWrap                              Keyword
	FlexGrow, FlexShrink                  float64
	FlexBasis                             Size // auto, content, …
	Order                                 int
	AlignContent, JustifyContent          Keyword
	AlignItems, JustifyItems              Keyword
	AlignSelf, JustifySelf                Keyword
	RowGap, ColumnGap                     Size // normal or a length
	GridTemplateColumns, GridTemplateRows Tracks
	GridTemplateAreas                     [][]string
	GridAutoColumns, GridAutoRows         []Track
	GridAutoFlow                          Keyword
	GridRowStart, GridRowEnd              GridLine
	GridColumnStart, GridColumnEnd        GridLine
	PageSize                              PageSize
	StopColor                             value.Color // of an SVG gradient
	StopOpacity                           float64
}

// Edges are the four sides of a box.
type Edges[T any] struct{ Top, Right, Bottom, Left T }

// Corners are the radii of a box.
type Corners struct{ TopLeft, TopRight, BottomRight, BottomLeft Corner }

// Corner is one radius; percentages are of the width and of the height.
type Corner struct{ X, Y value.Length }

// String is the corner as CSS.
func (c Corner) String() string {
	if c.X == c.Y {
		return c.X.String()
	}
	return c.X.String() + " " + c.Y.String()
}

// Size is a length or, when Keyword is set, something that layout finds out.
type Size struct {
	Keyword Keyword
	Length  value.Length
}

// Is reports whether the size is this keyword.
func (s Size) Is(k Keyword) bool { return s.Keyword == k }

// String is the size as CSS.
func (s Size) String() string {
	if s.Keyword != "" {
		return string(s.Keyword)
	}
	return s.Length.String()
}
