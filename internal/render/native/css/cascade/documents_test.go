package cascade_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// a4 is a sheet with margins of 20 mm.
func a4() cascade.Options {
	const mm = 96 / 25.4
	return cascade.Options{
		Width: 210 * mm, Height: 297 * mm,
		Margins: property.Edges[float64]{Top: 20 * mm, Right: 20 * mm, Bottom: 20 * mm, Left: 20 * mm},
	}
}

// compute reads a page and computes its styles.
func compute(ctx context.Context, page string) (*dom.Document, *cascade.Result, error) {
	doc, err := dom.Parse(ctx, page, dom.Limits{})
	if err != nil {
		return nil, nil, err
	}
	result, err := cascade.Compute(ctx, doc, a4())
	return doc, result, err
}

func mustCompute(tb testing.TB, page string) (*dom.Document, *cascade.Result) {
	tb.Helper()
	doc, result, err := compute(tb.Context(), page)
	if err != nil {
		tb.Fatalf("compute: %v", err)
	}
	return doc, result
}

// documents are those of this folder, and two of the corpus.
func documents() ([]string, error) {
	files, err := filepath.Glob("testdata/*.html")
	return append(files, corpusFolder+"certificate.html", corpusFolder+"invoice.html"), err
}

const corpusFolder = "../../corpus/testdata/"

func TestNoDocumentPanicsOrHangs(t *testing.T) {
	t.Parallel()
	files, err := documents()
	if err != nil || len(files) < 8 {
		t.Fatalf("documents: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _, err = compute(ctx, string(page))
			if _, named := errors.AsType[*fault.Error](err); err != nil && !named {
				t.Fatalf("an error without a name: %v", err)
			}
			deep := strings.Contains(file, "5000") || strings.Contains(file, "_600")
			if deep != errors.Is(err, dom.ErrTooDeep) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestInvoicesAreInsideOfTheSubset(t *testing.T) {
	t.Parallel()
	for _, file := range []string{corpusFolder + "invoice.html", "testdata/multiscript.html"} {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, result := mustCompute(t, string(page))
		if diff := cmp.Diff([]cascade.Finding(nil), result.Findings); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", file, diff)
		}
	}
}

func TestTheSamePageHasTheSameResult(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("testdata/ssrf.html")
	if err != nil {
		t.Fatal(err)
	}
	_, first := mustCompute(t, string(page))
	_, second := mustCompute(t, string(page))
	if diff := cmp.Diff(first.Findings, second.Findings); diff != "" {
		t.Errorf("findings differ:\n%s", diff)
	}
	if len(first.Findings) < 5 {
		t.Errorf("only %d findings", len(first.Findings))
	}
}
