package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// plain is a document as qpdf writes it out for people, every stream unpacked.
func plain(tb testing.TB, doc []byte) string {
	tb.Helper()
	return tool(tb, doc, "qpdf", "--qdf", "--object-streams=disable", "--no-original-object-ids", "FILE", "-")
}

func TestManyPagesAreInOrderInABalancedTree(t *testing.T) {
	t.Parallel()
	const pages = 321
	w := newWriter(t)
	doc := document(t, pdf.Info{}, func(d *pdf.Document) {
		for i := range pages {
			page := d.Page(200, 200)
			w.draw(t, page.Canvas, 10, 50, line{text: fmt.Sprintf("Page %d of many", i+1), size: 12})
			page.Finish()
		}
	})
	got := extracted(t, doc, "")
	if len(got) != pages {
		t.Fatalf("%d pages", len(got))
	}
	for i, text := range got {
		if want := fmt.Sprintf("Page %d of many", i+1); text != want {
			t.Fatalf("page %d says %q", i+1, text)
		}
	}
	if nodes := strings.Count(plain(t, doc), "/Type /Pages"); nodes != 5 {
		t.Errorf("%d nodes in the page tree, want 4 and their parent", nodes)
	}
}

func TestAnEmptyDocumentAndAnUnfinishedPageAreSound(t *testing.T) {
	t.Parallel()
	document(t, pdf.Info{}, func(d *pdf.Document) {
		page := d.Page(10, 10)
		page.Save()
		page.Clip(pdf.Rect(0, 0, 5, 5), pdf.NonZero)
		page.Save()
		page.Finish()
		page.Finish()
		page.Fill(pdf.Rect(0, 0, 1, 1), red)
		d.Page(10, 10).Fill(pdf.Rect(0, 0, 1, 1), red)
	})
}

