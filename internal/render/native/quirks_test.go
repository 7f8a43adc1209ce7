package native_test

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
)

// TestPagesOfEachDoctypeLookAsInTheBrowser has what browsers do otherwise on pages without a doctype (Quirks Mode Standard), on such a page and
// on two of others.
func TestPagesOfEachDoctypeLookAsInTheBrowser(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	for name, doctype := range map[string]string{"none": noDoctype, "transitional": oldDoctype, "html": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trials := trialsOf(t, "testdata/silence/quirks.txt")
			for i := range trials {
				trials[i].doctype, trials[i].name = doctype, name+": "+trials[i].name
			}
			taken := inside(t, ours, trials)
			t.Logf("%d of %d are inside", len(taken), len(trials))
			compareAll(t, ours, theirs, taken)
		})
	}
}

// oldPages are pages whose <html> and <body> matter.
var oldPages = map[string]string{
	"paragraphs":                 `<p>first paragraph<p>second`,
	"a head":                     `<h1>Invoice</h1><table border=1 width="100%"><tr><th>Item<td><p>one<p>two</table><p>end`,
	"a colored text":             `<body text=red link=green bgcolor=ffffcc><table border=1><tr><td>in <a href=x>link</a></table>out`,
	"a colored body":             `<body style="color:red"><div style="color:blue">blue<table style="border:1px solid"><tr><td>red</table></div>`,
	"a framed body":              `<html style="background:#eee"><body style="background:#cfc;border:2px solid red"><p>first`,
	"a framed page":              `<html style="border:2px solid red;padding:5px"><body style="border:1px solid"><p>first`,
	"a box at the end":           `<body style="position:relative"><p>first<div style="position:absolute;bottom:0;right:0">last</div>`,
	"a table of the height":      `<body style="margin:0"><table border=1 width="100%" height="100%"><tr><td align=center>middle<tr><td valign=bottom>below</table>`,
	"shares of the height":       `<div style="height:50%;background:#cfc">half</div><center><div style="height:25%;background:#fcc">a quarter</div></center>`,
	"a long page":                `<body style="border:2px solid"><p>first` + strings.Repeat("<p>more", 12),
	"a page that breaks":         `<h2>first</h2><div style="page-break-before:always"><h2>second</h2></div><p>more`,
	"margin boxes":               `<style>@page{@bottom-center{content:"page " counter(page);font-size:8px}@top-left{content:"x";line-height:30px}}</style><p>a`,
	"a page of unitless margins": `<style>@page{margin:50 30}</style><p>a`,
	"a page of hashless colors":  `<style>@page{@top-left{content:"x";color:ff0000;width:90}}</style><p>a`,
	"a letter of tables":         `<body bgcolor=#eeeeee marginheight=0 topmargin=0><table width=300 align=center cellpadding=0 cellspacing=0 bgcolor=white><tr><td><font face=Arial size=2 color=333333>Dear <b>you</b>,<br><br>text</font><tr><td><img src=PIXELS width=300 height=20><tr><td align=right nowrap><h3>Total</h3></table>`,
	"a paragraph around tables":  `<p>before<table border=1><tr><td>in</table>after<center><table border=1><tr><td>x</table></center>`,
}

// TestPagesWithoutDoctypeLookAsInTheBrowser prints pages of their own.
func TestPagesWithoutDoctypeLookAsInTheBrowser(t *testing.T) {
	t.Parallel()
	ours, theirs := engine(t), browser(t)
	for name, page := range oldPages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, doctype := range map[string]string{"none": "", "transitional": oldDoctype, "html": "<!DOCTYPE html>"} {
				html := doctype + "<style>@page{size:400px 300px;margin:20px}body{font-family:Noto Sans}</style>" + strings.ReplaceAll(page, "PIXELS", quarters)
				req := render.Request{HTML: html, Output: render.DefaultOutput(), Engine: render.Native}
				got, pages := firstPage(t, ours, req)
				want, theirPages := firstPage(t, theirs, req)
				if pages != theirPages {
					t.Errorf("%s: %d pages, in the browser %d", kind, pages, theirPages)
				}
				if d := worst(got, want, got.Bounds().Intersect(want.Bounds())); d > unlike {
					t.Errorf("%s: %d", kind, d)
					keep(t, got, want, got.Bounds(), name+" "+kind)
				}
			}
		})
	}
}

// firstPage makes a document; it returns the first page and how many there are.
func firstPage(t *testing.T, e render.Engine, req render.Request) (first *image.RGBA, pages int) {
	t.Helper()
	var pdf bytes.Buffer
	report, err := e.Render(t.Context(), &pdf, req)
	if err != nil {
		t.Fatal(err)
	}
	return printed(t, pdf.Bytes()), report.Pages
}

func TestFlexBodiesOfPagesWithoutDoctypeAreForTheBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ doctype, body, want string }{
		{"", "<body style='display:flex'>a", "`display: flex` at line 1"},
		{"", "<style>body{display:grid}</style>\n<body>a", "`display: grid` at line 2"},
		{"", "<html style='display:table'><body>a", "`display: table` at line 1"},
		{"", "<body style='display:inline-block'><div style='display:flex'>a</div>", ""},
		{"<!DOCTYPE html>", "<body style='display:flex'>a", ""},
		{oldDoctype, "<body style='display:flex'>a", ""},
	} {
		if got := inspect(t, render.Request{HTML: c.doctype + c.body, Output: render.DefaultOutput()}).Reason(); got != c.want {
			t.Errorf("%s%s: reason %q, want %q", c.doctype, c.body, got, c.want)
		}
	}
}
