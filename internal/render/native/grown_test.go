package native_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// lengths are those that arithmetic goes wrong with, among some of every day.
const lengths = "0 1px 7px 40px 3cm 50% 100% -5px -1e9px 1e9px 1e30px 1e-30px .01px 2em 30rem auto none calc(1px/0) calc(-1px/0) " +
	"calc(0px*0/0) calc(50%-9px) min-content max-content fit-content 300% 1fr normal"

// words are what a declaration of each property may say: a name, and values between blanks.
var words = strings.Split(strings.TrimSpace(`
display: block inline inline-block flow-root list-item flex inline-flex grid inline-grid table inline-table table-row-group table-row table-cell table-caption table-column contents none
position: static relative absolute fixed
float: none left right
clear: left right both
box-sizing: border-box
overflow: visible hidden
width: `+lengths+`
height: `+lengths+`
min-width: `+lengths+`
max-width: `+lengths+`
min-height: `+lengths+`
max-height: `+lengths+`
margin: `+lengths+`
margin-left: `+lengths+`
margin-top: `+lengths+`
padding: `+lengths+`
inset: `+lengths+`
top: `+lengths+`
right: `+lengths+`
gap: `+lengths+`
text-indent: `+lengths+`
letter-spacing: 0 1px -5px 3cm 1e9px -1e9px calc(1px/0)
word-spacing: 0 9px -5px 1e9px -1e9px
line-height: normal 0 1 1.5 100 1e30 `+lengths+`
font-size: 0 1px 6px 20px 100px 1000px 1e30px 1e-9px 300% larger
font-weight: 100 bold 900
font-family: serif monospace Own sans-serif
border: 1px|solid 3px|dashed|red 9px|dotted 1e9px|double .01px|dashed|#0008 40px|ridge
border-radius: `+lengths+`
outline: 1px|dashed|red 1e9px|solid
border-collapse: collapse
border-spacing: 0 9px 1e9px
table-layout: fixed
vertical-align: baseline sub top middle bottom text-top 40px -1e9px
opacity: 0 .5
transform: rotate(30deg) scale(0) scale(1e9) scale(1e-9) translate(1e9px,50%) skew(90deg) matrix(1,2,2,4,0,0) rotate(1e30turn)
transform-origin: 0|0 1e9px|50%
background: red linear-gradient(red,blue) linear-gradient(1e9deg,red,1e9px,blue) radial-gradient(red,blue) radial-gradient(0px|at|1e9px|0,red,50%,#0000) url(p)|0|0/.01px url(v)|0|0/9px|3px|round url(p)|space
aspect-ratio: 1 1/1e9 1e9 0/0
flex: 1 none 1|0|0 0|1|1e9px 1e9
flex-direction: row column row-reverse column-reverse
flex-wrap: wrap wrap-reverse
order: -1 9 2147483647
align-items: center flex-end baseline stretch
justify-content: center space-between space-around flex-end
align-self: center baseline
grid-template-columns: 1fr|1fr repeat(3,40px) repeat(auto-fill,30px) repeat(auto-fill,.001px) minmax(0,1fr)|auto 1e9px
grid-template-rows: 1fr 40px|auto
grid-column: 1/3 span|9 9999 -9999/9999
grid-row: 2 span|3 -1
grid-auto-flow: dense column
break-before: page avoid
break-after: page avoid
break-inside: avoid
orphans: 1 99 2147483647
widows: 1 99
white-space: pre nowrap pre-wrap pre-line
text-align: justify center right end
direction: rtl
unicode-bidi: isolate bidi-override plaintext
word-break: break-all keep-all
overflow-wrap: anywhere
text-transform: uppercase capitalize
text-decoration: underline line-through|wavy|9px
list-style: none square decimal lower-roman|inside upper-alpha url(p)
counter-reset: a a|2147483647 list-item
counter-increment: a a|-2147483648
content: "x" counter(a) counters(a,".",upper-roman) open-quote close-quote url(p) attr(id)
visibility: hidden
z-index: -1 2147483647
object-fit: cover contain
`), "\n")

