package native_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// samples are values that are no keywords.
const samples = `0|7px|-5px|1.5em|50%|-20%|calc(50% - 8px)|min(30px, 40%)|clamp(5px, 30%, 20px)|2ch|1ex|1lh|2rem|4q|2mm|3|0.5|-1|700|30deg
red|#0a05|rgb(0 0 200 / 50%)|hsl(120 50% 40%)|oklch(60% 0.2 30)|color-mix(in srgb, red, blue)|currentcolor|transparent
url(PIXELS)|linear-gradient(to right, red, blue)|linear-gradient(45deg, red 20%, lime 20% 60%, blue)|radial-gradient(circle at 30% 40%, red, blue 50%)|repeating-linear-gradient(90deg, red 0 5px, lime 5px 10px)|conic-gradient(red, blue)
"x"|"»"|"(" ")"|"a" counter(item) "b"|attr(title)|counters(item, ".")|open-quote "q" close-quote|item 5|item|list-item 7
translate(10px, 20%)|rotate(20deg)|scale(0.5)|skew(20deg)|matrix(1, 0.2, 0, 1, 5, 5)|10px 20px|right 10px bottom 5px|top left|center
1fr 2fr|repeat(3, 1fr)|minmax(20px, 1fr) 40px|repeat(auto-fill, 30px)|[a] 40px [b] 1fr [c]|fit-content(40px)|"a a b" "c d b"|b|span 2|2|-1|1 / 3|2 / span 2|row dense|column dense
Noto Serif|monospace|Noto Sans Mono, serif|16 / 9|1 / 2|auto 1 / 2|"tnum"|"liga" 0|"kern" off|tabular-nums slashed-zero|underline overline|5px 3px|no-repeat repeat|space round|50% auto|20px 10px`

// pool are all words that the table of properties may take, and the samples.
func pool(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("css/property/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	words := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "class.go") || strings.HasSuffix(file, "names.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, _ := strconv.Unquote(l.Value)
				for w := range strings.FieldsSeq(text) {
					if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-0123456789") == "" && !property.CSSWide(w) && w != "-internal-center" {
						words[w] = true
					}
				}
			}
			return true
		})
	}
	var list []string
	for w := range words {
		list = append(list, w)
	}
	slices.Sort(list)
	for line := range strings.SplitSeq(samples, "\n") {
		list = append(list, strings.Split(line, "|")...)
	}
	return list
}

