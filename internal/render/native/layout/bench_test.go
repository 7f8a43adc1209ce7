package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// BenchmarkLayout lays out boxes that are there: a table of many rows and text of many paragraphs.
func BenchmarkLayout(b *testing.B) {
	var table, paragraphs strings.Builder
	table.WriteString("<!DOCTYPE html><style>td{padding:4px 8px;border-bottom:1px solid}</style><table>")
	for i := range 2000 {
		fmt.Fprintf(&table, "<tr><td>%d<td>2026-03-%02d<td>Payment of invoice %d<td>Some company of some town<td>%d.00<td>0.00<td>%d.00", i, i%30+1, i*7, i*13, i*31)
	}
	paragraphs.WriteString("<!DOCTYPE html>")
	for i := range 2000 {
		fmt.Fprintf(&paragraphs, "<p>This is paragraph %d, <b>which has some words</b> and some more of them, so that there are lines.", i)
	}
	for _, c := range []struct{ name, page string }{{"table", table.String()}, {"paragraphs", paragraphs.String()}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				tree, setter, err := layouttest.Boxes(b.Context(), c.page, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if _, err := layout.Layout(b.Context(), tree, setter, layout.Area{Width: 700, Height: 1000}, layout.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
