package layout_test

import "testing"

func TestInlineContentIsWhereTheBrowserHasIt(t *testing.T) {
	t.Parallel()
	const words = `Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. `
	const style = `<style>.l{float:left;width:100px;height:50px}.r{float:right;width:100px;height:50px}.i{display:inline-block;width:30px;height:20px}.d{height:10px}</style>`
	compareAll(t, map[string]string{
		"paragraph":             `<body id=b><p id=a>` + words + words + `<p id=c>` + words,
		"line height":           `<body style="line-height:2"><p id=a>` + words + words + `<p id=c style="line-height:30px">x<p id=d style="font-size:30px;line-height:normal">x`,
		"spans":                 `<body><p id=a>one <b id=c>two</b> <i id=d style="padding:5px;border:1px solid">three</i> ` + words + `<span id=e>` + words + `</span>`,
		"blank":                 `<body id=b><p id=a> </p><div id=c>  <span> </span> </div><div id=d style="margin:10px"><span></span></div><div id=e class=d></div>`,
		"blank with edges":      `<body id=b><div id=d style="margin:10px"><span style="padding:1px"></span></div><div id=e class=d></div><div id=f><br></div><div id=g style="white-space:pre"> </div>`,
		"float at the start":    style + `<body id=b><p id=p><span id=a class=l></span>` + words + words,
		"float in the middle":   style + `<body id=b><div id=p style="width:300px">some words <span id=a class=l></span> and more <span id=c class=r></span>` + words + `</div>`,
		"float does not fit":    style + `<body id=b><div id=p style="width:200px">some words in here <span id=a class=l></span>` + words + `</div>`,
		"floats from before":    style + `<body id=b><div id=a class=l></div><div id=c class=r style="height:30px"></div><p id=p style="margin:0">` + words + words + `<div id=d class=d></div>`,
		"only floats":           style + `<body id=b><div id=p> <span id=a class=l></span> <span id=c class=l></span> </div><div id=d class=d></div>`,
		"word too wide":         style + `<body id=b><div style="width:150px" id=p><div class=l></div><span id=a>incomprehensibilities</span> and on</div>`,
		"float and margin":      style + `<body id=b><div id=p><span id=a class=l></span><p id=c>text</p></div>`,
		"inline block":          style + `<body><div id=p>a <span id=a class=i></span> b <span id=c class=i style="margin:5px">x</span> <span id=d style="display:inline-block;padding:3px">x<br>y</span></div>`,
		"inline block shrinks":  style + `<body><div id=p style="width:300px"><span id=a style="display:inline-block">` + words + `</span> <span id=c style="display:inline-block"><p id=d>some words<p id=e>more</span></div>`,
		"inline block hidden":   style + `<body><div id=p>a <span id=a style="display:inline-block;overflow:hidden;height:40px">x</span> <span id=c style="display:inline-block;vertical-align:top">x<br>y</span></div>`,
		"images":                `<body><div id=p>a <svg id=a width=20 height=30></svg> b <svg id=c width=20 height=30 style="vertical-align:middle"></svg><svg id=d width=20 height=5 style="vertical-align:bottom"></svg></div>`,
		"shrink to text":        `<body><div id=a style="float:left">some text</div><div id=c style="float:left;clear:left;max-width:100px">some text that is long</div><div id=d style="position:absolute;left:700px">some text that is long and more</div>`,
		"min content":           `<body><div id=a style="width:min-content">some incomprehensible text</div><div id=c style="width:max-content">some <b>text</b></div><div id=d style="width:fit-content"> some <span class=i></span></div>`,
		"list":                  `<body><ul id=u><li id=a>one<li id=c>two<ul id=v><li id=d>three</ul></ul><ol id=o><li id=e><p id=f>para<li id=g></ol>`,
		"list margins":          `<body id=b><ul id=u style="margin:0;padding:0;list-style-position:inside"><li id=a>one<li id=c><span id=d>two</span></ul><ol id=o style="list-style:none"><li id=e></li><li id=f>x</ol>`,
		"block in inline":       `<body id=b><span>text <div id=c>block</div> <b id=a>more</b></span>`,
		"text align":            `<body style="text-align:center"><div id=p>some <span id=a>text</span></div><div id=q style="text-align:right"><span id=c>x</span></div><div id=r style="width:200px;text-align:justify">` + words + `<span id=d>end</span></div>`,
		"indent":                `<body><p style="text-indent:50px"><span id=a>x</span><p style="text-indent:10%"><span id=c>x</span>`,
		"positioned in a line":  style + `<body><div id=p style="position:relative">some words <b id=a style="position:absolute">abs</b> more <b id=c style="position:absolute;right:0">abs</b></div><p>x<div style="position:absolute" id=d>y</div></p>`,
		"block in a line":       style + `<body><div id=p style="position:relative">some words <div id=a style="position:absolute">abs</div> more</div>`,
		"in a relative span":    style + `<body><div id=p>some <span id=s style="position:relative">words <b id=a style="position:absolute;left:0;top:100%">abs</b><b id=c style="position:absolute;right:0;bottom:0">a</b></span> more</div>`,
		"moved span":            style + `<body><div id=p>some <span id=s style="position:relative;left:10px;top:5px">words <b id=a>x</b> <b id=i class=i></b></span> more</div>`,
		"root beside text":      style + `<body><div class=l></div><div id=a style="overflow:hidden">` + words + words + `</div>`,
		"empty item":            `<body><ul><li id=a></li><li id=c> </li></ul>`,
		"item of a block":       `<body id=b><ul id=u><li id=a><div id=c style="margin-top:30px">x</div></li></ul>`,
		"clearing break":        style + `<body><div id=p><span class=l></span>text<br clear=all><span id=a>below</span></div>`,
		"clearing at the end":   style + `<body id=b><div id=p><span class=l></span>text<br clear=all></div><div id=a class=d></div>`,
		"clearing left":         style + `<body id=b><div id=p><span class=l></span><span class=r style="height:90px"></span>text<br style="clear:left"><span id=a>below</span></div>`,
		"rtl list":              `<body dir=rtl><ul id=u><li id=a>one<li id=c>two</ul><ul style="list-style-position:inside"><li id=d><span id=e>three</span></ul><ol><li><b id=f>one</b></ol>`,
		"inside markers":        `<body><ul style="list-style-position:inside"><li style="list-style-type:square"><b id=a>one</b><li style="list-style-type:decimal"><b id=c>two</b><li style="list-style-type:'-'"><b id=d>three</b><li style="list-style-type:circle;font-size:30px"><b id=e>four</b></ul>`,
		"rtl lines":             style + `<body dir=rtl><div id=p><span class=l></span><b id=a>some</b> text <span class=r></span></div><div style="width:200px" id=q><b id=c>a b c d e f g h i j k</b> l m n o p q r s t u v w x y z</div>`,
		"item of a table":       `<body id=b><ul id=u><li id=a><div style="overflow:hidden" id=c>x</div></li><li id=d><p id=e>y</li></ul>`,
		"small item":            `<body id=b><ul id=u style="font-size:20px"><li id=a><span style="font-size:8px" id=c>x</span><li id=d style="line-height:5px"></li></ul>`,
		"nowrap and floats":     style + `<body><div id=p style="width:200px;white-space:nowrap"><span class=l></span><b id=a>some words that do not fit</b> <b id=c>x</b></div>`,
		"nowrap span and float": style + `<body><div id=p style="width:200px"><span class=l></span><span style="white-space:nowrap" id=a>some words that do not fit</span> <b id=c>x</b></div>`,
		"anonymous blocks":      `<body id=b>some text<div id=a style="margin:20px 0">block</div>more <b id=c>text</b><p id=d>p</p> <b id=e>x</b>`,
		"blank between blocks":  `<body id=b><div id=a style="margin:20px 0">block</div> <div id=c style="margin:30px 0"> <p id=d>x</p> </div> `,
		"pre":                   "<body><pre id=a style='float:left'>one\n  two\tx</pre><div id=c style='white-space:pre-line;width:min-content'>a b\n c</div>",
		"tall inline block":     style + `<body><div id=p style="line-height:10px">a<span id=a style="display:inline-block;height:50px;width:10px"></span></div><div id=q>b<span id=c style="display:inline-block;vertical-align:middle;height:50px;width:10px"></span></div>`,
		"empty inline block":    `<body><div id=p>a<span id=a style="display:inline-block"></span>b</div><div id=q><span id=c style="display:inline-block;width:5px"></span></div>`,
		"percent in shrink":     style + `<body><div id=p style="float:left"><div id=a style="width:50%">some words here</div></div><div id=q style="float:left;clear:left"><span id=c style="display:inline-block;width:50%">some words</span></div><div id=r style="float:left;padding:10%;clear:left"><div id=s style="margin:10%">x</div></div>`,
		"heading and paragraph": `<body id=b><h1 id=a>Head</h1><p id=c>Text</p><h2 id=d>Two</h2><blockquote id=e><p id=f>x</blockquote><pre id=g>a
b</pre><hr id=h><dl id=i><dt id=j>x<dd id=k>y</dl>`,
	})
}
