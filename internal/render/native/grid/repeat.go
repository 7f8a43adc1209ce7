package grid

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// Repetitions is how often the part of auto-fill or auto-fit stands in a template: as often as fits into room; or, if that is
// Indefinite, as often as is needed for least, the minimum size of the container. It is at least once (section 7.2.3.2).
func Repetitions(template property.Tracks, room, least, gap float64) int {
	if len(template.Repeat) == 0 {
		return 0
	}
	bound := max((maxTracks-len(template.List))/len(template.Repeat), 1)
	base := max(room, 0)
	fixed, one := extent(template.List, base), extent(template.Repeat, base)
	fixed += float64(len(template.List)) * gap
	one += float64(len(template.Repeat)) * gap
	if one <= 0 {
		return 1
	}
	if room < 0 {
		if least <= 0 {
			return 1
		}
		return clampTimes(math.Ceil((least+gap-fixed)/one-tiny), bound)
	}
	return clampTimes(math.Floor((room+gap-fixed)/one+tiny), bound)
}

// tiny forgives what sums of thirds lose.
const tiny = 1e-6

func clampTimes(times float64, bound int) int {
	return int(max(min(times, float64(bound)), 1))
}

// extent is the size of tracks for counting them: their greatest size if that is a length, else their least one; at least a pixel,
// as browsers have it.
func extent(tracks []property.Track, base float64) float64 {
	sum := 0.0
	for _, t := range tracks {
		low, high := length(t.Min, base), length(t.Max, base)
		size := max(low, high)
		if high < 0 {
			size = low
		}
		if t.FitContent {
			size = high
		}
		sum += max(size, 1)
	}
	return sum
}

// length is that of one end of a track, or Indefinite.
func length(s property.TrackSize, base float64) float64 {
	if s.Keyword != "" {
		return Indefinite
	}
	return finite(s.Length.Resolve(base))
}
