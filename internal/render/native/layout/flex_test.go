package layout_test

import "testing"

const flexStyle = `<style>body{margin:0;width:600px;font:16px/20px "Noto Sans"}p,dl,dd,ul{margin:0;padding:0}
.f{display:flex}.b{display:inline-block;width:40px;height:20px}.c{flex-direction:column}.w{flex-wrap:wrap}.i{display:inline-flex;vertical-align:top}
.s{flex:none;width:80px;height:30px}</style><body>`

func TestFlexRowsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	compareAll(t, flexPages(map[string]string{
		"header":                  `<div class=f id=a style="justify-content:space-between;align-items:flex-start;border-bottom:2px solid;padding-bottom:14px"><div id=c><b>Northwind Traders</b><br>Harbour Road 12</div><div id=d style="text-align:right"><h1 id=e>Invoice</h1>No. 2024-117</div></div>`,
		"cards":                   `<div class=f id=a style="gap:4mm"><div id=c style="flex:1.4;padding:4mm;border:1px solid">Net pay<br><b>2,400</b></div><div id=d style="flex:1;padding:4mm;border:1px solid">Gross</div><div id=e style="flex:1;padding:4mm;border:1px solid">Tax and other things that are long</div></div>`,
		"leaders":                 `<div class=f id=a style="align-items:baseline;padding:1mm 0"><span id=c>Introduction</span><span id=d style="flex:1;border-bottom:1px dotted;margin:0 2mm"></span><span id=e>12</span></div>`,
		"bars in per cent":        `<div class=f id=a style="align-items:flex-end;gap:6mm;height:52mm;padding:0 6mm;border-bottom:1pt solid"><div id=c style="flex:1;height:40%;position:relative"><span id=d style="position:absolute;top:-5mm;left:0;right:0">40</span></div><div id=e style="flex:1;height:75%"></div><div id=g style="flex:1;height:100%"></div></div>`,
		"axis":                    `<div class=f id=a style="gap:6mm;padding:1mm 6mm 0"><span id=c style="flex:1;text-align:center">2021</span><span id=d style="flex:1">2022</span><span id=e style="flex:1">2023 or so</span></div>`,
		"stacked bar":             `<div class=f id=a style="height:5mm;overflow:hidden"><div id=c style="width:62%"></div><div id=d style="width:21%"></div><div id=e style="width:17%"></div></div>`,
		"wrapped definitions":     `<dl class="f w" id=a style="width:272px"><dt id=c style="width:60%">Net</dt><dd id=d style="width:40%;text-align:right">12.00</dd><dt id=e style="width:60%">VAT and a few words more</dt><dd id=g style="width:40%">3</dd></dl>`,
		"nested":                  `<div class=f id=a><div id=c class=f style="flex:1;gap:10px;align-items:center"><div id=d style="width:40px;height:40px"></div><div id=e>Logo<br>text</div></div><div id=g class="f c" style="gap:3px"><div id=h>one</div><div id=j>two words</div></div></div>`,
		"basis and shrink":        `<div class=f id=a><div id=c style="flex:0 1 500px">x</div><div id=d style="flex:0 2 300px;padding:0 20px">y</div></div>`,
		"basis of zero":           `<div class=f id=a><div id=c style="flex:1 1 0">incomprehensibilities and more words</div><div id=d style="flex:1 1 0%">y</div><div id=e style="flex:1">z</div></div>`,
		"automatic minimum":       `<div class=f id=a style="width:100px"><div id=c style="flex:1">incomprehensibilities</div><div id=d style="flex:1">word</div></div><div class=f id=e style="width:100px"><div id=g style="flex:1;min-width:0">incomprehensibilities</div><div id=h style="flex:1;overflow:hidden">incomprehensibilities</div></div>`,
		"specified minimum":       `<div class=f id=a style="width:100px"><div id=c style="width:90px"><i class=b></i></div><div id=d style="width:90px"><i class=b style="width:80px"></i></div></div>`,
		"limits":                  `<div class=f id=a><div id=c style="flex:1;max-width:100px">a</div><div id=d style="flex:1;min-width:300px">b</div><div id=e style="flex:1">c</div></div>`,
		"border-box":              `<div class=f id=a><div id=c style="box-sizing:border-box;flex:0 0 200px;padding:10px;border:5px solid">a</div><div id=d style="flex:0 0 200px;padding:10px">b</div></div>`,
		"percent":                 `<div class=f id=a style="gap:5%"><div id=c style="flex:0 0 25%;padding:2%">a</div><div id=d style="width:30%;margin:0 5%">b</div></div>`,
		"automatic margins":       `<div class=f id=a><div id=c>a</div><div id=d style="margin-left:auto">b</div><div id=e style="margin:auto">c</div></div><div class=f id=g style="height:100px"><div id=h style="margin:auto">x</div></div>`,
		"margins do not collapse": `<div class=f id=a><div id=c style="margin:20px 0"><p id=d style="margin:10px">a</div></div>`,
		"baseline":                `<div class=f id=a style="align-items:baseline"><div id=c style="font-size:30px;line-height:40px">A</div><div id=d>b</div><i class=b id=e></i><div id=g style="padding:20px">c<br>d</div></div>`,
		"alignment":               `<div class=f id=a style="height:100px"><div id=c style="align-self:flex-start">a</div><div id=d style="align-self:center">a</div><div id=e style="align-self:flex-end">a</div><div id=g style="align-self:baseline">a</div><div id=h>a</div><div id=j style="align-self:end">a</div></div>`,
		"justify":                 `<div class=f id=a style="justify-content:center"><i class=s id=c></i><i class=s id=d></i></div><div class=f style="justify-content:space-around"><i class=s id=e></i><i class=s id=g></i></div><div class=f style="justify-content:space-evenly;gap:10px"><i class=s id=h></i><i class=s id=j></i></div><div class=f style="justify-content:right"><i class=s id=k></i></div><div class=f style="justify-content:end;width:100px"><i class=s id=l></i><i class=s id=m></i></div>`,
		"overflowing":             `<div class=f id=a style="width:100px;justify-content:space-around"><i class=s id=c></i><i class=s id=d></i></div><div class=f style="width:100px;justify-content:center"><i class=s id=e></i><i class=s id=g style="margin-left:auto"></i></div>`,
		"reverse":                 `<div class=f id=a style="flex-direction:row-reverse"><i class=s id=c style="margin:1px 2px 3px 4px"></i><i class=s id=d></i></div><div class=f style="flex-direction:row-reverse;justify-content:start"><i class=s id=e></i><i class=s id=g></i></div><div class=f style="flex-direction:row-reverse;justify-content:left"><i class=s id=h></i></div><div class=f style="flex-direction:row-reverse;justify-content:flex-end"><i class=s id=j></i></div>`,
		"wrap":                    `<div class="f w" id=a style="gap:10px 20px;width:200px"><i class=s id=c></i><i class=s id=d></i><i class=s id=e></i><i class=s id=g style="height:50px"></i><i class=s id=h></i></div>`,
		"wrap and grow":           `<div class="f w" id=a style="width:300px;gap:10px"><div id=c style="flex:1 1 120px">a</div><div id=d style="flex:1 1 120px">b<br>b</div><div id=e style="flex:1 1 120px">c</div></div>`,
		"wrap and stretch":        `<div class="f w" id=a style="width:200px;height:150px"><div id=c style="width:120px">a</div><div id=d style="width:120px">b</div></div><div class="f w" style="width:200px;height:150px;align-content:space-between"><div id=e style="width:120px">a</div><div id=g style="width:120px">b</div></div><div class="f w" style="width:200px;height:150px;align-content:center"><div id=h style="width:120px">a</div></div>`,
		"wrap-reverse":            `<div class=f id=a style="flex-wrap:wrap-reverse;width:300px;height:100px"><div id=c style="width:200px">A</div><div id=d style="width:200px;align-self:flex-start">b</div><div id=e style="width:50px;align-self:start">b</div></div><div class=f style="flex-wrap:wrap-reverse;align-items:baseline"><div id=g style="font-size:30px;line-height:40px">A</div><div id=h>b</div></div>`,
		"order":                   `<div class=f id=a><div id=c style="order:2">a</div><div id=d>b</div><div id=e style="order:-1">c</div><div id=g style="order:2">d</div></div>`,
		"right to left":           `<div class=f id=a dir=rtl style="gap:5px"><i class=s id=c style="margin-left:7px"></i><i class=s id=d></i></div><div class=f dir=rtl style="justify-content:space-between"><i class=s id=e></i><i class=s id=g></i></div><div class="f c" dir=rtl style="align-items:flex-start"><i class=s id=h></i></div><div class=f dir=rtl style="justify-content:flex-end;flex-direction:row-reverse"><i class=s id=j></i></div>`,
		"text by itself":          `<div class=f id=a style="gap:10px">some text <b id=c>bold</b> more <i id=d>x</i></div>`,
		"tables":                  `<div class=f id=a style="gap:8mm"><table id=c style="flex:1 1 0"><tr><td>a<td>b</table><table id=d style="flex:1 1 0"><tr><td>word<td>incomprehensibilities</table></div><div class=f><table id=e><tr><td>a<td>b</table><table id=g style="width:50%"><tr><td>a</table></div>`,
		"floats are items":        `<div class=f id=a><div id=c style="float:left">a</div><div id=d style="float:right;flex:1">b</div></div>`,
		"minimum height":          `<div class=f id=a style="min-height:100px;align-items:center"><div id=c>a</div><div id=d style="align-self:stretch">b</div></div><div class=f id=e style="max-height:30px"><div id=g>a<br>b<br>c</div></div>`,
		"height of children":      `<div class=f id=a><div id=c><div id=d style="height:50%"></div></div><div id=e style="height:40px"></div></div><div class=f style="height:60px"><div id=g><div id=h style="height:50%"></div></div></div>`,
		"relative":                `<div class=f id=a><div id=c style="position:relative;left:10px;top:5px">a</div><div id=d>b</div></div>`,
		"positioned":              `<div class=f id=a style="position:relative;width:200px;height:100px;justify-content:center;align-items:flex-end;padding:7px"><div id=c style="position:absolute;width:10px;height:10px"></div><div id=d style="position:absolute;margin:5px;width:10px;height:10px;align-self:stretch"></div><div id=e style="position:absolute;right:0;width:10px;height:10px"></div><div id=g style="position:absolute;align-self:center">text</div></div>`,
		"positioned, not here":    `<div style="position:relative"><div class=f id=a style="justify-content:space-between;height:50px"><div id=c style="position:absolute">abc</div><div>x</div></div><div class=f dir=rtl><div id=d style="position:absolute">abc</div></div></div>`,
		"positioned in items":     `<div class=f id=a style="height:50px"><div id=c style="position:relative;flex:1">x<div id=d style="position:absolute;bottom:0;right:0">y</div></div><div id=e style="flex:1">z<div id=g style="position:absolute">y</div></div></div>`,
		"empty":                   `<div class=f id=a></div><div class=f id=c style="padding:3px;min-height:20px"></div>`,
		"lines in an item":        `<div style="position:relative"><div class=f id=a style="width:200px"><div id=c>some text that is long enough for lines</div><div id=d>and some other text of such a length</div></div></div>`,
		"line of a flexbox":       `<p id=p>text <span class=f id=a style="display:inline-flex"><span id=c style="font-size:30px;line-height:40px">A</span><span id=d>b</span></span> more</p>`,
		"list":                    `<ul id=u><li class=f id=a style="padding:1.7mm 0;border-bottom:1px dotted"><span id=c style="flex:1">Item</span><b id=d>10.00</b></li></ul>`,
		"widths":                  `<div style="width:10px"><div class=f style="width:min-content" id=a><div id=c>some text</div><div id=d>other</div></div></div><div class=f style="width:max-content;gap:10px" id=e><div id=g>some text</div><div id=h>other</div></div><div class=f style="float:left" id=j><div>some</div><div>text</div></div>`,
		"ratio":                   `<div class=f id=a><div id=c style="aspect-ratio:2;width:100px"></div><div id=d style="aspect-ratio:1"></div></div><div class=f style="height:60px"><div id=e style="aspect-ratio:2"></div></div>`,
	}))
}

func TestFlexColumnsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	compareAll(t, flexPages(map[string]string{
		"automatic height": `<div class="f c" id=a style="gap:2mm;font-size:12px"><div id=c>one</div><div id=d>two two</div><div id=e style="align-self:flex-end">three</div></div>`,
		"centered":         `<div class="f c" id=a style="height:200px;align-items:center;justify-content:center;text-align:center"><h1 id=c>Certificate</h1><div id=d>some words here</div></div>`,
		"growing":          `<div class="f c" id=a style="height:200px"><div id=c>head</div><div id=d style="flex:1"><div id=e style="height:50%"></div></div><div id=g>foot</div></div>`,
		"least height":     `<div class="f c" id=a style="min-height:200px"><div id=c>head</div><div id=d style="flex:1"><div id=e style="height:50%"></div></div><div id=g>foot</div></div>`,
		"basis of zero":    `<div class="f c" id=a><div id=c style="flex:1">head<br>head</div><div id=d style="flex:1 1 0">x</div><div id=e style="flex:1 1 0px">y</div></div>`,
		"shrinking":        `<div class="f c" id=a style="height:100px"><div id=c style="height:200px">a</div><div id=d style="height:200px">a<br>b<br>c<br>d</div></div>`,
		"hidden shrinks":   `<div class="f c" id=a style="height:50px"><div id=c style="overflow:hidden">a<br>b<br>c</div><div id=d>a<br>b</div></div>`,
		"greatest height":  `<div class="f c" id=a style="max-height:50px"><div id=c style="height:60px"></div><div id=d style="height:60px"></div></div>`,
		"pushed down":      `<div class="f c" id=a style="height:150px"><div id=c>a</div><div id=d style="margin-top:auto">b</div></div>`,
		"reverse":          `<div class="f" id=a style="flex-direction:column-reverse;height:100px"><div id=c style="margin-top:3px">a</div><div id=d>b</div></div>`,
		"wrap":             `<div class="f c w" id=a style="height:70px;gap:5px;align-content:flex-start"><i class=s id=c></i><i class=s id=d></i><i class=s id=e></i></div><div class="f c w" style="height:70px"><div id=g>aaaa</div><div id=h style="height:60px">bb</div></div>`,
		"right to left":    `<div class="f c" id=a dir=rtl><div id=c style="width:50px">a</div><div id=d style="align-self:flex-start">b</div><div id=e style="align-self:end;margin-left:3px">b</div></div>`,
		"other direction":  `<div class="f c" id=a style="align-items:self-start"><div id=c dir=rtl>a</div><div id=d>b</div></div>`,
		"margins":          `<div class="f c" id=a><div id=c style="margin:10px auto">a</div><div id=d style="margin:10px">b</div><div id=e style="margin-left:auto">c</div></div>`,
		"nested":           `<div class="f c" id=a style="height:300px"><div class="f c" id=c style="flex:1"><div class="f" id=d style="flex:1"><div id=e style="flex:1;height:50%"></div><div id=g style="flex:2"></div></div><div id=h>x</div></div></div>`,
		"limits":           `<div class="f c" id=a><div id=c style="max-width:100px">a</div><div id=d style="min-width:700px">b</div><div id=e style="width:50%;min-height:30px">c</div></div>`,
		"percent":          `<div class="f c" id=a style="height:200px"><div id=c style="height:25%">a</div><div id=d style="flex-basis:50%">b</div></div><div class="f c" id=e><div id=g style="height:25%">a</div><div id=h style="flex-basis:50%">b</div></div>`,
		"positioned":       `<div class="f c" id=a style="height:100px;justify-content:center;align-items:center;position:relative"><div id=c style="position:absolute">abc</div><div id=d style="position:absolute;align-self:flex-end">abc</div></div>`,
		"tables":           `<div class="f c" id=a><table id=c><tr><td>a<td>b</table><table id=d style="align-self:flex-start"><tr><td>a<td>b</table></div>`,
		"wrap in a width":  `<div class="f c w" style="float:left;height:70px;gap:5px" id=a><i class=s id=c></i><i class=s></i><i class=s id=d></i></div><div class="f c w" style="float:left;max-height:70px;gap:5px" id=e><i class=s></i><i class=s></i><i class=s id=g></i></div>`,
		"as wide as":       `<div class="i f c" id=a style="display:inline-flex"><div id=c>some</div><div id=d>words here</div></div>`,
		"lines":            `<div class="f c" id=a style="width:100px"><div id=c>some words that need lines</div><div id=d style="align-self:flex-start">some words that need lines</div></div>`,
		"baseline outside": `<p id=p>x <span id=a style="display:inline-flex;flex-direction:column"><span id=c style="font-size:30px;line-height:40px">A</span><span id=d>b</span></span></p>`,
	}))
}

