package syntax_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// FuzzParseSheet: every place lies in the text, in order.
func FuzzParseSheet(f *testing.F) {
	for _, text := range []string{
		`a:hover{color:red;b:c{d:e}}@media print{p{margin:1px!important}}`, `@import url( x.css ) print;a{b:url("x\)")}`,
		"\\31 a{--x:{a:b};c:\"\\\n\"}", `a{b:c(d[e{f}g]h)i}`, "/**/<!--a--> {}u+2?-3f;", "a{b:1e999px -.5% +3}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := syntax.ParseSheet(t.Context(), text)
		if err != nil {
			return
		}
		for _, r := range rules {
			if r.Start < 0 || r.Start > len(text) {
				t.Fatalf("a rule at %d of %d", r.Start, len(text))
			}
			checkBlock(t, r.Block, len(text))
		}
	})
}

func checkBlock(t *testing.T, b *syntax.Block, size int) {
	t.Helper()
	if b == nil {
		return
	}
	for _, item := range b.Items {
		if item.Rule != nil {
			checkBlock(t, item.Rule.Block, size)
			continue
		}
		for _, v := range item.Declaration.Value {
			if v.Start > v.End || v.End > size {
				t.Fatalf("a value from %d to %d of %d", v.Start, v.End, size)
			}
		}
	}
}
