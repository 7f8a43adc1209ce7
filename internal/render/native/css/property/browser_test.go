package property_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// What browsers take is taken or told, and what they drop is dropped: each was asked of Chromium's CSS.supports().
func TestValuesAreThoseThatBrowsersTake(t *testing.T) {
	t.Parallel()
	const taken, dropped, told = "taken", "dropped", "told"
	for _, c := range []struct{ name, value, want string }{
		{"display", "-webkit-flex", taken},
		{"display", "inline flow-root", told},
		{"display", "block block", dropped},
		{"display", "grid-lanes", dropped},
		{"display", "run-in", dropped},
		{"float", "footnote", dropped},
		{"position", "-webkit-sticky", dropped},
		{"position", "sticky", told},
		{"text-align", "match-parent", dropped},
		{"text-align", "-webkit-match-parent", told},
		{"text-transform", "full-width", dropped},
		{"width", "fit-content(10px)", dropped},
		{"width", "intrinsic", dropped},
		{"width", "calc(1px*1px/1px)", told},
		{"width", "calc(1px*1px)", dropped},
		{"flex-grow", "calc(1px/2px)", told},
		{"width", "clamp(none,2px,3px)", taken},
		{"background-image", "cross-fade(url(a),url(b))", dropped},
		{"background-image", "-webkit-cross-fade(url(a),url(b),50%)", told},
		{"background-image", "radial-gradient(10px circle,red,blue)", taken},
		{"background-image", "radial-gradient(circle 10px 20px,red,blue)", dropped},
		{"background-image", "radial-gradient(ellipse 10px,red,blue)", dropped},
		{"background-image", "src('a')", dropped},
		{"background-position", "left 10px top", taken},
		{"object-position", "left 10px top", dropped},
		{"transform-origin", "1px 2px 3px", taken},
		{"transform-origin", "right 10px bottom 5px", dropped},
		{"color", "WindowText", taken},
		{"color", "-webkit-link", taken},
		{"font", "80% Arial", taken},
		{"font", "bold 80%/1.2 Arial", taken},
		{"font-variant", "full-width", told},
		{"font-variant-numeric", "lining-nums oldstyle-nums", dropped},
		{"font-stretch", "calc(1 + 2)", dropped},
		{"font-style", "oblique 100deg", dropped},
		{"white-space", "preserve nowrap", taken},
		{"white-space", "collapse", taken},
		{"white-space", "collapse collapse", dropped},
		{"text-wrap", "auto auto", dropped},
		{"text-decoration-thickness", "-5px", told},
		{"border-top-width", "calc(-1px)", taken},
		{"border-top-width", "-1px", dropped},
		{"flex-wrap", "balance", told},
		{"flex-basis", "stretch", told},
		{"place-content", "first baseline", taken},
		{"justify-items", "left legacy", told},
		{"align-self", "anchor-center", told},
		{"align-items", "anchor-center", dropped},
		{"grid-template-columns", "repeat(auto-fill, 1fr)", dropped},
		{"grid-template-columns", "repeat(auto-fill, 10px) 1fr", dropped},
		{"grid-template-columns", "repeat(auto-fill, minmax(10px, 1fr))", taken},
		{"grid-template-rows", "masonry", dropped},
		{"grid-row-start", "1 auto", dropped},
		{"grid-area", "none", taken},
		{"content", `counter(a, "x")`, dropped},
		{"counter-reset", "reversed(x)", dropped},
		{"break-inside", "avoid-column", taken},
		{"stroke-width", "calc(50% - 8px)", told},
	} {
		_, outside, ok := property.Expand(c.name, context(), values(t, c.value))
		got := taken
		switch {
		case !ok:
			got = dropped
		case outside != "":
			got = told
		}
		if got != c.want {
			t.Errorf("%s: %s is %s (%s), want %s", c.name, c.value, got, outside, c.want)
		}
	}
}
