package paint_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/paint"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/text"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// native renders a page with all parts of the engine, on A4 with margins of 20 mm unless the page wants others.
func native(tb testing.TB, markup string, resources map[string]render.Resource) []byte {
	tb.Helper()
	check := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	ctx := tb.Context()
	doc, err := dom.Parse(ctx, markup, dom.Limits{})
	check(err)
	setter := text.New(newStudio(tb).set)
	const mm = 96 / 25.4
	margin := 20 * mm
	library := cascade.Library{Resources: resources}
	styles, err := cascade.Compute(ctx, doc, cascade.Options{
		Library: library, Width: 210 * mm, Height: 297 * mm,
		Margins: property.Edges[float64]{Top: margin, Right: margin, Bottom: margin, Left: margin},
		Metrics: func(s *property.Style) (ex, ch float64) {
			m := setter.Metrics(s)
			return m.XHeight, m.ZeroWidth
		},
	})
	check(err)
	for _, f := range styles.Findings {
		tb.Errorf("line %d: %s %s: %s", f.Line, f.Feature, f.Value, f.Reason)
	}
	pictures := images.New(library, 0)
	tree, err := box.Build(ctx, doc, styles, pictures)
	check(err)
	lay := func(width, height float64) (*fragment.Fragment, error) {
		return layout.Layout(ctx, tree, setter, layout.Area{Width: width, Height: height}, layout.Limits{})
	}
	first := styles.Page(true, false, false)
	root, err := lay(first.Width-first.Margins.Left-first.Margins.Right, first.Height-first.Margins.Top-first.Margins.Bottom)
	check(err)
	pages, err := page.Paginate(ctx, root, page.Options{Sheets: styles.Page, Relayout: lay, Margins: page.Margins{Setter: setter}})
	check(err)
	var out bytes.Buffer
	file := pdf.New(ctx, &out, pdf.Info{}, pdf.Limits{})
	check(paint.Paint(ctx, file, pages, tree, paint.Options{
		Background: true, Document: doc, Pictures: pictures,
		Styles: func(n *dom.Node) *property.Style { return styles.Of(n).Style },
	}))
	check(file.Close())
	return out.Bytes()
}

