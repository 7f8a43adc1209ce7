package box_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/corpus"
)

// valid says what is wrong with a tree: everything that layout relies on.
func valid(tree *box.Tree) error {
	c := &checker{}
	c.check(tree.Root, nil)
	if c.err == nil && c.next != tree.Count {
		return fmt.Errorf("%d boxes, count %d", c.next, tree.Count)
	}
	return c.err
}

type checker struct {
	next int
	err  error
}

func (c *checker) wrong(x *box.Box, format string, values ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("box %d (%s): %s", x.Order, kinds[x.Kind], fmt.Sprintf(format, values...))
	}
}

func (c *checker) check(x, parent *box.Box) {
	if x.Style == nil || x.Parent != parent || x.Order != c.next {
		c.wrong(x, "style %v, parent %v, order %d; want %d", x.Style != nil, x.Parent == parent, x.Order, c.next)
		return
	}
	c.next++
	if x.Marker != nil {
		c.check(x.Marker, x)
	}
	c.content(x)
	var group *box.Box
	for _, child := range x.Children {
		if g := child.ColumnGroup; g != nil && g != group {
			group = g
			c.check(g, x)
		}
		c.check(child, x)
	}
}

// allowed are the children of boxes that take only some.
var allowed = map[box.Kind][]box.Kind{
	box.Table: {box.TableCaption, box.TableGrid}, box.TableGrid: {box.TableColumn, box.TableRowGroup}, box.TableRowGroup: {box.TableRow}, box.TableRow: {box.TableCell},
	box.TableColumn: {}, box.Text: {}, box.Break: {}, box.Wbr: {}, box.Replaced: {},
}

func (c *checker) content(x *box.Box) {
	if only, ok := allowed[x.Kind]; ok {
		c.only(x, only)
		return
	}
	if x.HasLines && len(x.Children) == 0 {
		c.wrong(x, "lines without anything")
	}
	for _, child := range x.Children {
		outside := child.Floats() || child.OutOfFlow()
		switch {
		case child.Kind >= box.TableCaption && child.Kind <= box.TableCell:
			c.wrong(x, "a part of a table in it")
		case (x.HasLines || x.Kind == box.Inline) && !child.InlineLevel() && !outside:
			c.wrong(x, "a block among lines")
		case !x.HasLines && x.Kind != box.Inline && child.InlineLevel() && !outside:
			c.wrong(x, "a part of a line among blocks")
		case (x.Kind == box.Flex || x.Kind == box.Grid) && (child.InlineLevel() || child.Floats()):
			c.wrong(x, "an item that is none")
		}
	}
}

func (c *checker) only(x *box.Box, kinds []box.Kind) {
	grids, order := 0, 0
	for _, child := range x.Children {
		fits := false
		for _, k := range kinds {
			fits = fits || k == child.Kind
		}
		if !fits {
			c.wrong(x, "a child of kind %d", child.Kind)
		}
		rank := map[box.Kind]int{box.TableColumn: 1, box.TableRowGroup: 3}[child.Kind]
		if child.Kind == box.TableRowGroup {
			rank += map[box.Group]int{box.Head: -1, box.Foot: 1}[child.Group]
		}
		if rank < order || (rank == order && child.Group != box.Body) {
			c.wrong(x, "its parts are out of order")
		}
		order = rank
		if child.Kind == box.TableGrid {
			grids++
		}
		if child.Kind == box.TableCell && (child.ColSpan < 1 || child.ColSpan > 1000 || child.RowSpan < 0 || child.RowSpan > 65534) {
			c.wrong(x, "a cell of %d × %d", child.ColSpan, child.RowSpan)
		}
		if child.Kind == box.TableColumn && child.Span < 1 {
			c.wrong(x, "a column of %d", child.Span)
		}
	}
	if x.Kind == box.Table && grids != 1 {
		c.wrong(x, "%d grids", grids)
	}
}

func TestAllDocumentsOfTheCorpusHaveBoxes(t *testing.T) {
	t.Parallel()
	documents, err := corpus.Documents()
	if err != nil || len(documents) < 40 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	for _, d := range documents {
		t.Run(d.File, func(t *testing.T) {
			t.Parallel()
			request, err := d.Request(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tree := mustBuild(t, request.HTML, request.Resources)
			if err := valid(tree); err != nil {
				t.Error(err)
			}
			if len(tree.Unavailable) > 0 || tree.Count < 15 {
				t.Errorf("%d boxes, without %q", tree.Count, tree.Unavailable)
			}
			if again := mustBuild(t, request.HTML, request.Resources); outline(again.Root) != outline(tree.Root) {
				t.Error("the same page has other boxes")
			}
		})
	}
}

// FuzzBuild: any page has a tree that layout can rely on, or an error with a name, in good time.
func FuzzBuild(f *testing.F) {
	for _, page := range []string{
		`<b>a<i>b<p>c</p>d</i></b><table><td>x<tfoot><tr><caption>c<col span=3><th colspan=2000>`,
		`<ol reversed start=3><li value=7>a<ul><li style="list-style:inside url(x)">b</ol>`,
		`<style>*{display:table-cell}b::before{display:table-row;content:counters(a,".") open-quote;counter-reset:a;float:left}</style><b>x<i>y<u>z`,
		`<style>i{display:contents}p{display:inline-flex;position:absolute}:root{display:grid}</style><p><i>a <b> c</b></i><br><wbr><img alt=x><input type=checkbox>`,
		`<div style="display:table-column-group"><div style="display:table-column"></div>x</div><span><div style="display:table-row">a</div></span>`,
		`<body style="text-transform:capitalize;white-space:pre" lang=el> a <b lang=tr>i</b><svg><g></svg><a href="#%41" name=x>l<h1>t</h1></a>`,
	} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		tree, err := build(ctx, page, map[string]render.Resource{"x": {Body: []byte(dot)}})
		if _, named := errors.AsType[*fault.Error](err); err != nil && !named {
			t.Fatalf("an error without a name: %v", err)
		}
		if err != nil {
			return
		}
		if err := valid(tree); err != nil {
			t.Fatalf("%v\n%s", err, outline(tree.Root))
		}
	})
}
