package page

import (
	"cmp"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// bands are the children of a box in the order of the flow: pages are cut between two of them, or through one. A band is a block, a
// float, a row, a line of flex items, a row of a grid; what is in one band stands side by side and is cut independently.
type bands struct {
	list []*fragment.Fragment
	// ends says for each band where it ends in the list; nil makes each child a band.
	ends []int
}

func (s *bands) count() int {
	if s.ends != nil {
		return len(s.ends)
	}
	return len(s.list)
}

func (s *bands) band(i int) []*fragment.Fragment {
	if s.ends == nil {
		return s.list[i : i+1]
	}
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.list[from:s.ends[i]]
}

// inFlow is the last band that is no float, or -1.
func (s *bands) inFlow() int {
	for i := s.count() - 1; i >= 0; i-- {
		if s.band(i)[0].InFlow() {
			return i
		}
	}
	return -1
}

// bands finds those of a fragment.
func (c *cutter) bands(f *fragment.Fragment) bands {
	n := len(f.Children)
	for n > 0 && f.Children[n-1].Box.OutOfFlow() {
		n--
	}
	switch {
	case n == 0:
		return bands{} // a row may have nothing but positioned children
	case f.Box.Kind == box.TableRow:
		return bands{f.Children[:n], []int{n}}
	case f.Box.Kind == box.Flex, f.Box.Kind == box.Grid:
		s, ok := c.sorted[f]
		if !ok {
			s = sorted(f.Children[:n])
			c.sorted[f] = s
		}
		return s
	default:
		return bands{list: f.Children[:n]}
	}
}

// sorted puts items into the order in which they stand on the sheet: those whose margin boxes overlap in height are side by side.
func sorted(items []*fragment.Fragment) bands {
	s := bands{list: slices.Clone(items), ends: []int{}}
	slices.SortStableFunc(s.list, func(a, b *fragment.Fragment) int { return cmp.Compare(a.Y-a.Margin.Top, b.Y-b.Margin.Top) })
	bottom := 0.0
	for i, f := range s.list {
		if i > 0 && f.Y-f.Margin.Top >= bottom-epsilon {
			s.ends = append(s.ends, i)
		}
		if end := f.Y + f.Height + f.Margin.Bottom; i == 0 || end > bottom {
			bottom = end
		}
	}
	if len(s.list) > 0 {
		s.ends = append(s.ends, len(s.list))
	}
	return s
}

// above is where a band begins when a page begins with it: margins of blocks go, those of items stay.
func above(f *fragment.Fragment, band []*fragment.Fragment) float64 {
	y := band[0].Y
	for i, item := range band {
		top := item.Y
		if parallel(f) {
			top -= item.Margin.Top
		}
		if i == 0 || top < y {
			y = top
		}
	}
	return y
}

// below is where the items of a band end that what follows must wait for.
func below(f *fragment.Fragment, band []*fragment.Fragment) float64 {
	y := 0.0
	for i, item := range band {
		if end := item.Y + ending(f, item); i == 0 || end > y {
			y = end
		}
	}
	if f.Box.Kind == box.TableRow {
		return min(y, f.Height)
	}
	return y
}

// ending is the height of an item, with the margin that does not collapse with anything.
func ending(f, item *fragment.Fragment) float64 {
	if parallel(f) {
		return item.Height + item.Margin.Bottom
	}
	return item.Height
}

// spans says that a cell reaches below its row, which does not wait for it.
func spans(f, item *fragment.Fragment) bool {
	return f.Box.Kind == box.TableRow && item.Y+item.Height > f.Height+epsilon
}

// slack is how much higher a box is than its content asks for, and how much of its height is the margin of its last child: margins
// that a page ends with are not missed.
func (c *cutter) slack(f *fragment.Fragment) (free, margin float64) {
	switch f.Box.Kind {
	case box.Table, box.TableGrid, box.TableRowGroup, box.TableRow:
		return 0, 0
	default:
	}
	content := f.ContentY()
	if n := len(f.Lines); n > 0 {
		content = max(content, bottom(f.Lines[n-1]))
	} else {
		s := c.bands(f)
		if i := s.inFlow(); i >= 0 {
			content = max(content, below(f, s.band(i)))
			margin = max(min(f.Height-trailing(f)-content, bottomMargin(s.band(i)[0])), 0)
		}
	}
	if free = f.Height - trailing(f) - content - margin; free <= epsilon {
		free = 0
	}
	if trailing(f) > 0 {
		margin = 0
	}
	return free, margin
}
