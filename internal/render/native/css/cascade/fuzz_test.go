package cascade_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// FuzzCompute: any page ends in styles, or in an error with a name, in good time.
func FuzzCompute(f *testing.F) {
	files, err := documents()
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(page) < 4000 {
			f.Add(string(page))
		}
	}
	f.Add(`<style>@page:first{size:A5 landscape;@top-left{content:counter(page)}}a{b:c{d:e}}@media(400px<=width<900px){:is(a,b)>c~d+e{margin:calc(1px/0)}}</style>`)
	f.Fuzz(func(t *testing.T, page string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		doc, result, err := compute(ctx, page)
		if _, named := errors.AsType[*fault.Error](err); err != nil && !named {
			t.Fatalf("an error without a name: %v", err)
		}
		if err != nil {
			return
		}
		for _, n := range doc.Elements {
			if s := result.Of(n); s == nil || s.Style.FontSize < 0 {
				t.Fatalf("<%s> has no style, or a wrong one", n.Tag)
			}
		}
	})
}
