// Package align gives out the room that is left over between lines, tracks and boxes (CSS Box Alignment 3). Flex containers and
// grids share it. It knows numbers only.
package align

// Mode is how a box stands in its place (the first five), or how lines and tracks share what is left over (all but Baseline).
type Mode uint8

// The modes. Start and End are those of the axis; who knows about directions has turned them.
const (
	Start Mode = iota
	End
	Center
	Stretch
	Baseline
	Between
	Around
	Evenly
)

// Share says how n things share the room that is left over: how much stands before the first one and how much between two,
// beyond their gaps. When there is less room than needed, what would be spread stands at the start (section 5.3).
func (m Mode) Share(free float64, n int) (before, between float64) {
	if n <= 0 {
		return 0, 0
	}
	switch m {
	case End:
		return free, 0
	case Center:
		return free / 2, 0
	case Start, Stretch, Baseline:
		return 0, 0
	case Between, Around, Evenly:
	}
	if free <= 0 {
		return 0, 0
	}
	return m.spread(free, float64(n))
}

func (m Mode) spread(free, n float64) (before, between float64) {
	switch {
	case m == Around:
		return free / n / 2, free / n
	case m == Evenly:
		return free / (n + 1), free / (n + 1)
	case n > 1:
		return 0, free / (n - 1)
	}
	return 0, 0
}

// Offset is where a box begins in a place that is larger by free; a place that is too small makes it negative for Center and End.
func (m Mode) Offset(free float64) float64 {
	switch m {
	case End:
		return free
	case Center:
		return free / 2
	case Start, Stretch, Baseline, Between, Around, Evenly:
	}
	return 0
}

// Turn is the mode seen from the other end of the axis.
func (m Mode) Turn() Mode {
	switch m {
	case Start:
		return End
	case End:
		return Start
	case Center, Stretch, Baseline, Between, Around, Evenly:
	}
	return m
}
