package layout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// randomBoxes is how many pages are made of each kind.
const randomBoxes = 150

// TestFlexBoxesAndGridsOfAllSortsAreAsInTheBrowser compares containers in containers that were put together at random; the seeds are
// always the same.
func TestFlexBoxesAndGridsOfAllSortsAreAsInTheBrowser(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"flex", "grid"} {
		for seed := range uint64(randomBoxes) {
			t.Run(fmt.Sprint(kind, seed), func(t *testing.T) {
				t.Parallel()
				g := &boxMaker{r: rand.New(rand.NewPCG(seed, 7))}
				page := flexStyle + g.container(kind, "position:relative", int(seed%3))
				layouttest.Compare(t, page)
				if t.Failed() {
					t.Log(page)
				}
			})
		}
	}
}

// boxMaker writes flex containers and grids. Columns do not wrap, and what is aligned by baselines has no height in per cent: there
// Chromium goes ways of its own.
type boxMaker struct {
	r *rand.Rand
	n int
}

// maybe is one declaration that a style may have: with this probability in percent one of the values.
type maybe struct {
	percent  int
	property string
	values   string // "|" between them
}

var containerStyles = []maybe{
	{30, "gap", "5px|10px 3px|2%|4mm"},
	{30, "justify-content", "center|flex-end|space-between|space-around|space-evenly|end|start"},
	{40, "align-items", "center|flex-end|flex-start|baseline|stretch|end"},
	{20, "align-content", "center|flex-end|space-between|start|stretch|space-around"},
	{25, "height", "60px|150px|120px"},
	{15, "min-height", "60px|150px"},
	{20, "padding", "5px|3px 7px|2%"},
	{10, "border", "2px solid"},
	{5, "direction", "rtl"},
}

var flexStyles = []maybe{
	{40, "flex-direction", "column|row-reverse|column-reverse|column"},
}

var gridStyles = []maybe{
	{80, "grid-template-columns", "1fr 1fr|auto 1fr|repeat(3,1fr)|100px auto 1fr|max-content 1fr|auto auto auto|minmax(50px,1fr) 2fr|repeat(auto-fit,minmax(90px,1fr))|" +
		"repeat(auto-fill,minmax(90px,1fr))|25% auto|min-content auto 1fr|fit-content(80px) 1fr|minmax(0,1fr) auto"},
	{30, "grid-template-rows", "1fr 1fr|auto 1fr|30px auto|50% auto|minmax(20px,auto) 2fr"},
	{20, "grid-auto-rows", "40px|1fr|minmax(30px,auto)|min-content"},
	{20, "justify-items", "center|end|start|stretch"},
	{20, "grid-auto-flow", "column|dense|row"},
}

var itemStyles = []maybe{
	{20, "width", "50px|120px|30%|50%|min-content|max-content"},
	{15, "height", "30px|50px"},
	{10, "min-width", "0|100px|20%"},
	{10, "max-width", "60px|100px|40%"},
	{10, "min-height", "0|40px"},
	{10, "max-height", "20px|40px"},
	{20, "padding", "5px|3px 7px|2%"},
	{15, "border", "1px solid|3px solid"},
	{20, "margin", "5px|auto|0 auto|2px 9px|3%"},
	{10, "margin-left", "auto"},
	{10, "box-sizing", "border-box"},
	{7, "overflow", "hidden"},
	{15, "align-self", "center|flex-end|flex-start|baseline|stretch|end"},
	{8, "order", "1|-1"},
	{8, "position", "relative;top:3px;left:2px|absolute"},
}

var flexItemStyles = []maybe{
	{40, "flex", "1|none|2|auto|1 0 50px|0 1 100px|1 1 30%|0 0 auto|1.4|1 1 0"},
}

var gridItemStyles = []maybe{
	{20, "justify-self", "center|end|start|stretch"},
	{15, "grid-column", "1/-1|span 2|2|1|1/3"},
	{12, "grid-row", "span 2|2|1|1/3"},
}

func (g *boxMaker) one(values string) string {
	list := strings.Split(values, "|")
	return list[g.r.IntN(len(list))]
}

func (g *boxMaker) style(tables ...[]maybe) string {
	var s strings.Builder
	for _, table := range tables {
		for _, m := range table {
			if g.r.IntN(100) < m.percent {
				s.WriteString(m.property + ":" + g.one(m.values) + ";")
			}
		}
	}
	return s.String()
}

func (g *boxMaker) container(kind, style string, depth int) string {
	g.n++
	own := gridStyles
	if kind == "flex" {
		own = flexStyles
	}
	styles := g.style(containerStyles, own)
	if kind == "flex" && !strings.Contains(styles, "column") && g.r.IntN(3) == 0 {
		styles += "flex-wrap:" + g.one("wrap|wrap-reverse")
	}
	head := fmt.Sprintf(`<div id=e%d style="display:%s;%s;%s">`, g.n, kind, styles, style)
	var items strings.Builder
	for range 1 + g.r.IntN(5) {
		items.WriteString(g.item(kind, depth))
	}
	return head + items.String() + "</div>"
}

func (g *boxMaker) item(parent string, depth int) string {
	own := gridItemStyles
	if parent == "flex" {
		own = flexItemStyles
	}
	style := g.style(itemStyles, own)
	if depth > 0 && g.r.IntN(3) == 0 {
		return g.container(g.one("flex|grid"), style, depth-1)
	}
	g.n++
	return fmt.Sprintf(`<div id=e%d style="%s">%s</div>`, g.n, style, g.one(
		`a|some words|some words that are rather long|incomprehensible|x<br>y|<div style="height:50%">p</div>|`+
			`<p style="margin:4px 0">para</p><p style="margin:4px">b</p>|<b style="font-size:24px;line-height:30px">Big</b>`))
}
