package property

import (
	"context"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// The readers here are what rows are made of. One that takes words has those it can apply in one list, and those
// that are right but outside in another.

// initialValues are the initial values of All.
var initialValues = readInitials(All)

func readInitials(all []*Property) [][]syntax.Value {
	values := make([][]syntax.Value, len(all))
	for i, p := range all {
		values[i], _ = syntax.ParseValues(context.Background(), p.Initial) // short texts of our own; a test reads them all
	}
	return values
}

// keyword takes one of the words.
func keyword(words string, outside ...string) func(*value.Reader) (Keyword, bool) {
	inside := strings.Fields(words)
	beyond := strings.Fields(strings.Join(outside, " "))
	return func(r *value.Reader) (Keyword, bool) {
		if k, ok := r.Keyword(inside...); ok {
			return Keyword(k), true
		}
		k, ok := r.Keyword(beyond...)
		if ok {
			r.Refuse("the value " + k + " is not supported")
		}
		return Keyword(k), ok
	}
}

// words takes one of the single words alone, or several of the others, each once.
func words(alone, several string, outside ...string) func(*value.Reader) (Keyword, bool) {
	one := keyword(alone)
	many := keyword(several, outside...)
	return func(r *value.Reader) (Keyword, bool) {
		if k, ok := one(r); ok {
			return k, true
		}
		var found []string
		for {
			k, ok := many(r)
			if !ok {
				break
			}
			if slices.ContainsFunc(found, func(other string) bool { return sort(other) == sort(string(k)) }) {
				return "", false
			}
			found = append(found, string(k))
		}
		return Keyword(strings.Join(found, " ")), len(found) > 0
	}
}

// sort is what kind a word of a list is: of each there may be one.
func sort(word string) string {
	switch word {
	case "lining-nums", "oldstyle-nums":
		return "figures"
	case "proportional-nums", "tabular-nums":
		return "spacing"
	case "diagonal-fractions", "stacked-fractions":
		return "fractions"
	}
	return strings.TrimPrefix(word, "no-")
}

// listOf takes values between commas.
func listOf[T any](one func(*value.Reader) (T, bool)) func(*value.Reader) ([]T, bool) {
	return func(r *value.Reader) ([]T, bool) {
		var list []T
		for {
			v, ok := one(r)
			if !ok {
				return nil, false
			}
			if list = append(list, v); !r.Delim(",") {
				return list, true
			}
		}
	}
}

// size takes words or a length; positive ones only, unless negative says otherwise.
func size(words string, negative bool, outside ...string) func(*value.Reader) (Size, bool) {
	named := keyword(words, outside...)
	return func(r *value.Reader) (Size, bool) {
		if k, ok := named(r); ok {
			return Size{Keyword: k}, true
		}
		if r.Peek().Kind == syntax.Function && r.Peek().Text == "calc-size" {
			r.Refuse("the function calc-size() is not supported")
			r.Skip()
			return Size{Keyword: "auto"}, true
		}
		if negative {
			l, ok := r.LengthPercent()
			return Size{Length: l}, ok
		}
		l, ok := r.NonNegative()
		return Size{Length: l}, ok
	}
}

func positive(r *value.Reader) (value.Length, bool) { return r.NonNegative() }
func color(r *value.Reader) (value.Color, bool)     { return r.Color() }
func image(r *value.Reader) (value.Image, bool)     { return r.Image() }

// ownSize takes a picture that has a size of its own.
func ownSize(r *value.Reader) (value.Image, bool) {
	picture, ok := r.Image()
	if picture.Gradient != nil {
		r.Refuse("gradients as content and as list markers are not supported")
	}
	return picture, ok
}

func place(r *value.Reader) (value.Position, bool)           { return r.Position() }
func backgroundPlace(r *value.Reader) (value.Position, bool) { return r.BackgroundPosition() }

// pixelsOf takes a length without percentage.
func pixelsOf(negative bool) func(*value.Reader) (float64, bool) {
	return func(r *value.Reader) (float64, bool) {
		calculated := r.Peek().Kind == syntax.Function
		l, ok := r.Length()
		if calculated && !negative {
			l = max(l, 0)
		}
		return l, ok && (negative || l >= 0)
	}
}

// spacing takes normal, which is 0, or a length.
func spacing(r *value.Reader) (float64, bool) {
	if _, ok := r.Keyword("normal"); ok {
		return 0, true
	}
	if l, ok := r.Length(); ok {
		return l, true
	}
	if _, ok := r.LengthPercent(); ok {
		r.Refuse("percentages are not supported here")
		return 0, true
	}
	return 0, false
}

// factor takes a number from 0 on.
func factor(r *value.Reader) (float64, bool) {
	calculated := r.Peek().Kind == syntax.Function
	v, ok := r.Number()
	if calculated {
		v = max(v, 0)
	}
	return v, ok && v >= 0
}

// alpha takes a number or a percentage and clamps it to 0–1.
func alpha(r *value.Reader) (float64, bool) {
	v, ok := r.NumberOrPercent()
	return min(max(v, 0), 1), ok
}

// count takes an integer from 1 on.
func count(r *value.Reader) (int, bool) {
	calculated := r.Peek().Kind == syntax.Function
	n, ok := r.Integer()
	if calculated {
		n = max(n, 1)
	}
	return n, ok && n >= 1
}

// lineWidth takes a border's width. Browsers floor what is above one device pixel; print has finer ones.
func lineWidth(r *value.Reader) (float64, bool) {
	if k, ok := r.Keyword("thin", "medium", "thick"); ok {
		return map[string]float64{"thin": 1, "medium": 3, "thick": 5}[k], true
	}
	return pixelsOf(false)(r)
}

// thickness takes that of a line of text; Blink draws one of less than nothing in some way.
func thickness(r *value.Reader) (Size, bool) {
	s, ok := size("auto from-font", true)(r)
	if s.Keyword == "" && (s.Length.Px < 0 || s.Length.Percent < 0) {
		r.Refuse("a thickness below zero is not supported")
	}
	return s, ok
}
