package text

import (
	"unicode/utf8"
)

// kerned are letters of which at least one stands closer to a space in fonts that kern with spaces, as those with the widths of
// Arial and Times do.
const kerned = " A T V W Y L P 1 "

// spaceKerns are what a font takes away beside a space, by letter, in its units. Words are shaped by themselves, so it is taken from
// the space between them.
type spaceKerns struct {
	known         bool
	any           bool
	before, after map[rune]int32
}

// kernSpaces takes from a blank between two words what its font wants the letters to be closer to it.
func (f *Flow) kernSpaces(i int) error {
	p := &f.pieces[i]
	if p.level != 0 || p.look.style.FontKerning == "none" {
		return nil
	}
	if any, err := f.setter.kernsWithSpaces(p.look.typo); err != nil || !any {
		return err
	}
	before, after := rune(0), rune(0)
	if i > 0 && f.pieces[i-1].kind == wordPiece && f.pieces[i-1].look.typo == p.look.typo {
		before, _ = utf8.DecodeLastRuneInString(f.text[:p.start])
	}
	if i+1 < len(f.pieces) && f.pieces[i+1].kind == wordPiece && f.pieces[i+1].look.typo == p.look.typo {
		after, _ = utf8.DecodeRuneInString(f.text[p.end:])
	}
	units, err := f.setter.besideSpace(p.look.typo, before, after)
	if err != nil || units == 0 {
		return err
	}
	_, em := p.look.typo.faces.Primary().Font.Metrics()
	p.width += float64(units) * p.look.scaled / float64(max(em, 1))
	return nil
}

// kernsWithSpaces reports whether the primary font has such letters.
func (s *Setter) kernsWithSpaces(t *typo) (bool, error) {
	k := &t.spaces
	if k.known {
		return k.any, nil
	}
	w, err := s.word(wordKey{typo: t.id, text: kerned}, t)
	if err != nil {
		return false, err
	}
	k.known, k.before, k.after = true, map[rune]int32{}, map[rune]int32{}
	for i := range w.runs {
		for _, g := range w.runs[i].glyphs {
			k.any = k.any || g.kern != 0
		}
	}
	return k.any, nil
}

// besideSpace returns the kerning of a letter before a space and of one after it; 0 is no letter.
func (s *Setter) besideSpace(t *typo, before, after rune) (units int32, err error) {
	left, err := s.kern(t, t.spaces.before, before, string(before)+" ")
	if err != nil {
		return 0, err
	}
	right, err := s.kern(t, t.spaces.after, after, " "+string(after))
	return left + right, err
}

func (s *Setter) kern(t *typo, known map[rune]int32, r rune, text string) (int32, error) {
	units, ok := known[r]
	if ok || r == 0 || t.faces.For([]rune{r}) != t.faces.Primary() {
		return units, nil
	}
	w, err := s.word(wordKey{typo: t.id, text: text}, t)
	if err != nil {
		return 0, err
	}
	for i := range w.runs {
		for _, g := range w.runs[i].glyphs {
			units += g.kern
		}
	}
	known[r] = units
	return units, nil
}
