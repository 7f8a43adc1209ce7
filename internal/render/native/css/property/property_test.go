package property_test

import (
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

func context() *value.Context {
	return &value.Context{FontSize: 16, RootFontSize: 16, ParentSize: 16, ParentWeight: 400, LineHeight: 20, RootLineHeight: 20, ViewportWidth: 600, ViewportHeight: 900}
}

func values(t *testing.T, text string) []syntax.Value {
	t.Helper()
	v, err := syntax.ParseValues(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func names(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// Each property that the browser knows is applied, without effect on paper, or outside and then told.
func TestEachPropertyOfTheBrowserHasAClass(t *testing.T) {
	t.Parallel()
	count := map[property.Class]int{}
	for _, name := range names(t, "testdata/properties.txt") {
		class, known := property.Classify(name)
		if class == property.Unknown {
			t.Errorf("%s is dropped in silence", name)
		}
		if class == property.Outside && property.Harmless(known, "-platen-something") {
			t.Errorf("%s: any value is harmless", name)
		}
		if class == property.Applied {
			if list, outside, ok := property.Expand(known, context(), values(t, "inherit")); !ok || outside != "" || len(list) == 0 {
				t.Errorf("%s does not take inherit", name)
			}
		}
		count[class]++
	}
	t.Logf("applied %d, no effect %d, outside %d", count[property.Applied], count[property.NoEffect], count[property.Outside])
}

func TestInitialValuesAreRight(t *testing.T) {
	t.Parallel()
	initial := property.InitialStyle()
	for _, p := range property.All {
		var s property.Style
		if outside, ok := p.Set(&s, context(), p.InitialValues()); !ok || outside != "" {
			t.Errorf("%s: %s is refused (%s)", p.Name, p.Initial, outside)
		}
		if got, want := p.Text(&s), p.Text(initial); got != want {
			t.Errorf("%s is %s at first, but %s when it is set to that", p.Name, want, got)
		}
	}
}

func TestValuesAreRightWrongOrOutside(t *testing.T) {
	t.Parallel()
	const right, wrong, outside = "right", "wrong", "outside"
	for _, c := range []struct{ name, value, want string }{
		{"width", "10px", right},
		{"width", "-1px", wrong},
		{"width", "calc(100% - 2em)", right},
		{"width", "calc(1px + 1)", wrong},
		{"width", "10", wrong},
		{"width", "0", right},
		{"width", "stretch", outside},
		{"width", "fit-content(3px)", wrong},
		{"width", "3ch", outside},
		{"width", "round(3px, 2px)", outside},
		{"width", "min(10px, 50%)", right},
		{"width", "min(10px, 1s)", wrong},
		{"width", "10foo", wrong},
		{"display", "flex", right},
		{"display", "ruby", outside},
		{"display", "blocky", wrong},
		{"position", "sticky", outside},
		{"color", "#12345", wrong},
		{"color", "rgb(1 2 3 / 40%)", right},
		{"color", "rgb(1, 2 3)", wrong},
		{"color", "color-mix(in srgb, red, blue)", outside},
		{"color", "hsl(120, 50%, 50%)", right},
		{"color", "hsl(120, 50, 50)", wrong},
		{"color", "rgb(from red r g b)", outside},
		{"color", "light-dark(red, blue)", right},
		{"background", "linear-gradient(to right top, red 10%, 30%, blue)", right},
		{"background", "linear-gradient(red)", right},
		{"background", "conic-gradient(red, blue)", outside},
		{"background", "red blue", wrong},
		{"background", "red, blue", wrong},
		{"background", "url(a) fixed", outside},
		{"background-clip", "text", outside},
		{"transform", "rotate(3deg) translate(10%, 2px)", right},
		{"transform", "rotate3d(1,1,1,3deg)", outside},
		{"transform", "rotate(3px)", wrong},
		{"grid-template-columns", "[a] 1fr repeat(2, minmax(10px, 1fr)) auto", right},
		{"grid-template-columns", "subgrid", outside},
		{"grid-template-columns", "minmax(1fr, 10px)", wrong},
		{"grid-template-areas", `"a a" "b a"`, wrong},
		{"grid-template-areas", `"a a" "b c"`, right},
		{"grid-area", "1 / 2 / span 3 / foo", right},
		{"grid-row", "0", wrong},
		{"grid", "auto-flow dense / 1fr 2fr", right},
		{"grid-template", `"a b" 1fr "c d" / 1fr 2fr`, right},
		{"content", `"a" counter(page) " / " counters(x, ".", upper-roman) attr(title)`, right},
		{"content", "string(x)", wrong},
		{"content", `counter(x, hebrew)`, outside},
		{"font", "italic 12px/1.4 a, serif", right},
		{"font", "12px", wrong},
		{"font", "menu", outside},
		{"font-style", "oblique 10deg", outside},
		{"flex", "1 1", right},
		{"flex", "1 1 1", wrong},
		{"border", "1px solid red 2px", wrong},
		{"border-radius", "1px 2px / 3px", right},
		{"border-radius", "1px / 2px / 3px", wrong},
		{"size", "A4 landscape", right},
		{"size", "landscape", right},
		{"size", "10cm 20cm", right},
		{"size", "-1cm", wrong},
		{"size", "A9", wrong},
		{"margin", "1px 2px 3px 4px 5px", wrong},
		{"margin", "auto", right},
		{"hyphens", "auto", outside},
		{"text-wrap", "balance", outside},
		{"list-style", "none", right},
		{"list-style", "inside none square", right},
		{"list-style-type", "hebrew", outside},
		{"text-decoration", "underline wavy 2px red", right},
		{"aspect-ratio", "16 / 9", right},
		{"opacity", "150%", right},
		{"z-index", "1.5", wrong},
		{"orphans", "0", wrong},
		{"white-space", "pre-wrap", right},
	} {
		_, reason, ok := property.Expand(c.name, context(), values(t, c.value))
		got := right
		if !ok {
			got = wrong
		} else if reason != "" {
			got = outside
		}
		if got != c.want {
			t.Errorf("%s: %s is %s (%s), want %s", c.name, c.value, got, reason, c.want)
		}
	}
}
