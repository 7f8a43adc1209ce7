package engines_test

import (
	"errors"
	"io"
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
	e := engines.With(native(), chromium.Options{Pool: 1})
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
		e := engines.With(native(), chromium.Options{Path: path})
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
	e := engines.With(native(), chromium.Options{Path: path})
	if err := e.Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("probe: %v", err)
	}
	if engines.CheckProgram(path) == nil || engines.CheckProgram(engines.Off) != nil {
		t.Error("the setting is judged in another way")
	}
}

func TestAMachineWithoutAnyEngineIsIll(t *testing.T) {
	t.Parallel()
	if err := engines.With(nil, chromium.Options{Path: engines.Off}).Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("probe: %v", err)
	}
}
