package table_test

import (
	"fmt"
	"testing"

	"github.com/platen-render/platen/internal/render/native/table"
)

// BenchmarkGrid makes tables of five columns with collapsed borders: the time for a row does not depend on how many there are.
func BenchmarkGrid(b *testing.B) {
	for _, rows := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			cell := around(line(table.Solid, 1, 0))
			parts := plain()
			parts.Cell = func(int) *table.Sides { return cell }
			for b.Loop() {
				g := &table.Grid{Groups: []table.Group{{Rows: rows, Body: true}}, Rows: make([]table.Row, rows), Cells: make([]table.Cell, 5*rows)}
				for i := range g.Rows {
					g.Rows[i].Cells = 5
				}
				for i := range g.Cells {
					g.Cells[i].RowSpan = 1
				}
				lay(b, g, parts)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
		})
	}
}

// BenchmarkSpans makes a table of which each row has a cell over two rows and one over four columns.
func BenchmarkSpans(b *testing.B) {
	for _, rows := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				g := &table.Grid{Groups: []table.Group{{Rows: rows, Body: true}}}
				for range rows {
					g.Rows = append(g.Rows, table.Row{Cells: 3})
					g.Cells = append(g.Cells, table.Cell{ColSpan: 1, RowSpan: 2}, table.Cell{ColSpan: 4, RowSpan: 1}, table.Cell{ColSpan: 1000, RowSpan: 1})
				}
				lay(b, g, plain())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
		})
	}
}

func lay(b *testing.B, g *table.Grid, parts *table.Parts) {
	b.Helper()
	if err := g.Place(); err != nil {
		b.Fatal(err)
	}
	if _, _, err := g.Insets(parts); err != nil {
		b.Fatal(err)
	}
	if err := g.Measure(func(int) table.Content { return content(10, 50) }); err != nil {
		b.Fatal(err)
	}
	sizes := g.Distribute(500, 0)
	if err := g.Heights(func(int) (table.Extent, error) { return table.Extent{Height: 12}, nil }); err != nil {
		b.Fatal(err)
	}
	if _, err := g.Rules(parts, g.Locate(sizes, false), g.Stack()); err != nil {
		b.Fatal(err)
	}
}
