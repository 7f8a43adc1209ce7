package cascade_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// Whoever measures fonts remembers them by the style that asks.
func TestAMarginBoxIsMeasuredInTheFontOfItsOwnPage(t *testing.T) {
	t.Parallel()
	const html = `<!doctype html><style>@page { font-size: 10px; @top-left { content: "x"; font-size: 2ex } } @page :first { font-size: 40px }</style>`
	doc, err := dom.Parse(t.Context(), html, dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	measured := map[*property.Style]float64{}
	metrics := func(s *property.Style) (ex, ch float64) {
		if _, known := measured[s]; !known {
			measured[s] = s.FontSize / 2
		}
		return measured[s], measured[s]
	}
	styles, err := cascade.Compute(t.Context(), doc, cascade.Options{Width: 800, Height: 1000, Metrics: metrics})
	if err != nil {
		t.Fatal(err)
	}
	for size, page := range map[float64]*cascade.Page{40: styles.Page(true, false, false), 10: styles.Page(false, false, false)} {
		if got := page.Boxes["top-left"].FontSize; got != size {
			t.Errorf("2ex of %v are %v", size, got)
		}
	}
}
