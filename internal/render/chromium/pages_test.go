package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// chapters is a page of five sheets, each with a heading, and a heading below it.
func chapters() render.Request {
	var b strings.Builder
	b.WriteString("<title>Of the (page) é</title><meta name=author content=page>")
	for i := range 5 {
		fmt.Fprintf(&b, `<h1 style="break-before:page">Chapter %d</h1><h2>Part %d.1</h2>`, i+1, i+1)
	}
	req := rendertest.Page(b.String())
	req.Output.Footer = `<span class="pageNumber"></span>/<span class="totalPages"></span>`
	return req
}

// from makes ranges of their ends.
func from(ends ...int) (ranges []render.PageRange) {
	for pair := range slices.Chunk(ends, 2) {
		ranges = append(ranges, render.PageRange{First: pair[0], Last: pair[1]})
	}
	return ranges
}

func TestTheChosenPagesArePrintedWithTheirNumbers(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	for _, c := range []struct {
		chosen []render.PageRange
		want   []int
	}{
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
	if _, err := e.Render(t.Context(), io.Discard, req); !errors.Is(err, render.ErrPageRange) || fault.From(err).Code != render.ErrPageRange.Code {
		t.Errorf("none of them: %v", err)
	}
}

func TestAPDFSaysOfItselfWhatWasAsked(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := chapters()
	req.Output.Meta = render.Meta{Title: "Rechnung (17) 日本", Author: "Zoë", Subject: "a\\b", Keywords: "x, y"}
	_, pdf := rendertest.Render(t, e, req)
	rendertest.CheckPDF(t, pdf)
	info := rendertest.Info(t, pdf)
	for key, want := range map[string]string{"Title": "Rechnung (17) 日本", "Author": "Zoë", "Subject": "a\\b", "Keywords": "x, y", "Creator": "Chromium", "CreationDate": "", "ModDate": ""} {
		if info[key] != want {
			t.Errorf("%s is %q, want %q", key, info[key], want)
		}
	}
	if bytes.Contains(pdf, []byte("Of the")) {
		t.Error("the file still has the title of the page")
	}
	req.Output.Meta = render.Meta{Author: "Zoë"}
	if _, pdf = rendertest.Render(t, e, req); rendertest.Info(t, pdf)["Title"] != "Of the (page) é" {
		t.Errorf("the title of the page is gone: %q", rendertest.Info(t, pdf)["Title"])
	}
}

func TestAnOutlineIsMadeOfTheHeadingsOfTheChosenPages(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := chapters()
	if _, pdf := rendertest.Render(t, e, req); len(rendertest.Outline(t, pdf)) > 0 {
		t.Error("an outline that nobody asked for")
	}
	req.Output.Outline, req.Output.Pages = true, from(2, 3)
	_, pdf := rendertest.Render(t, e, req)
	want := []string{"1 Chapter 2 on 1", "2 Part 2.1 on 1", "1 Chapter 3 on 2", "2 Part 3.1 on 2"}
	if d := cmp.Diff(want, rendertest.Outline(t, pdf)); d != "" {
		t.Error(d)
	}
}

func TestEqualRequestsWithAllOfThemGiveEqualBytes(t *testing.T) {
	t.Parallel()
	req := chapters()
	req.Output.Outline, req.Output.Pages, req.Output.Meta = true, from(2, 0), render.Meta{Title: "t", Keywords: "k"}
	first, one := rendertest.Render(t, newEngine(t, chromium.Options{}), req)
	second, two := rendertest.Render(t, newEngine(t, chromium.Options{}), req)
	if !bytes.Equal(one, two) {
		t.Error("two browsers made other bytes")
	}
	if first.Fonts != second.Fonts || len(first.Fonts) != 64 {
		t.Errorf("fonts %q and %q", first.Fonts, second.Fonts)
	}
	own, _ := rendertest.Render(t, newEngine(t, chromium.Options{FontDir: t.TempDir()}), req)
	if own.Fonts == first.Fonts || len(own.Fonts) != 64 {
		t.Errorf("without the fonts of the system: %q", own.Fonts)
	}
}

func TestAFileWithMetadataIsBoundedToo(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	_, plain := rendertest.Render(t, e, chapters())
	req := chapters()
	req.Output.Meta.Subject, req.MaxBytes = "more", int64(len(plain))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := e.Render(ctx, io.Discard, req); !errors.Is(err, render.ErrDocumentTooLarge) {
		t.Error(err)
	}
}

func TestAScreenCanBeAJPEG(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := rendertest.Page(`<style>body{background:linear-gradient(45deg,red,blue);margin:0;height:100vh}</style>x`)
	req.Output.Format, req.Output.FullPage = render.JPEG, false
	sizes := map[int]int{}
	for _, quality := range []int{0, 20} {
		req.Output.Quality = quality
		report, file := rendertest.Render(t, e, req)
		picture, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil || picture.Bounds().Dx() != 794 || picture.Bounds().Dy() != 1123 || report.ContentType != "image/jpeg" || report.Pages != 1 {
			t.Errorf("%v, %+v", err, report)
		}
		if _, again := rendertest.Render(t, e, req); !bytes.Equal(file, again) {
			t.Error("equal requests gave other bytes")
		}
		sizes[quality] = len(file)
	}
	if sizes[20] >= sizes[0] {
		t.Errorf("quality 20 takes %d bytes, the default %d", sizes[20], sizes[0])
	}
}
