package property

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/value"
)

// LineHeight is normal (the zero value), a factor of the font size, or a length. Children inherit a factor as such.
type LineHeight struct {
	Factor float64
	Px     float64
	Set    bool // one of both counts: Factor when it is not zero
}

// Resolve returns pixels; normal is what the font asks for.
func (l LineHeight) Resolve(fontSize, normal float64) float64 {
	switch {
	case !l.Set:
		return normal
	case l.Factor != 0:
		return l.Factor * fontSize
	}
	return l.Px
}

// String is the line height as CSS.
func (l LineHeight) String() string {
	switch {
	case !l.Set:
		return "normal"
	case l.Factor != 0:
		return strconv.FormatFloat(l.Factor, 'g', 6, 64)
	}
	return value.Px(l.Px).String()
}

// TabSize is a number of spaces or, in Px, a length.
type TabSize struct {
	Spaces, Px float64
}

// Integer is a number or auto (the zero value).
type Integer struct {
	Set   bool
	Value int
}

// String is the number as CSS.
func (i Integer) String() string {
	if !i.Set {
		return "auto"
	}
	return strconv.Itoa(i.Value)
}

// Ratio is width by height; zero is none. Auto: an image's own ratio comes first.
type Ratio struct {
	Auto          bool
	Width, Height float64
}

// Feature is an OpenType feature.
type Feature struct {
	Tag   string // four letters
	Value int
}

// VerticalAlign is a keyword (baseline, sub, super, top, text-top, middle, bottom, text-bottom) or a length, of
// which percentages are of the line height.
type VerticalAlign = Size

// BackgroundSize is cover, contain, or two sizes of which each may be auto.
type BackgroundSize struct {
	Keyword       Keyword
	Width, Height Size
}

// Repeat says for both directions: repeat, no-repeat, space, round.
type Repeat struct{ X, Y Keyword }

// Transform is one function of a list: first a translation by X and Y, then a matrix (a b c d e f of SVG).
type Transform struct {
	X, Y   value.Length
	Matrix [6]float64
}

// Quotes are pairs; Auto leaves them to the language.
type Quotes struct {
	Auto  bool
	Pairs [][2]string // none when it is empty and Auto is not set
}

// ListStyle is a counter style by name, or a string.
type ListStyle struct {
	Name   Keyword // none, disc, decimal, …
	Text   string
	IsText bool
}

// String is the list style as CSS.
func (l ListStyle) String() string {
	if l.IsText {
		return strconv.Quote(l.Text)
	}
	return string(l.Name)
}

// Counter is a counter's name with the number it is set to or incremented by.
type Counter struct {
	Name  string
	Value int
}

// Content is what is generated: normal (the zero value), none, or items.
type Content struct {
	None  bool
	Items []ContentItem
}

// IsNormal reports whether nothing was said.
func (c Content) IsNormal() bool { return !c.None && len(c.Items) == 0 }

// ContentKind tells the items of content apart.
type ContentKind uint8

// The kinds.
const (
	ContentText     ContentKind = iota // Text
	ContentCounter                     // the counter Name in Style
	ContentCounters                    // all counters Name with Text between them, in Style
	ContentAttr                        // the attribute Name, or Text without it
	ContentImage                       // Image
	ContentOpenQuote
	ContentCloseQuote
	ContentNoOpenQuote
	ContentNoCloseQuote
)

// ContentItem is a part of generated content.
type ContentItem struct {
	Kind  ContentKind
	Text  string
	Name  string
	Style ListStyle
	Image value.Image
}

// TrackSize is one end of a track: a length, a fraction (Fr), or auto, min-content, max-content.
type TrackSize struct {
	Size
	Fr float64
}

// Track is a row or a column; Min and Max are the same unless it was minmax(). FitContent: Max is the limit of
// fit-content().
type Track struct {
	Min, Max   TrackSize
	FitContent bool
}

// Tracks are the explicit tracks of a grid. Names are those of the lines: one more than there are tracks.
type Tracks struct {
	List  []Track
	Names [][]string
	// Repeat is what repeat(auto-fill, …) or auto-fit stands for, before the track of index At.
	Repeat      []Track
	RepeatNames [][]string
	At          int
	Fit         bool // auto-fit
}

// GridLine is where an item begins or ends: auto (the zero value), a line, a span, or a name.
type GridLine struct {
	Line int
	Span bool // Line, or Name, is counted from the other end
	Name string
}

// IsAuto reports whether the line is left to placement.
func (g GridLine) IsAuto() bool { return g == GridLine{} }

// PageSize is the size of a sheet in pixels; zero is what the caller asked for, turned when Orientation says so.
type PageSize struct {
	Width, Height float64
	Orientation   Keyword // "", portrait, landscape
}

// SVG are the properties of shapes.
type SVG struct {
	Fill, Stroke               Paint
	FillOpacity, StrokeOpacity float64
	FillRule, ClipRule         Keyword
	StrokeWidth                value.Length
	StrokeLinecap              Keyword
	StrokeLinejoin             Keyword
	StrokeMiterlimit           float64
	StrokeDasharray            []value.Length
	StrokeDashoffset           value.Length
	TextAnchor                 Keyword
}

// Paint is none (the zero value), a color, or a reference to a gradient with a color to fall back on.
type Paint struct {
	Set   bool
	Color value.Color
	URL   string
}

// String is the paint as CSS.
func (p Paint) String() string {
	switch {
	case p.URL != "":
		return `url("` + p.URL + `")`
	case p.Set:
		return p.Color.String()
	}
	return "none"
}

// text writes a value as CSS where it has a form of its own.
func text(v any) string {
	switch v := v.(type) {
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = s
			if strings.ContainsAny(s, " ") {
				quoted[i] = strconv.Quote(s)
			}
		}
		return strings.Join(quoted, ", ")
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case px:
		return value.Px(float64(v)).String()
	}
	return fmt.Sprint(v)
}

// px is a length that is written with its unit.
type px float64
