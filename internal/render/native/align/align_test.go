package align_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/align"
)

func TestRoomLeftOverIsShared(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name            string
		mode            align.Mode
		free            float64
		n               int
		before, between float64
	}{
		{"start", align.Start, 60, 3, 0, 0},
		{"end", align.End, 60, 3, 60, 0},
		{"center", align.Center, 60, 3, 30, 0},
		{"between", align.Between, 60, 3, 0, 30},
		{"between, alone", align.Between, 60, 1, 0, 0},
		{"around", align.Around, 60, 3, 10, 20},
		{"evenly", align.Evenly, 60, 3, 15, 15},
		{"stretch is not for shares", align.Stretch, 60, 3, 0, 0},
		{"nothing to place", align.Evenly, 60, 0, 0, 0},
		{"end, too little", align.End, -60, 3, -60, 0},
		{"center, too little", align.Center, -60, 3, -30, 0},
		{"around, too little", align.Around, -60, 3, 0, 0},
		{"evenly, too little", align.Evenly, -60, 3, 0, 0},
		{"between, too little", align.Between, -60, 3, 0, 0},
	} {
		before, between := test.mode.Share(test.free, test.n)
		if before != test.before || between != test.between {
			t.Errorf("%s: %v before, %v between; want %v, %v", test.name, before, between, test.before, test.between)
		}
	}
}

func TestTheOtherEndTurnsStartAndEnd(t *testing.T) {
	t.Parallel()
	for mode, want := range map[align.Mode]align.Mode{align.Start: align.End, align.End: align.Start, align.Center: align.Center, align.Between: align.Between} {
		if got := mode.Turn(); got != want {
			t.Errorf("%v turns to %v, want %v", mode, got, want)
		}
		if mode.Offset(10)+mode.Turn().Offset(10) != 10 && mode != align.Between {
			t.Errorf("%v: offsets from both ends do not meet", mode)
		}
	}
}
