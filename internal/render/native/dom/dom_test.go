package dom_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/dom"
)

func parse(t *testing.T, page string) *dom.Document {
	t.Helper()
	doc, err := dom.Parse(t.Context(), page, dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func find(t *testing.T, doc *dom.Document, tag string) *dom.Node {
	t.Helper()
	for _, n := range doc.Elements {
		if n.Tag == tag {
			return n
		}
	}
	t.Fatalf("no <%s>", tag)
	return nil
}

func TestElementsKnowTheirPlaces(t *testing.T) {
	t.Parallel()
	doc := parse(t, "<!doctype html>\n<p>a</p>\n  <p class='x'\n STYLE = \"color:red\">b</p>\n<style>\nq{}</style><table><i>f</i><tr></table>")
	for tag, want := range map[string]dom.Position{"p": {2, 1}, "i": {6, 19}, "tr": {6, 27}, "tbody": {6, 12}} {
		if n := find(t, doc, tag); n.At != want {
			t.Errorf("<%s> is at %v, want %v", tag, n.At, want)
		}
	}
	styled := find(t, doc, "p").Next.Next
	if at := doc.AttrAt(styled, "style"); styled.At != (dom.Position{Line: 3, Column: 3}) || at != (dom.Position{Line: 4, Column: 11}) {
		t.Errorf("the second paragraph is at %v, its style at %v", styled.At, at)
	}
	if style := find(t, doc, "style"); style.Content != (dom.Position{Line: 5, Column: 8}) || style.AllText() != "\nq{}" {
		t.Errorf("the style sheet is at %v: %q", style.Content, style.AllText())
	}
}

func TestSiblingsAreNumbered(t *testing.T) {
	t.Parallel()
	body := parse(t, "<p>1</p>text<i>2</i><p>3</p>").Body()
	last := body.Last
	if last.Index(false) != 3 || last.Index(true) != 1 || last.TypeIndex(false) != 2 || body.First.TypeIndex(true) != 2 {
		t.Error("the numbers are wrong")
	}
	if last.PrevElement().Tag != "i" || last.PrevElement().PrevElement() != body.First || body.First.PrevElement() != nil {
		t.Error("the elements before are wrong")
	}
}

func TestCapsHaveErrorsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page   string
		limits dom.Limits
		want   error
	}{
		"bytes":      {"<p>abc", dom.Limits{MaxBytes: 5}, dom.ErrTooLarge},
		"nodes":      {strings.Repeat("<p>x", 100), dom.Limits{MaxNodes: 50}, dom.ErrTooManyNodes},
		"depth":      {strings.Repeat("<div>", 600), dom.Limits{}, dom.ErrTooDeep},
		"formatting": {formatting(400) + strings.Repeat("<p>", 20_000), dom.Limits{}, dom.ErrTooManyNodes},
	} {
		if _, err := dom.Parse(t.Context(), c.page, c.limits); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dom.Parse(ctx, "<p>", dom.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// formatting opens elements that are opened again in each paragraph after them.
func formatting(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<font size=" + strings.Repeat("1", i%20+1) + strings.Repeat("2", i/20) + ">")
	}
	return b.String()
}

func TestOldPagesAreReadInQuirksMode(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]struct{ quirks, limited bool }{
		"<!doctype html><p>": {}, "<p>": {quirks: true}, `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p>`: {quirks: true},
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><p>`:             {},
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><p>`: {limited: true},
		`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><p>`:                    {limited: true},
		`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>`:                                                           {quirks: true}, `<!doctype svg><p>`: {quirks: true},
	} {
		if d := parse(t, page); d.Quirks != want.quirks || d.LimitedQuirks != want.limited {
			t.Errorf("%s: quirks %v, limited %v", page, d.Quirks, d.LimitedQuirks)
		}
	}
}

func TestTitlesAreCollapsed(t *testing.T) {
	t.Parallel()
	if got := parse(t, "<svg><title>no</title></svg><title> An \n invoice </title>").Title(); got != "An invoice" {
		t.Errorf("title %q", got)
	}
}
