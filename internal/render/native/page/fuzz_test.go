package page_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/page"
)

// grower makes a tree of boxes of some bytes.
type grower struct {
	data   []byte
	number int
	height float64 // of all that cannot be cut, with margins and padding
}

func (g *grower) next() int {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return int(b)
}

func (g *grower) name() string {
	g.number++
	return fmt.Sprint("n", g.number)
}

func (g *grower) list(depth int) []*fragment.Fragment {
	var list []*fragment.Fragment
	for range 1 + g.next()%5 {
		list = append(list, g.grow(depth))
	}
	return list
}

// grow makes one box; how it may break is drawn as well.
func (g *grower) grow(depth int) *fragment.Fragment {
	var f *fragment.Fragment
	kind := g.next() % 9
	switch {
	case depth <= 0 || kind < 2:
		n := g.next() % 14
		f = paragraph(g.name(), n+1)
	case kind == 2:
		f = picture(g.name(), float64(1+g.next()*2))
	case kind == 3:
		f = side(box.Flex, "", g.list(depth-1)...)
	case kind == 4:
		f = g.table(depth)
	case kind == 5:
		f = made(box.Block, "", g.list(depth-1)...)
		f.Height = float64(g.next() * 3)
		f.Box.Style.Height = property.Size{Length: value.Px(f.Height)}
	default:
		f = made(box.Block, "", g.list(depth-1)...)
	}
	g.height += f.Height
	g.breaks(f)
	if f.Box.Kind == box.Block && g.next()%12 == 0 {
		f.Box.Style.Float = "left"
	}
	if kind >= 5 && g.next()%4 == 0 {
		g.position(f)
	}
	return f
}

// position adds a positioned box to a block.
func (g *grower) position(f *fragment.Fragment) {
	p := paragraph(g.name(), 1+g.next()%14)
	p.Y = float64(g.next() * 3)
	p.Box.Parent, p.Box.Style.Position = f.Box, "absolute"
	zero := property.Size{}
	switch g.next() % 3 {
	case 0:
		p.Box.Style.Inset.Top = zero
	case 1:
		p.Box.Style.Inset.Bottom = zero
	}
	f.Children = append(f.Children, p)
	g.height += p.Y + p.Height
}

// breaks says how a box may break, and gives it margins and padding.
func (g *grower) breaks(f *fragment.Fragment) {
	words := []property.Keyword{"auto", "auto", "auto", "auto", "avoid", "page"}
	s := f.Box.Style
	s.BreakBefore, s.BreakAfter = words[g.next()%6], words[g.next()%6]
	s.BreakInside = words[g.next()%5]
	s.Orphans, s.Widows = 1+g.next()%3, 1+g.next()%3
	f.Margin = fragment.Edges{Top: float64(g.next() % 40), Bottom: float64(g.next() % 40)}
	if pad := float64(g.next() % 60); g.next()%3 == 0 && f.Box.Kind == box.Block {
		f.Padding = fragment.Edges{Top: pad, Bottom: pad}
		f.Height += 2 * pad
		for _, c := range f.Children {
			c.Y += pad
		}
		for _, line := range f.Lines {
			line.Top += pad
		}
	}
	g.height += f.Margin.Along() + f.Padding.Along()
}

func (g *grower) table(depth int) *fragment.Fragment {
	var groups []*fragment.Fragment
	for _, kind := range []box.Group{box.Head, box.Body, box.Body, box.Foot} {
		var list []*fragment.Fragment
		for range 1 + g.next()%3 {
			var cells []*fragment.Fragment
			for _, f := range g.list(depth - 2) {
				cells = append(cells, made(box.TableCell, "", f))
			}
			list = append(list, side(box.TableRow, "", cells...))
		}
		group := made(box.TableRowGroup, "", list...)
		group.Box.Group = kind
		group.Box.Style.BreakInside = "avoid"
		groups = append(groups, group)
	}
	return table(groups...)
}

// leaves lists the lines and pictures of a tree in its order; a line is told by its pointer.
func leaves(f *fragment.Fragment, y float64, repeated bool, visit func(key any, name string, y, height float64, repeated bool)) {
	repeated = repeated || f.Repeated
	for i, line := range f.Lines {
		visit(line, fmt.Sprintf("%s.%d", f.Box.Anchor, i), y+line.Top-f.Lead, line.Height, repeated)
	}
	if f.Box.Kind == box.Replaced {
		visit(f.Box, f.Box.Anchor, y, f.Height, repeated)
	}
	for _, c := range f.Children {
		leaves(c, y+c.Y-f.Lead, repeated, visit)
	}
}

// FuzzNothingIsLostAndNothingIsTwice cuts random trees: all lines and pictures stand on a page, once unless they are higher than it.
func FuzzNothingIsLostAndNothingIsTwice(f *testing.F) {
	for _, seed := range []string{
		"", "\x06\x04\x00\x0a", strings.Repeat("\x06\x01\x05\x03\x02\x04", 30), strings.Repeat("\x04\x02\x01\x00\x09\x03\x05\x07", 40),
		strings.Repeat("\x05\x03\x07\x02\xf0\x01\x0c", 40), strings.Repeat("\x03\x04\x02\xc8\x00\x0d\x01", 50),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(check)
}

// TestNothingIsLostInRandomTrees does the same with trees that are larger than those that fuzzing begins with.
func TestNothingIsLostInRandomTrees(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 20+r.IntN(1500))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		check(t, data)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func check(t *testing.T, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	g := &grower{data: data[:min(len(data), 2000)]}
	root := made(box.Block, "", g.list(4)...)
	pages, err := cut(ctx, root, page.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	missing := map[any]string{}
	leaves(root, 0, false, func(key any, name string, _, _ float64, _ bool) { missing[key] = name })
	seen, all := map[any]int{}, len(missing)
	for i, p := range pages {
		leaves(p.Root, p.Root.Y, false, func(key any, name string, y, height float64, repeated bool) {
			delete(missing, key)
			if before, ok := seen[key]; ok && !repeated && (before != i-1 || y > -epsilon && height <= 200) {
				t.Errorf("%s is on page %d and on page %d at %g", name, before+1, i+1, y)
			}
			seen[key] = i
		})
	}
	if len(missing) > 0 {
		t.Errorf("lost %v", missing)
	}
	if most := int(g.height/50) + 4*(all+g.number) + 20; len(pages) > most {
		t.Errorf("%d pages for %d leaves, %g high", len(pages), all, g.height)
	}
}

// epsilon is for sums that are not exact.
const epsilon = 0.1
