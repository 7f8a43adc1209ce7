package layout_test

import "testing"

const gridStyle = `<style>body{margin:0;width:600px;font:16px/20px "Noto Sans"}p,dl,dd,ul{margin:0;padding:0}
.g{display:grid}.b{display:inline-block;width:40px;height:20px}.s{width:80px;height:30px}</style><body>`

func TestGridsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	compareAll(t, gridPages(map[string]string{
		"definitions":           `<dl class=g id=a style="grid-template-columns:max-content 1fr;gap:1mm 6mm"><dt id=c>Account</dt><dd id=d>DK50 0040</dd><dt id=e>Payment reference</dt><dd id=f>71</dd></dl>`,
		"auto and a fraction":   `<dl class=g id=a style="grid-template-columns:auto 1fr;gap:2px 10px"><dt id=c>Date</dt><dd id=d>2024</dd><dt id=e>Due date</dt><dd id=f>2025</dd></dl>`,
		"parties":               `<div class=g id=a style="grid-template-columns:1fr 1fr 180px;gap:18px"><div id=c>From<br>here</div><div id=d>To</div><div id=e>Some words that need two lines at least</div></div>`,
		"wide":                  `<div class=g id=a style="grid-template-columns:1fr 1fr 1fr;gap:7mm 6mm"><div id=c style="grid-column:1/-1">bar</div><div id=d style="grid-column:span 2">two</div><div id=e>x</div><div id=f style="grid-column:1/-1;border-top:1px solid;height:0"></div></div>`,
		"rows of a table":       `<div class=g id=a style="grid-template-columns:10mm 1fr 18mm 26mm 14mm 28mm;column-gap:3mm;padding:2mm;border-bottom:1px solid"><span id=c>1</span><span id=d>Consulting and other things</span><span id=e style="text-align:right">4</span><span id=f>h</span><span id=h>22</span><span id=i>480</span></div>`,
		"repeat":                `<div class=g id=a style="grid-template-columns:repeat(4,1fr);gap:4mm"><div id=c>a</div><div id=d>b</div><div id=e>c</div><div id=f>d</div><div id=h>e</div></div>`,
		"auto-fit":              `<div class=g id=a style="grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:5px"><div id=c>a</div><div id=d>b</div><div id=e>c</div></div><div class=g style="grid-template-columns:repeat(auto-fit,minmax(250px,1fr))"><div id=f>a</div><div id=h>b</div><div id=i>c</div></div>`,
		"auto-fill":             `<div class=g id=a style="grid-template-columns:repeat(auto-fill,minmax(120px,1fr));gap:5px"><div id=c>a</div><div id=d>b</div></div><div class=g style="grid-template-columns:50px repeat(auto-fill,100px) 20px"><div id=e style="grid-column:-2">a</div><div id=f style="grid-column:-1">b</div></div>`,
		"fixed rows":            `<div class=g id=a style="grid-template-columns:1fr 1fr;grid-auto-rows:64mm;gap:5mm"><div id=c>a</div><div id=d style="align-self:center">b</div><div id=e>c</div></div>`,
		"fractions and content": `<div class=g id=a style="grid-template-columns:1fr 1fr;width:200px"><div id=c>incomprehensibilities</div><div id=d>x</div></div><div class=g style="grid-template-columns:minmax(0,1fr) minmax(0,1fr);width:200px"><div id=e>incomprehensibilities</div><div id=f>x</div></div>`,
		"less than a fraction":  `<div class=g id=a style="grid-template-columns:.3fr .2fr"><div id=c>a</div><div id=d>b</div></div>`,
		"automatic columns":     `<div class=g id=a style="grid-template-columns:auto auto auto"><div id=c>a</div><div id=d>some words</div><div id=e>some more words that are long</div></div><div class=g style="grid-template-columns:auto auto;width:150px"><div id=f>some words that are long</div><div id=h>some more words that are longer</div></div><div class=g style="grid-template-columns:auto auto;justify-content:space-between"><div id=i>a</div><div id=j>b</div></div>`,
		"content sizes":         `<div class=g id=a style="grid-template-columns:min-content max-content fit-content(100px) fit-content(300px) auto"><div id=c>some words</div><div id=d>some words</div><div id=e>some words that are long</div><div id=f>some</div><div id=h>x</div></div>`,
		"minmax":                `<div class=g id=a style="grid-template-columns:minmax(50px,auto) minmax(min-content,200px) minmax(100px,max-content) minmax(10px,20px)"><div id=c>a</div><div id=d>some words</div><div id=e>x</div><div id=f>x</div></div>`,
		"spans":                 `<div class=g id=a style="grid-template-columns:auto auto auto;justify-content:start"><div id=c>a</div><div id=d>some words</div><div id=e>x</div><div id=f style="grid-column:1/3;width:300px">wide</div><div id=h style="grid-column:2/4">a text that is rather long too</div></div>`,
		"span over a fraction":  `<div class=g id=a style="grid-template-columns:auto 1fr 2fr;width:300px"><div id=c style="grid-column:1/3">some words that are long</div><div id=d style="grid-column:2/4"><div style="width:400px">x</div></div><div id=e>x</div><div id=f>y</div></div>`,
		"percent":               `<div class=g id=a style="grid-template-columns:25% 1fr 10%;column-gap:2%"><div id=c>a</div><div id=d style="padding:5%;width:50%">b</div><div id=e>c</div></div>`,
		"lines and spans":       `<div class=g id=a style="grid-template-columns:repeat(4,50px);grid-auto-rows:20px"><div id=c style="grid-area:2/2/4/4"></div><div id=d></div><div id=e style="grid-row:span 3"></div><div id=f></div><div id=h style="grid-column:-2/-1"></div><div id=i style="grid-column:span 2/5"></div><div id=j style="grid-row:1"></div></div>`,
		"implicit":              `<div class=g id=a style="grid-template-columns:50px;grid-auto-columns:20px 30px;grid-auto-rows:10px 15px"><div id=c style="grid-column:4"></div><div id=d style="grid-row:3"></div><div id=e style="grid-column:-4;grid-row:1"></div><div id=f></div></div>`,
		"dense":                 `<div class=g id=a style="grid-template-columns:repeat(3,50px);grid-auto-rows:10px;grid-auto-flow:dense"><div id=c style="grid-column:span 2"></div><div id=d style="grid-column:span 2"></div><div id=e></div><div id=f></div><div id=h style="grid-row:span 2"></div></div>`,
		"columns first":         `<div class=g id=a style="grid-template-rows:repeat(2,20px);grid-auto-flow:column;grid-auto-columns:1fr"><div id=c>a</div><div id=d>b</div><div id=e>c</div><div id=f style="grid-row:span 2">d</div></div>`,
		"areas":                 `<div class=g id=a style="grid-template-areas:'head head' 'nav main' 'foot foot';grid-template-columns:100px 1fr;gap:4px"><div id=c style="grid-area:main">main<br>x</div><div id=d style="grid-area:head">head</div><div id=e style="grid-area:foot">foot</div><div id=f style="grid-area:nav">nav</div><div id=h style="grid-column:main-start/main-end;grid-row:head">x</div></div>`,
		"names":                 `<div class=g id=a style="grid-template-columns:[full-start] 20px [main-start] 1fr [main-end] 20px [full-end]"><div id=c style="grid-column:full">a</div><div id=d style="grid-column:main">b</div><div id=e style="grid-column:main-end">c</div></div><div class=g style="grid-template-columns:repeat(3,[col] 50px [gap] 10px)"><div id=f style="grid-column:col 2/span gap 2">x</div><div id=h style="grid-column:col -1">x</div></div>`,
		"order":                 `<div class=g id=a style="grid-template-columns:1fr 1fr"><div id=c style="order:1">a</div><div id=d>b</div><div id=e style="order:-1">c</div></div>`,
		"right to left":         `<div class=g dir=rtl id=a style="grid-template-columns:100px 1fr auto;gap:10px"><div id=c>a</div><div id=d style="justify-self:start">b</div><div id=e style="margin-left:5px">c</div><div id=f style="justify-self:end;width:30px">d</div><div id=h style="justify-self:left">x</div></div><div class=g dir=rtl style="grid-template-columns:50px 60px;justify-content:end"><div id=i>x</div><div id=j dir=ltr style="justify-self:self-start">x</div></div>`,
		"text by itself":        `<div class=g id=a style="grid-template-columns:1fr 2fr">text <b id=c>bold</b> more</div>`,
		"empty":                 `<div class=g id=a></div><div class=g id=c style="grid-template-rows:10px 20px;gap:5px"></div>`,
		"nested":                `<div class=g id=a style="grid-template-columns:1fr 1fr;gap:10px"><div class=g id=c style="grid-template-columns:auto 1fr;gap:2px"><span id=d>a</span><span id=e>b</span></div><div class=g id=f style="grid-template-columns:1fr auto"><div id=h style="display:flex;justify-content:space-between"><span id=i>x</span><span id=j>y</span></div><div id=k>z<br>z</div></div></div>`,
		"tables":                `<div class=g id=a style="grid-template-columns:1fr 62mm;gap:8mm"><table id=c><tr><td>a<td>b</table><table id=d style="width:100%"><tr><td>a<td>b</table></div>`,
		"images":                `<div class=g id=a style="grid-template-columns:auto 1fr 42mm;gap:4mm;align-items:center"><svg id=c width=30 height=40></svg><div id=d>Delivery note</div><div id=e>x</div></div><div class=g style="height:60px"><img id=f src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='20'/%3E"></div><div class=g style="height:60px;align-items:stretch"><img id=h src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='20'/%3E"></div>`,
		"ratio":                 `<div class=g id=a style="grid-template-columns:1fr 1fr 1fr;gap:10px"><div id=c style="aspect-ratio:1">a</div><div id=d style="aspect-ratio:1">b</div><div id=e>c</div></div><div class=g style="grid-template-columns:1fr 1fr;align-items:start"><div id=f style="aspect-ratio:2">a</div><div id=h style="aspect-ratio:3;height:60px">a</div></div>`,
		"widths":                `<div style="width:10px"><div class=g id=a style="width:min-content;grid-template-columns:auto auto"><div id=c>some text</div><div id=d>other text</div></div></div><div class=g id=e style="width:max-content;grid-template-columns:1fr 2fr;gap:3px"><div id=f>some text</div><div id=h>other text and more</div></div><div class=g style="float:left;grid-template-columns:repeat(auto-fill,50px)" id=i><div>some</div><div>text</div></div>`,
		"line of a grid":        `<p id=p>text <span id=a style="display:inline-grid;grid-template-columns:auto auto"><span id=c style="font-size:30px;line-height:40px">A</span><span id=d>b</span></span> more</p>`,
		"hidden":                `<div class=g id=a style="grid-template-columns:1fr 1fr;width:100px"><div id=c style="overflow:hidden">incomprehensibilities</div><div id=d style="min-width:0">incomprehensibilities</div></div>`,
	}))
}

