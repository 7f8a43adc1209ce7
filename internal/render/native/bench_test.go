package native_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// embedded is an engine as a server without a font directory has it.
func embedded(tb testing.TB) *native.Engine {
	tb.Helper()
	e, err := native.New(tb.Context(), native.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// request asks for a document of the corpus.
func request(tb testing.TB, file string) render.Request {
	tb.Helper()
	req, err := corpus.Document{File: file}.Request(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return req
}

// once renders and throws the document away.
func once(ctx context.Context, e render.Engine, req render.Request) error {
	_, err := e.Render(ctx, io.Discard, req)
	return err
}

// BenchmarkDocument renders one document after the other. On a busy machine cpu-ms/op, which counts the garbage collector in, says more
// than ns/op.
func BenchmarkDocument(b *testing.B) {
	e := embedded(b)
	for _, file := range []string{"invoice.html", "invoice_long.html", "report.md", "statement.html"} {
		req := request(b, file)
		b.Run(file, func(b *testing.B) {
			b.ReportAllocs()
			before := processor(b)
			for b.Loop() {
				if err := once(b.Context(), e, req); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(milliseconds(processor(b)-before)/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkAnother renders one invoice after the other, each with a number, a customer and amounts of its own: what was set for the one before
// serves the next only as far as they have it in common.
func BenchmarkAnother(b *testing.B) {
	e, form := embedded(b), request(b, "invoice.html")
	random := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	before := processor(b)
	for b.Loop() {
		req := form
		req.HTML = another(form.HTML, random)
		if err := once(b.Context(), e, req); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(milliseconds(processor(b)-before)/float64(b.N), "cpu-ms/op")
}

// differs are the parts of the invoice of the corpus that are another one's own.
var differs = regexp.MustCompile(`INV-2026-\d+|€ [\d,.]+|Café Zoë|Łukasz Wiśniewski|Nørrebrogade|Ergonomic|standing|Mesh|monitor|warranty`)

// another puts other figures in place of figures, and other letters in place of letters.
func another(html string, random *rand.Rand) string {
	return differs.ReplaceAllStringFunc(html, func(part string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsDigit(r):
				return '0' + rune(random.IntN(10))
			case unicode.IsLower(r):
				return 'a' + rune(random.IntN(26))
			}
			return r
		}, part)
	})
}

// BenchmarkRows renders statements of many sizes: the time per row must not depend on how many there are.
func BenchmarkRows(b *testing.B) {
	e := embedded(b)
	for _, rows := range []int{500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000} {
		req := statement(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			b.ReportAllocs()
			before := processor(b)
			for b.Loop() {
				if err := once(b.Context(), e, req); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(milliseconds(processor(b)-before)/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(rows), "µs/row")
		})
	}
}

// statement is that of the corpus with another number of rows. Each has a description and amounts of its own.
func statement(tb testing.TB, rows int) render.Request {
	tb.Helper()
	req := request(tb, "statement.html")
	head, rest, found := strings.Cut(req.HTML, "<tbody>")
	_, tail, ended := strings.Cut(rest, "</tbody>")
	if !found || !ended {
		tb.Fatal("the statement of the corpus has no table body")
	}
	payees := []string{"Allianz Versicherung", "Stadtwerke München", "Telefónica Germany", "Amazon EU S.à r.l.", "REWE Markt GmbH"}
	kinds := []string{"Card payment", "Standing order", "SEPA direct debit"}
	var b strings.Builder
	b.WriteString(head + "<tbody>")
	for i := range rows {
		cents := (i*7919 + 13) % 99_991
		fmt.Fprintf(&b, "<tr><td>%02d.%02d.2026</td><td>%s<small>Ref %011d · %s</small></td><td>Utilities</td>"+
			"<td class=\"r neg\">-%d.%02d</td><td class=\"r\">%d.%02d</td></tr>\n",
			1+i%28, 1+i/28%12, payees[i%len(payees)], i*104_729, kinds[i%len(kinds)],
			cents/100, cents%100, (cents*37)/100, (cents*37)%100)
	}
	b.WriteString("</tbody>" + tail)
	req.HTML = b.String()
	return req
}

// BenchmarkAgainstTheBrowser renders the same page with both engines in turns, so that what else the machine does falls on both,
// alone and two at a time, and reports the medians and how many times as fast the native engine is. A browser is several processes and gets
// more of a busy machine than one; what both engines ask of the cores depends less on what else is there.
func BenchmarkAgainstTheBrowser(b *testing.B) {
	ours, theirs := engine(b), browser(b)
	for _, c := range []struct {
		file    string
		turns   int // of the native engine for one of the browser
		abreast int
	}{
		{"invoice.html", 10, 1},
		{"invoice.html", 10, 2},
		{"statement.html", 2, 1},
		{"statement.html", 2, 2},
	} {
		req := request(b, c.file)
		b.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(c.file, ".html"), c.abreast), func(b *testing.B) {
			var native, chromium race
			for b.Loop() {
				native.run(b, ours, req, c.abreast, c.turns)
				chromium.run(b, theirs, req, c.abreast, 1)
			}
			native.report(b, "native")
			chromium.report(b, "chromium")
			b.ReportMetric(float64(median(chromium.took))/float64(median(native.took)), "times-as-fast")
			b.ReportMetric(float64(median(chromium.worked))/float64(median(native.worked)), "times-as-cheap")
		})
	}
}

// race is what the documents of one engine took.
type race struct {
	took   []time.Duration // of the clock, per document
	worked []time.Duration // of the cores, in this process and those below it
}

// run renders a page turns times on each of so many goroutines.
func (r *race) run(b *testing.B, e render.Engine, req render.Request, abreast, turns int) {
	b.Helper()
	before := processors(b)
	r.took = append(r.took, spent(b, e, req, abreast, turns))
	r.worked = append(r.worked, (processors(b)-before)/time.Duration(abreast*turns))
}

func (r *race) report(b *testing.B, name string) {
	b.Helper()
	b.ReportMetric(milliseconds(median(r.took)), name+"-ms/doc")
	b.ReportMetric(milliseconds(slices.Min(r.took)), name+"-best-ms/doc")
	b.ReportMetric(milliseconds(median(r.worked)), name+"-cpu-ms/doc")
}

// spent renders a page turns times on each of so many goroutines, and returns the time per document.
func spent(b *testing.B, e render.Engine, req render.Request, abreast, turns int) time.Duration {
	b.Helper()
	errs := make([]error, abreast)
	var all sync.WaitGroup
	start := time.Now()
	for i := range abreast {
		all.Go(func() {
			for range turns {
				if errs[i] = once(b.Context(), e, req); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	took := time.Since(start)
	for _, err := range errs {
		if err != nil {
			b.Fatal(err)
		}
	}
	return took / time.Duration(abreast*turns)
}

func median(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

// BenchmarkPeak renders one document in a process of its own, and reports the most memory that the process had: the engine, its fonts, the
// page, and the corpus.
func BenchmarkPeak(b *testing.B) {
	for _, file := range []string{"invoice.html", "statement.html"} {
		o := orderOf(b, file)
		b.Run(file, func(b *testing.B) {
			var most int64
			for b.Loop() {
				most = max(most, apart(b, nil, o)[0].Memory)
			}
			b.ReportMetric(float64(most)/1e6, "peak-MB")
		})
	}
}
