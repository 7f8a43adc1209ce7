package native

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/paint"
)

// noImage is what is wrong with a picture that is none, in the words of the browser's engine.
const noImage = "is not an image that can be shown"

// withoutPictures warns of what the page shows as pictures and what is none.
func (p *prepared) withoutPictures() []render.Warning {
	var warnings []render.Warning
	for _, name := range p.notImages {
		warnings = append(warnings, render.Warning{Code: render.ResourceFailed, Detail: name + ": " + noImage})
	}
	return warnings
}

// noticed makes warnings of what was seen while the pages were painted.
func (p *prepared) noticed(notes paint.Notes) []render.Warning {
	var warnings []render.Warning
	for _, page := range notes.Blank {
		warnings = append(warnings, render.BlankPage(page))
	}
	for _, c := range notes.Clipped {
		if strings.TrimSpace(c.Text) != "" {
			warnings = append(warnings, render.ClippedText(c.Page, c.Text))
		}
	}
	told := map[string]bool{}
	for _, family := range notes.Families {
		key := strings.ToLower(family)
		if told[key] || p.declared[key] || p.fonts.Has(family) || slices.Contains(keywords, key) {
			continue
		}
		told[key] = true
		warnings = append(warnings, render.MissingFont(family))
	}
	return warnings
}

// keywords name whatever font a system has for a purpose (CSS Fonts 4, section 2.1.3, and what pages write for the same): that another one
// stands in for it is what was asked for.
var keywords = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded",
	"math", "emoji", "fangsong", "-apple-system", "blinkmacsystemfont", "-webkit-body", "inherit", "initial",
}
