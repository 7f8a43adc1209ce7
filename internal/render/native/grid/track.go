package grid

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// Kind is what one end of a track is.
type Kind uint8

// The kinds. Auto is the zero value.
const (
	Auto Kind = iota
	MinContent
	MaxContent
	Fixed    // a length
	Flexible // a share of what is left over
)

// Breadth is one end of a track: Value is the length, or the number of fractions.
type Breadth struct {
	Kind  Kind
	Value float64
}

// Track is a track whose percentages have been resolved.
type Track struct {
	Min, Max Breadth
	// Fit is the limit of fit-content(), and Limited says that there is one.
	Fit     float64
	Limited bool
	// Collapsed says that auto-fit has made it and that it is empty: it has neither a size nor a gap.
	Collapsed bool
}

// Tracks returns the definitions of all tracks of an axis: before of them stand before the explicit ones. Percentages are of base;
// when that is Indefinite they are auto. Used says of a track whether an item is in it.
func (a *Axis) Tracks(count, before int, base float64, used func(track int) bool) []Track {
	list := make([]Track, count)
	for i := range list {
		explicit := i - before
		list[i] = resolved(a.track(explicit), base)
		if explicit >= a.FitFirst && explicit < a.FitEnd && !used(i) {
			list[i] = Track{Min: Breadth{Kind: Fixed}, Max: Breadth{Kind: Fixed}, Collapsed: true}
		}
	}
	return list
}

// HasPercent reports whether the size of a track depends on that of the container.
func (a *Axis) HasPercent() bool {
	for _, list := range [][]property.Track{a.Explicit, a.Implicit} {
		for _, t := range list {
			if percent(t.Min) || percent(t.Max) {
				return true
			}
		}
	}
	return false
}

func percent(s property.TrackSize) bool { return s.Keyword == "" && s.Length.HasPercent() }

func resolved(t property.Track, base float64) Track {
	out := Track{Min: breadth(t.Min, base), Max: breadth(t.Max, base)}
	if t.FitContent {
		out.Fit, out.Limited = out.Max.Value, out.Max.Kind == Fixed
		out.Max = Breadth{Kind: Auto}
	}
	return out
}

func breadth(s property.TrackSize, base float64) Breadth {
	switch s.Keyword {
	case "fr":
		return Breadth{Kind: Flexible, Value: finite(s.Fr)}
	case "min-content":
		return Breadth{Kind: MinContent}
	case "max-content":
		return Breadth{Kind: MaxContent}
	case "":
		if base < 0 && s.Length.HasPercent() {
			return Breadth{}
		}
		return Breadth{Kind: Fixed, Value: max(finite(s.Length.Resolve(base)), 0)}
	}
	return Breadth{}
}

// farthest is what lengths are kept below: 2^25 pixels, as in browsers.
const farthest = 1 << 25

// finite keeps a number a number.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, -farthest), farthest)
}
