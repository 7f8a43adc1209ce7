package fidelity_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/fidelity"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// page is a letter of two pages. What stands for STYLE moves or hides some of it.
const page = `<style>
@page { size: A4; margin: 20mm; @bottom-right { content: counter(page) " of " counter(pages) } }
h1 { break-before: page } STYLE
</style><main>
<p id="first">Sehr geehrte Frau Großmann, we thank you for the order of 12 November and deliver as follows.</p>
<table><tr><td>Storsejl, reparation</td><td>4.350,00</td></tr><tr><td>Τέλος χρήσης</td><td>100,00</td></tr></table>
<p id="second">The total of <b>4.450,00</b> is due within thirty days.</p>
<h1>Terms</h1><p>One. Two. Three.</p></main>`

func newBrowser(tb testing.TB) *chromium.Engine {
	tb.Helper()
	e := chromium.New(chromium.Options{Pool: 1})
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	if err := e.Probe(tb.Context()); err != nil {
		tb.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return e
}

func TestDifferencesOfRealDocumentsAreTold(t *testing.T) {
	t.Parallel()
	browser := newBrowser(t)
	printed := func(style string) fidelity.Document {
		_, pdf := rendertest.Render(t, browser, rendertest.Page(strings.Replace(page, "STYLE", style, 1)))
		d, err := fidelity.Read(t.Context(), pdf)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	plain := printed("")
	if len(plain.Pages) != 2 || len(plain.Words) < 40 {
		t.Fatalf("%d words on %d pages", len(plain.Words), len(plain.Pages))
	}
	for _, c := range []struct {
		name, style string
		holds       func(r fidelity.Report) bool
	}{
		{"the same", "", func(r fidelity.Report) bool {
			return r.SameText() && r.SameSizes && r.Share() == 1 && r.Max <= 0.01 && r.OtherPage == 0
		}},
		{"moved by 3 pt", "main { position: relative; left: 3pt }", func(r fidelity.Report) bool {
			page := r.WordsA - r.Within // the margin boxes, "1 of 2" and "2 of 2", stay
			return r.SameText() && r.Within == 6 && page > 35 && about(r.P50, 3) && about(r.P95, 3) && about(r.Max, 3)
		}},
		{"a word is missing", "b { display: none }", func(r fidelity.Report) bool {
			return !r.SameText() && len(r.Missing) == 1 && r.Missing[0].Text == "4.450,00" && len(r.Added) == 0 && len(r.Moved) == 0
		}},
		{"a page more", "#second { break-before: page }", func(r fidelity.Report) bool {
			return r.PagesA == 2 && r.PagesB == 3 && !r.SameSizes && r.OtherPage > 10 && !r.SameText()
		}},
		{"another paper", "@page { size: A4 landscape }", func(r fidelity.Report) bool {
			return r.PagesB == 2 && !r.SameSizes
		}},
		{"another order", "main { display: flex; flex-direction: column } #first { order: 1 }", func(r fidelity.Report) bool {
			return !r.SameText() && len(r.Moved) >= 10 && len(r.Missing) == 0 && len(r.Added) == 0
		}},
	} {
		if r := fidelity.Compare(plain, printed(c.style)); !c.holds(r) {
			t.Errorf("%s:\n%s\n%s\n%s", c.name, fidelity.Header(), r.Row(c.name), r.Details())
		}
	}
}

// about allows for the rounding of coordinates.
func about(got, want float64) bool { return got > want-0.05 && got < want+0.05 }
