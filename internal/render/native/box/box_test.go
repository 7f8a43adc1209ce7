package box_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// compute reads a page and computes its styles.
func compute(ctx context.Context, page string, library cascade.Library) (*dom.Document, *cascade.Result, error) {
	doc, err := dom.Parse(ctx, page, dom.Limits{})
	if err != nil {
		return nil, nil, fmt.Errorf("parse: %w", err)
	}
	const mm = 96 / 25.4
	styles, err := cascade.Compute(ctx, doc, cascade.Options{
		Library: library, Width: 210 * mm, Height: 297 * mm,
		Margins: property.Edges[float64]{Top: 20 * mm, Right: 20 * mm, Bottom: 20 * mm, Left: 20 * mm},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("compute: %w", err)
	}
	return doc, styles, nil
}

func parsed(tb testing.TB, page string, resources map[string]render.Resource) (*dom.Document, *cascade.Result) {
	tb.Helper()
	doc, styles, err := compute(tb.Context(), page, cascade.Library{Resources: resources})
	if err != nil {
		tb.Fatal(err)
	}
	return doc, styles
}

// build makes the boxes of a page.
func build(ctx context.Context, page string, resources map[string]render.Resource) (*box.Tree, error) {
	library := cascade.Library{Resources: resources}
	doc, styles, err := compute(ctx, page, library)
	if err != nil {
		return nil, err
	}
	tree, err := box.Build(ctx, doc, styles, images.New(library, 0))
	if err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	return tree, nil
}

func mustBuild(tb testing.TB, page string, resources map[string]render.Resource) *box.Tree {
	tb.Helper()
	tree, err := build(tb.Context(), page, resources)
	if err != nil {
		tb.Fatal(err)
	}
	return tree
}

// body is the box of <body>.
func body(tb testing.TB, tree *box.Tree) *box.Box {
	tb.Helper()
	for _, c := range tree.Root.Children {
		if c.Node != nil && c.Node.Tag == "body" {
			return c
		}
	}
	tb.Fatal("no body")
	return nil
}

// outline writes what is in a box, one line for each box.
func outline(x *box.Box) string {
	var b strings.Builder
	for _, c := range x.Children {
		write(&b, c, "")
	}
	return b.String()
}

var kinds = [...]string{
	"block", "flex", "grid", "table", "replaced", "caption", "tablegrid", "column", "group", "row", "cell", "inline", "text", "br", "wbr",
}

func write(b *strings.Builder, x *box.Box, indent string) {
	b.WriteString(indent + kinds[x.Kind])
	name := ""
	switch {
	case x.Anonymous:
	case x.Pseudo != "":
		name = "::" + x.Pseudo
	case x.Node != nil && x.Kind != box.TableGrid:
		name = x.Node.Tag
	}
	if name != "" {
		b.WriteString(" " + name)
	}
	for _, note := range notes(x) {
		b.WriteString(" " + note)
	}
	b.WriteString("\n")
	if x.Marker != nil {
		write(b, x.Marker, indent+"  * ")
	}
	for _, c := range x.Children {
		write(b, c, indent+"  ")
	}
}

func notes(x *box.Box) []string {
	var list []string
	add := func(when bool, format string, values ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, values...))
		}
	}
	add(x.Kind == box.Text, "%q", x.Text)
	add(x.Symbol != "", "symbol=%s", x.Symbol)
	add(x.Inline, "atomic")
	add(x.HasLines, "lines")
	add(x.Floats(), "float")
	add(x.OutOfFlow(), "positioned")
	add(x.Kind == box.Inline && !x.First, "not first")
	add(x.Kind == box.Inline && !x.Last, "not last")
	add(x.Group != box.Body, "%s", [...]string{"", "head", "foot"}[x.Group])
	add(x.Kind == box.TableCell && (x.ColSpan != 1 || x.RowSpan != 1), "%dx%d", x.ColSpan, x.RowSpan)
	add(x.Span > 1, "span=%d", x.Span)
	add(x.ColumnGroup != nil, "grouped")
	add(x.Link != "", "link=%s", x.Link)
	add(x.Anchor != "", "#%s", x.Anchor)
	add(x.Heading != 0, "heading=%d", x.Heading)
	add(x.Widget != box.NoWidget, "widget=%d", x.Widget)
	add(x.Image != nil, "image")
	return list
}