// looks are pages that the browser and the engine must show alike.
var looks = map[string]string{
	"borders": `<style>div{display:inline-block;width:60px;height:40px;margin:5px}</style>
		<div style="border:1px solid red"></div><div style="border:3px dashed blue"></div><div style="border:5px dotted green"></div>
		<div style="border:6px double"></div><div style="border:8px groove #08f"></div><div style="border:8px ridge #08f"></div>
		<div style="border:8px inset #08f"></div><div style="border:8px outset #08f"></div><div style="border-bottom:1px dashed"></div>
		<div style="border:10px solid;border-color:red green blue orange;border-radius:20px"></div>
		<div style="border:3px solid;border-radius:30px 10px/20px 5px;background:#fd0"></div><div style="border:4px dashed red;border-radius:15px"></div>
		<div style="border-top:20px solid red;border-left:5px dashed blue"></div><div style="outline:3px solid lime;outline-offset:2px"></div>`,
	"round borders": `<style>div{float:left;width:100px;height:60px;margin:6px;background:#eef;box-sizing:border-box}</style>
		<div style="border-left:12px solid #44f;border-radius:0 20px 20px 0"></div><div style="border-left:12px solid #44f;border-radius:20px"></div>
		<div style="border-left:12px solid #44f;border-top:4px solid red;border-radius:20px"></div>
		<div style="border:12px solid #44f;border-top:0;border-radius:20px"></div>
		<div style="border:12px solid #44f;border-left:0;border-right:0;border-radius:30px"></div>
		<div style="border-bottom:4px solid #44f;border-radius:30px"></div><div style="border-bottom:12px double #44f;border-radius:30px"></div>
		<div style="border:12px solid #44f;border-right:2px solid #0a0;border-radius:60px 8px"></div>
		<div style="border-left:12px solid #44f;border-right:12px solid lime;border-radius:6px"></div>
		<div style="border:30px solid #44f;border-right:30px solid #0a0;border-radius:10px"></div>`,
	"underlines": `<style>body{font:24px/1.5 Noto Sans}p{margin:0}</style><p><u>gypsy jungle (a) Qq; _@</u><p style="font-size:13px"><u>gypsy jungle (a) Qq; _@</u>
		<p style="text-decoration:underline 4px;text-decoration-skip-ink:all">gyp_y|</p><p style="text-decoration:underline;text-decoration-skip-ink:none">gyp_y</p>
		<p style="text-decoration:underline double 2px">gypsy jungle</p><p style="text-decoration:underline wavy 2px">gypsy jungle</p>
		<p style="text-decoration:underline dotted 3px">gypsy jungle</p><p style="text-decoration:underline">gypsy <small>jungle</small> y</p>`,
	"check boxes": `<input type=checkbox><input type=checkbox checked><input type=checkbox disabled><input type=checkbox disabled checked style="width:40px;height:40px">`,
	"backgrounds": `<style>div{display:inline-block;width:80px;height:60px;margin:5px;border:4px solid #0003;padding:3px}</style>
		<div style="background:linear-gradient(45deg,red,blue)"></div><div style="background:radial-gradient(at 20% 30%,red,yellow 40%,blue)"></div>
		<div style="background:repeating-linear-gradient(45deg,#fc0 0 8px,#09f 8px 16px)"></div>
		<div style="background:linear-gradient(to right,transparent,#000)"></div>
		<div style="background:radial-gradient(circle 6px,red 98%,transparent) 0 0/16px 16px"></div>
		<div style="background:red;background-clip:padding-box;border-radius:20px"></div>
		<div style="background:linear-gradient(red,red) center/50% 50% no-repeat,#ff0;background-origin:content-box"></div>
		<div style="background:linear-gradient(to bottom right,red,lime,blue)"></div>
		<div style="background:#08f;background-clip:content-box"></div>`,
	"text": `<style>body{font:16px/1.5 Noto Sans}</style><p style="text-decoration:underline">HHH lll <b style="font-size:30px">big</b> <sup>up</sup></p>
		<p>a <s>struck</s> <span style="text-decoration:underline overline 2px red">both HH</span> <u style="text-decoration-style:double">double</u>
		<u style="text-decoration-style:dashed">dashed HHHH</u> <u style="text-decoration-style:dotted">dotted HHH</u></p>
		<p style="color:#c00"><span style="background:#ff0;border:1px solid;border-radius:4px;padding:0 4px">boxed</span> <i>it</i> <code style="font-style:italic">mono</code></p>
		<ul><li>disc<ul><li>circle<ul><li>square</ul></ul></ul><ol><li>one<li>two</ol>`,
	"levels": `<style>.a,.b{position:absolute;width:80px;height:80px}.a{background:red}.b{background:blue;margin:30px}</style>
		<div style="position:relative;height:140px"><div class=a></div><div class=b style="opacity:.5"></div></div>
		<div style="position:relative;height:140px"><div class=a style="z-index:2"></div><div class=b></div></div>
		<div style="position:relative;height:140px"><div class=a style="transform:rotate(30deg);border-radius:20px;overflow:hidden"><div style="background:lime;width:90px;height:30px"></div></div></div>
		<div style="background:#eee;height:40px"><div style="float:left;width:50px;height:80px;background:#8a0"></div><div style="background:#fcc">text over</div></div>`,
	"table": `<style>table{margin:10px}td,th{padding:4px 12px;text-align:left}</style><table style="border-collapse:collapse"><tr><th style="border-bottom:2px solid">A<th style="border-bottom:2px solid">B
		<tr style="background:#eef"><td style="border:1px solid red">1<td style="border:1px dashed blue">2<tr><td colspan=2 style="border:3px double">x</table>
		<table style="border-spacing:6px;background:#ffc;border:2px outset #888"><tr style="background:#cff"><td>1<td style="background:#f99">2<tr style="background:#cfc"><td rowspan=2>3<td>4<tr style="background:#ccf"><td>5</table>`,
	"pictures": `<svg width="120" height="80" viewBox="0 0 60 40"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#08f"/><stop offset="1" stop-color="#f80"/></linearGradient></defs>
		<rect width="60" height="40" rx="6" fill="url(#g)"/><path d="M10 30Q20 5 30 20T50 10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
		<g transform="rotate(20 45 30)" opacity=".7"><circle cx="45" cy="30" r="6"/><path d="M40 30a5 5 0 0 1 10 0z" fill="red"/></g></svg>
		<img src="q.png" style="width:60px;height:60px;border-radius:50%;border:3px solid #333"><img src="q.png" style="width:90px;height:40px;object-fit:contain;background:#ddd">
		<div style="width:100px;height:50px;background:url(q.png) 5px 5px"></div><input type="checkbox" checked><input type="checkbox" disabled>`,
	"a drawing of no whole size": `<svg viewBox="0 0 136 48" style="width:413.45px"><rect y="14" width="130" height="6"/><path d="M124 0v48" stroke="red"/></svg>`,
	"page": `<style>@page{size:480px 384px;margin:57px;background:#fed;@top-center{content:"Top " counter(page);color:red}}html{background:#dfd}body{background:#ddf;margin:10px}</style>
		<p>Hello<p style="position:fixed;bottom:0;right:0;background:#fff">fixed</p>`,
}