func TestHeightsAndAlignmentInGridsAreThoseOfTheBrowser(t *testing.T) {
	t.Parallel()
	compareAll(t, gridPages(map[string]string{
		"stretched":            `<div class=g id=a style="grid-template-columns:1fr 1fr"><div id=c>a<br>b<br>c</div><div id=d>x<div id=e style="height:50%"></div></div></div>`,
		"self":                 `<div class=g id=a style="grid-template-columns:repeat(4,1fr);height:100px"><div id=c style="align-self:start">a</div><div id=d style="align-self:center;justify-self:center">a</div><div id=e style="align-self:end;justify-self:end">a</div><div id=f style="margin:auto">a</div></div>`,
		"items":                `<div class=g id=a style="grid-template-columns:1fr 34mm 1fr;align-items:end;justify-items:center"><div id=c>a</div><div id=d style="width:100%;height:40px">b</div><div id=e>c</div></div>`,
		"baseline":             `<div class=g id=a style="grid-template-columns:auto auto 1fr;align-items:baseline;column-gap:10px"><div id=c style="font-size:30px;line-height:40px">A</div><div id=d>b</div><div id=e style="padding:30px 0">c</div><div id=f>x</div></div>`,
		"margins":              `<div class=g id=a style="grid-template-columns:100px 1fr"><div id=c style="margin:10px">a</div><div id=d style="margin-left:auto">b</div><div id=e style="margin:5px auto">c</div></div>`,
		"content":              `<div class=g style="grid-template-columns:50px 50px;justify-content:center;align-content:space-between;height:100px"><div id=c>a</div><div id=d>b</div><div id=e>c</div></div><div class=g style="grid-template-columns:50px 50px;justify-content:space-evenly;align-content:end;height:100px"><div id=f>a</div><div id=h>b</div><div id=i style="grid-column:span 2">c</div></div>`,
		"fractions of rows":    `<div class=g style="grid-template-rows:auto 1fr 2fr;height:200px" id=a><div id=c>a</div><div id=d>b</div><div id=e>c</div></div><div class=g style="grid-template-rows:1fr 2fr"><div id=f>a</div><div id=h>b<br>c</div></div>`,
		"least height":         `<div class=g id=a style="grid-template-rows:auto 1fr;min-height:200px"><div id=c>a</div><div id=d>b</div></div><div class=g style="min-height:100px" id=e><div id=f>a</div><div id=h>b</div></div><div class=g style="min-height:100px;align-content:center"><div id=i>a</div></div>`,
		"percent rows":         `<div class=g id=a style="grid-template-rows:25% 75%"><div id=c>a</div><div id=d>b<br>c</div></div><div class=g style="grid-template-rows:25% auto;height:100px"><div id=e>a</div><div id=f>b</div></div><div class=g style="row-gap:50%"><div id=h>a</div><div id=i>b</div></div>`,
		"spans over rows":      `<div class=g id=a style="grid-template-columns:1fr 1fr;row-gap:5px"><div id=c style="grid-row:1/3">a<br>b<br>c<br>d</div><div id=d>x</div><div id=e>y</div></div>`,
		"collapsed margins":    `<div class=g id=a><p id=c style="margin:10px 0">a</p><p id=d style="margin:10px 0">b</p></div>`,
		"percent height":       `<div class=g id=a style="grid-template-columns:1fr 1fr;grid-auto-rows:50px"><div id=c style="height:50%">a</div><div id=d style="min-height:100%;max-height:50%">b</div></div>`,
		"positioned":           `<div class=g id=a style="width:200px;height:100px;position:relative;grid-template-columns:50px 1fr;padding:7px;border:3px solid;gap:6px"><div id=c style="position:absolute;grid-column:2;width:10px;height:10px"></div><div id=d style="position:absolute;grid-column:2;right:0;bottom:0;width:10px;height:10px"></div><div id=e style="position:absolute;justify-self:center;align-self:end;width:10px;height:10px"></div><div id=f style="position:absolute;grid-column:1/2;inset:0"></div><div id=h style="position:absolute;grid-column:7;left:0;width:5px"></div></div>`,
		"positioned, not here": `<div style="position:relative"><div class=g id=a style="height:50px;padding:5px;justify-items:end;align-items:center"><div id=c style="position:absolute">abc</div><div>x</div></div><div class=g dir=rtl><div id=d style="position:absolute">abc</div></div></div>`,
		"positioned in items":  `<div class=g id=a style="grid-template-columns:1fr 1fr;height:60px"><div id=c style="position:relative">x<p id=d style="position:absolute;bottom:0;right:0">y</p></div><div id=e style="position:relative;top:3px">z</div></div>`,
		"within a column":      `<div style="display:flex;flex-direction:column;height:150px"><div class=g id=a style="flex:1;grid-template-rows:1fr auto"><div id=c>a</div><div id=d>b</div></div></div>`,
		"within a high column": `<div style="display:flex;flex-direction:column;min-height:150px"><div class=g id=a style="flex:1;grid-template-rows:1fr auto"><div id=c>a</div><div id=d>b</div></div></div><div style="display:flex;flex-direction:column;min-height:150px"><div class=g id=e style="flex:1"><div id=f>a</div><div id=h>b<p style="height:50%">c</p></div></div></div>`,
		"last baseline":        `<div style="display:flex;align-items:baseline"><div class=g id=a style="padding-top:30px"><div id=c>a</div><div id=d>b</div></div><div id=e>x</div></div>`,
	}))
}

func gridPages(bodies map[string]string) map[string]string {
	pages := map[string]string{}
	for name, body := range bodies {
		pages[name] = gridStyle + body
	}
	return pages
}
