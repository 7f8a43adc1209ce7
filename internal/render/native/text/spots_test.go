package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/text"
)

// sorts are characters of many classes of UAX #14 and UAX #29.
var sorts = []rune("019azAZ--–—€$.,/()%&'’\"!?:;·ßéΩЖ日本ー。한กא…№©“”«»\u00ad\u200d\u0301\ufe0f\u20e3\u2060\u00a0☺🇩🇪👍🏽")

// TestWhereALineMayBeginDependsOnThePatternOfDigitsAndLetters has a setter that has seen other texts of the same patterns, and one that has seen
// nothing.
func TestWhereALineMayBeginDependsOnThePatternOfDigitsAndLetters(t *testing.T) {
	t.Parallel()
	library, err := fonts.New(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	random, style, seen := rand.New(rand.NewPCG(1, 1)), plain(), text.New(library.NewSet())
	for range 1_500 {
		var b strings.Builder
		for range 2 + random.IntN(8) {
			b.WriteRune(sorts[random.IntN(len(sorts))])
		}
		token := b.String()
		set(t, seen, paragraph(style, another(token, random)), 1)
		want, got := shown(set(t, text.New(library.NewSet()), paragraph(style, token), 1)), shown(set(t, seen, paragraph(style, token), 1))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: lines after others (-alone +after):\n%s", token, diff)
		}
	}
}

// another puts other digits in place of digits, and other letters of ASCII in place of those.
func another(token string, random *rand.Rand) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '0' + rune(random.IntN(10))
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			return rune("aBcDeFgHiJkLmNoPqRsTuVwXyZ"[random.IntN(26)])
		}
		return r
	}, token)
}
