package grid_test

import (
	"math"
	"testing"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/grid"
)

// bytes hands out numbers.
type bytes []byte

func (b *bytes) next() int {
	if len(*b) == 0 {
		return 0
	}
	v := (*b)[0]
	*b = (*b)[1:]
	return int(v)
}

func (b *bytes) line() property.GridLine {
	kind, n := b.next(), b.next()-128
	switch kind % 5 {
	case 0:
		return property.GridLine{}
	case 1:
		return span(max(n, 1))
	case 2:
		return property.GridLine{Name: "mid", Line: n, Span: n > 0 && kind > 100}
	case 3:
		return line(n * kind)
	}
	return line(max(n/16, 1))
}

func (b *bytes) breadth(low bool) grid.Breadth {
	kind := grid.Kind(b.next() % 5)
	if low && kind == grid.Flexible {
		kind = grid.Auto
	}
	return grid.Breadth{Kind: kind, Value: float64(b.next()) / 4}
}

func FuzzPlaces(f *testing.F) {
	f.Add([]byte("items here and there and everywhere in the grid"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := bytes(data)
		flags := b.next()
		columns, rows := grid.NewAxis(template(b.next()%9, ""), nil, nil, false, 0), grid.NewAxis(template(3, "|mid||mid"), nil, nil, true, 0)
		var items []grid.Item
		for len(b) > 0 && len(items) < 200 {
			items = append(items, grid.Item{Columns: grid.Request{Start: b.line(), End: b.line()}, Rows: grid.Request{Start: b.line(), End: b.line()}})
		}
		p, err := grid.Place(columns, rows, items, grid.Flow{Column: flags&1 != 0, Dense: flags&2 != 0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range p.Areas {
			if a.Columns.Start < 0 || a.Columns.Len() < 1 || a.Columns.End > p.Columns || a.Rows.Start < 0 || a.Rows.Len() < 1 || a.Rows.End > p.Rows {
				t.Fatalf("item %d in %+v of %d × %d", i, a, p.Columns, p.Rows)
			}
		}
	})
}

func FuzzTracksAreFinite(f *testing.F) {
	f.Add([]byte("tracks of all kinds with items in one or two of them, and gaps"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := bytes(data)
		s := grid.Sizing{Room: float64(b.next()*4 - 200), Least: float64(b.next()), Most: float64(b.next() * 4), Gap: float64(b.next() / 16), Constraint: grid.Constraint(b.next() % 3), Stretch: b.next()%2 == 0}
		tracks := make([]grid.Track, 1+b.next()%40)
		for i := range tracks {
			tracks[i] = grid.Track{Min: b.breadth(true), Max: b.breadth(false), Fit: float64(b.next()), Limited: b.next() == 7}
		}
		var items []grid.Want
		for len(b) > 0 {
			start := b.next() % len(tracks)
			end := min(start+1+b.next()%8, len(tracks))
			low := float64(b.next())
			items = append(items, grid.Want{Range: grid.Range{Start: start, End: end}, Least: low, Most: low + float64(b.next()), Minimum: low / 2, Automatic: b.next()%2 == 0})
		}
		sizes, err := s.Tracks(tracks, items)
		if err != nil {
			t.Fatal(err)
		}
		e := s.Edges(tracks, sizes, align.Mode(b.next()%8))
		for i, size := range sizes {
			if math.IsNaN(size) || size < 0 || size > 1<<25 || math.IsNaN(e.Starts[i]) {
				t.Fatalf("track %d, %+v: %v at %v", i, tracks[i], size, e.Starts[i])
			}
		}
	})
}
