package dom_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// FuzzParse: any markup is a tree that holds together, or is refused by name.
func FuzzParse(f *testing.F) {
	for _, markup := range []string{
		"<!doctype html><title>t</title><p class='a b' id=c>x<p>y<!-- c --><table><i>f</i><tr><td>", "<a><b><i><p>x</a>y<b><i><p>z</p></i>",
		"<svg><linearGradient><foreignObject><p>a</svg>b", "<template><b></template><select><option><frameset>", "\xff\x00&#xD800;&#0;&amp<", "<plaintext></b>", "",
		"<body a=1><body b=2><html c=3><form><form><isindex><math><mi><mglyph>",
	} {
		f.Add(markup)
	}
	f.Fuzz(func(t *testing.T, markup string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		const most = 10_000
		doc, err := dom.Parse(ctx, markup, dom.Limits{MaxNodes: most})
		if _, named := errors.AsType[*fault.Error](err); err != nil && !named {
			t.Fatalf("an error without a name: %v", err)
		}
		if err != nil {
			return
		}
		if len(doc.Elements) > most || doc.Elements[0] != doc.Root {
			t.Fatalf("%d elements", len(doc.Elements))
		}
		lines := strings.Count(markup, "\n") + 1
		for i, n := range doc.Elements {
			if n.Number != i || n.At.Line > lines || n.Index(false)+n.Index(true) < 2 || n.TypeIndex(false) > n.Index(false) {
				t.Fatalf("<%s> %d: number %d at %v, index %d", n.Tag, i, n.Number, n.At, n.Index(false))
			}
			for c := n.First; c != nil; c = c.Next {
				if c.Parent != n || c.Next != nil && c.Next.Prev != c || c.Next == nil && n.Last != c {
					t.Fatalf("a child of <%s> is not linked as it should be", n.Tag)
				}
			}
		}
	})
}
