package value_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

func reader(t *testing.T, text string) *value.Reader {
	t.Helper()
	values, err := syntax.ParseValues(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return value.NewReader(&value.Context{FontSize: 20, RootFontSize: 10, ViewportWidth: 600, ViewportHeight: 900}, values)
}

func TestLengthsAreResolved(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{ // of 200 pixels
		"0": 0, "12px": 12, "72pt": 96, "1in": 96, "2.54cm": 96, "25.4mm": 96, "6pc": 96, "101.6q": 96, "2em": 40, "2rem": 20, "10vw": 60, "10vh": 90, "1vmin": 6, "10dvw": 60,
		"50%": 100, "calc(50% - 10px)": 90, "calc((1em + 2px) * 3 / 2)": 33, "min(50%, 30px)": 30, "max(50%, 30px)": 100, "clamp(10px, 5%, 20px)": 10,
		"calc(10px + min(50%, 20px) * 2)": 50, "calc(-1 * max(10%, 5px))": -20, "calc(1px / 0)": 33554428, "calc(-1px / 0)": -33554428, "calc(0px / 0)": 0,
		"1e308px": 33554428, "calc(1px * pi)": 3.141592653589793, "min(1px, 2px, calc(3px - 5px))": -2, "clamp(50px, 10px, 20px)": 50,
	} {
		r := reader(t, text)
		l, ok := r.LengthPercent()
		if got := l.Resolve(200); !ok || !r.Done() || r.Outside != "" || got-want > 1e-6 || want-got > 1e-6 {
			t.Errorf("%s is %v (%s), want %v", text, got, l, want)
		}
	}
}

func TestWrongLengthsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"12", "calc(1px + 1)", "calc(1px * 1px)", "calc(1 / 1px)", "calc(1px 2px)", "calc(1px+2px)", "calc()", "min()", "clamp(1px, 2px)", "1deg", "red", "calc(0)"} {
		r := reader(t, text)
		if l, ok := r.LengthPercent(); ok && r.Done() {
			t.Errorf("%s is taken for %s", text, l)
		}
	}
}

func TestColorsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"red": "rgb(255, 0, 0)", "#0f08": "rgba(0, 255, 0, 0.533)", "#336699": "rgb(51, 102, 153)", "transparent": "rgba(0, 0, 0, 0)", "RebeccaPurple": "rgb(102, 51, 153)",
		"rgb(10%, 20%, 30%)": "rgb(26, 51, 77)", "rgb(300 -5 none / .5)": "rgba(255, 0, 0, 0.5)", "rgba(1,2,3,50%)": "rgba(1, 2, 3, 0.5)",
		"hsl(240deg 100% 50%)": "rgb(0, 0, 255)", "hsl(.5turn, 100%, 25%)": "rgb(0, 128, 128)", "hwb(0 50% 50%)": "rgb(128, 128, 128)",
		"oklch(1 0 0)": "rgb(255, 255, 255)", "oklab(0.627955 0.224863 0.125846)": "rgb(255, 0, 0)", "lab(54.2905 80.8049 69.8910)": "rgb(255, 0, 0)",
		"lch(0 0 0)": "rgb(0, 0, 0)", "color(srgb 0 .5 1 / 1)": "rgb(0, 128, 255)", "currentColor": "currentcolor",
	} {
		r := reader(t, text)
		if c, ok := r.Color(); !ok || !r.Done() || c.String() != want {
			t.Errorf("%s is %s, want %s", text, c, want)
		}
	}
}
