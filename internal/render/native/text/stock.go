package text

import (
	"strings"
	"sync"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// Bounds of a stock. Glyphs and words take some sixty and some two hundred bytes.
const (
	stockedGlyphs = 60_000 // of each of the two generations
	stockedWord   = 64     // the longest text, in bytes
	stockedByJob  = 1_000  // words: a long list of numbers does not push out what others have in common
	stockedTypos  = 4_096  // ways in which words look
	wornAfter     = 20_000 // runs: a shaper remembers each language and each list of features that it has seen
)

// usualWords is how many words a job of one page has.
const usualWords = 128

// Stock is the words that jobs have in common, shaped, and the shapers for more of them. It is for jobs with the fonts of one library; those
// that bring fonts along have nothing in common with others, and get none of it. What is in it changes how long a job takes, never what
// it makes. Safe for concurrent use.
type Stock struct {
	library *fonts.Library
	shapers sync.Pool // of *shape.Shaper, which have seen no fonts but the library's

	mu sync.RWMutex
	// A word is found in either generation, and is kept in the young one. When that has enough glyphs it is the old one, and the old one goes.
	young, old map[stockKey]*word
	glyphs     int
	// typos have numbers from 1. When there are too many all get new ones: the words of the old ones go with their generations.
	typos map[stockTypo]uint64
	last  uint64
}

// stockTypo is everything but the text and what is beside it that the glyphs of a word depend on, for all jobs.
type stockTypo struct{ faces, features, lang string }

// stockKey is everything that the glyphs of a word depend on, for all jobs.
type stockKey struct {
	typo          uint64
	rtl           bool
	before, after rune
	text          string
}

// NewStock makes an empty stock.
func NewStock(library *fonts.Library) *Stock {
	return &Stock{library: library, young: map[stockKey]*word{}, old: map[stockKey]*word{}, typos: map[stockTypo]uint64{}}
}

// New makes the setter of a job that takes words from the stock and adds to it.
func (s *Stock) New(set *fonts.Set) *Setter {
	setter := New(set)
	setter.stock, setter.words = s, make(map[wordKey]*word, usualWords)
	return setter
}

// key is that of a word; it is not ok when the word is not for the stock.
func (s *Stock) key(k wordKey, t *typo) (key stockKey, ok bool) {
	if s == nil || t.stocked == 0 || len(k.text) > stockedWord {
		return stockKey{}, false
	}
	return stockKey{typo: t.stocked, rtl: k.rtl, before: k.before, after: k.after, text: k.text}, true
}

// typo returns the number of what words look like; 0 when they are not for the stock.
func (s *Stock) typo(faces *fonts.Selection, features, lang string) uint64 {
	name, ok := faces.Common(s.library)
	if !ok {
		return 0
	}
	key := stockTypo{name, features, lang}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.typos[key]
	if n == 0 {
		if len(s.typos) >= stockedTypos {
			clear(s.typos)
		}
		s.last++
		n = s.last
		s.typos[stockTypo{name, features, strings.Clone(lang)}] = n // the key must not keep a whole page
	}
	return n
}

// take returns a word, or nil.
func (s *Stock) take(key stockKey) *word {
	s.mu.RLock()
	w, isYoung := s.young[key]
	if !isYoung {
		w = s.old[key]
	}
	s.mu.RUnlock()
	if w != nil && !isYoung {
		s.keep(key, w)
	}
	return w
}

// keep adds a word that will not change.
func (s *Stock) keep(key stockKey, w *word) {
	key.text = w.text // a copy: the key must not keep a whole paragraph
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.young[key]; known {
		return
	}
	if s.glyphs > stockedGlyphs {
		s.old, s.young, s.glyphs = s.young, map[stockKey]*word{}, 0
	}
	s.young[key] = w
	s.glyphs += w.size()
}

// size is about how many glyphs a word takes the room of.
func (w *word) size() int {
	const ofWord = 4
	size := ofWord
	for i := range w.runs {
		size += len(w.runs[i].glyphs) + 1
	}
	return size
}

// shaper lends a shaper, which comes back with done.
func (s *Stock) shaper() *shape.Shaper {
	if idle, ok := s.shapers.Get().(*shape.Shaper); ok {
		return idle
	}
	return shape.NewShaper()
}

func (s *Stock) done(shaper *shape.Shaper) {
	if shaper.Runs() < wornAfter {
		s.shapers.Put(shaper)
	}
}
