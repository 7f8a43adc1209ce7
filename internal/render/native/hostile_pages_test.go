package native_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// again repeats markup; nest puts it around something.
func again(n int, s string) string { return strings.Repeat(s, n) }

func nest(n int, open, inside, end string) string { return again(n, open) + inside + again(n, end) }

// less is a part of a number that is large.
func less(n, shorter int) int {
	if n < 5000 {
		return n
	}
	return n / shorter
}

// counted repeats markup with a number in it.
func counted(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// styled is text in a box of some style.
func styled(style, inside string) string { return `<div style="` + style + `">` + inside + `</div>` }

// hostile are pages that are made to take for ever, or too much memory, or to be computed wrongly. Long ones are that many times
// shorter than their names say.
func hostile(shorter int) map[string]string {
	again := func(n int, s string) string { return again(less(n, shorter), s) }
	counted := func(n int, format string) string { return counted(less(n, shorter), format) }
	const text = "Lorem ipsum dolor sit amet. "
	return map[string]string{
		"custom properties that double":   "<style>:root{--a0:xxxxxxxxxx;" + counted(60, "--b%d:1;") + doubling(60) + "}p{content:var(--a59);width:var(--a59)}</style><p>x",
		"custom properties in a ring":     "<style>:root{--x:var(--y)var(--y);--y:var(--x)var(--x)}p{width:var(--x)}</style><p>x",
		"nested calc":                     styled("width:"+nest(20000, "calc(", "1px", ")"), "x"),
		"a long sum":                      styled("width:calc(1px"+again(100000, " + 1px")+")", "x"),
		"nested :not":                     "<style>" + nest(5000, ":not(", "p", ")") + "{color:red}</style><p>x",
		"many selectors":                  "<style>" + again(20000, "a b c>d,") + "p{color:red}</style>" + again(2000, "<p>x"),
		"descendants that nearly match":   "<style>" + again(300, "div ") + "b{color:red}</style>" + nest(450, "<div>", again(2000, "<i>x</i>"), "</div>"),
		"inline blocks in inline blocks":  nest(480, `<span style="display:inline-block">`, "x", "</span>"),
		"100,000 nested inline blocks":    nest(100000, `<span style="display:inline-block">`, "x", "</span>"),
		"100,000 inline blocks":           again(100000, `<span style="display:inline-block">x</span>`),
		"100,000 nested divs":             nest(100000, `<div>`, "x", "</div>"),
		"50,000 floats":                   again(50000, `<div style="float:left;width:3px;height:3px"></div>`),
		"50,000 floats of all widths":     counted(50000, `<div style="float:left;width:%[1]d%%;height:1px"></div>`),
		"floats that never fit":           again(20000, `<div style="float:left;width:200%;height:1px"></div><div style="float:right;width:60%;height:2px"></div>`) + again(1000, text),
		"floats in floats":                nest(400, `<div style="float:left">`, "x", "</div>"),
		"floats in lines":                 again(20000, `x <b style="float:left;width:10px;height:30px"></b>`),
		"cells that span everything":      "<table>" + again(2000, "<tr>"+again(20, "<td colspan=1000 rowspan=65534>x")),
		"rows of 1000 spans":              "<table>" + again(100, "<tr>"+again(300, "<td colspan=3>")),
		"tables in tables":                nest(160, "<table><tr><td>", "x", "</table>"),
		"percentages in tables":           nest(100, `<table style="height:100%;width:100%"><tr><td style="height:100%">`, "x", "</table>"),
		"50,000 rows":                     "<table><thead><tr><th>h<tbody>" + again(50000, "<tr><td>a<td>b<td>1,234.50"),
		"a head higher than the page":     "<table><thead><tr><th style='height:3000px'>h<tbody>" + again(3000, "<tr><td>a"),
		"flex in flex":                    nest(480, `<div style="display:flex">`, "x", "</div>"),
		"columns in flex in columns":      nest(240, `<div style="display:flex"><div style="display:flex;flex-direction:column">`, "x", "</div></div>"),
		"wrapping flex in flex":           nest(200, `<div style="display:flex;flex-wrap:wrap;align-items:center;width:90%">a`, "x", "b</div>"),
		"50,000 flex items":               `<div style="display:flex;flex-wrap:wrap">` + again(50000, "<i>x</i>"),
		"50,000 flex items in a line":     `<div style="display:flex">` + again(50000, "<i style='flex:1'>x</i>"),
		"grid in grid":                    nest(480, `<div style="display:grid;grid-template-columns:auto 1fr">`, "x", "</div>"),
		"a grid of many tracks":           `<div style="display:grid;grid-template-columns:repeat(10000,1px);grid-template-rows:repeat(10000,1px)">` + again(1000, "<i>x</i>"),
		"a grid far away":                 `<div style="display:grid"><i style="grid-area:1000000000/1000000000">x</i><i style="grid-area:-1000000000/-1000000000/span 999999">x</i></div>`,
		"a grid of tiny tracks":           `<div style="display:grid;width:1e9px;grid-template-columns:repeat(auto-fill,.0001px)">` + again(1000, "<i>x</i>"),
		"20,000 dense grid items":         `<div style="display:grid;grid-auto-flow:dense;grid-template-columns:repeat(100,1fr)">` + counted(20000, `<i style="grid-column:span %[1]d">x</i>`),
		"spans of spans in a grid":        `<div style="display:grid;grid-template-columns:repeat(500,auto)">` + counted(1000, `<i style="grid-column:%[1]d/span 100">x</i>`),
		"fonts of 1e30px":                 styled("font-size:1e30px", text),
		"fonts of 100,000px":              styled("font-size:100000px", text),
		"fonts of 1e-30px":                styled("font-size:1e-30px;line-height:1e30", text),
		"fonts that grow":                 nest(400, `<div style="font-size:200%">`, "x", "</div>"),
		"everything negative":             styled("margin:-1e9px;text-indent:-1e9px;letter-spacing:-1e9px;word-spacing:-1e9px;top:-1e9px;position:relative", text+again(100, styled("margin:-5px -9px -300px", "x"))),
		"no numbers":                      styled("width:calc(1px*NaN);height:calc(infinity*1px);margin:calc(0px/0);padding:calc(-infinity*1px);line-height:calc(1/0);opacity:calc(0/0);font-size:calc(1px/0);flex-grow:calc(1/0)", text),
		"1e9px wide":                      styled("width:1e9px;border:1px solid;background:linear-gradient(red,blue)", again(10000, text)),
		"1e9px high":                      styled("height:1e9px;border:1px solid", text),
		"absolutely far away":             styled("position:absolute;top:1e9px;left:1e9px;width:1e9px;height:1e9px;background:red", text),
		"1e9px padding":                   styled("padding:1e9px", text),
		"1e9px borders":                   styled("border:1e9px double;border-radius:1e9px", text),
		"1,000,000 line breaks":           again(1000000, "<br>"),
		"1,000,000 lines":                 "<pre>" + again(1000000, "x\n"),
		"a word of 1 MB":                  again(1<<20, "x"),
		"a word of 1 MB to be cut":        styled("overflow-wrap:anywhere;width:1px", again(1<<20, "x")),
		"a word of 1 MB in a column":      `<table><tr><td style="word-break:break-all">` + again(1<<20, "x") + "<td>y",
		"4 MB of text":                    "<p style='text-align:justify'>" + again(4<<20/28, text),
		"4 MB of soft hyphens":            again(1<<20, "&shy;x"),
		"1 MB of blanks":                  styled("white-space:pre-wrap;width:9px", again(1<<20, " ")),
		"200,000 tabs":                    styled("white-space:pre-wrap;tab-size:1e9", again(200000, "\t")),
		"100,000 stops":                   styled("height:90px;background:linear-gradient(red"+again(100000, ",blue")+")", ""),
		"100,000 backgrounds":             styled("height:90px;background:"+again(100000, "linear-gradient(red,blue),")+"red", ""),
		"1,000 backgrounds":               again(1000, styled("height:9px;background:"+again(50, "linear-gradient(red,#0000),")+"red", "")),
		"tiles of .01px":                  styled("height:900px;background:url(p) 0 0/.01px .01px", ""),
		"tiles of .01px, spaced":          styled("height:900px;background:url(v) 0 0/.01px .01px space", ""),
		"tiled gradients of .01px":        styled("height:900px;background:linear-gradient(red,blue) 0 0/.01px .01px round", ""),
		"tiles on a box of 1e9px":         styled("height:9000px;width:1e9px;background:url(p) 0 0/1px 1px,radial-gradient(red,blue) 0 0/1px 1px", ""),
		"repeating stops without length":  styled("height:900px;background:repeating-linear-gradient(red 0,blue 1e-9px)", ""),
		"tiny dashes":                     styled("width:9000px;height:100000px;border:.01px dashed", ""),
		"tiny dots":                       styled("width:1e9px;height:9000px;border:.1px dotted;border-radius:3px", ""),
		"dots around the clock":           again(5000, styled("width:500px;height:500px;border:.5px dotted;border-radius:50%", "")),
		"waves for ever":                  styled("font-size:1px;text-decoration:underline wavy .01px;white-space:nowrap", again(100000, text)),
		"letter-spacing 1e9px":            styled("letter-spacing:1e9px;word-spacing:1e9px", text),
		"counters that overflow":          `<style>p{counter-increment:a 2147483647}p::before{content:counter(a,upper-roman)counter(a,cjk-decimal)counters(a,"..",georgian)}</style>` + again(2000, "<p>x"),
		"roman thousands":                 `<ol style="list-style:upper-roman" start=2147483000>` + again(2000, "<li>x"),
		"counters in counters":            `<style>div{counter-reset:a}b::before{content:counters(a,"long separator")}</style>` + nest(450, "<div>", again(2000, "<b>x</b>"), "</div>"),
		"strings that grow":               `<style>p::before{content:` + again(20000, `"abcdefghij" `) + `}</style>` + again(500, "<p>x"),
		"quotes in quotes":                nest(480, "<q>", "x", "</q>"),
		"100,000 quotes":                  `<style>b::before{content:open-quote open-quote no-close-quote close-quote close-quote close-quote}</style>` + again(100000, "<b>x</b>"),
		"a page without size":             "<style>@page{size:0 0}</style>" + again(1000, text),
		"a page of 1e9px":                 "<style>@page{size:1e9px 1e9px;margin:0}</style><p style='height:100%'>" + again(1000, text),
		"margins larger than the page":    "<style>@page{size:10cm;margin:9cm;@top-left{content:'x' counter(pages);width:1e9px}@top-center{content:'y'}}</style>" + again(100, text),
		"pages 1px high":                  "<style>@page{size:100px 1px;margin:0}</style>" + again(20000, text),
		"pages 1px high, boxes":           "<style>@page{size:100px 1px;margin:0}</style>" + again(9000, "<p style='height:.5px;margin:0;break-inside:avoid'>"),
		"20,000 page breaks":              again(20000, "<p style='break-after:page'>x"),
		"9,000 pages":                     "<style>@page{@bottom-left{content:counter(page) '/' counter(pages)}}</style>" + again(9000, "<p style='break-after:page'>x"),
		"fixed on 9,000 pages":            styled("position:fixed;top:0", again(100, text)) + again(9000, "<p style='break-after:page'>x"),
		"what avoids all breaks":          nest(300, `<div style="break-inside:avoid;break-before:avoid;break-after:avoid;orphans:99;widows:99">`, again(20000, text), "</div>"),
		"10,000 that keep together":       again(10000, `<p style="break-after:avoid;break-inside:avoid">x`),
		"a path of 10 MB":                 `<svg width=100 height=100><path fill=red stroke=blue d="M0 0` + again(10<<20/18, "C1 2 3 4 5 6L7.5 8z") + `"/></svg>`,
		"a path of arcs":                  `<svg width=100 height=100><path stroke=blue stroke-dasharray=".001 .001" d="M0 0` + again(100000, "A1e9 1e-9 45 1 0 9 9") + `"/></svg>`,
		"deep groups":                     `<svg width=9 height=9>` + nest(450, `<g transform="rotate(1)" opacity=".9">`, "<rect width=9 height=9 />", "</g>") + "</svg>",
		"gradients in a ring":             `<svg width=9 height=9><linearGradient id=a href="#b"/><linearGradient id=b href="#c"/><radialGradient id=c href="#a"/><rect width=9 height=9 fill="url(#a)"/></svg>`,
		"uses that double":                `<svg width=9 height=9><defs><rect id=u0 width=1 height=1 />` + counted(40, `<g id=v%[1]d><use href="#u%[1]d"/><use href="#u%[1]d"/></g>`) + `</defs><use href="#v39"/></svg>`,
		"100,000 shapes":                  `<svg width=99 height=99>` + again(100000, `<circle r=9 stroke=red opacity=".5" />`) + "</svg>",
		"1,000 pictures of many shapes":   again(1000, `<img src=v><svg width=99 height=99>`+again(100, `<circle r=9 stroke=red />`)+"</svg>"),
		"controls of direction":           again(100000, "\u202e\u2066a\u2067"),
		"text in all directions":          again(50000, "\u05d0a\u0661(\u2069) "),
		"isolates in elements":            nest(400, `<bdi dir=rtl style="unicode-bidi:isolate-override">a`, "x", "</bdi>"),
		"100,000 combining marks":         "e" + again(100000, "\u0301"),
		"marks on marks":                  again(1000, "\u05d0"+again(100, "\u05b0\u05bc")+" "),
		"joiners without width":           again(200000, "\u200d") + again(100000, "\u0644\u200d"),
		"arabic without blanks":           again(300000, "\u0644\u0627"),
		"tags and selectors":              again(50000, "\U000e0041\ufe0f\U0001f468\u200d"),
		"all characters":                  everyCharacter(),
		"not UTF-8":                       again(100000, "\xff\xfe\x80\xed\xa0\x80&#xD800;&#x110000;"),
		"zero bytes":                      again(100000, "\x00<p\x00 \x00=\x00>"),
		"2,000,000 nodes":                 again(1000000, "<b>x</b>"),
		"1,000,000 empty elements":        again(1000000, "<p>"),
		"formatting that is opened again": again(400, "<b><i><u>") + again(20000, "<p>x"),
		"100,000 attributes":              "<p " + counted(100000, "a%d=b ") + ">x",
		"100,000 classes":                 `<style>.a9{color:red}</style><p class="` + counted(100000, "a%d ") + `">x`,
		"20,000 rules":                    "<style>" + counted(20000, "p:nth-child(%[1]dn+3) b{color:#%06[1]d}") + "</style>" + again(5000, "<p><b>x</b>"),
		"20,000 styles":                   counted(20000, `<p style="margin-left:%[1]dpx;font-size:%[1]dpx">`),
		"20,000 font sizes":               counted(20000, `<span style="font-size:9.%05[1]dpx">word</span> `),
		"opacity in opacity":              nest(450, `<div style="opacity:.9;transform:rotate(1deg)">`, "x", "</div>"),
		"clips in clips":                  nest(450, `<div style="overflow:hidden;border-radius:3px">`, "x", "</div>"),
		"20,000 layers":                   again(20000, `<p style="opacity:.5">x`),
		"z-index everywhere":              counted(20000, `<p style="position:relative;z-index:%d">x`),
		"positioned in positioned":        nest(450, `<div style="position:absolute;inset:1px">`, "x", "</div>"),
		"percentages that feed back":      nest(200, `<div style="float:left;width:50%;min-width:min-content;max-height:50%">`, "x", "</div>"),
		"ratios that feed back":           nest(200, `<div style="display:flex;aspect-ratio:1/1e-9;min-height:1e9px">`, "<img src=p style='aspect-ratio:1e9;height:100%'>", "</div>"),
		"pictures of 1e9px":               `<img src=p style="width:1e9px;height:1e9px"><img src=v width=1000000000><img src=p style="object-fit:cover;width:1px;height:1e9px">`,
		"a picture of 900 million pixels": `<img src=bomb><img src=bombs width=9><ul style="list-style-image:url(bomb)"><li>x</ul>` + styled("height:9px;background:url(bomb)", "") + `<svg width=9 height=9><image href="bomb" width=9 height=9 /></svg>`,
		"an image of 900 million pixels":  "<img src=bomb>",
		"a background of 900 million":     styled("height:9px;background:url(bomb)", "x"),
		"a marker of 900 million":         `<ul style="list-style-image:url(bomb)"><li>x</ul>`,
		"900 million pixels in a vector":  `<img src=bombs width=9>`,
		"900 million pixels as content":   `<style>p::before{content:url(bomb)}</style><p>x`,
		"10,000 pictures":                 again(10000, "<img src=p>"),
		"broken pictures":                 again(2000, `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4" alt=x>`),
		"broken fonts":                    "<style>" + counted(500, "@font-face{font-family:F%[1]d;src:url(data:font/ttf;base64,AAEAAAABAAAAAAAA)}") + "</style><p style='font-family:F1,serif'>x",
		"100,000 links":                   counted(100000, `<a href="#a%[1]d" id=a%[1]d>x</a> `),
		"100,000 headings":                again(100000, "<h1>x</h1>"),
		"a title of 1 MB":                 "<title>" + again(1<<20, "x") + "</title>x",
		"an address of 1 MB":              `<a href="http://example.com/` + again(1<<20, "x") + `">x</a>`,
	}
}

// doubling makes custom properties, each of which is the one before twice.
func doubling(n int) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "--a%d:var(--a%d)var(--a%d);", i, i-1, i-1)
	}
	return b.String()
}

// everyCharacter is each one that is not unassigned in whole planes.
func everyCharacter() string {
	var b strings.Builder
	for r := rune(1); r < 0x30000; r++ {
		if r == '<' || r == '&' || r >= 0xd800 && r < 0xe000 {
			continue
		}
		b.WriteRune(r)
		if r%64 == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// found are pages that made other engines hang or crash.
func found(tb testing.TB) map[string]string {
	tb.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"../testdata/malformed.html", "../testdata/nested_*.html", "../chromium/testdata/crash_*.html", "css/cascade/testdata/nested_*.html"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			tb.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				tb.Fatal(err)
			}
			pages[filepath.Base(path)] = string(text)
		}
	}
	return pages
}
