package layout_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

func nested(depth int, open, inside, end string) string {
	return strings.Repeat(open, depth) + inside + strings.Repeat(end, depth)
}

// TestNestingCostsNoMoreThanItsSize allows for each box of a page only so many fragments: layouts that are done twice on each level
// would need 2^40.
func TestNestingCostsNoMoreThanItsSize(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]string{
		"blocks":          `<div>`,
		"margins":         `<div style="margin:1px 0">`,
		"cleared":         `<div style="clear:both;margin:1px 0">`,
		"floats":          `<div style="float:left">`,
		"roots":           `<div style="overflow:hidden">`,
		"inline blocks":   `<div style="display:inline-block">`,
		"positioned":      `<div style="position:absolute">`,
		"stretched":       `<div style="position:absolute;inset:1px">`,
		"relative":        `<div style="position:relative"><b style="position:absolute;display:block"></b>`,
		"least content":   `<div style="width:min-content">`,
		"fitting":         `<div style="width:fit-content">`,
		"ratio":           `<div style="aspect-ratio:1;overflow:hidden">`,
		"beside floats":   `<div style="overflow:hidden"><b style="float:left;width:1px;height:1px"></b>`,
		"flex":            `<div style="display:flex">`,
		"flex columns":    `<div style="display:flex;flex-direction:column">`,
		"flex mixed":      `<div style="display:flex"><div style="display:flex;flex-direction:column">`,
		"flex percent":    `<div style="display:flex;height:100%;width:90%">`,
		"grid":            `<div style="display:grid">`,
		"grid of columns": `<div style="display:grid;grid-template-columns:auto 1fr">`,
		"tables":          `<div style="display:table">`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := strings.Repeat("</div>", strings.Count(open, "<div"))
			page := "<!DOCTYPE html><body>" + nested(40, open, "<p>x", end)
			if _, err := layouttest.Try(t.Context(), page, nil, layout.Limits{MaxFragments: 40_000}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheDeepestPageIsLaidOut(t *testing.T) {
	t.Parallel()
	for _, open := range []string{`<div>`, `<div style="float:left">`, `<div style="display:inline-block">`, `<div style="position:absolute">`, `<div style="display:flex">`, `<div style="display:table">`} {
		if _, err := layouttest.Try(t.Context(), "<!DOCTYPE html><body>"+nested(500, open, "<p>x", "</div>"), nil, layout.Limits{}); err != nil {
			t.Errorf("%s: %v", open, err)
		}
	}
}

func TestLayoutIsBounded(t *testing.T) {
	t.Parallel()
	page := "<!DOCTYPE html><body>" + nested(100, "<div>", "", "</div>") + strings.Repeat("<p>", 1000)
	canceled, cancel := context.WithCancelCause(t.Context())
	for _, c := range []struct {
		name   string
		limits layout.Limits
		want   error
	}{
		{"fragments", layout.Limits{MaxFragments: 500}, layout.ErrTooManyFragments},
		{"depth", layout.Limits{MaxDepth: 50}, layout.ErrTooDeep},
		{"neither", layout.Limits{}, nil},
	} {
		if _, err := layouttest.Try(t.Context(), page, nil, c.limits); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	tree, setter, err := layouttest.Boxes(t.Context(), page, nil)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no longer wanted")
	cancel(cause)
	if _, err := layout.Layout(canceled, tree, setter, layout.Area{Width: 100}, layout.Limits{}); !errors.Is(err, cause) {
		t.Errorf("canceled: %v, want %v", err, cause)
	}
}
