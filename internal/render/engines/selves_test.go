package engines_test

import (
	"bytes"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/engines"
)

// What the engines say beforehand is what stands in their reports: the key of the cache rests on it.
func TestTheEnginesAreWhatTheySay(t *testing.T) {
	t.Parallel()
	e, err := engines.New(t.Context(), engines.Options{Options: chromium.Options{Pool: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	selves, err := e.Selves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{render.Native, render.Chromium} {
		report, err := e.Render(t.Context(), &bytes.Buffer{}, render.Request{HTML: "<p>x", Engine: name, Output: render.DefaultOutput()})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, s := range selves {
			found = found || s == render.Self{Engine: report.Engine, Version: report.Version, Fonts: report.Fonts} && s.Fonts != ""
		}
		if !found {
			t.Errorf("%s %s with fonts %q is none of %+v", report.Engine, report.Version, report.Fonts, selves)
		}
	}
}
