package pdf_test

import (
	"bytes"
	"context"
	"image/color"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

var (
	black = color.NRGBA{A: 255}
	red   = color.NRGBA{R: 200, A: 255}
	blue  = color.NRGBA{B: 220, G: 60, A: 255}
)

// writer sets lines of text, as a layout would.
type writer struct {
	set       *fonts.Set
	shaper    *shape.Shaper
	segmenter shape.Segmenter
	glyphs    []shape.Glyph
	placed    []pdf.Glyph
}

// library is parsed once for all tests, as it is for all jobs.
var library = sync.OnceValues(func() (*fonts.Library, error) { return fonts.New(context.Background(), "") })

func newWriter(tb testing.TB) *writer {
	tb.Helper()
	l, err := library()
	if err != nil {
		tb.Fatal(err)
	}
	return &writer{set: l.NewSet(), shaper: shape.NewShaper()}
}

// line is text and how to set it.
type line struct {
	text     string
	families []string
	style    fonts.Style
	size     float64
	base     shape.Direction
	color    color.NRGBA
	shape.Setting
}

// draw sets a line at a place and returns its width.
func (w *writer) draw(tb testing.TB, c *pdf.Canvas, x, y float64, l line) float64 {
	tb.Helper()
	if l.color.A == 0 {
		l.color = black
	}
	start := x
	p := w.segmenter.Paragraph(l.text, l.base)
	items := p.Items(0, len(p.Runes), w.set.Select(l.families, l.style))
	levels := make([]uint8, len(items))
	for i, item := range items {
		levels[i] = item.Level
	}
	for _, i := range shape.VisualOrder(levels) {
		item := items[i]
		glyphs, err := w.shaper.Shape(w.glyphs[:0], shape.Run{
			Text: p.Runes, Start: item.Start, End: item.End, Font: item.Choice.Font, Script: item.Script, RTL: item.Level%2 == 1, Lang: "en",
		})
		if err != nil {
			tb.Fatal(err)
		}
		w.glyphs = glyphs
		l.Size, l.Font, l.RTL = l.size, item.Choice.Font, item.Level%2 == 1
		placed, width := p.Place(w.placed[:0], glyphs, l.Setting)
		w.placed = placed
		run := pdf.Run{Font: item.Choice.Font, Size: l.size, Color: l.color, X: x, Y: y, Glyphs: placed}
		if item.Choice.Slant {
			run.Oblique = 14
		}
		if item.Choice.Embolden {
			run.Embolden = l.size / 30
		}
		c.Text(run)
		x += width
	}
	return x - start
}

// document writes a document with pages drawn by a function, and checks that it is sound.
func document(tb testing.TB, info pdf.Info, draw func(*pdf.Document)) []byte {
	tb.Helper()
	var out bytes.Buffer
	doc := pdf.New(tb.Context(), &out, info, pdf.Limits{})
	draw(doc)
	if err := doc.Close(); err != nil {
		tb.Fatal(err)
	}
	sound(tb, out.Bytes())
	return out.Bytes()
}
