package native_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/platen-render/platen/internal/render"
)

// TestBothEnginesWarnOfTheSameInTheSameWords has pages with one thing each that is not as it should be, and some in which all is well. A
// browser does not tell on which of several pages a text is, and takes what stands in the margins for a part of the page.
func TestBothEnginesWarnOfTheSameInTheSameWords(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	const next = `<p style="break-before:page">`
	resources := map[string]render.Resource{"logo.png": {ContentType: "image/png", Body: []byte("<!doctype html><title>404</title>")}}
	for name, tc := range map[string]struct {
		body      string
		want      []string
		inBrowser []string // where that differs
	}{
		"all is well":                {"<h1>Invoice</h1><table border=1><tr><td>1<td>2</table>", nil, nil},
		"no glyph":                   {"<p>a \U0001F9FF\U0001FAE8 b", []string{`glyph_missing U+1F9FF "` + "\U0001F9FF" + `", U+1FAE8 "` + "\U0001FAE8" + `"`}, nil},
		"a blank page between":       {"<p>a" + next + next + "b", []string{"page_blank page 2"}, nil},
		"a blank page at the end":    {"<p>a" + next, []string{"page_blank page 2"}, nil},
		"nothing":                    {"", []string{"page_blank page 1"}, nil},
		"a page with a line":         {"<p>a<hr style='break-before:page'>", nil, nil},
		"a colored page":             {"<body style='background:#eee'>", []string{"page_blank page 1"}, nil},
		"numbers on a blank page":    {"<style>@page{@bottom-center{content:counter(page)}}</style><p>a" + next, []string{"page_blank page 2"}, []string{}},
		"a low box":                  {"<div style='height:45px;overflow:hidden;line-height:20px'>first<br>second<br>third</div>", []string{`text_clipped page 1: "third"`}, nil},
		"a low box on page 2":        {"<p>a<div style='break-before:page;height:10px;overflow:hidden;line-height:20px'>half of it</div>", []string{`text_clipped page 2: "half of it"`}, []string{`text_clipped "half of it"`}},
		"a narrow box":               {"<div style='width:40px;overflow:hidden;white-space:nowrap'>much too long</div>", []string{`text_clipped page 1: "much too long"`}, nil},
		"a box that is large enough": {"<div style='height:60px;overflow:hidden;line-height:20px'>first<br>second</div>", nil, nil},
		"a tight line":               {"<div style='height:16px;overflow:hidden;font-size:16px;line-height:1'>Ägypten</div>", nil, nil},
		"text for programs":          {"<p>a<span style='position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap'>Skip it</span>", nil, nil},
		"text off to the left":       {"<p>a<div style='position:absolute;left:-9999px'>Skip it</div>", nil, nil},
		"a closed box":               {"<p>a<div style='height:0;overflow:hidden'>closed</div>", nil, nil},
		"beyond the edge":            {"<p>a<div style='position:absolute;right:-20px'>margin note</div>", []string{`text_clipped page 1: "margin note"`}, nil},
		"a long text":                {"<div style='width:40px;overflow:hidden;white-space:nowrap'>" + strings.Repeat("word ", 30) + "</div>", []string{`text_clipped page 1: "` + strings.TrimSpace(strings.Repeat("word ", 16)) + ` …"`}, nil},
		"an unknown font":            {"<p style='font-family:Corporate Sans,sans-serif'>a", []string{"font_missing Corporate Sans: named and not found"}, nil},
		"an unknown font for nobody": {"<p style='font-family:Nobody'><span style='font-family:sans-serif'>a</span>", nil, nil},
		"known fonts":                {"<p style='font-family:Arial'>a<p style='font-family:-apple-system,Unknown'>b<p style='font-family:system-ui'>c<p style='font-family:Noto Serif'>d", nil, nil},
		"a second choice":            {"<p style='font-family:Noto Sans,Unknown'>a", nil, nil},
		"a margin's font":            {"<p style='font-family:A B C'>a<p style='font-family:a b c'>b", []string{"font_missing A B C: named and not found"}, nil},
		"no picture":                 {"<p>a<img src=logo.png alt=Logo>", []string{"resource_failed logo.png: is not an image that can be shown"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := render.Request{
				HTML:   "<!DOCTYPE html><html lang=en><meta charset=utf-8><style>body{font:16px/1.5 'Noto Sans'}</style>" + tc.body,
				Output: render.DefaultOutput(), Resources: resources, Engine: render.Native,
			}
			for engine, e := range map[string]render.Engine{"native": ours, "chromium": theirs} {
				report, err := e.Render(t.Context(), io.Discard, req)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, w := range report.Warnings {
					got = append(got, w.Code+" "+w.Detail)
				}
				slices.Sort(got)
				want := tc.want
				if engine == "chromium" && tc.inBrowser != nil {
					want = tc.inBrowser
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", engine, diff)
				}
			}
		})
	}
}
