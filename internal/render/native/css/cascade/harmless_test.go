package cascade_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// A value that changes nothing is inside, whatever its property could do.
func TestWhatChangesNothingIsInside(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		`<div style="overflow:hidden;text-overflow:ellipsis">a`:  "text-overflow",
		`<div style="text-overflow:ellipsis">a`:                  "",
		`<div style="position:absolute;justify-self:stretch">a`:  "justify-self",
		`<div style="width:30px;justify-self:stretch">a`:         "justify-self",
		`<div style="justify-self:stretch">a`:                    "",
		`<input type=checkbox>`:                                  "",
		`<input type=checkbox style="appearance:none">`:          "<input>",
		`<div style="box-shadow:0 0 1px">a`:                      "box-shadow",
		`<div style="box-shadow:0 0 #0000,1px 0 red">a`:          "box-shadow",
		`<div style="text-shadow:0 0 red">a`:                     "text-shadow",
		`<div style="filter:blur(1px)">a`:                        "filter",
		`<div style="rotate:x 20deg">a`:                          "rotate",
		`<div style="transform:translateZ(3px)">a`:               "transform",
		`<div style="translate:1px 2px 3px">a`:                   "translate",
		`<div style="container-type:inline-size">a`:              "container-type",
		`<div style="filter:blur(0) drop-shadow(1px 1px red)">a`: "filter",
	}
	for _, declaration := range []string{
		"box-shadow:0 0 #0000", "box-shadow:1px 2px 3px transparent,inset 0 0 rgb(1 2 3 / 0)", "box-shadow:0 0 0 0 red", "text-shadow:1px 1px #0000",
		"scale:1", "scale:1 1", "translate:0", "translate:0 0", "translate:0px 0px 0px", "rotate:0deg", "rotate:20deg", "scale:2", "filter:blur(0)",
		"transform:translate3d(1px,2px,0)", "transform:rotateX(0) scaleZ(1)", "transform:translateZ(0)", "appearance:none", "-webkit-appearance:none", "break-inside:avoid-column", "float:footnote", "text-transform:full-width", "position:-webkit-sticky",
	} {
		pages[`<div style="`+declaration+`">a`] = ""
	}
	finds(t, pages)
}

// The properties translate, rotate and scale come before the list of transform, in this order.
func TestMovesAreTransformsInTheirOrder(t *testing.T) {
	t.Parallel()
	s := last(t, `<p style="scale:2;translate:3px;transform:skew(0);rotate:90deg;filter:blur(0)">a`).Style
	if len(s.Transform) != 5 || s.Transform[0].X.Px != 3 || s.Transform[1].Matrix[1] != 1 || s.Transform[2].Matrix[0] != 2 {
		t.Errorf("the transforms are %v", s.Transform)
	}
	s = last(t, `<p style="translate:3px"><i style="transform:inherit">a`).Style
	if len(s.Transform) != 0 {
		t.Errorf("transform of a parent that has only translate is %v", s.Transform)
	}
	if text := property.Find("scale").Text(last(t, `<p>a`).Style); text == "" {
		t.Error("scale has no text")
	}
}
