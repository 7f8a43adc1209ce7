package chromium_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gosmallcaps"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
)

func TestAssetsAreFoundByTheirAddress(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for _, style := range []string{
		`<link rel="stylesheet" href="asset:style.css">`,
		`<style>@font-face { font-family: Q; src: url( "asset:q.ttf" ) } p { font-family: Q; background: url(asset:logo.svg) }</style>`,
	} {
		var out bytes.Buffer
		report, err := e.Render(t.Context(), &out, render.Request{
			HTML:   `<!doctype html>` + style + `<p>hello</p><img src="asset:logo.svg"><img src="asset:none.svg">`,
			Output: render.DefaultOutput(),
			Resources: map[string]render.Resource{
				"asset:logo.svg":  {ContentType: "image/svg+xml", Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)},
				"asset:style.css": {ContentType: "text/css", Body: []byte(`@font-face { font-family: Q; src: url(asset:q.ttf) } p { font-family: Q; background: url(asset:logo.svg) }`)},
				"asset:q.ttf":     {ContentType: "font/ttf", Body: gosmallcaps.TTF},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(out.Bytes(), []byte("GoSmallcaps")) {
			t.Errorf("%s: the font is not in the document", style)
		}
		for _, w := range report.Warnings {
			if !strings.HasPrefix(w.Detail, "asset:none.svg: ") {
				t.Errorf("%s: %s %s", style, w.Code, w.Detail)
			}
		}
		if len(report.Warnings) != 1 {
			t.Errorf("%s: warnings %v", style, report.Warnings)
		}
	}
}
