package fonts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Set is the fonts of one job: a library, and what its document brings along. It is for one goroutine.
type Set struct {
	library *Library
	own     map[string][]face
	brought []*Font // by the document, in order
	missing map[rune]bool
	misses  int
	chosen  map[string]*Selection
}

// NewSet makes the set of a job.
func (l *Library) NewSet() *Set {
	return &Set{library: l, own: map[string][]face{}, missing: map[rune]bool{}, chosen: map[string]*Selection{}}
}

// Declaration is an @font-face rule (CSS Fonts 4 section 4).
type Declaration struct {
	Family string
	// Lightest and Heaviest are the range of font-weight; zeros are 400.
	Lightest, Heaviest int
	Italic             bool
	Width              int       // zero is 5, normal
	Only               [][2]rune // unicode-range, ends included; nil is all characters
}

// Add adds a web font: TrueType, OpenType, WOFF or WOFF2. The family then hides one of the same name in the library. The error is
// pdf.ErrFontInvalid. Data is not changed and must not be changed later.
func (s *Set) Add(d Declaration, data []byte) error {
	p, err := parse(data, 0)
	if err != nil {
		return pdf.ErrFontInvalid.Because(fmt.Errorf("font-face %q: %w", d.Family, err))
	}
	style := Style{Weight: d.Lightest, Italic: d.Italic, Width: d.Width}.withDefaults()
	f := newFont(d.Family, style, func() (*program, error) { return p, nil })
	s.brought = append(s.brought, f)
	key := strings.ToLower(d.Family)
	s.own[key] = append(s.own[key], face{f, style.Weight, max(style.Weight, d.Heaviest), d.Italic, style.Width, d.Only})
	clear(s.chosen)
	return nil
}

// Brought returns the web fonts in the order in which they were added.
func (s *Set) Brought() []*Font { return s.brought }

// Choice is a face and what must be done to it to look like what was asked for (CSS Fonts 4, font-synthesis).
type Choice struct {
	Font *Font
	// Slant says that an italic was wanted and there is only an upright face.
	Slant bool
	// Embolden says that a bold face was wanted and there are only lighter ones.
	Embolden bool
}

// Selection is the faces for one list of families and one style, in the order in which they are asked for a character. It belongs to
// its set.
type Selection struct {
	set     *Set
	key     string
	want    Style
	faces   []face
	byRune  map[rune]int
	primary int
}

// Select finds the faces for families, most wanted first. None of them need exist.
func (s *Set) Select(families []string, style Style) *Selection {
	style = style.withDefaults()
	key := keyOf(families, style)
	if known, ok := s.chosen[key]; ok {
		return known
	}
	sel := &Selection{set: s, key: key, want: style, byRune: map[rune]int{}}
	for _, name := range append(slices.Clone(families), "serif") { // the initial value of font-family in browsers
		sel.add(s.family(name), style)
	}
	for _, f := range s.library.last {
		if !sel.has(f.family) {
			sel.faces = append(sel.faces, f.faces...)
		}
	}
	s.chosen[key] = sel
	sel.primary = sel.find(' ')
	return sel
}

// keyOf is another one for all other families and styles.
func keyOf(families []string, style Style) string {
	key := make([]byte, 0, 64)
	for _, name := range families {
		key = append(append(strconv.AppendInt(key, int64(len(name)), 10), ':'), name...)
	}
	key = strconv.AppendInt(key, int64(style.Weight), 10)
	key = strconv.AppendInt(append(key, ' '), int64(style.Width), 10)
	return string(strconv.AppendBool(append(key, ' '), style.Italic))
}

func (s *Set) family(name string) []face {
	name = strings.ToLower(strings.TrimSpace(name))
	if own := s.own[name]; own != nil {
		return own
	}
	return s.library.lookup(name)
}

// Has reports whether there is a family of this name, by its own name or by what that stands for (see [Aliases]).
func (s *Set) Has(family string) bool { return len(s.family(family)) > 0 }

func (sel *Selection) add(family []face, style Style) {
	if len(family) > 0 {
		sel.faces = append(sel.faces, matches(family, style)...)
	}
}

// has reports whether a face of the family was added already.
func (sel *Selection) has(family string) bool {
	return slices.ContainsFunc(sel.faces, func(f face) bool { return strings.EqualFold(f.font.Family, family) })
}

// Common returns what the selection has in common with those of other jobs of this library: all with the same key choose the same faces.
// It is not ok when the document brings fonts along.
func (sel *Selection) Common(library *Library) (key string, ok bool) {
	return sel.key, sel.set.library == library && len(sel.set.brought) == 0
}

// Primary is the first available font (CSS Fonts 4 section 5.2): the one that line heights and ex units come from.
func (sel *Selection) Primary() Choice { return sel.choice(max(sel.primary, 0)) }

// For chooses the face for a grapheme cluster: the first that has all of it, or else its first character. When no face has that, it
// is the primary one, whose empty box will show, and the characters are in [Set.Missing].
func (sel *Selection) For(cluster []rune) Choice {
	if len(cluster) == 1 { // nearly always
		if at, ok := sel.byRune[cluster[0]]; ok && at >= 0 {
			return sel.choice(at)
		}
	}
	visible := slices.DeleteFunc(slices.Clone(cluster), ignorable)
	if len(visible) == 0 {
		return sel.Primary()
	}
	first := sel.find(visible[0])
	if first < 0 {
		sel.miss(visible)
		return sel.Primary()
	}
	if len(visible) == 1 || sel.hasAll(first, visible) {
		return sel.choice(first)
	}
	for i := first + 1; i < len(sel.faces); i++ {
		if sel.hasAll(i, visible) {
			return sel.choice(i)
		}
	}
	sel.miss(visible[1:])
	return sel.choice(first)
}

func (sel *Selection) hasAll(i int, cluster []rune) bool {
	return !slices.ContainsFunc(cluster, func(r rune) bool { return !sel.faces[i].has(r) })
}

// find returns the first face that has a character, or -1. A face whose file could not be read just now is passed over, which counts as
// a miss: the next job shall not get what was made without it.
func (sel *Selection) find(r rune) int {
	if known, ok := sel.byRune[r]; ok {
		return known
	}
	at := slices.IndexFunc(sel.faces, func(f face) bool { return f.has(r) })
	if slices.ContainsFunc(sel.faces, func(f face) bool { return f.font.away.Load() }) {
		sel.set.misses++
		return at
	}
	sel.byRune[r] = at
	return at
}

func (sel *Selection) miss(cluster []rune) {
	for _, r := range cluster {
		if sel.find(r) < 0 {
			sel.set.missing[r] = true
			sel.set.misses++
		}
	}
}

// boldFrom is the weight from which a face counts as bold.
const boldFrom = 600

func (sel *Selection) choice(i int) Choice {
	f := sel.faces[i]
	return Choice{
		Font:     f.font,
		Slant:    sel.want.Italic && !f.italic,
		Embolden: sel.want.Weight >= boldFrom && f.heaviest < boldFrom,
	}
}

// ignorable reports characters that need no glyph: controls and format characters such as the soft hyphen, joiners and variation
// selectors (Unicode's Default_Ignorable_Code_Point, nearly).
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector) || r == '\u034f' || r == '\u2028' || r == '\u2029'
}

// Misses counts how often a character was asked for that no font has.
func (s *Set) Misses() int { return s.misses }

// Missing returns the characters that were asked for and that no font has, sorted.
func (s *Set) Missing() []rune {
	runes := make([]rune, 0, len(s.missing))
	for r := range s.missing {
		runes = append(runes, r)
	}
	slices.Sort(runes)
	return runes
}
