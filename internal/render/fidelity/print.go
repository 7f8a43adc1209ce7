package fidelity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// layout is that of a row: the name of the document, then the columns of [Header].
const layout = "%-34s  %7s  %11s  %8s  %6s  %6s  %6s  %8s  %7s  %7s  %7s"

// shown is how many words a list in [Report.Details] names.
const shown = 20

// Header is the first line of a table of reports. Distances are in points.
func Header() string {
	return fmt.Sprintf(layout, "document", "pages", "words", "in order", "moved", "miss.", "added", "≤ "+number(Tolerance)+" pt", "p50", "p95", "max")
}

// Row is the line of a report in a table. Two numbers are those of A and B, one stands for both.
func (r Report) Row(name string) string {
	return fmt.Sprintf(layout, name, both(r.PagesA, r.PagesB), both(r.WordsA, r.WordsB), percent(r.Matched, max(r.WordsA, r.WordsB)),
		strconv.Itoa(len(r.Moved)), strconv.Itoa(len(r.Missing)), strconv.Itoa(len(r.Added)),
		percent(r.Within, max(r.WordsA, r.WordsB)), points(r.P50), points(r.P95), points(r.Max))
}

// Details is what a reader wants to know after the row: which words are missing, added and moved, and which are farthest
// from their places. It is empty for two documents that are the same within [Tolerance].
func (r Report) Details() string {
	var b strings.Builder
	if !r.SameSizes && r.PagesA == r.PagesB {
		b.WriteString("the pages have other sizes\n")
	}
	list(&b, "missing", r.Missing)
	list(&b, "added", r.Added)
	if n := len(r.Moved); n > 0 {
		fmt.Fprintf(&b, "moved: %d\n", n)
	}
	for _, p := range r.Worst {
		if p.Distance() > Tolerance {
			fmt.Fprintf(&b, "%s\n", p)
		}
	}
	return b.String()
}

// String says where a word is and where its counterpart is.
func (p Pair) String() string {
	if math.IsInf(p.Distance(), 1) {
		return fmt.Sprintf("%q: page %d, page %d", p.A.Text, p.A.Page, p.B.Page)
	}
	return fmt.Sprintf("%q: page %d, %s pt: %s, %s", p.A.Text, p.A.Page, points(p.Distance()), p.A.Box, p.B.Box)
}

// String gives the corners in points.
func (b Box) String() string {
	return fmt.Sprintf("(%.2f %.2f %.2f %.2f)", b.Left, b.Top, b.Right, b.Bottom)
}

func list(b *strings.Builder, what string, words []Word) {
	if len(words) == 0 {
		return
	}
	fmt.Fprintf(b, "%s: %d", what, len(words))
	for _, w := range words[:min(shown, len(words))] {
		fmt.Fprintf(b, " %q (%d)", w.Text, w.Page)
	}
	if len(words) > shown {
		b.WriteString(" …")
	}
	b.WriteString("\n")
}

func both(a, b int) string {
	if a == b {
		return strconv.Itoa(a)
	}
	return strconv.Itoa(a) + "/" + strconv.Itoa(b)
}

// percent rounds down, so that 100 % is all of them.
func percent(part, whole int) string {
	if whole == 0 {
		return "100.0 %"
	}
	return fmt.Sprintf("%.1f %%", math.Floor(1000*float64(part)/float64(whole))/10)
}

func points(distance float64) string { return fmt.Sprintf("%.2f", distance) }

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
