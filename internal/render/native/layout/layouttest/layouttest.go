// Package layouttest holds layout against a browser: a page is laid out by both with the embedded fonts, and the border box of every
// element that has an id must be the same. A test package that uses it runs its tests in [Main].
package layouttest

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
)

// Width and Height are the size of the area, and of the browser's window, in CSS pixels.
const (
	Width  = 800
	Height = 600
)

// tolerance is how many pixels may be between both.
const tolerance = 0.5

// Rect is a border box from the corner of the area.
type Rect struct{ X, Y, Width, Height float64 }

// String is the rectangle as people read it.
func (r Rect) String() string {
	return fmt.Sprintf("%.2f,%.2f %.2f×%.2f", r.X, r.Y, r.Width, r.Height)
}

// Compare fails the test for each element with an id whose border box is not that of the browser by half a pixel. A page without
// <!DOCTYPE> is given one.
func Compare(tb testing.TB, page string) {
	tb.Helper()
	CompareWith(tb, page, nil)
}

// CompareWith is [Compare] for a page that names resources. Names that are data: addresses are not needed in there.
func CompareWith(tb testing.TB, page string, resources map[string]render.Resource) {
	tb.Helper()
	compare(tb, whole(page), resources)
}

// CompareOld is [Compare] for a page that may have no doctype, or an old one.
func CompareOld(tb testing.TB, page string) {
	tb.Helper()
	compare(tb, page, nil)
}

func compare(tb testing.TB, page string, resources map[string]render.Resource) {
	tb.Helper()
	want := Browser(tb, page)
	if len(want) == 0 {
		tb.Fatal("no element of the page has an id")
	}
	got := Rects(Layout(tb, page, resources))
	for _, id := range sorted(want) {
		w := want[id]
		g, ok := got[id]
		switch {
		case !ok && w.Width == 0 && w.Height == 0: // not displayed, or empty
		case !ok:
			tb.Errorf("#%s is not laid out, in the browser %v", id, w)
		case !g.near(w):
			tb.Errorf("#%s is at %v, in the browser %v", id, g, w)
		}
	}
}

func (r Rect) near(o Rect) bool {
	for _, d := range []float64{r.X - o.X, r.Y - o.Y, r.Width - o.Width, r.Height - o.Height} {
		if !(math.Abs(d) <= tolerance) {
			return false
		}
	}
	return true
}

// whole gives a page what makes browsers read it by today's rules.
func whole(page string) string {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(page)), "<!doctype") {
		return page
	}
	return "<!DOCTYPE html>" + page
}

func sorted(rects map[string]Rect) []string {
	ids := make([]string, 0, len(rects))
	for id := range rects {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}
