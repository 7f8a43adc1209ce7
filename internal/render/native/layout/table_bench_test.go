package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// BenchmarkTable lays out statements, with all that comes before it: the time for a row does not depend on how many there are.
func BenchmarkTable(b *testing.B) {
	for _, rows := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			page := statement(rows)
			for b.Loop() {
				layouttest.Layout(b, page, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(rows), "µs/row")
		})
	}
}

func statement(rows int) string {
	var page strings.Builder
	page.WriteString(`<!DOCTYPE html><style>table{width:100%;border-collapse:collapse} td{border-bottom:1px solid;padding:2px} .r{text-align:right}</style><body><table>`)
	for i := range rows {
		fmt.Fprintf(&page, "<tr><td>%d<td>2026-03-%02d<td>Payment of invoice %d to a company of some name<td class=r>%d.00<td class=r>%d.50", i, i%28+1, i, i*7%1000, i*13%5000)
	}
	return page.String()
}