func TestImagesAreFlexItems(t *testing.T) {
	t.Parallel()
	const image = `src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='10' height='20'/%3E"`
	compareAll(t, flexPages(map[string]string{
		"row of a height": `<div class=f id=a style="height:60px"><img id=c ` + image + `><img id=d style="align-self:center" ` + image + `></div>`,
		"row":             `<div class=f id=a><div style="height:60px"></div><img id=c ` + image + `><img id=d style="width:50px" ` + image + `><img id=e style="height:30px" ` + image + `></div>`,
		"column":          `<div class="f c" id=a><img id=c ` + image + `><img id=d style="align-self:flex-start" ` + image + `><img id=e style="width:50px" ` + image + `></div>`,
		"growing":         `<div class=f id=a style="align-items:flex-start"><img id=c style="flex:1" ` + image + `><img id=d style="flex:1" ` + image + `></div>`,
		"shrinking":       `<div class=f id=a style="width:50px;align-items:flex-start"><img id=c style="width:100px" ` + image + `><img id=d style="width:100px;min-width:0" ` + image + `></div>`,
		"logo":            `<div class=f id=a style="gap:10px;align-items:center"><svg id=c width=32 height=32 viewBox="0 0 32 32"></svg><div id=d>Name</div></div>`,
	}))
}

func flexPages(bodies map[string]string) map[string]string {
	pages := map[string]string{}
	for name, body := range bodies {
		pages[name] = flexStyle + body
	}
	return pages
}
