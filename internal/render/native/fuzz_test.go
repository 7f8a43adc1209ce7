package native_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// FuzzRender: any page becomes a document, or is refused by name, in good time and without a panic.
func FuzzRender(f *testing.F) {
	for _, page := range []string{
		`<style>@page{size:10cm 5cm;margin:1cm;@bottom-right{content:counter(page)"/"counter(pages)}}h1{break-before:page}</style><h1>a</h1><p>b<h1>c`,
		`<table border=1 style="border-collapse:collapse"><thead><tr><th>a<th colspan=2>b<tfoot><tr><td>f<tbody>` + strings.Repeat("<tr><td rowspan=2>x<td>y<tr><td>z", 9),
		`<div style="display:flex;flex-wrap:wrap;gap:1em"><div style="flex:1 0 0;transform:rotate(3deg) scale(2)">a</div><b style="position:absolute;inset:0;opacity:.5">x`,
		`<div style="display:grid;grid-template-columns:repeat(3,1fr) minmax(0,max-content)"><p style="grid-column:span 9">a<p style="grid-area:2/2">b`,
		`<p dir=rtl lang=ar style="text-align:justify;letter-spacing:1px">سلام <bdo dir=ltr>abc</bdo> שלום&#8294;x&#8233;y`,
		`<div style="width:9px;height:9px;border:3px dashed;border-radius:50%/1px 2px;background:linear-gradient(1turn,red,50%,blue)0 0/3px 2px space,radial-gradient(circle at 1px,red,#0000)">`,
		`<svg width=9 height=9 viewBox="0 0 1 1"><linearGradient id=a href=#a><stop offset=1></linearGradient><g transform="skewX(3)"><path fill="url(#a)" stroke=red d="M0 0a1 2 3 0 1 4 5z"/><rect width=1e9 height=1 rx=2 />`,
		`<ul style="counter-reset:a 2147483647;quotes:'a' 'b'"><li style="counter-increment:a 9">x<li style="list-style:square inside">y<ol start=-9999999999 reversed><li>`,
		`<img src="data:image/png;base64,iVBORw0KGgo="><a href="#x">l</a><a id=x href=" http://example.com/ä">m</a><div style="float:left;shape-outside:none;margin:-1e9px">`,
		`<style>@font-face{font-family:F;src:url(data:font/ttf;base64,AAEAAAAB)}*{font-family:F,serif}p{font-size:1e30px;margin:calc(-1px/0);orphans:99}</style><p>e&#769;&#769;&#8205;ffi`,
	} {
		f.Add(page)
	}
	all, err := corpus.Documents()
	if err != nil {
		f.Fatal(err)
	}
	for _, d := range all {
		if source, err := d.Source(); err != nil {
			f.Fatal(err)
		} else if len(source.Text) < 4000 {
			f.Add(source.Text)
		}
	}
	e, resources := guarded(f, native.Options{MaxPages: 200}), fewResources(f)
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 16<<10 {
			return
		}
		_, _ = ends(t, e, render.Request{HTML: page, Resources: resources, Output: render.DefaultOutput(), MaxBytes: 32 << 20}, 20*time.Second)
	})
}

// fewResources are what made pages load: a font, and pictures of both kinds.
func fewResources(tb testing.TB) map[string]render.Resource {
	tb.Helper()
	resources := map[string]render.Resource{
		"v": {ContentType: "image/svg+xml", Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="3" viewBox="0 0 2 1"><circle r="1"/></svg>`)},
	}
	for name, path := range map[string]string{"font": "fonts/sfnt/testdata/CFFTest.otf", "p": "pdf/testdata/logo.png"} {
		body, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		resources[name] = render.Resource{Body: body}
	}
	return resources
}
