package engines_test

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/engines"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func native() render.Engine { return &rendertest.Engine{Name: render.Native, Subset: true} }

func TestAMachineWithABrowserHasBothEngines(t *testing.T) {
	t.Parallel()
	e := engines.With(native(), engines.Options{Options: chromium.Options{Pool: 1}})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if e.Missing() != nil {
		t.Fatalf("install the Debian package chromium-headless-shell: %v", e.Missing())
	}
	if report, _ := rendertest.Render(t, e, rendertest.Page("<p>plain")); report.Engine != "native" {
		t.Errorf("report %+v", report)
	}
	report, pdf := rendertest.Render(t, e, rendertest.Page("<!-- rendertest:outside=columns --><p>in columns"))
	if report.Engine != "chromium" || report.Reason != "`columns`" {
		t.Errorf("report %+v", report)
	}
	rendertest.CheckPDF(t, pdf)
}

func TestWithoutABrowserTheNativeEngineIsWell(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // hides what is not where Debian has it
	for _, path := range []string{"", engines.Off} {
		e := engines.With(native(), engines.Options{Options: chromium.Options{Path: path}})
		if path == "" && e.Missing() == nil {
			continue // Debian's place does not depend on PATH
		}
		if e.Missing() == nil || e.Probe(t.Context()) != nil || e.Close() != nil {
			t.Errorf("%q: missing %v, probe %v", path, e.Missing(), e.Probe(t.Context()))
		}
		req := rendertest.Page("<!-- rendertest:outside=columns -->")
		if _, err := e.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrEngineUnavailable) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestABrowserThatIsNamedIsMissed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none")
	e := engines.With(native(), engines.Options{Options: chromium.Options{Path: path}})
	if err := e.Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("probe: %v", err)
	}
	if engines.CheckProgram(path) == nil || engines.CheckProgram(engines.Off) != nil {
		t.Error("the setting is judged in another way")
	}
}

func TestAMachineWithoutAnyEngineIsIll(t *testing.T) {
	t.Parallel()
	if err := engines.With(nil, engines.Options{Options: chromium.Options{Path: engines.Off}}).Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("probe: %v", err)
	}
}

func TestTheEnginesSayWhatTheyAreAndReadWhatTheyPrint(t *testing.T) {
	t.Parallel()
	e, err := engines.New(t.Context(), engines.Options{CacheDir: os.Getenv("PLATEN_CACHE_DIR"), Options: chromium.Options{Pool: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	selves, err := e.Selves(t.Context())
	if err != nil || len(selves) != 3 || len(selves[0].Fonts) != 64 || len(selves[1].Fonts) != 64 || selves[2].Engine != "pdfium" {
		t.Errorf("%+v, %v", selves, err)
	}
	for i, engine := range []string{render.Native, render.Chromium} {
		req := rendertest.Page(`<p>one<p style="break-before:page">two`)
		req.Engine, req.Output.Pages = engine, []render.PageRange{{First: 2}}
		report, pdf := rendertest.Render(t, e, req)
		text, err := e.Text(t.Context(), pdf)
		if err != nil || len(text) != 1 || text[0] != "two" {
			t.Errorf("%s: %q, %v", engine, text, err)
		}
		if told := (render.Self{Engine: report.Engine, Version: report.Version, Fonts: report.Fonts}); told != selves[i] {
			t.Errorf("the report tells %+v, the engine %+v", told, selves[i])
		}
		req.Output.Format = render.PNG
		report, picture := rendertest.Render(t, e, req)
		if config, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || config.Width != 1192 || report.Engine != engine || report.Pages != 1 {
			t.Errorf("%s: %+v, %v, report %+v", engine, config, err, report)
		}
	}
}
