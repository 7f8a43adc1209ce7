package text

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// wordKey is everything that the glyphs of a word depend on. Before and after are its neighbors when letters join across the ends.
type wordKey struct {
	typo          uint32
	rtl           bool
	before, after rune
	text          string
}

// word is a shaped text of one direction. It is shared and never changed.
type word struct {
	text string
	runs []run // one after the other in the text
	// blanks counts the no-break spaces.
	blanks   int
	clusters int
}

// run is the part of a word that has one face.
type run struct {
	choice fonts.Choice
	order  int // 1: the clusters stand in the order of the text; -1: against it; 0: neither, which marks can bring about
	em     float64
	units  int     // the sum of the advances
	glyphs []glyph // from left to right
}

// glyph is one glyph of a word. Lengths are units of the font.
type glyph struct {
	id            uint16
	last          bool // of its cluster: spacing follows
	blank         bool // a no-break space
	safe          bool // the word can be cut before it
	advance, x, y int32
	kern          int32 // what neighbors add to the advance
	at            int32 // where its cluster begins in the word, in bytes
	text          string
}

// maxWords bounds the memory of the cache: it is emptied when it has more.
const maxWords = 200_000

// word returns the glyphs of a text.
func (s *Setter) word(key wordKey, t *typo) (*word, error) {
	if w := s.words[key]; w != nil {
		return w, nil
	}
	w, err := s.newWord(key, t)
	if err != nil {
		return nil, err
	}
	if len(s.words) >= maxWords {
		clear(s.words)
	}
	key.text = w.text // a copy: the key must not keep a whole paragraph
	s.words[key] = w
	return w, nil
}

// newWord takes a word from the stock, or shapes it. The stock has none whose characters are missing: each job must hear of those.
func (s *Setter) newWord(key wordKey, t *typo) (*word, error) {
	common, ok := s.stock.key(key, t)
	if !ok {
		return s.shapeWord(key, t, s.shaper)
	}
	if w := s.stock.take(common); w != nil {
		return w, nil
	}
	shaper := s.stock.shaper()
	defer s.stock.done(shaper)
	misses := s.set.Misses()
	w, err := s.shapeWord(key, t, shaper)
	if err == nil && s.set.Misses() == misses && s.given < stockedByJob {
		s.given++
		s.stock.keep(common, w)
	}
	return w, err
}

func (s *Setter) shapeWord(key wordKey, t *typo, shaper *shape.Shaper) (*word, error) {
	w := &word{text: strings.Clone(key.text)}
	letters, skip := key.letters()
	for _, item := range s.items(w.text, key.rtl, t) {
		s.shaped = s.shaped[:0]
		var err error
		s.shaped, err = shaper.Shape(s.shaped, shape.Run{
			Text: letters, Start: skip + item.Start, End: skip + item.End, Font: item.Choice.Font,
			Script: item.Script, RTL: key.rtl, Lang: t.lang, Features: t.features,
		})
		if err != nil {
			return nil, err
		}
		_, em := item.Choice.Font.Metrics()
		w.runs = append(w.runs, run{choice: item.Choice, em: float64(max(em, 1))})
		w.addGlyphs(&w.runs[len(w.runs)-1], s.shaped, letters, skip, key.rtl)
	}
	return w, nil
}

// letters are the text with its neighbors; skip says how many of those stand before.
func (k wordKey) letters() (all []rune, skip int) {
	all = make([]rune, 0, len(k.text)+2)
	if k.before != 0 {
		all, skip = append(all, k.before), 1
	}
	for _, r := range k.text {
		all = append(all, r)
	}
	if k.after != 0 {
		all = append(all, k.after)
	}
	return all, skip
}

// items cuts a word by script and face; most words are one item.
func (s *Setter) items(text string, rtl bool, t *typo) []shape.Item {
	if text != "" && ascii(text) {
		first := t.faces.For([]rune{rune(text[0])})
		same := true
		for i := 1; i < len(text) && same; i++ {
			same = t.faces.For([]rune{rune(text[i])}) == first
		}
		if same {
			return []shape.Item{shape.LatinItem(len(text), first)}
		}
	}
	base := shape.LTR
	if rtl {
		base = shape.RTL
	}
	p := s.segmenter.Paragraph(text, base)
	return p.Items(0, len(p.Runes), t.faces)
}

// addGlyphs keeps the glyphs of a run, with byte positions and the text that each stands for.
func (w *word) addGlyphs(r *run, shaped []shape.Glyph, letters []rune, skip int, rtl bool) {
	r.glyphs = make([]glyph, 0, len(shaped))
	at := w.offsets(letters, skip)
	begin := 0 // of the cluster
	for i, g := range shaped {
		first := i == 0 || shaped[i-1].Start != g.Start
		last := i+1 == len(shaped) || shaped[i+1].Start != g.Start
		start, end := at(g.Start), at(g.End)
		drawn := glyph{
			id: g.ID, last: last, safe: g.Safe, advance: g.Advance, x: g.X, y: g.Y, at: start,
			blank: letters[g.Start] == '\u00a0' && last,
			kern:  g.Advance - int32(math.Round(r.choice.Font.Advance(g.ID)*r.em/1000)),
		}
		if first {
			drawn.text = w.text[start:end]
			begin = len(r.glyphs)
		}
		r.units += int(g.Advance)
		if last {
			w.clusters++
		}
		if drawn.blank {
			w.blanks++
		}
		r.glyphs = append(r.glyphs, drawn)
		if last && rtl && g.End-g.Start > 1 {
			r.apart(begin, w.text[start:end])
		}
	}
	r.findOrder()
}

// offsets returns a function from places among the letters to bytes of the word.
func (w *word) offsets(letters []rune, skip int) func(int) int32 {
	if ascii(w.text) {
		return func(i int) int32 { return int32(i - skip) } //nolint:gosec // G115: words are short
	}
	table := make([]int32, 0, len(letters)+1)
	for i := range w.text {
		table = append(table, int32(i)) //nolint:gosec // G115: words are short
	}
	table = append(table, int32(len(w.text))) //nolint:gosec // G115: words are short
	return func(i int) int32 { return table[i-skip] }
}

// apart says what the glyphs of a cluster from right to left stand for, those from begin on. Programs that extract text turn such runs
// around letter by letter: empty glyphs where the cluster begins stand for its characters from the last to the second. What is drawn stands
// for the first character; where that begins with a mark, another empty glyph tells where the letter does, or words would be torn
// there (as in shape.Paragraph.Place).
func (r *run) apart(begin int, text string) {
	blank, ok := r.choice.Font.Blank()
	if !ok {
		return
	}
	drawn := slices.Clone(r.glyphs[begin:])
	empty := glyph{id: blank, at: drawn[0].at, x: drawn[len(drawn)-1].x}
	for _, mark := range drawn[:len(drawn)-1] {
		empty.x += mark.advance
	}
	_, size := utf8.DecodeRuneInString(text)
	others := []rune(text[size:])
	slices.Reverse(others)
	r.glyphs = r.glyphs[:begin]
	for _, l := range others {
		empty.text = string(l)
		r.glyphs = append(r.glyphs, empty)
	}
	drawn[0].text = text[:size]
	if len(drawn) > 1 {
		drawn[0].text, empty.text = "", text[:size]
		r.glyphs = append(r.glyphs, empty)
	}
	r.glyphs = append(r.glyphs, drawn...)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
