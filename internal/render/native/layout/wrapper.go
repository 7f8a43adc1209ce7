package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// table lays out the wrapper of a table: captions above and below the grid, as wide as that, which is at least as wide as their
// least content (CSS Tables 3, section 3.1).
func (l *layouter) table(b *box.Box, s space) (*fragment.Fragment, error) {
	e := l.edges(b, s)
	grid := gridOf(b)
	f := l.newFragment(b, e, 0)
	f.Border, f.Padding = fragment.Edges{}, fragment.Edges{}
	inner := s
	inner.beside = s.width - max(s.room()-e.margin.Across(), 0)
	g, err := l.layoutBeside(b, grid, inner)
	if err != nil {
		return nil, err
	}
	if g != nil {
		f.Width = g.Width
	}
	if err := l.stackCaptions(f, b, g, "top"); err != nil {
		return nil, err
	}
	if g != nil {
		g.Y = f.Height
		f.Height += g.Height
		f.Children = append(f.Children, g)
	}
	if err := l.stackCaptions(f, b, g, "bottom"); err != nil {
		return nil, err
	}
	if g != nil && g.HasBaseline {
		f.HasBaseline, f.Baseline, f.LastBaseline = true, g.Y+g.Baseline, g.Y+g.LastBaseline
	}
	f.Height = bounded(max(f.Height, s.fixedHeight))
	return f, nil
}

// layoutBeside lays out the grid in the height that its captions leave: they are laid out at its width, which does not depend on
// heights.
func (l *layouter) layoutBeside(b, grid *box.Box, s space) (*fragment.Fragment, error) {
	least := l.captionLeast(b)
	if least == 0 || s.fixedHeight < 0 && s.height < 0 || grid == nil {
		return l.layoutGrid(grid, s, least)
	}
	mark := len(l.pending)
	g, err := l.layoutGrid(grid, s, least)
	if err != nil {
		return nil, err
	}
	measured := l.newFragment(b, edges{}, g.Width)
	for _, side := range []string{"top", "bottom"} {
		if err := l.stackCaptions(measured, b, g, side); err != nil {
			return nil, err
		}
	}
	l.pending = l.pending[:mark]
	if s.fixedHeight >= 0 {
		s.fixedHeight = max(s.fixedHeight-measured.Height, 0)
	}
	if s.height >= 0 {
		s.height = max(s.height-measured.Height, 0)
	}
	return l.layoutGrid(grid, s, least)
}

func (l *layouter) layoutGrid(grid *box.Box, s space, least float64) (*fragment.Fragment, error) {
	if grid == nil {
		return nil, nil //nolint:nilnil // there may be captions without a grid
	}
	g, err := l.layout(grid, s)
	if err != nil || g.Width >= least || s.fixedWidth >= 0 {
		return g, err
	}
	s.fixedWidth = least
	return l.layout(grid, s)
}

func gridOf(b *box.Box) *box.Box {
	for _, c := range b.Children {
		if c.Kind == box.TableGrid {
			return c
		}
	}
	return nil
}

// captionLeast is the least width of the captions.
func (l *layouter) captionLeast(b *box.Box) float64 {
	var least float64
	for _, c := range b.Children {
		if c.Kind == box.TableCaption {
			low, _ := l.minMax(c)
			least = max(least, low)
		}
	}
	return least
}

// stackCaptions puts the captions of one side below each other. Their margins do not collapse with those of the grid.
func (l *layouter) stackCaptions(f *fragment.Fragment, b *box.Box, grid *fragment.Fragment, side string) error {
	for _, c := range b.Children {
		if c.Kind != box.TableCaption || (c.Style.CaptionSide == "bottom") != (side == "bottom") {
			continue
		}
		s := within(f.Width, indefinite)
		e := l.edges(c, s)
		caption, err := l.layout(c, s)
		if err != nil {
			return err
		}
		if grid == nil {
			f.Width = max(f.Width, caption.Width+e.margin.Across())
		}
		caption.X = justify(&e, caption.Width, f.Width, b.Style.Direction == "rtl", "")
		caption.Y = f.Height + e.margin.Top
		caption.Margin = e.margin
		f.Height = caption.Y + caption.Height + e.margin.Bottom
		f.Children = append(f.Children, caption)
	}
	return nil
}

// wrapperMinMax is what the wrapper wants, without its margins.
func (l *layouter) wrapperMinMax(b *box.Box) (least, most float64) {
	if grid := gridOf(b); grid != nil {
		least, most = l.minMax(grid)
	}
	captions := l.captionLeast(b)
	return max(least, captions), max(most, captions)
}
