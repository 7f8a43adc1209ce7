// Package grid is the algorithm of grids (CSS Grid Layout 1 and 2) in numbers: explicit tracks and the names of their lines,
// placement of items, and the sizes of tracks. It knows no boxes: the caller lays out items in the areas that it is told and says
// how large they want to be.
//
// The order of things is [NewAxis] for columns and rows, [Place], then [Sizing.Tracks] for the columns and, once items have been
// laid out in them, for the rows. Tracks and lines are counted from 0.
//
// Bounds: lines that are named by number reach 1000 tracks beyond the explicit grid, and as many more as there are items, along the axis in which automatic
// placement goes on; there the grid ends after 100,000 tracks and one for each item. What lies beyond stands in the last track.
package grid

import "github.com/platen-render/platen/internal/render/native/css/property"

// Indefinite is a size that is not known.
const Indefinite = -1

// maxTracks bounds explicit tracks, spans, and the lines that can be named by number.
const maxTracks = 1000

// maxGrowth bounds the tracks that automatic placement makes, beside one for each item.
const maxGrowth = 100_000

// Axis are the columns or the rows of a grid as they were written.
type Axis struct {
	// Explicit are the tracks of the template, repetitions written out. Those from FitFirst up to FitEnd come from auto-fit: they
	// collapse when no item is in them.
	Explicit         []property.Track
	FitFirst, FitEnd int
	// Implicit are the tracks of grid-auto-columns or grid-auto-rows: they repeat in both directions.
	Implicit []property.Track

	lines map[string][]int // by name, ascending
}

// Range are the tracks from Start up to, and without, End; or the lines that enclose them.
type Range struct{ Start, End int }

// Len is how many tracks there are.
func (r Range) Len() int { return r.End - r.Start }

// Area is where an item stands.
type Area struct{ Columns, Rows Range }

// NewAxis writes out a template: repeat is how often the part of auto-fill or auto-fit stands in it (see [Repetitions]). Areas
// are those of grid-template-areas, by rows; rows tells which side of them counts.
func NewAxis(template property.Tracks, implicit []property.Track, areas [][]string, rows bool, repeat int) *Axis {
	a := &Axis{Implicit: implicit, lines: map[string][]int{}}
	names := template.Names
	for i, one := range template.List {
		if template.Repeat != nil && i == template.At {
			a.repeat(template, repeat)
		}
		a.name(at(names, i))
		a.Explicit = append(a.Explicit, one)
	}
	if template.Repeat != nil && template.At >= len(template.List) {
		a.repeat(template, repeat)
	}
	a.name(at(names, len(template.List)))
	a.addAreas(areas, rows)
	return a
}

func at(names [][]string, i int) []string {
	if i < len(names) {
		return names[i]
	}
	return nil
}

func (a *Axis) repeat(template property.Tracks, times int) {
	first := len(a.Explicit)
	for range times {
		for i, one := range template.Repeat {
			a.name(at(template.RepeatNames, i))
			a.Explicit = append(a.Explicit, one)
		}
		a.name(at(template.RepeatNames, len(template.Repeat)))
	}
	if template.Fit {
		a.FitFirst, a.FitEnd = first, len(a.Explicit)
	}
}

// name gives names to the line that comes next.
func (a *Axis) name(names []string) {
	for _, name := range names {
		a.nameLine(name, len(a.Explicit))
	}
}

func (a *Axis) nameLine(name string, line int) {
	list := a.lines[name]
	if len(list) > 0 && list[len(list)-1] == line {
		return
	}
	a.lines[name] = append(list, line)
}

// track returns the definition of a track, counted from the first explicit one: implicit ones repeat before and after.
func (a *Axis) track(i int) property.Track {
	n := len(a.Implicit)
	switch {
	case i >= 0 && i < len(a.Explicit):
		return a.Explicit[i]
	case n == 0:
		return auto
	case i < 0:
		return a.Implicit[((i%n)+n)%n]
	}
	return a.Implicit[(i-len(a.Explicit))%n]
}

var auto = property.Track{
	Min: property.TrackSize{Size: property.Size{Keyword: "auto"}},
	Max: property.TrackSize{Size: property.Size{Keyword: "auto"}},
}
