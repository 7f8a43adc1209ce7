package fonts

import (
	"cmp"
	"slices"
)

// face is a font as a candidate: a font of the library has one weight, a web font may be declared for a range of them, and for some
// characters only.
type face struct {
	font               *Font
	lightest, heaviest int
	italic             bool
	width              int
	only               [][2]rune // nil is all characters
}

func faceOf(f *Font) face {
	return face{font: f, lightest: f.Style.Weight, heaviest: f.Style.Weight, italic: f.Style.Italic, width: f.Style.Width}
}

// has reports whether the face has a glyph for a character and may be used for it.
func (f face) has(r rune) bool {
	inside := f.only == nil || slices.ContainsFunc(f.only, func(span [2]rune) bool { return r >= span[0] && r <= span[1] })
	return inside && f.font.Has(r)
}

// matches returns the faces that fit a style best: CSS Fonts 4 section 5.2, steps 4.1 to 4.3. They are several only when faces of one
// style share the characters among them.
func matches(all []face, want Style) []face {
	best := slices.MinFunc(all, func(a, b face) int { return a.rank(want).compare(b.rank(want)) }).rank(want)
	var fit []face
	for _, f := range all {
		if f.rank(want) == best {
			fit = append(fit, f)
		}
	}
	return fit
}

// rank says how far a face is from a style: width decides before slant, slant before weight. Less is better.
type rank struct{ width, slant, weight int }

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.width, o.width), cmp.Compare(r.slant, o.slant), cmp.Compare(r.weight, o.weight))
}

// otherSide is more than any distance: what lies on the wrong side comes after all that lies on the right one.
const otherSide = 2000

func (f face) rank(want Style) rank {
	r := rank{width: widthRank(f.width, want.Width), weight: f.weightRank(want.Weight)}
	if f.italic != want.Italic {
		r.slant = 1
	}
	return r
}

// widthRank looks for narrower faces first when a normal or narrow one is wanted, and for wider ones first otherwise.
func widthRank(has, want int) int {
	distance := has - want
	if want <= 5 {
		distance = -distance
	}
	if distance < 0 {
		return otherSide - distance
	}
	return distance
}

// weightRank: from 400 to 500, up to 500 first, then lighter, then heavier; below 400 lighter first; above 500 heavier first.
func (f face) weightRank(want int) int {
	lighter, heavier := want-f.heaviest, f.lightest-want // how much; not positive when the face has the weight or is on the other side
	switch {
	case lighter <= 0 && heavier <= 0:
		return 0
	case want >= 400 && want <= 500 && heavier > 0:
		if f.lightest <= 500 {
			return heavier
		}
		return 2*otherSide + heavier
	case want >= 400 && want <= 500:
		return otherSide + lighter
	case want < 400 == (lighter > 0):
		return max(lighter, heavier)
	}
	return otherSide + max(lighter, heavier)
}