// tamed makes the longest lengths less than a page.
var tamed = strings.NewReplacer("1e9px", "90px", "1e30px", "300px", "calc(1px/0)", "9px")

// elements are start tags, and texts between them.
var elements = strings.Split("<p|<div|<span|<b|<h1|<table|<tr|<td|<td colspan=3|<td rowspan=0|<th|<thead|<tfoot|<caption|<col span=2|<ul|<ol start=-3|<li|<li value=99999999|"+
	"<br|<hr|<img src=p alt=a|<img src=v|<img src=missing alt=b|<pre|<blockquote|<a href='#x'|<a id=x|<q|<sup|</p>|</div>|</span>|</b>|</table>|</td>|</tr>|</ul>|"+
	"text |two words and more of them |x|1,234.50 |\u05e9\u05dc\u05d5\u05dd |\u0633\u0644\u0627\u0645 |e\u0301\u0301|\u202e\u2066|\u200b\u00ad|\U0001f600|\u00a0\n|a very long paragraph that has to be broken into lines, once more, with feeling. |"+
	// pictures, closed
	"<svg width=20 height=20 viewBox='0 0 2 1' ><g transform='rotate(3)'><rect width=1 height=1 rx=9 /><path stroke=red stroke-dasharray='.001 1e9' d='M0 0A1 2 3 0 1 4 5z'/></g></svg>|"+
	"<svg viewBox='0 0 1e9 1e-9' ><linearGradient id=g href='#g'><stop offset=2 /><stop offset=-1 stop-color=red /></linearGradient><circle r=5e8 fill='url(#g)' /></svg>", "|")

// grown makes a page of bytes: styles first, then elements with styles of their own. Any bytes are a page.
func grown(data []byte) string {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	calm := next()%4 > 0 // without lengths that make too many pages of nearly everything
	declare := func() string {
		name, values, _ := strings.Cut(words[next()%len(words)], ": ")
		list := strings.Fields(values)
		text := strings.ReplaceAll(list[next()%len(list)], "|", " ")
		if calm {
			text = tamed.Replace(text)
		}
		return name + ":" + text
	}
	var b strings.Builder
	b.WriteString("<!doctype html><style>@font-face{font-family:Own;src:url(font)}")
	for _, selector := range []string{"p", "div", "span", "td", "b::before", "li", ":first-child"} {
		if next()%3 == 0 {
			fmt.Fprintf(&b, "%s{%s;%s}", selector, declare(), declare())
		}
	}
	if next()%8 == 0 {
		sizes := strings.Split("a5,100px 1px,1px 100px,1e9px 1e9px,10cm 3cm,0 0,3cm 1e-9px", ",")
		margins := strings.Split("0,1cm,1e9px,-1e9px,50%", ",")
		fmt.Fprintf(&b, "@page{size:%s;margin:%s;@top-left{content:'a'counter(pages);%s}}", sizes[next()%len(sizes)], margins[next()%len(margins)], declare())
	}
	b.WriteString("</style>")
	for len(data) > 0 {
		e := elements[next()%len(elements)]
		if !strings.HasPrefix(e, "<") || strings.HasSuffix(e, ">") {
			b.WriteString(e)
			continue
		}
		b.WriteString(e + ` style="`)
		for range next() % 5 {
			b.WriteString(declare() + ";")
		}
		b.WriteString(`">`)
	}
	return b.String()
}

// FuzzGrown draws pages that are made of what the engine knows, so that nearly all of them are laid out.
func FuzzGrown(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(noise(seed, 20+int(seed)*20))
	}
	e, resources := guarded(f, native.Options{MaxPages: 200}), fewResources(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 1000 {
			_, _ = ends(t, e, render.Request{HTML: grown(data), Resources: resources, Output: render.DefaultOutput(), MaxBytes: 32 << 20}, 20*time.Second)
		}
	})
}

// noise is bytes at random.
func noise(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}