// unevenDPI puts the whole pixels of CSS, on which much stands, beside the edges of those of the picture: on them a hair's breadth would
// decide.
const unevenDPI = 131

// TestPagesLookAsInTheBrowser compares pictures. Letters are of the same fonts, but edges are smoothed differently, so that a few of
// the pixels differ; a box that is missing, or in another place or color, is more.
func TestPagesLookAsInTheBrowser(t *testing.T) {
	t.Parallel()
	browser := chromium.New(chromium.Options{Pool: 1})
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	})
	resources := map[string]render.Resource{"q.png": {ContentType: "image/png", Body: quarters(t)}}
	for name, markup := range looks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			markup = "<!DOCTYPE html><style>@page{size:600px 800px;margin:40px}</style>" + markup
			request := rendertest.Page(markup)
			request.Resources = resources
			_, theirs := rendertest.Render(t, browser, request)
			s := &studio{TB: t}
			ours := native(t, markup, resources)
			s.tool(ours, "qpdf", "--check", "FILE")
			a, b := s.pictureAt(theirs, unevenDPI), s.pictureAt(ours, unevenDPI)
			keep(t, a, b)
			share, where := differing(a, b)
			t.Logf("%.3f %% differ, first at %v", 100*share, where)
			most := 0.0025
			switch name {
			case "backgrounds": // gradients that the browser makes pictures of
				most = 0.007
			case "text", "underlines", "page":
				most = 0.0007
			}
			if share > most {
				t.Errorf("%.2f %% of the picture differ, first at %v (of a page of %v)", 100*share, where, a.Bounds())
			}
		})
	}
}

// differing is the share of pixels, of those of the page, whose color is clearly another one.
func differing(a, b image.Image) (share float64, first image.Point) {
	if a.Bounds() != b.Bounds() {
		return 1, image.Point{}
	}
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			far := func(v, w uint32) bool { return max(v, w)-min(v, w) > 0x4800 }
			if far(r1, r2) || far(g1, g2) || far(b1, b2) {
				if n == 0 {
					first = image.Pt(x, y)
				}
				n++
			}
		}
	}
	return float64(n) / float64(a.Bounds().Dx()*a.Bounds().Dy()), first
}

// keep writes both pictures where the developer wants them.
func keep(t *testing.T, pictures ...image.Image) {
	t.Helper()
	dir := os.Getenv("PLATEN_TEST_PAINT_KEEP")
	for i, p := range pictures {
		if dir == "" {
			return
		}
		var b bytes.Buffer
		if err := png.Encode(&b, p); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", strings.ReplaceAll(t.Name(), "/", "_"), i)), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
