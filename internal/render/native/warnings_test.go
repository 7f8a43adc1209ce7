package native_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// warned renders a page and returns its warnings: each as its code and its detail.
func warned(t *testing.T, req render.Request) []string {
	t.Helper()
	report, err := guarded(t, native.Options{}).Render(t.Context(), io.Discard, req)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, w := range report.Warnings {
		list = append(list, w.Code+" "+w.Detail)
	}
	return list
}

func TestPagesWithNothingOnThemAreNamed(t *testing.T) {
	t.Parallel()
	const next = `<p style="break-before:page">`
	for name, tc := range map[string]struct {
		html string
		want []string
	}{
		"text":                    {"<p>a", nil},
		"nothing":                 {"", []string{"page_blank page 1"}},
		"blanks":                  {"<p>&nbsp;", []string{"page_blank page 1"}},
		"hidden text":             {"<p style='visibility:hidden'>a", []string{"page_blank page 1"}},
		"a page between":          {"<p>a" + next + next + "b", []string{"page_blank page 2"}},
		"a page at the end":       {"<p>a<div style='height:300mm'></div>", []string{"page_blank page 2"}},
		"a border":                {"<div style='height:9px;border:1px solid'></div>", nil},
		"a colored box":           {"<div style='height:9px;background:#eee'></div>", nil},
		"a white box":             {"<div style='height:9px;background:#fff'></div>", []string{"page_blank page 1"}},
		"white text":              {"<body style='background:#000'><p style='color:#fff'>a", nil},
		"a rule":                  {"<hr>", nil},
		"a bullet":                {"<ul><li></ul>", nil},
		"a gradient":              {"<div style='height:9px;background:linear-gradient(red,blue)'></div>", nil},
		"a drawing":               {"<svg width=9 height=9><rect width=9 height=9 /></svg>", nil},
		"a line to sign on":       {"<u>&nbsp;&nbsp;&nbsp;</u>", nil},
		"the canvas does not":     {"<body style='background:#eee'>", []string{"page_blank page 1"}},
		"the sheet does not":      {"<style>@page{background:#eee;border:1px solid}</style>", []string{"page_blank page 1"}},
		"the margins do not":      {"<style>@page{@bottom-center{content:counter(page)}}</style><p>a" + next, []string{"page_blank page 2"}},
		"what is fixed does":      {"<div style='position:fixed'>x</div><p>a" + next, nil},
		"what is cut off is gone": {"<p>a<div style='break-before:page;height:0;overflow:hidden'>b</div>", []string{"page_blank page 2"}},
	} {
		if diff := cmp.Diff(tc.want, warned(t, page(tc.html))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTextThatIsCutOffIsNamed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		html string
		want []string
	}{
		"a box that is too low":        {"<div style='height:30px;overflow:hidden;line-height:20px'>first<br>second line<br>third</div>", []string{`text_clipped page 1: "second line"`, `text_clipped page 1: "third"`}},
		"a box that is too narrow":     {"<div style='width:50px;overflow:hidden;white-space:nowrap'>a long <b>text</b></div>", []string{`text_clipped page 1: "text"`}},
		"one that scrolls":             {"<div style='height:20px;overflow:auto;line-height:20px'>a<br>b</div>", []string{`text_clipped page 1: "b"`}},
		"the middle of a line":         {"<div style='height:10px;overflow:hidden;line-height:20px'>half</div>", []string{`text_clipped page 1: "half"`}},
		"a box that is large enough":   {"<div style='height:40px;overflow:hidden;line-height:20px'>first<br>second</div>", nil},
		"a line that is set tight":     {"<div style='height:16px;overflow:hidden;font-size:16px;line-height:16px'>Ämter</div>", nil},
		"a box of no height":           {"<p>a<div style='height:0;overflow:hidden'>closed</div>", nil},
		"text for readers of screens":  {"<p>a<span style='position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap'>Skip to content</span>", nil},
		"text that is off to the left": {"<p>a<div style='position:absolute;left:-9999px'>Skip</div>", nil},
		"text in place of a picture":   {"<h1 style='text-indent:-9999px;overflow:hidden;height:40px;background:red'>Logo</h1>", nil},
		"text above its box":           {"<div style='height:40px;overflow:hidden;display:flex;align-items:flex-end;line-height:20px'><div>first<br>second<br>third</div></div>", []string{`text_clipped page 1: "first"`}},
		"text above the page":          {"<p>a<div style='position:absolute;top:-500px'>Skip</div>", nil},
		"text that nobody would see":   {"<p>a<div style='height:10px;overflow:hidden;line-height:20px;color:transparent'>half</div>", nil},
		"a table that is too wide":     {"<table><tr>" + strings.Repeat("<td style='padding:0 40px'>a", 12) + "<td>last</table>", []string{`text_clipped page 1: "a"`, `text_clipped page 1: "last"`}},
		"text beyond the edge":         {"<div style='position:absolute;right:-20px'>margin note</div>", []string{`text_clipped page 1: "margin note"`}},
		"text across two pages":        {"<div style='overflow:hidden'>" + strings.Repeat("<p>line", 60) + "</div>", nil},
		"a word of a margin":           {"<style>@page{@top-right-corner{content:'Anticonstitutionnellement';white-space:nowrap}}</style><p>a", []string{`text_clipped page 1: "Anticonstitutionnellement"`}},
	} {
		got := warned(t, page(tc.html))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFontsThatAreNamedAndNotThereAreTold(t *testing.T) {
	t.Parallel()
	const face = `<style>@font-face{font-family:Own;src:url(own.ttf)}</style>`
	for family, want := range map[string][]string{
		"Corporate Sans, sans-serif": {"font_missing Corporate Sans: named and not found"},
		"'Corporate Sans'":           {"font_missing Corporate Sans: named and not found"},
		"Noto Sans":                  nil,
		"NOTO SANS":                  nil,
		"Arial, Corporate Sans":      nil,
		"Helvetica Neue":             nil,
		"-apple-system, BlinkMacSystemFont, Segoe UI": nil,
		"system-ui": nil,
		"emoji":     nil,
		"Own":       nil, // its file has a warning of its own

	} {
		if diff := cmp.Diff(want, warned(t, page(face+fmt.Sprintf(`<p style="font-family:%s">a`, family)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", family, diff)
		}
	}
	for html, want := range map[string][]string{
		"<style>p{font-family:Nobody}</style>a":                                          nil,
		"<p style='font-family:Nobody'><span style='font-family:Noto Sans'>a</span>":     nil,
		"<p style='font-family:Nobody;visibility:hidden'>a</p>b":                         nil,
		"<p style='font-family:B'>b<p style='font-family:A'>a<p style='font-family:b'>c": {"font_missing A: named and not found", "font_missing B: named and not found"},
		"<style>@page{@top-left{content:'x';font-family:Head}}</style>a":                 {"font_missing Head: named and not found"},
	} {
		if diff := cmp.Diff(want, warned(t, page(html))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", html, diff)
		}
	}
}

func TestWhatIsNoPictureIsTold(t *testing.T) {
	t.Parallel()
	req := page("<img src=logo.png alt=Logo><img src=logo.png><img src='data:image/png,x'><p>a")
	req.Resources = map[string]render.Resource{"logo.png": {ContentType: "image/png", Body: []byte("<!doctype html>not found")}}
	want := []string{
		"resource_failed logo.png: is not an image that can be shown",
		"resource_failed a data: resource: is not an image that can be shown",
	}
	if diff := cmp.Diff(want, warned(t, req)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
