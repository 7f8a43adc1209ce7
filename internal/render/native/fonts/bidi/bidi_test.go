package bidi_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	oracle "github.com/go-text/typesetting/bidi"
	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/fonts/bidi"
)

func TestNumbersAfterTextFromRightToLeftHaveALevelOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, levels string
		base         bidi.Direction
	}{
		{"ab אב 12!", "000111220", bidi.LTR},
		{"ab אב 12!", "221111221", bidi.RTL},
		{"ab אב 12!", "000111220", bidi.Auto},
		{"אב ab 12!", "111222221", bidi.Auto},
		{"אב 1,2% c", "111222200", bidi.LTR},
		{"س 1/2 -3", "11222112", bidi.LTR},
		{"a (א) ב.", "00010010", bidi.LTR},
		{"a (א b) ב.", "0001000010", bidi.LTR},
		{"א (b) ג", "1112111", bidi.RTL},
		{"א\u2067a 1\u2069b", "1022200", bidi.LTR},
		{"12", "22", bidi.RTL},
		{"a\u2029א", "001", bidi.LTR},
		{"\u202eab\u202c", "0110", bidi.LTR},
	} {
		if diff := cmp.Diff(tt.levels, digits(bidi.Levels([]rune(tt.text), tt.base))); diff != "" {
			t.Errorf("%q in %d: %s", tt.text, tt.base, diff)
		}
	}
}

func digits(levels []uint8) string {
	var b strings.Builder
	for _, l := range levels {
		b.WriteByte('0' + l)
	}
	return b.String()
}

// alphabet has characters of all classes.
var alphabet = []rune("aבج1١+$,-.%\u0300\u00ad \t!()[]〈〉\u2329\u232a&\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

// TestRunsAreThoseOfAnotherImplementation compares random texts: the other one tells the directions, and the levels where those begin.
func TestRunsAreThoseOfAnotherImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var other oracle.Paragraph
	for range 10_000 {
		text := make([]rune, 1+random.IntN(16))
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		base := bidi.Direction(random.IntN(3))
		got, runs := bidi.Levels(text, base), other.Segment(text, oracle.Direction(base))
		for i := range runs.NumRuns() {
			run := runs.Run(i)
			for at := run.Start; at < run.End; at++ {
				if int(got[at]%2) != int(run.Level%2) || at == run.Start && int(got[at]) != int(run.Level) {
					t.Fatalf("%q in %d: %v, and in the other %+v", string(text), base, got, run)
				}
			}
		}
	}
}

// TestHostileTextTakesNoLongerThanOther has what makes simple implementations slow.
func TestHostileTextTakesNoLongerThanOther(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"(", "(א", "(א)", "[(א)", "\u2068", "\u2068 ", "\u2067\u2068\u2069", "\u202b1", "א(1", "-", "א\u2067(\u2069)"} {
		text := []rune(strings.Repeat(unit, 200_000/len([]rune(unit))))
		begin := time.Now()
		if levels := bidi.Levels(text, bidi.Auto); len(levels) != len(text) {
			t.Errorf("%q: %d levels of %d characters", unit, len(levels), len(text))
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q takes %s", unit, took)
		}
	}
}

func TestTheFirstStrongCharacterSaysTheDirection(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bidi.Direction{
		"": bidi.Auto, "12 (!)": bidi.Auto, "12 a ש": bidi.LTR, "- שa": bidi.RTL, "\u0661 ع": bidi.RTL, "\u2067ש\u2069a": bidi.RTL, "\u200f": bidi.RTL,
	} {
		if got := bidi.First(text); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
}
