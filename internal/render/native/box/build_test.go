package box_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/images"
)

const dot = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>`

func dots() map[string]render.Resource {
	return map[string]render.Resource{"dot.svg": {Body: []byte(dot)}}
}

func TestImagesAreFoundOrTold(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><body style="list-style-image:url(dot.svg)"><img src=dot.svg><img src=dot.svg style="display:block"><svg width=9><rect/></svg>
<style>.b::before{content:url(dot.svg) "x" url(c.png)} .r{content:url(dot.svg)}</style><p class=b></p><p class=r>gone</p>
<img src=b.png alt="to be read"><img src=b.png alt=""><img src=a.png width=40 height=30><img width=9 height=9><img src=a.png alt=x style="display:block">
<ul><li>a<li style="list-style-image:url(a.png)">b<li style="list-style-position:inside">c</ul>
<img src="data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" alt="">`
	tree := mustBuild(t, page, dots())
	want := `
block lines
  replaced img atomic image
replaced img image
block lines
  replaced svg atomic image
block p lines
  inline ::before
    replaced atomic image
    text "x"
replaced p image
block lines
  inline img
    replaced atomic widget=5
    text "to be read"
  inline img
  block img atomic lines
    replaced atomic widget=5
  block img atomic
block img lines
  replaced atomic widget=5
  text "x"
block ul
  block li lines
    * replaced ::marker atomic image
    text "a"
  block li lines
    * text ::marker "• " symbol=disc
    text "b"
  block li lines
    replaced ::marker atomic image
    text "c"
block lines
  inline img
`
	if diff := cmp.Diff(want[1:], outline(body(t, tree))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	missing := []string{"a.png", "b.png", "c.png", "data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…"}
	if diff := cmp.Diff(missing, tree.Unavailable); diff != "" {
		t.Errorf("unavailable (-want +got):\n%s", diff)
	}
}

func TestImagesAreRelativeToTheBase(t *testing.T) {
	t.Parallel()
	tree := mustBuild(t, `<base href="https://e.example/a/"><img src=dot.svg><a href=../b.html>b</a>`, map[string]render.Resource{"https://e.example/a/dot.svg": {Body: []byte(dot)}})
	want := "replaced img atomic image\ninline a link=https://e.example/b.html\n  text \"b\"\n"
	if diff := cmp.Diff(want, outline(body(t, tree))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheCanvasTakesABackground(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"of the root", `<html style="background:red"><body style="background:blue">`, "html"},
		{"of the body", `<body style="background-image:linear-gradient(red,blue)">`, "body"},
		{"of none", `<body><p style="background:red">`, ""},
		{"not of a body without a box", `<body style="background:red;display:none">`, ""},
	} {
		tree := mustBuild(t, "<!doctype html>"+c.page, nil)
		got := ""
		if tree.CanvasBox != nil {
			got = tree.CanvasBox.Node.Tag
		}
		if got != c.want || (tree.Canvas != nil) != (got != "") || (tree.Canvas != nil && tree.Canvas != tree.CanvasBox.Style) {
			t.Errorf("%s: the canvas has the background of %q; want %q", c.name, got, c.want)
		}
	}
}

func TestTheRootIsAlwaysABlock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		style string
		want  box.Kind
	}{
		{"display:inline", box.Block},
		{"display:none", box.Block},
		{"display:contents", box.Block},
		{"display:flex", box.Flex},
		{"float:left", box.Block},
		{"position:absolute", box.Block},
		{"display:table-cell", box.Block},
		{"display:table", box.Table},
	} {
		root := mustBuild(t, `<html style="`+c.style+`">text`, nil).Root
		if root.Kind != c.want || root.Inline || root.Floats() || root.OutOfFlow() || root.Node.Tag != "html" {
			t.Errorf("%s: %+v", c.style, root)
		}
	}
}

// TestATableSharesOutItsStyle: CSS 2.2, section 17.4.
func TestATableSharesOutItsStyle(t *testing.T) {
	t.Parallel()
	table := body(t, mustBuild(t, `<!doctype html><body><table style="position:absolute;margin:5px;border:1px solid;padding:2px;background:red;opacity:.5;width:70px">`, nil)).Children[0]
	grid := table.Children[0]
	red := value.RGB(255, 0, 0)
	if s := table.Style; !table.OutOfFlow() || s.Margin.Left.Length.Px != 5 || s.Opacity != 0.5 || s.BorderWidth.Left != 0 || s.BackgroundColor == red || s.Width.Length.Px != 70 {
		t.Errorf("wrapper: %+v", s.Box)
	}
	if s := grid.Style; grid.OutOfFlow() || s.Margin.Left.Length.Px != 0 || s.Opacity != 1 || s.BorderWidth.Left != 1 || s.BackgroundColor != red || s.Width.Length.Px != 70 {
		t.Errorf("grid: %+v", s.Box)
	}
}

func TestAnonymousBoxesInheritAndNoMore(t *testing.T) {
	t.Parallel()
	in := body(t, mustBuild(t, `<!doctype html><body style="color:red;margin:9px;opacity:.5" lang=de>a<p>b</p>c`, nil))
	first, last := in.Children[0], in.Children[2]
	if first.Style != last.Style || first.Style.Color != value.RGB(255, 0, 0) || first.Style.Opacity != 1 || first.Style.Margin.Left.Length.Px != 0 || first.Lang != "de" {
		t.Errorf("%+v", first.Style)
	}
}

