package chromium_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font/gofont/gosmallcaps"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// headed asks for a tagged document with a font that comes later than the page. Which of the cells of a header the browser numbers first depends on
// when it has come.
func headed(body string) render.Request {
	req := rendertest.Page(`<!DOCTYPE html><title>x</title><style>@font-face{font-family:B;src:url("asset:b.ttf")} body{font:12pt B} th,td{text-align:left}</style>` + body)
	req.Resources = map[string]render.Resource{"asset:b.ttf": {ContentType: "font/ttf", Body: gosmallcaps.TTF}}
	req.Output.Tagged = true
	return req
}

const (
	oneTable = `<h1>A</h1><table><thead><tr><th>P<th>Q</thead><tr><td>1<td>2<tr><td>3<td>4</table><p>end`
	// sides has headers of rows and groups, of which one is empty.
	sides = `<h2>B</h2><table><thead><tr><th><th colspan=2 scope=colgroup>Both<tr><th scope=col>Kind<th id=p>Price<th id=q>Sum</thead>
		<tr><th scope=row>One<td headers="q p">1<td>2<tr><th scope=row rowspan=2>Two<td>3<td>4<tr><td>5<td>6</table>`
	// inside has headers of nothing, and a table in a cell.
	inside = `<table><tr><th>Outer<th></th><tr><td><table><tr><th>Inner<tr><td>7</table><td>8</table>`
)

// long is a table of two pages and more, whose head is on each of them.
func long() string {
	var b strings.Builder
	b.WriteString("<h2>C</h2><table><thead><tr><th>Day<th>Text<th>Amount</thead>")
	for i := range 120 {
		fmt.Fprintf(&b, "<tr><td>%d<td>of many<td>%d.00", i, i)
	}
	return b.String() + "</table>"
}

// sameBytes renders requests so many times in each of two processes.
func sameBytes(t *testing.T, times int, requests map[string]render.Request) map[string][]byte {
	t.Helper()
	engines := []*chromium.Engine{newEngine(t, chromium.Options{Pool: 2}), newEngine(t, chromium.Options{})}
	first := map[string][]byte{}
	for name, req := range requests {
		_, first[name] = rendertest.Render(t, engines[0], req)
	}
	var group sync.WaitGroup
	for _, e := range engines {
		group.Go(func() {
			for range times {
				for name, req := range requests {
					if _, again := rendertest.Render(t, e, req); !bytes.Equal(first[name], again) {
						t.Errorf("%s: the same request has other bytes", name)
						return
					}
				}
			}
		})
	}
	group.Wait()
	return first
}

func TestWhenAFontArrivesIsNotToBeSeenInTheStructure(t *testing.T) {
	t.Parallel()
	tagged, outlined := headed(oneTable), headed(oneTable)
	outlined.Output.Tagged, outlined.Output.Outline = false, true
	for name, pdf := range sameBytes(t, 15, map[string]render.Request{"tagged": tagged, "outlined": outlined}) {
		checkHeaders(t, name, pdf)
	}
}

func TestManyTablesHaveOneStructure(t *testing.T) {
	t.Parallel()
	all := headed(oneTable + sides + inside + long() + strings.Repeat(oneTable, 60))
	all.Output.Outline = true
	for name, pdf := range sameBytes(t, 4, map[string]render.Request{"all": all}) {
		rendertest.CheckPDF(t, pdf)
		checkHeaders(t, name, pdf)
	}
}

// What the cells of the tables say that their headers are: those of the groups, of the columns and of the row.
func TestCellsNameTheirHeaders(t *testing.T) {
	t.Parallel()
	_, pdf := rendertest.Render(t, newEngine(t, chromium.Options{}), headed(oneTable+sides+inside))
	want := []string{"1", "2", "1", "2", "3 4 6", "3 5 6", "3 4 7", "3 5 7", "3 4 7", "3 5 7", "10", "8", "9"}
	if d := cmp.Diff(want, checkHeaders(t, "all", pdf)); d != "" {
		t.Error(d)
	}
}

var (
	element = regexp.MustCompile(`(?s)(\d+) 0 obj\n<</Type /StructElem(.*?)\nendobj`)
	bearing = regexp.MustCompile(`/ID \(node0*(\d+)\)`)
	headers = regexp.MustCompile(`/Headers \[([^\]]*)\]`)
	leaf    = regexp.MustCompile(`/Limits (\[.*\])\s+/Names \[(.*)\]`)
	nodes   = regexp.MustCompile(`\(node0*(\d+)\)`)
)

// checkHeaders holds the names of elements against the tree that finds them, and returns what cells say of their headers.
func checkHeaders(t *testing.T, name string, pdf []byte) (of []string) {
	t.Helper()
	var names, told []string
	bears := map[int]string{} // what an object bears, if anything
	for _, m := range element.FindAllSubmatch(pdf, -1) {
		object, _ := strconv.Atoi(string(m[1]))
		if id := bearing.FindSubmatch(m[2]); id != nil {
			bears[object] = string(id[1])
		}
		if h := headers.FindSubmatch(m[2]); h != nil {
			of = append(of, nodes.ReplaceAllString(string(h[1]), "$1"))
		}
	}
	for i, object := range slices.Sorted(maps.Keys(bears)) {
		if bears[object] != strconv.Itoa(i+1) {
			t.Errorf("%s: object %d is number %s, want %d", name, object, bears[object], i+1)
		}
		names = append(names, fmt.Sprintf("(node%08d) %d 0 R", i+1, object))
	}
	limits := fmt.Sprintf("[(node%08d) (node%08d)]", 1, len(names))
	for _, m := range leaf.FindAllSubmatch(pdf, -1) {
		told = append(told, string(m[1]), string(m[2]))
	}
	if d := cmp.Diff([]string{limits, strings.Join(names, " ")}, told); d != "" || len(of) == 0 {
		t.Errorf("%s: %d cells with headers, name tree: %s", name, len(of), d)
	}
	return of
}
