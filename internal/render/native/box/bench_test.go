package box_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/images"
)

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct{ name, page string }{
		{"rows", "<table>" + strings.Repeat("<tr><td>a<td>b<td><b>c</b>", 10_000)},
		{"siblings", strings.Repeat("<p>a <b>b</b></p> ", 20_000)},
		{"cut", "<b>" + strings.Repeat("x<div>a</div>", 20_000)},
		{"deep cut", strings.Repeat("<span>", 300) + strings.Repeat("x<div>a</div>", 1_000)},
		{"lists", strings.Repeat("<ol reversed><li>x<div>", 150) + strings.Repeat("<li>a", 20_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc, styles := parsed(b, "<!doctype html><body>"+c.page, nil)
			b.ReportAllocs()
			boxes := 0
			for b.Loop() {
				tree, err := box.Build(b.Context(), doc, styles, images.New(cascade.Library{}, 0))
				if err != nil {
					b.Fatal(err)
				}
				boxes = tree.Count
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(boxes), "ns/box")
		})
	}
}