func TestMarkersHaveAStyleOfTheirOwn(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><body><style>.m::marker{color:red;font-variant-numeric:oldstyle-nums}</style><ol style="text-transform:uppercase;text-indent:9px"><li>a<li class=m>b</ol>`
	items := body(t, mustBuild(t, page, nil)).Children[0].Children
	plain, said := items[0].Marker.Style, items[1].Marker.Style
	if plain.TextTransform != "none" || plain.FontVariantNumeric != "tabular-nums" || plain.WhiteSpaceCollapse != "preserve" || plain.TextIndent.Px != 0 || plain.UnicodeBidi != "isolate" {
		t.Errorf("plain: %+v", plain.Inherited)
	}
	if said.Color != value.RGB(255, 0, 0) || said.FontVariantNumeric != "oldstyle-nums" || said.TextTransform != "none" {
		t.Errorf("said: %+v", said.Inherited)
	}
}

func TestMarginBoxesCountPages(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><html lang=fr><style>@page{@top-left{content:"Page " counter(page) "/" counter(pages,upper-roman) attr(x) open-quote "q" close-quote;counter-increment:other;text-transform:uppercase}
@top-right{content:url(dot.svg) "\a b"} @bottom-left{content:url(no.png)} @bottom-right{content:"x";display:none} @left-top{content:"";width:3px} @left-middle{content:none;width:3px} @left-bottom{width:3px}}</style>`
	_, styles := parsed(t, page, dots())
	boxes := styles.Page(false, false, false).Boxes
	loader := images.New(cascade.Library{Resources: dots()}, 0)
	for _, c := range []struct{ name, want string }{
		{"top-left", "block ::top-left lines\n  text \"PAGE 3/XII«Q»\"\n"},
		{"top-right", "block ::top-right lines\n  replaced atomic image\n  text \"\\nb\"\n"},
		{"bottom-left", "block ::bottom-left\n"},
		{"bottom-right", ""},
		{"bottom-center", ""},
		{"left-top", "block ::left-top\n"},
		{"left-middle", ""},
		{"left-bottom", ""},
	} {
		got := ""
		if x := box.Margin(c.name, boxes[c.name], box.Page{Page: 3, Pages: 12}, loader, "fr"); x != nil {
			var b strings.Builder
			write(&b, x, "")
			got = b.String()
			if len(x.Children) > 0 && x.Children[0].Parent != x || x.Lang != "fr" {
				t.Errorf("%s: %+v", c.name, x)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestBuildEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	doc, styles := parsed(t, "<p>a", nil)
	cancel(cause)
	if tree, err := box.Build(ctx, doc, styles, images.New(cascade.Library{}, 0)); tree != nil || !errors.Is(err, cause) {
		t.Errorf("tree %v, error %v", tree, err)
	}
}

// TestTooManyBoxesAreAFault: each block that stands in 500 inline boxes makes 500 more.
func TestTooManyBoxesAreAFault(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("<b>", 450) + strings.Repeat("x<div>a</div>", 5_000)
	started := time.Now()
	doc, styles := parsed(t, "<!doctype html><body><div>"+strings.ReplaceAll(page, "<b>", "<span>"), nil)
	tree, err := box.Build(t.Context(), doc, styles, images.New(cascade.Library{}, 0))
	if !errors.Is(err, box.ErrTooManyBoxes) || tree != nil {
		t.Errorf("error %v; want %v", err, box.ErrTooManyBoxes)
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestTimeGrowsWithThePage builds pages that tempt to do work again and again.
func TestTimeGrowsWithThePage(t *testing.T) {
	t.Parallel()
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, page string
		least      int
	}{
		{"siblings", many(20_000, "<p>%d</p> text "), 60_000},
		{"rows", "<table>" + many(20_000, "<tr><td>%d<td>x"), 80_000},
		{"cells without rows", many(20_000, "<i style='display:table-cell'>%d</i> "), 40_000},
		{"cells that span all", "<table>" + many(2_000, "<tr><td colspan=1000 rowspan=65534>%d"), 6_000},
		{"blocks in an inline box", "<b>" + many(20_000, "x<div>%d</div>"), 60_000},
		{"inline boxes", many(20_000, "<b>%d</b> "), 40_000},
		{"counters", "<style>p{counter-reset:a;counter-increment:b}p::before{content:counters(a,'.') counters(b,'.')}</style>" + many(30_000, "<p>%d"), 90_000},
		{"reversed lists in each other", strings.Repeat("<ol reversed><li>x<div>", 150) + many(20_000, "<li>%d"), 20_000},
		{"items", "<div style='display:flex'>" + many(20_000, "a<b>%d</b>"), 80_000},
		{"words with capitals", "<p style='text-transform:capitalize'>" + many(50_000, "w%d it's "), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc, styles := parsed(t, "<!doctype html><body>"+c.page, nil)
			started := time.Now()
			tree, err := box.Build(t.Context(), doc, styles, images.New(cascade.Library{}, 0))
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(started); took > time.Minute || tree.Count < c.least {
				t.Errorf("%d boxes in %v", tree.Count, took)
			}
			if err := valid(tree); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestThePageMayBeAsDeepAsItCan(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"div", "b style='display:table'", "span", "i style='display:inline-flex'", "u style='display:table-cell'"} {
		tree := mustBuild(t, "<!doctype html><body>"+strings.Repeat("<"+tag+">", 300)+"x", nil)
		if err := valid(tree); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
	}
}
