package page_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/page"
)

// lineHeight is that of made lines: a page has ten.
const lineHeight = 20

// sheet is a page of 300 by 200 pixels without margins.
func sheet(bool, bool, bool) *cascade.Page {
	return &cascade.Page{Width: 300, Height: 200, Style: plain()}
}

// plain is a style of its own.
func plain() *property.Style {
	style := *property.InitialStyle()
	style.Finish(nil)
	return &style
}

// cut paginates a made fragment.
func cut(ctx context.Context, root *fragment.Fragment, limits page.Limits) ([]*page.Page, error) {
	return page.Paginate(ctx, root, page.Options{Sheets: sheet, Limits: limits})
}

// made is a box with children below each other.
func made(kind box.Kind, name string, children ...*fragment.Fragment) *fragment.Fragment {
	b := &box.Box{Kind: kind, Style: plain(), Anchor: name}
	f := &fragment.Fragment{Box: b, Width: 300, Children: children}
	for _, c := range children {
		c.Box.Parent = b
		c.Y = f.Height + c.Margin.Top
		f.Height += c.Margin.Top + c.Height + c.Margin.Bottom
	}
	return f
}

// side is a box with children beside each other.
func side(kind box.Kind, name string, children ...*fragment.Fragment) *fragment.Fragment {
	f := made(kind, name, children...)
	f.Height = 0
	for _, c := range children {
		c.Y = c.Margin.Top
		f.Height = max(f.Height, c.Margin.Top+c.Height+c.Margin.Bottom)
	}
	if kind == box.TableRow {
		for _, c := range children {
			c.Height = f.Height
		}
	}
	return f
}

// paragraph has n lines.
func paragraph(name string, n int) *fragment.Fragment {
	f := made(box.Block, name)
	f.Box.HasLines = true
	for i := range n {
		f.Lines = append(f.Lines, &fragment.Line{Top: float64(i * lineHeight), Height: lineHeight, Width: 300})
	}
	f.Height = float64(n * lineHeight)
	return f
}

// picture cannot be cut.
func picture(name string, height float64) *fragment.Fragment {
	f := made(box.Replaced, name)
	f.Height = height
	return f
}

// row is a row of one cell.
func row(name string, lines int) *fragment.Fragment {
	return side(box.TableRow, "", made(box.TableCell, "", paragraph(name, lines)))
}

// rows are n rows of a group.
func rows(group box.Group, name string, n int) *fragment.Fragment {
	list := make([]*fragment.Fragment, n)
	for i := range list {
		list[i] = row(fmt.Sprint(name, i), 1)
	}
	g := made(box.TableRowGroup, "", list...)
	g.Box.Group = group
	if group != box.Body {
		g.Box.Style.BreakInside = "avoid"
	}
	return g
}

// table has groups of rows.
func table(groups ...*fragment.Fragment) *fragment.Fragment {
	grid := made(box.TableGrid, "", groups...)
	grid.Table = &fragment.Table{}
	return made(box.Table, "", grid)
}

// shown lists what is on a page: the lines of paragraphs, pictures, and boxes with a name, with their places.
func shown(p *page.Page) []string {
	var list []string
	var walk func(f *fragment.Fragment, y float64)
	walk = func(f *fragment.Fragment, y float64) {
		name := f.Box.Anchor
		for _, line := range f.Lines {
			list = append(list, fmt.Sprintf("%s.%d@%g", name, number(line), y+line.Top-f.Lead))
		}
		if name != "" && len(f.Lines) == 0 {
			list = append(list, fmt.Sprintf("%s@%g+%g", name, y, f.Height))
		}
		for _, c := range f.Children {
			walk(c, y+c.Y-f.Lead)
		}
	}
	walk(p.Root, p.Root.Y)
	return list
}

// number tells the lines of a made paragraph apart.
func number(line *fragment.Line) int { return int(line.Top / lineHeight) }

func pagesOf(t *testing.T, root *fragment.Fragment) []*page.Page {
	t.Helper()
	pages, err := cut(t.Context(), root, page.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func expect(t *testing.T, root *fragment.Fragment, want ...string) {
	t.Helper()
	var got []string
	for _, p := range pagesOf(t, root) {
		got = append(got, strings.Join(shown(p), " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