// accepted are the values of the pool that the table applies, for each property.
func accepted(t *testing.T, name string, pool []string) []string {
	t.Helper()
	context := &value.Context{FontSize: 14, RootFontSize: 16, ParentSize: 14, ParentWeight: 400, LineHeight: 18, RootLineHeight: 18, ViewportWidth: 600, ViewportHeight: 900, Ex: 7, Ch: 8}
	var list []string
	for _, text := range pool {
		values, err := syntax.ParseValues(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if _, outside, ok := property.Expand(name, context, values); ok && outside == "" {
			list = append(list, text)
		}
	}
	if most := 30; len(list) > len(pool)/2 { // any word is a name
		list = list[len(list)-most:]
	}
	return list
}

type scene struct{ name, html string }

// scenes are where a declaration is tried: it stands for §.
var scenes = []scene{
	{"block", `<div style="border:2px solid gray;padding:3px">ab cd <div title=tt style="background:#cfc;border:3px solid teal;§">Some text, that wraps «around» 012 fi</div> after text</div>`},
	{"inline", `<p>Text before <span title=tt style="background:#fcc;border:1px solid red;§">of a <b>span</b> that wraps, 10</span> text after that goes on</p>`},
	{"before", `<style>$ p::before { content: "xy"; background: #ccf; § }</style><p title=tt>Text of a paragraph that has more lines than one</p>`},
	{"flex", `<div style="display:flex;height:90px;border:1px solid;§"><div style="background:#fcc">one</div><div style="background:#cfc;font-size:20px">two<br>2</div><div style="background:#ccf">three</div></div>`},
	{"flex item", `<div style="display:flex;height:90px;border:1px solid"><div style="background:#fcc">one</div><div title=tt style="background:#cfc;border:1px solid;§">two two</div><div style="background:#ccf">three</div></div>`},
	{"column item", `<div style="display:flex;flex-direction:column;height:110px;border:1px solid"><div style="background:#fcc">one</div><div title=tt style="background:#cfc;border:1px solid;§">two two</div><div style="background:#ccf">three</div></div>`},
	{"grid", `<div style="display:grid;height:90px;border:1px solid;grid-template-columns:40px 60px;§"><div style="background:#fcc">one</div><div style="background:#cfc;grid-area:b">two</div><div style="background:#ccf">three</div><div style="background:#fcf">4</div></div>`},
	{"grid item", `<div style="display:grid;height:90px;border:1px solid;grid-template:40px 30px / 60px 70px"><div style="background:#fcc">one</div><div title=tt style="background:#cfc;border:1px solid;§">two</div><div style="background:#ccf">three</div></div>`},
	{"table", `<table border=1 style="§"><caption>cap</caption><tr><td>one<td>two words<tr><td><td style="height:40px">three 3</table>`},
	{"row", `<table border=1><tr><td>one<td>two words<tr title=tt style="background:#cfc;§"><td>a<td style="height:40px">three 3<tr><td>x<td>y</table>`},
	{"cell", `<table border=1><tr><td>one<td style="height:50px">two words<tr><td title=tt style="background:#cfc;§">cell a<td style="height:40px">three 3</table>`},
	{"column", `<table border=1><col><col style="background:#cfc;§"><tr><td>one<td>two words<tr><td>a<td>three 3</table>`},
	{"list", `<ul style="margin:0;§"><li>one one one one one one one<li>two<ol><li>in</ol></ul>`},
	{"item", `<ol style="margin:0"><li>one<li title=tt style="background:#cfc;§">two two two two two two two<li>three</ol>`},
	{"float", `<div>text that is <div title=tt style="float:left;background:#cfc;border:2px solid;§">float</div> around a float and goes on and on after it</div>`},
	{"absolute", `<div style="position:relative;height:80px;border:1px solid">text <div title=tt style="position:absolute;background:#cfc;border:2px solid;§">absolute</div> after</div>`},
	{"absolute at", `<div style="position:relative;height:80px;border:1px solid">text <div title=tt style="position:absolute;left:10px;right:30px;top:5px;bottom:8px;background:#cfc;border:2px solid;§">absolute</div> after</div>`},
	{"relative", `<div style="height:80px;border:1px solid">text <div title=tt style="position:relative;z-index:1;background:#cfc;border:2px solid;§">relative</div> after <div style="position:relative;margin-top:-10px;background:#fcc8">over</div></div>`},
	{"image", `<div style="border:1px solid">text <img src="PIXELS" title=tt style="width:60px;height:50px;background:#fcf;§"> after</div>`},
	{"image auto", `<div style="border:1px solid">text <img src="PIXELS" title=tt style="background:#fcf;§"> after</div>`},
	{"inline-block", `<div style="border:1px solid">text <span title=tt style="display:inline-block;width:60px;background:#cfc;border:2px solid;§">inline block</span> after text</div>`},
	{"parent", `<div style="border:1px solid;width:150px;min-height:60px;background:#eee;§">text <i>text</i> <span style="display:inline-block;width:30px;height:30px;background:red"></span> word
	and more of it</div>`},
	{"overflow", `<div title=tt style="width:80px;height:40px;border:3px solid teal;background:#eee;§"><div style="width:120px;height:60px;background:#f008">a long text in a small box</div></div>`},
	{"background", `<div title=tt style="width:120px;height:70px;border:8px dashed teal;padding:6px;background:url(PIXELS) no-repeat #eee;§">text</div>`},
	{"borders", `<div title=tt style="width:120px;height:60px;border:8px solid teal;outline:2px solid red;margin:8px;background:#eee;§">text</div>`},
	{"decoration", `<p style="font-size:20px;text-decoration:underline red;§">Under the line <b>text</b></p>`},
	{"rtl", `<div dir=rtl style="border:1px solid;padding:3px">שלום ab <div title=tt style="background:#cfc;border:3px solid teal;width:120px;§">שלום text עולם that wraps</div> after</div>`},
	{"pre", `<pre style="margin:0;border:1px solid;width:120px;§">a	b  c
  d e ffffffffffff ggggg hhh
</pre>`},
	{"svg", `<svg width=150 height=100 viewBox="0 0 75 50" style="border:1px solid"><path title=tt style="stroke:red;stroke-width:3;fill:#ccf;§" d="M10 10 L60 15 L20 40 L50 45 L40 5 Z"/></svg>`},
	{"svg box", `<svg title=tt width=100 height=60 viewBox="0 0 75 75" style="border:1px solid;§"><rect x=5 y=5 width=60 height=60 fill=red /></svg> x`},
	{"link", `<p>a <a href="https://example.com/" style="§">link</a> and <a name=x style="§">none</a></p>`},
}

// quarters is a picture of 24×16 pixels: red, green, blue and yellow.
const quarters = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAI0lEQVR42mP4z8BAEDGcIAKNGjSiDSLGqP8nGAiiUYNGtEEAUby08FHkOBAAAAAASUVORK5CYII="

// untried are declarations that cannot stand on a sheet with others, or whose pictures differ although nothing does: Chromium's own PDFs
// shift patterns by parts of a pixel, and dashes begin elsewhere.
var untried = map[string]bool{
	"position: fixed": true, "background-repeat: repeat": true, "background-repeat: round": true, "background-repeat: space": true,
	"background-repeat: space repeat": true, "background-repeat: repeat-x": true, "background-repeat: repeat-y": true,
	"background-image: url(PIXELS)": true, "outline-style: dotted": true, "outline-style: dashed": true,
}

// chosen reports whether a value is tried when not all are: some of the words, and fewer of the numbers, which are much alike.
func chosen(turn int, v string) bool {
	if strings.Trim(v, "abcdefghijklmnopqrstuvwxyz-") == "" {
		return turn%2 == 0
	}
	return turn%10 == 0
}

// A part of the values of each property, or each when the environment says so, is tried in one of the scenes that suit it; all scenes have their
// turn.
func TestEachValueOfAPropertyLooksAsInTheBrowser(t *testing.T) {
	t.Parallel()
	words := pool(t)
	ours, theirs := engine(t), browser(t)
	all := os.Getenv("PLATEN_SILENCE") == "all"
	var trials []trial
	turn := 0
	for _, p := range property.All {
		suited := scenesOf(p.Name)
		for _, v := range accepted(t, p.Name, words) {
			if len(suited) == 0 || untried[p.Name+": "+v] {
				continue
			}
			turn++
			if !all && !chosen(turn, v) {
				continue
			}
			trials = append(trials, scenes[suited[turn%len(suited)]].with(p.Name, v))
		}
	}
	t.Logf("%d values", len(trials))
	compareAll(t, ours, theirs, inside(t, ours, trials))
}

// with is the scene with a declaration.
func (s scene) with(name, value string) trial {
	declaration := name + ":" + strings.ReplaceAll(value, `"`, "'")
	html := strings.ReplaceAll(strings.ReplaceAll(s.html, "§", declaration), "PIXELS", quarters)
	return trial{name: name + ": " + value + " in " + s.name, html: html}
}

// scenesOf are the scenes that suit a property.
func scenesOf(name string) []int {
	for _, g := range groups {
		for prefix := range strings.FieldsSeq(g.names) {
			if strings.HasPrefix(name, prefix) {
				return g.scenes()
			}
		}
	}
	return nil
}

func (g group) scenes() []int {
	var list []int
	for i, s := range scenes {
		if slices.Contains(strings.Split(g.suited, ","), s.name) {
			list = append(list, i)
		}
	}
	return list
}

// group are properties, by how their names begin, and the scenes that suit them.
type group struct{ names, suited string }

var groups = []group{
	{"text-decoration", "inline,decoration,block"},
	{"font color direction text- line-height letter word white tab overflow-wrap hyphens quotes unicode", "block,inline,before,parent,cell,rtl,pre,decoration,item"},
	{"line-break", "block"},
	{"flex order align- justify- row-gap column-gap grid", "flex,flex item,column item,grid,grid item,absolute at,absolute,block,cell"},
	{"-webkit-border caption empty border-collapse table", "table,cell,row"},
	{"list counter", "list,item,before,block"},
	{"content quotes", "before,block,image"},
	{"fill stroke stop clip-rule", "svg,svg box"},
	{"background", "inline,background,table,row,cell,column,svg box,image,block"},
	{"border outline", "inline,borders,table,row,cell,column,svg box,image,item"},
	{"opacity transform translate rotate scale visibility print", "block,inline,row,cell,column,inline-block,image,svg,svg box,relative,item,flex item,before"},
	{"overflow object", "overflow,cell,image,svg box,inline,float,flex item,block,image auto"},
	{"display position float clear", "block,inline,before,flex,flex item,column item,grid item,table,row,cell,list,item,image,inline-block,absolute,rtl,svg box"},
	{"width height min max aspect box-sizing top right bottom left margin padding vertical z-index", "block,inline,flex,flex item,column item,grid,grid item,table,row,cell,column,item,float,absolute,absolute at,relative,image,image auto,inline-block,parent,rtl,svg box,before"},
}
