package layout_test

import (
	"math"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// walkTables calls visit for each fragment with the place of its border box.
func walkTables(f *fragment.Fragment, x, y float64, visit func(f *fragment.Fragment, x, y float64)) {
	x, y = x+f.X, y+f.Y
	visit(f, x, y)
	for _, c := range f.Children {
		walkTables(c, x, y, visit)
	}
}

func TestColumnsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"plain": `<!DOCTYPE html><body><table style="border-spacing:5px;border:3px solid;padding:2px"><colgroup id=g><col id=a><col id=b span=2></colgroup><colgroup id=h span=1><col id=z>
			<tr><td>one<td>two<td>three<td>four<td>five<tr><td colspan=5>all`,
		"rtl":      `<!DOCTYPE html><body><table dir=rtl style="width:300px"><col id=a><col id=b span=2><tr><td>one<td>two<td>three<td>four`,
		"collapse": `<!DOCTYPE html><body><table style="border-collapse:collapse"><col id=a style="border:4px solid"><col id=b><tr><td>one<td>two`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := layouttest.Browser(t, page)
			found := 0
			walkTables(layouttest.Layout(t, page, nil), 0, 0, func(f *fragment.Fragment, x, y float64) {
				if f.Table == nil {
					return
				}
				for _, c := range f.Table.Columns {
					id, _ := c.Box.Node.Attr("id")
					if id == "" { // a <colgroup> that the parser made
						continue
					}
					w, ok := want[id]
					got := layouttest.Rect{X: x + c.X, Y: y + c.Y, Width: c.Width, Height: c.Height}
					if !ok || math.Abs(got.X-w.X)+math.Abs(got.Y-w.Y)+math.Abs(got.Width-w.Width)+math.Abs(got.Height-w.Height) > 0.5 {
						t.Errorf("column %q is at %v, in the browser %v", id, got, w)
					}
					found++
				}
			})
			if found != len(want) {
				t.Errorf("%d of %d columns", found, len(want))
			}
		})
	}
}

func TestEmptyCellsMayBeHidden(t *testing.T) {
	t.Parallel()
	const page = `<!DOCTYPE html><style>td{border:1px solid} table{empty-cells:hide}</style><body>
		<table><tr><td id=text>a<td id=nothing><td id=blank> <td id=box><div></div><td id=show style="empty-cells:show"></table>
		<table style="border-collapse:collapse"><tr><td id=collapsed></table>`
	want := map[string]bool{"text": false, "nothing": true, "blank": true, "box": false, "show": false, "collapsed": false}
	walkTables(layouttest.Layout(t, page, nil), 0, 0, func(f *fragment.Fragment, _, _ float64) {
		if f.Box.Node == nil {
			return
		}
		id, _ := f.Box.Node.Attr("id")
		if hidden, ok := want[id]; ok && f.Hidden != hidden {
			t.Errorf("the cell %q: hidden is %v", id, f.Hidden)
		}
		delete(want, id)
	})
	if len(want) > 0 {
		t.Errorf("these cells are not there: %v", want)
	}
}
