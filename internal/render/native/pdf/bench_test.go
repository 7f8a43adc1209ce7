package pdf_test

import (
	"io"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

const words = "Ergonomic standing desk, oak, dual motor, memory keypad, delivered and assembled on the second floor by two people "

// BenchmarkDocumentOfOnePage sets 300 words anew each time, with everything that a job makes for itself.
func BenchmarkDocumentOfOnePage(b *testing.B) {
	w := newWriter(b)
	text := strings.TrimSpace(words)
	b.ReportAllocs()
	for b.Loop() {
		w := &writer{set: w.set, shaper: w.shaper}
		doc := pdf.New(b.Context(), io.Discard, pdf.Info{Title: "x"}, pdf.Limits{})
		benchmarkPage(b, w, doc, text)
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPageOfManyPages is the price of one more page.
func BenchmarkPageOfManyPages(b *testing.B) {
	w := newWriter(b)
	doc := pdf.New(b.Context(), io.Discard, pdf.Info{Title: "x"}, pdf.Limits{})
	b.ReportAllocs()
	for b.Loop() {
		benchmarkPage(b, w, doc, strings.TrimSpace(words))
	}
	if err := doc.Close(); err != nil {
		b.Fatal(err)
	}
}

// benchmarkPage sets 17 lines of 18 words.
func benchmarkPage(b *testing.B, w *writer, doc *pdf.Document, text string) {
	b.Helper()
	page := doc.Page(595, 842)
	for i := range 17 {
		w.draw(b, page.Canvas, 40, 50+float64(i)*15, line{text: text, size: 9, families: []string{"sans-serif"}})
	}
	page.Finish()
}

// BenchmarkDrawPage is the writer alone: glyphs come shaped and placed.
func BenchmarkDrawPage(b *testing.B) {
	w := newWriter(b)
	doc := pdf.New(b.Context(), io.Discard, pdf.Info{}, pdf.Limits{})
	page := doc.Page(595, 842)
	w.draw(b, page.Canvas, 0, 0, line{text: strings.TrimSpace(words), size: 9})
	run := pdf.Run{Font: w.set.Select(nil, line{}.style).Primary().Font, Size: 9, Color: black, Glyphs: w.placed}
	b.ReportAllocs()
	for b.Loop() {
		page := doc.Page(595, 842)
		for i := range 17 {
			run.Y = float64(i) * 15
			page.Text(run)
		}
		page.Finish()
	}
}
