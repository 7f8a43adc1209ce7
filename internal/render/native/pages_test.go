package native_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// chapters is a page of five sheets, each with a heading, one below it, and a link to the next.
func chapters() render.Request {
	var b strings.Builder
	b.WriteString(`<title>Of the (page) é</title><meta name=author content=page><style>@page{@bottom-center{content:counter(page) "/" counter(pages)}}</style>`)
	for i := range 5 {
		fmt.Fprintf(&b, `<h1 id=c%d style="break-before:page">Chapter %d</h1><h2>Part %d.1</h2><a href="#c%d">on</a>`, i, i+1, i+1, i+1)
	}
	return rendertest.Page(b.String())
}

// from makes ranges of their ends.
func from(ends ...int) (ranges []render.PageRange) {
	for pair := range slices.Chunk(ends, 2) {
		ranges = append(ranges, render.PageRange{First: pair[0], Last: pair[1]})
	}
	return ranges
}

func ownFonts(t *testing.T) *native.Engine {
	t.Helper()
	e, err := native.New(t.Context(), native.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTheChosenPagesArePrintedWithTheirNumbers(t *testing.T) {
	t.Parallel()
	e := ownFonts(t)
	for _, c := range []struct {
		chosen []render.PageRange
		want   []int
	}{
		{nil, []int{1, 2, 3, 4, 5}},
		{from(2, 2), []int{2}},
		{from(1, 2, 4, 0), []int{1, 2, 4, 5}},
		{from(5, 90, 100, 0), []int{5}},
	} {
		req := chapters()
		req.Output.Pages = c.chosen
		report, pdf := rendertest.Render(t, e, req)
		rendertest.CheckPDF(t, pdf)
		var got []int
		for _, text := range rendertest.PageTexts(t, pdf) {
			var page int
			if _, err := fmt.Sscanf(strings.TrimSpace(text), "Chapter %d", &page); err != nil || !strings.Contains(text, fmt.Sprintf("%d/5", page)) {
				t.Errorf("%v: a page says %q", c.chosen, text)
			}
			got = append(got, page)
		}
		if d := cmp.Diff(c.want, got); d != "" || report.Pages != len(c.want) {
			t.Errorf("%v: report of %d pages, %s", c.chosen, report.Pages, d)
		}
	}
	req := chapters()
	req.Output.Pages = from(6, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := e.Render(ctx, io.Discard, req); !errors.Is(err, render.ErrPageRange) {
		t.Errorf("none of them: %v", err)
	}
}

func TestAPDFSaysOfItselfWhatWasAsked(t *testing.T) {
	t.Parallel()
	e := ownFonts(t)
	req := chapters()
	req.Output.Meta = render.Meta{Title: "Rechnung (17) 日本", Subject: "a\\b", Keywords: "x, y"}
	_, pdf := rendertest.Render(t, e, req)
	rendertest.CheckPDF(t, pdf)
	info := rendertest.Info(t, pdf)
	for key, want := range map[string]string{"Title": "Rechnung (17) 日本", "Author": "page", "Subject": "a\\b", "Keywords": "x, y", "CreationDate": "", "ModDate": ""} {
		if info[key] != want {
			t.Errorf("%s is %q, want %q", key, info[key], want)
		}
	}
}

func TestAnOutlineIsMadeOfTheHeadingsOfTheChosenPages(t *testing.T) {
	t.Parallel()
	e := ownFonts(t)
	req := chapters()
	if _, pdf := rendertest.Render(t, e, req); len(rendertest.Outline(t, pdf)) > 0 {
		t.Error("an outline that nobody asked for")
	}
	req.Output.Outline, req.Output.Pages = true, from(2, 3)
	_, pdf := rendertest.Render(t, e, req)
	if d := cmp.Diff([]string{"1 Chapter 2 on 1", "2 Part 2.1 on 1", "1 Chapter 3 on 2", "2 Part 3.1 on 2"}, rendertest.Outline(t, pdf)); d != "" {
		t.Error(d)
	}
	if links := strings.Count(rendertest.Plain(t, pdf), "/Subtype /Link"); links != 1 {
		t.Errorf("%d links, want the one whose place is among the pages", links)
	}
}

func TestTheFontsOfAReportAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	req := chapters()
	req.Output.Outline, req.Output.Pages, req.Output.Meta = true, from(2, 0), render.Meta{Title: "t", Keywords: "k"}
	first, one := rendertest.Render(t, ownFonts(t), req)
	second, two := rendertest.Render(t, ownFonts(t), req)
	if !bytes.Equal(one, two) || first.Fonts != second.Fonts || len(first.Fonts) != 64 {
		t.Errorf("two engines made other bytes, or with other fonts: %q and %q", first.Fonts, second.Fonts)
	}
}
