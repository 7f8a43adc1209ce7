package page_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/page"
)

// BenchmarkRows cuts tables with a head: the time per row must not depend on how many there are.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000} {
		body := rows(box.Body, "r", n)
		tab := table(rows(box.Head, "h", 1), body)
		grid := tab.Children[0]
		for i := range n {
			y := float64(i * lineHeight)
			grid.Table.Collapsed = append(grid.Table.Collapsed, fragment.Rule{X2: 300, Y1: y, Y2: y})
		}
		root := made(box.Block, "", tab)
		runtime.GC()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := cut(b.Context(), root, page.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
		})
	}
}
