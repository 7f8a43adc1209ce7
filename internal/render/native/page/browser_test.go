package page_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/fidelity"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/corpus"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/text"
)

// timeout bounds one document.
const timeout = 2 * time.Minute

// library is shared by all tests: fonts are parsed once.
var library = sync.OnceValues(func() (*fonts.Library, error) { return fonts.New(context.Background(), "") })

// word is one word on a page, in CSS pixels from the corner of the sheet: where it begins and the middle of its height.
type word struct {
	text string
	x, y float64
}

func (w word) String() string { return fmt.Sprintf("%s@%.0f,%.0f", w.text, w.x, w.y) }

// browser starts the oracle.
func browser(t *testing.T) *chromium.Engine {
	t.Helper()
	e := chromium.New(chromium.Options{Pool: 2, FontDir: corpus.FontDir(t)})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := e.Probe(t.Context()); err != nil {
		t.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return e
}

// printed is what the browser makes of a page.
func printed(t *testing.T, e *chromium.Engine, req render.Request) [][]word {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	var pdf bytes.Buffer
	if _, err := e.Render(ctx, &pdf, req); err != nil {
		t.Fatal(err)
	}
	d, err := fidelity.Read(ctx, pdf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	pages := make([][]word, len(d.Pages))
	for _, w := range d.Words {
		pages[w.Page-1] = append(pages[w.Page-1], word{w.Text, w.Box.Left * 4 / 3, (w.Box.Top + w.Box.Bottom) / 2 * 4 / 3})
	}
	return pages
}

// paginated is what this package makes of a page.
func paginated(t *testing.T, req render.Request) []*page.Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	faces, err := library()
	if err != nil {
		t.Fatal(err)
	}
	setter := text.New(faces.NewSet())
	doc, err := dom.Parse(ctx, req.HTML, dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const mm = 96 / 25.4
	// Margins that are asked for, and not said by @page, become whole points in the browser.
	margin := func(millimeters float64) float64 { return math.Floor(millimeters*72/25.4) * 96 / 72 }
	o := req.Output
	found := cascade.Library{Resources: req.Resources}
	styles, err := cascade.Compute(ctx, doc, cascade.Options{
		Library: found, Width: o.Width * mm, Height: o.Height * mm,
		Margins: property.Edges[float64]{Top: margin(o.Margin.Top), Right: margin(o.Margin.Right), Bottom: margin(o.Margin.Bottom), Left: margin(o.Margin.Left)},
		Metrics: func(s *property.Style) (ex, ch float64) {
			m := setter.Metrics(s)
			return m.XHeight, m.ZeroWidth
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	pictures := images.New(found, 0)
	tree, err := box.Build(ctx, doc, styles, pictures)
	if err != nil {
		t.Fatal(err)
	}
	again := func(width, height float64) (*fragment.Fragment, error) {
		return layout.Layout(ctx, tree, setter, layout.Area{Width: width, Height: height}, layout.Limits{})
	}
	area := page.First(styles.Page)
	root, err := again(area.Width, area.Height)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := page.Paginate(ctx, root, page.Options{
		Sheets: styles.Page, Relayout: again, Margins: page.Margins{Setter: setter, Pictures: pictures, Lang: "en"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// words are those that can be seen on a page.
func words(p *page.Page) []word {
	var list []word
	collect(&list, p.Root, p.Area.X+p.Root.X, p.Area.Y+p.Root.Y)
	for _, f := range p.Fixed {
		collect(&list, f, p.Area.X+f.X, p.Area.Y+f.Y)
	}
	list = slices.DeleteFunc(list, func(w word) bool { return w.y < p.Area.Y || w.y >= p.Area.Y+p.Area.Height })
	for _, f := range p.Margins {
		collect(&list, f, f.X, f.Y)
	}
	return list
}

func collect(list *[]word, f *fragment.Fragment, x, y float64) {
	x, y = x+f.ShiftX, y+f.ShiftY
	if f.Box.Style.OverflowY != "visible" {
		var inside []word
		outside := list
		list = &inside
		defer func() {
			*outside = append(*outside, slices.DeleteFunc(inside, func(w word) bool { return w.y < y || w.y > y+f.Height })...)
		}()
	}
	for _, c := range f.Children {
		collect(list, c, x+c.X, y+c.Y-f.Lead)
	}
	lines := f.Lines
	if f.Marker != nil {
		lines = append([]*fragment.Line{f.Marker}, lines...)
	}
	for i, line := range lines {
		lead := f.Lead
		if f.Marker != nil && i == 0 {
			lead = 0
		}
		for _, part := range line.Parts {
			if part.Text != nil {
				runs(list, part.Text, x, y-lead)
			}
			if a := part.Atomic; a != nil {
				collect(list, a, x+a.X, y+a.Y-lead)
			}
		}
	}
}

// runs cuts a text at its blanks.
func runs(list *[]word, t *fragment.Text, x, y float64) {
	if t.Box.Style.Visibility != "visible" {
		return
	}
	var b strings.Builder
	begin := 0.0
	flush := func() {
		if b.Len() > 0 {
			*list = append(*list, word{b.String(), x + t.X + begin, y + t.Y + (t.Descent-t.Ascent)/2})
		}
		b.Reset()
	}
	for _, g := range t.Glyphs {
		if strings.TrimSpace(g.Text) == "" && g.Text != "" {
			flush()
			continue
		}
		if b.Len() == 0 {
			begin = g.X
		}
		b.WriteString(g.Text)
	}
	flush()
}

// sortWords puts words into one order.
func sortWords(list []word) {
	slices.SortFunc(list, func(a, b word) int {
		if c := strings.Compare(a.text, b.text); c != 0 {
			return c
		}
		if math.Abs(a.y-b.y) > 3 {
			return int(math.Copysign(1, a.y-b.y))
		}
		return int(math.Copysign(1, a.x-b.x))
	})
}

// differ compares the words of a page; "" is no difference.
func differ(theirs, ours []word, tolerance float64) string {
	sortWords(theirs)
	sortWords(ours)
	same := len(theirs) == len(ours)
	for i := 0; same && i < len(theirs); i++ {
		a, b := theirs[i], ours[i]
		same = a.text == b.text && math.Abs(a.x-b.x) <= tolerance && math.Abs(a.y-b.y) <= tolerance
	}
	if same {
		return ""
	}
	return fmt.Sprintf("browser %v\n   ours %v", theirs, ours)
}
