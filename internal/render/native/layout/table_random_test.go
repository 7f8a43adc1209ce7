package layout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// TestTablesOfAllSortsAreAsInTheBrowser compares tables that were put together at random; the seeds are always the same.
func TestTablesOfAllSortsAreAsInTheBrowser(t *testing.T) {
	t.Parallel()
	for seed := range uint64(randomTables) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := &tableMaker{r: rand.New(rand.NewPCG(seed, 1))}
			page := "<style>" + words + "td{direction:ltr}</style><body>" + g.table(0)
			layouttest.Compare(t, page)
			if t.Failed() {
				t.Log(page)
			}
		})
	}
}

const randomTables = 200

// tableMaker writes tables.
type tableMaker struct {
	r *rand.Rand
	n int
	// spans are those that cells may have: cells do not overlap in tables whose borders collapse.
	spans []string
	// rtl says that no tables are nested: Chromium mixes up the borders of cells that are written in the other direction.
	rtl bool
}

// one returns one of some words; "" counts as one.
func (g *tableMaker) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *tableMaker) tag(name string, styles ...string) string {
	g.n++
	style := strings.Join(styles, "")
	return fmt.Sprintf("<%s id=%s%d style=%q>", name, name, g.n, style)
}

func (g *tableMaker) table(depth int) string {
	var s strings.Builder
	collapse := g.one("", "border-collapse:collapse;", "border-collapse:collapse; ")
	outer := g.spans
	defer func() { g.spans = outer }()
	g.spans = map[string][]string{
		"":                           {"", "", "", "", " colspan=2", " colspan=3", " rowspan=2", " rowspan=2 colspan=2", " rowspan=0"},
		"border-collapse:collapse;":  {"", "", "", " colspan=2", " colspan=3"},
		"border-collapse:collapse; ": {"", "", "", " rowspan=2", " rowspan=0"},
	}[collapse]
	direction := g.one("", "", "", "direction:rtl;")
	g.rtl = direction != ""
	s.WriteString(g.tag("table",
		g.one("", "width:300px;", "width:100%;", "width:50px;", "width:60%;"), g.one("", "", "height:200px;", "min-height:150px;"),
		g.one("", "", "table-layout:fixed;"), g.one("", "", "border-spacing:0;", "border-spacing:7px 3px;"),
		g.one("", "", "border:3px solid;"), g.one("", "", "padding:6px;"), collapse, direction))
	for range g.r.IntN(3) {
		fmt.Fprintf(&s, "<col span=%d style=%q>", 1+g.r.IntN(2), g.one("", "width:40px;", "width:20%;", "min-width:50px;"))
	}
	for range 1 + g.r.IntN(3) {
		s.WriteString(g.tag(g.one("tbody", "tbody", "thead", "tfoot"), g.one("", "", "", "height:90px;", "height:30%;", "border:4px solid;")))
		for range 1 + g.r.IntN(3) {
			s.WriteString(g.tag("tr", g.one("", "", "", "height:40px;", "height:20%;", "vertical-align:bottom;", "border:2px solid;")))
			for range 1 + g.r.IntN(4) {
				s.WriteString(g.cell(depth))
			}
		}
	}
	return s.String() + "</table>"
}

func (g *tableMaker) cell(depth int) string {
	tag := g.tag("td", g.one("", "", "", "width:60px;", "width:30%;", "width:5%;"), g.one("", "", "", "height:50px;", "height:40%;"),
		g.one("", "", "", "padding:5px 9px;", "padding:4%;"), g.one("", "", "", "border:1px solid;", "border:6px solid;", "border-left:9px solid;"),
		g.one("", "", "", "", "min-width:70px;", "max-width:30px;"), g.one("", "", "", "vertical-align:top;", "vertical-align:bottom;"),
		g.one("", "", "", "box-sizing:border-box;"))
	span := g.one(g.spans...)
	tag = strings.TrimSuffix(tag, ">") + span + ">"
	if depth == 0 && !g.rtl && g.r.IntN(12) == 0 {
		return tag + g.table(1)
	}
	return tag + strings.Repeat(g.one("<i></i>", "<i class=w></i>", "<b></b>"), g.r.IntN(4))
}
