package cascade_test

import "testing"

// finds compares the features that pages ask for and that are outside, "" for none.
func finds(t *testing.T, pages map[string]string) {
	t.Helper()
	for page, want := range pages {
		_, result := mustCompute(t, "<!DOCTYPE html><body>"+page)
		got := ""
		if len(result.Findings) > 0 {
			got = result.Findings[0].Feature
		}
		if got != want {
			t.Errorf("%s: %q is outside, want %q", page, got, want)
		}
	}
}

// A function that browsers calculate is told wherever it stands: what is wrong to them as well is dropped without a word.
func TestAFunctionInsideOfAnotherIsOutside(t *testing.T) {
	t.Parallel()
	values := map[string]string{}
	for _, declaration := range []string{
		"width:calc(10px*abs(-3))", "width:calc(1px*pow(2,4))", "width:calc(100px*cos(60deg))", "opacity:calc(abs(-.5))", "opacity:abs(-.5)",
		"transform:rotate(atan2(1,2))", "color:hsl(calc(10*pow(2,3)) 50% 50%)", "width:max(1px,2px*sign(3))", "line-height:sqrt(4)",
		"width:calc(1px*hypot(3,4))", "z-index:exp(0)", "flex-grow:log(2)", "margin:1px calc(1px*mod(5,2))", "order:round(2.4)",
		"padding:calc(1px*progress(1,2,3))", "border:calc(1px*sibling-index()) solid", "width:calc((1px*(1 + sibling-count())))",
		"grid-template-columns:repeat(calc(abs(-2)),1px)", "width:calc(10px*rem(5,3))",
		"width:if(style(--x:1):1px;else:2px)", "color:if(style(--x:1):red;else:blue)", "width:random(1px,2px)", "width:--size()", "font:bold --size() a",
		"width:attr(data-x px)", "color:color-mix(in srgb,red,blue)", "color:alpha(from red / .5)", "background:light-dark(url(a),url(b))",
		"background:linear-gradient(to right in oklch,red,blue)", "background:linear-gradient(90deg in oklab,red,blue)",
		"background:linear-gradient(in oklch to right,red,blue)", "background:radial-gradient(circle in oklch,red,blue)",
		"background:radial-gradient(circle at 2px 3px in hsl longer hue,red,blue)", "text-indent:1em each-line", "text-indent:each-line 1em",
		"text-indent:hanging 1em each-line", "--x:if(style(--y:1):1px;else:2px)", "width:var(--y,abs(-3px))", "width:calc(var(--y,2px)*abs(3))",
		"width:if(style(--y:1):var(--y);else:2px)",
	} {
		page := `<p style="` + declaration + `">a`
		_, result := mustCompute(t, "<!DOCTYPE html><body>"+page)
		if len(result.Findings) == 0 {
			t.Errorf("%s: nothing is outside", declaration)
		}
	}
	for _, declaration := range []string{
		"width:calc(1px+2px)", "width:nonsense(1px)", "color:rgb(nonsense(1) 2 3)", "background:linear-gradient(to right in nonsense,red,blue)",
		"background:linear-gradient(to right,red,blue)", "width:calc(1px*max(2,3))", "text-indent:1em nonsense", "content:attr(title)",
	} {
		values[`<p style="`+declaration+`">a`] = ""
	}
	finds(t, values)
}

// A rule that no selector here can follow is told whatever its declarations are, if they change anything.
func TestARuleWithAnUnsupportedSelectorIsOutside(t *testing.T) {
	t.Parallel()
	finds(t, map[string]string{
		`<style>p::first-line { font-variant: small-caps }</style><p>a`:                  "::first-line",
		`<style>p:has(b) { box-shadow: 1px 1px red }</style><p><b>a</b>`:                 ":has()",
		`<style>p::first-letter { initial-letter: 2 }</style><p>a`:                       "::first-letter",
		`<style>p::first-letter { cursor: pointer; nonsense: 2 }</style><p>a`:            "",
		`<style>i::first-letter { initial-letter: 2 }</style><p>a`:                       "",
		`<style>p::first-letter { width: calc(1px * abs(-3)) }</style><p>a`:              "::first-letter",
		`<style>p::first-line { animation: none 3s }</style><p>a`:                        "",
		`<style>p::first-line { color: red; font-variant: small-caps }</style><p>a`:      "::first-line",
		`<style>p { &::first-line { font-variant: small-caps } }</style><p>a`:            "::first-line",
		`<style>@media print { p::first-line { font-variant: small-caps } }</style><p>a`: "::first-line",
	})
}

// A table that cuts off what is in it does so without its caption, and browsers have their own ideas of corners and shared lines.
func TestATableThatCutsOffIsOutside(t *testing.T) {
	t.Parallel()
	finds(t, map[string]string{
		`<table style="overflow:hidden;border-radius:4px"><tr><td>a</table>`:          "overflow",
		`<table style="overflow:clip;border-collapse:collapse"><tr><td>a</table>`:     "overflow",
		`<table style="overflow:hidden"><caption>b</caption><tr><td>a</table>`:        "overflow",
		`<table style="overflow:hidden"><tr><td>a</table>`:                            "",
		`<table style="border-radius:4px"><caption>b</caption><tr><td>a</table>`:      "",
		`<div style="overflow:hidden;border-radius:4px;border-collapse:collapse">a`:   "",
		`<div style="display:inline-table;overflow:hidden;border-radius:4px">a</div>`: "overflow",
	})
}

// A size of an <svg> is a value of CSS; alone a number needs no unit.
func TestSizesOfPicturesHaveTheirUnits(t *testing.T) {
	t.Parallel()
	for attribute, want := range map[string]string{
		"30": "30px", "3.5": "3.5px", "1e2": "100px", "10mm": "37.7953px", "1cm": "37.7953px", "12pt": "16px", "1in": "96px", "2em": "40px", "2rem": "32px",
		"50%": "50%", " 7 ": "7px", "auto": "auto", "calc(2px * 3)": "6px", "-3": "auto", "nonsense": "auto", "3px;color:red": "auto",
	} {
		s := last(t, `<body><p style="font-size:20px"><svg width="`+attribute+`"></svg>`).Style
		if got := s.Width.String(); got != want {
			t.Errorf("%q is %s, want %s", attribute, got, want)
		}
	}
}
