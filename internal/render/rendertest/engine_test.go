package rendertest_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func TestTheTestEngineKeepsTheContract(t *testing.T) {
	t.Parallel()
	rendertest.TestEngine(t, &rendertest.Engine{})
}

func TestAnOrderedFailureHappens(t *testing.T) {
	t.Parallel()
	for order, want := range map[string]*fault.Error{
		"fail=page_failed":                    render.ErrPageFailed,
		"fail_retryable=disk":                 fault.New(fault.Unavailable, "disk", ""),
		"engine_lost":                         render.ErrEngineLost,
		"unavailable":                         render.ErrEngineUnavailable,
		"dance":                               fault.New(fault.Invalid, "rendertest_order_unknown", ""),
		"sleep=1ms --><!-- rendertest:fail=x": fault.New(fault.Invalid, "x", ""),
	} {
		_, err := new(rendertest.Engine).Render(t.Context(), io.Discard, rendertest.Page("<!-- rendertest:"+order+" -->"))
		if !errors.Is(err, want) || fault.From(err).Kind != want.Kind {
			t.Errorf("%s: %v, want %v", order, err, want)
		}
	}
}

func TestACountedFailureEnds(t *testing.T) {
	t.Parallel()
	e := &rendertest.Engine{}
	page := rendertest.Page("<p>at last</p><!-- rendertest:engine_lost*2 -->")
	for range 2 {
		if _, err := e.Render(t.Context(), io.Discard, page); !errors.Is(err, render.ErrEngineLost) {
			t.Fatalf("%v, want engine_lost", err)
		}
	}
	rendertest.Render(t, e, page)
	if e.Renders() != 3 {
		t.Errorf("%d renders counted, want 3", e.Renders())
	}
}

func TestAnOrderedPanicPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_, _ = new(rendertest.Engine).Render(t.Context(), io.Discard, rendertest.Page("<!-- rendertest:panic -->"))
}

func TestASleepEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := new(rendertest.Engine).Render(ctx, io.Discard, rendertest.Page("<!-- rendertest:sleep=1h -->"))
	if !errors.Is(err, render.ErrTimeout) {
		t.Errorf("%v, want render_timeout", err)
	}
}

func TestAnEngineThatIsDownSaysSo(t *testing.T) {
	t.Parallel()
	e := &rendertest.Engine{}
	e.SetDown(io.ErrUnexpectedEOF)
	if err := e.Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want engine_unavailable and its cause", err)
	}
	e.SetDown(nil)
	rendertest.Render(t, e, rendertest.Page("back"))
}

func TestPagesAndWarningsAreOrdered(t *testing.T) {
	t.Parallel()
	report, pdf := rendertest.Render(t, &rendertest.Engine{}, rendertest.Page("<!-- rendertest:pages=3 --><!-- rendertest:warn=resource_failed -->x"))
	if report.Pages != 3 || rendertest.Pages(t, pdf) != 3 || len(report.Warnings) != 1 || report.Warnings[0].Code != "resource_failed" {
		t.Errorf("report %+v", report)
	}
}
