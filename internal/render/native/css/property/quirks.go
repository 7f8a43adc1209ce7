package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// quirk is what a property takes in quirks mode and not otherwise (Quirks Mode Standard, section 3).
type quirk uint8

const (
	noQuirk  quirk = iota
	unitless       // a number is pixels ("The unitless length quirk")
	hashless       // a color needs no # ("The hashless hex color quirk")
)

// quirks has the properties that take more in quirks mode. Shorthands do not, but those that are for one of these alone.
var quirks = quirksOf(map[quirk][]string{
	unitless: {
		"background-position", "-webkit-border-horizontal-spacing", "-webkit-border-vertical-spacing", "border-top-width", "border-right-width",
		"border-bottom-width", "border-left-width", "top", "right", "bottom", "left", "font-size", "width", "height", "min-width", "min-height",
		"max-width", "max-height", "letter-spacing", "word-spacing", "text-indent", "vertical-align", "margin-top", "margin-right", "margin-bottom",
		"margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left",
	},
	hashless: {"color", "background-color", "border-top-color", "border-right-color", "border-bottom-color", "border-left-color"},
})

func quirksOf(lists map[quirk][]string) map[string]quirk {
	m := map[string]quirk{}
	for q, names := range lists {
		for _, name := range names {
			m[name] = q
		}
	}
	return m
}

// allow makes a reader take what the property does.
func (q quirk) allow(r *value.Reader) {
	r.Unitless, r.Hashless = r.Context.Quirks && q == unitless, r.Context.Quirks && q == hashless
}
