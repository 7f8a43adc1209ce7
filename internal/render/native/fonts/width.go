package fonts

import "math"

// stretches are those of the width classes from 1 on, in percent (OpenType, OS/2 usWidthClass).
var stretches = [...]float64{50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200}

// WidthClass returns the width class that is nearest to a font-stretch in percent; 0 is normal.
func WidthClass(percent float64) int {
	best := 5
	if percent == 0 {
		return best
	}
	for i, p := range stretches {
		if math.Abs(p-percent) < math.Abs(stretches[best-1]-percent) {
			best = i + 1
		}
	}
	return best
}