func TestLinksAndOutlineLeadToTheirDestinations(t *testing.T) {
	t.Parallel()
	text := plain(t, sampleBytes(t))
	for _, want := range []string{
		"/URI (https://example.org/%C3%A1?q=\\(1\\))",
		"/Title (Second page)",
		"/Title (Text)",
		"/XYZ\n    0\n    542\n    null", // 300 below the upper edge of 842
		"/Count 4",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	if n := strings.Count(text, "/Subtype /Link"); n != 2 {
		t.Errorf("%d links, want 2: the one to nowhere is none", n)
	}
}

func TestWhatTheMapOfCodesCannotSayIsSaidByActualText(t *testing.T) {
	t.Parallel()
	face := newWriter(t).set.Select(nil, fonts.Style{}).Primary().Font
	for name, tt := range map[string]struct {
		glyphs []pdf.Glyph
		spans  []string
	}{
		"one meaning":        {[]pdf.Glyph{{ID: 40, Text: "E"}, {ID: 40, X: 7, Text: "E"}, {ID: 41, X: 14, Text: "ffi"}}, nil},
		"two meanings":       {[]pdf.Glyph{{ID: 40, Text: "Е"}, {ID: 40, X: 7, Text: "Ε"}, {ID: 40, X: 14, Text: "Е"}}, []string{"<feff0395>"}},
		"many glyphs":        {[]pdf.Glyph{{ID: 40, Text: "é"}, {ID: 41, X: 2, Y: -3}, {ID: 42, X: 9, Text: "f"}}, []string{"<feff00e9>"}},
		"no glyph":           {[]pdf.Glyph{{ID: 0, Text: "龘"}}, []string{"<feff9f98>"}},
		"beyond the plane":   {[]pdf.Glyph{{ID: 0, Text: "😀"}}, []string{"<feffd83dde00>"}},
		"meaning of a whole": {[]pdf.Glyph{{ID: 40, Text: strings.Repeat("x", 65)}}, []string{"(" + strings.Repeat("x", 65) + ")"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := document(t, pdf.Info{}, func(d *pdf.Document) {
				page := d.Page(300, 100)
				page.Text(pdf.Run{Font: face, Size: 10, X: 10, Y: 50, Color: black, Glyphs: tt.glyphs})
				page.Finish()
			})
			var got []string
			for _, m := range regexp.MustCompile(`/ActualText ?(<\w+>|\(\w+\))`).FindAllStringSubmatch(plain(t, doc), -1) {
				got = append(got, m[1])
			}
			if diff := cmp.Diff(tt.spans, got); diff != "" {
				t.Error(diff)
			}
			want := ""
			for _, g := range tt.glyphs {
				want += g.Text
			}
			if diff := cmp.Diff([]string{want}, extracted(t, doc, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHostileNumbersAndNamesMakeSoundFiles(t *testing.T) {
	t.Parallel()
	document(t, pdf.Info{Title: "a)b\\(c\r\n\x00>>", Lang: "/en>>"}, func(d *pdf.Document) {
		page := d.Page(100, 100)
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e-300} {
			page.Transform(pdf.Matrix{A: v, D: v})
			page.Fill(pdf.Rect(v, v, v, v), red)
			page.Stroke(pdf.Line(v, 0, 0, v), pdf.Pen{Width: v, Color: red, Dash: []float64{v, v}, Phase: v})
			var p pdf.Path
			p.AddRounded(0, 0, v, v, pdf.Radii{TopLeft: pdf.Radius{X: v, Y: v}})
			p.LineTo(v, v)
			page.FillGradient(p, pdf.Gradient{Radial: true, R2: v, Stops: []pdf.Stop{{v, red}, {-v, blue}}})
		}
		page.Marked(pdf.Mark{Tag: "a b/(", ActualText: "x)\\", Lang: "é"}, func() {})
		page.Link(pdf.Bounds{X1: math.NaN()}, "javascript:)\\\x00é")
		page.Destination("x", math.Inf(1), 0)
		page.Restore()
		page.Restore()
		page.Finish()
		d.Outline(math.MinInt, "low", "x")
		d.Outline(math.MaxInt, "high", "missing")
	})
}

func TestADocumentLargerThanItsLimitFails(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	doc := pdf.New(t.Context(), &out, pdf.Info{}, pdf.Limits{Bytes: 2000})
	for i := range 1000 {
		page := doc.Page(100, 100)
		page.Fill(pdf.Rect(float64(i), 0, 1, 1), red)
		page.Finish()
	}
	if err := doc.Close(); !errors.Is(err, render.ErrDocumentTooLarge) {
		t.Errorf("got %v", err)
	}
	if out.Len() > 2000 {
		t.Errorf("%d bytes were written", out.Len())
	}
}

func TestAPageThatDrawsForEverFails(t *testing.T) {
	t.Parallel()
	doc := pdf.New(t.Context(), io.Discard, pdf.Info{}, pdf.Limits{PageBytes: 10_000})
	page := doc.Page(100, 100)
	for doc.Err() == nil {
		page.Fill(pdf.Rect(1, 2, 3, 4), red)
	}
	page.Finish()
	if err := doc.Close(); !errors.Is(err, pdf.ErrPageTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestDrawingStopsWithTheContext(t *testing.T) {
	t.Parallel()
	why := errors.New("shutdown")
	ctx, cancel := context.WithCancelCause(t.Context())
	doc := pdf.New(ctx, io.Discard, pdf.Info{}, pdf.Limits{})
	page := doc.Page(100, 100)
	cancel(why)
	page.Fill(pdf.Rect(1, 2, 3, 4), red)
	page.Finish()
	if err := doc.Close(); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// broken is a writer that fails after some bytes.
type broken struct{ left int }

var errDiskFull = errors.New("disk full")

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errDiskFull
	}
	return len(p), nil
}

func TestAnErrorOfTheWriterIsReturned(t *testing.T) {
	t.Parallel()
	whole := len(sampleBytes(t))
	for left := 0; left < whole; left += whole / 7 {
		if err := sample(t.Context(), &broken{left}); !errors.Is(err, errDiskFull) {
			t.Errorf("after %d bytes: got %v", left, err)
		}
	}
}
