package output_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/output"
)

func TestDefaultsThatTheFormatWouldIgnoreAreLeftOut(t *testing.T) {
	t.Parallel()
	const (
		ofPDF    = `{"paper":"a5","margin_mm":{"top":9},"header_html":"h","footer_html":"f","tagged":true,"pages":"1-2","metadata":{"title":"t"},"outline":true}`
		ofScreen = `{"format":"png","full_page":false}`
		ofPages  = `{"format":"jpeg","pages":"1","dpi":100,"quality":50,"margin_mm":{"top":9}}`
	)
	for _, c := range []struct{ defaults, asked, want string }{
		{ofPDF, `{}`, ofPDF},
		{ofPDF, `{"format":"pdf","pages":"2"}`, ofPDF},
		{ofPDF, `{"format":"png"}`, `{"paper":"a5","margin_mm":{"top":9},"header_html":"h","footer_html":"f","pages":"1-2"}`},
		{ofPDF, `{"format":"png","full_page":true}`, `{"paper":"a5"}`},
		{`{"margin_mm":{"top":9}}`, `{"format":"jpeg"}`, `{}`},
		{`{"margin_mm":{"top":9}}`, `{"format":"jpeg","pages":"1"}`, `{"margin_mm":{"top":9}}`},
		{ofScreen, `{}`, ofScreen},
		{ofScreen, `{"pages":"1"}`, `{"format":"png"}`},
		{ofScreen, `{"format":"pdf"}`, `{"format":"png"}`},
		{ofPages, `{"pages":"2"}`, ofPages},
		{ofPages, `{"format":"png"}`, `{"format":"jpeg","pages":"1","dpi":100,"margin_mm":{"top":9}}`},
		{ofPages, `{"format":"pdf"}`, `{"format":"jpeg","pages":"1","margin_mm":{"top":9}}`},
		{ofPages, `{"full_page":false}`, `{"format":"jpeg","quality":50}`},
	} {
		defaults := asked(t, c.defaults)
		if diff := cmp.Diff(asked(t, c.want), output.Fit(defaults, asked(t, c.asked))); diff != "" {
			t.Errorf("%s for %s: %s", c.defaults, c.asked, diff)
		}
		if diff := cmp.Diff(asked(t, c.defaults), defaults); diff != "" {
			t.Errorf("%s was changed: %s", c.defaults, diff)
		}
	}
	if got := output.Fit(nil, asked(t, `{"format":"png"}`)); got != nil {
		t.Errorf("no defaults became %+v", got)
	}
}
