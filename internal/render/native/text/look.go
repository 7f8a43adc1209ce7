package text

import (
	"math"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// typo is what decides the glyphs of a word, its size aside.
type typo struct {
	id       uint32
	stocked  uint64 // its number in the stock; 0 is none: other jobs have nothing in common with it
	faces    *fonts.Selection
	features []shape.Feature
	lang     string
	families []string
	spaces   spaceKerns
}

type typoKey struct {
	faces          *fonts.Selection
	features, lang string
}

// look is what lines want to know of a style, computed once.
type look struct {
	style   *property.Style
	typo    *typo
	metrics Metrics
	// above and below are how far the inline box reaches from its base line, with half of its leading on both sides.
	above, below    float64
	lineHeight      float64
	fallbackHeights bool // line-height is normal: fonts of single characters make the line higher

	letter, word, size float64
	scaled             float64 // the size that glyphs are as wide as in: see advanceSize
	blank              float64 // the width of a space, with what is added to it
	space              uint16  // its glyph

	collapse   bool // blanks
	newlines   bool // are preserved
	breakSpace bool
	wraps      bool
	breaking   breaking
	hidden     bool
	hyphens    bool
}

// breaking is where words break, apart from where they do anyway.
type breaking struct {
	all      bool // word-break: break-all
	keep     bool // word-break: keep-all
	anywhere bool // if nothing else helps, and it counts for the least width
	word     bool // if nothing else helps
}

type lookKey struct {
	style *property.Style
	lang  string
}

// look returns that of a style for a language.
func (s *Setter) look(style *property.Style, lang string) *look {
	if l := s.last; l != nil && l.style == style && l.typo.lang == lang {
		return l
	}
	key := lookKey{style, lang}
	l := s.looks[key]
	if l == nil {
		l = s.newLook(style, lang)
		s.looks[key] = l
	}
	s.last = l
	return l
}

func (s *Setter) newLook(style *property.Style, lang string) *look {
	size := finite(style.FontSize)
	l := &look{
		style: style, size: size, scaled: advanceSize(size), letter: finite(style.LetterSpacing), word: finite(style.WordSpacing),
		collapse:   style.WhiteSpaceCollapse == "collapse" || style.WhiteSpaceCollapse == "preserve-breaks" || style.WhiteSpaceCollapse == "",
		newlines:   style.WhiteSpaceCollapse != "collapse" && style.WhiteSpaceCollapse != "",
		breakSpace: style.WhiteSpaceCollapse == "break-spaces",
		wraps:      style.TextWrap != "nowrap",
		hidden:     style.Visibility != "visible" && style.Visibility != "",
		hyphens:    style.Hyphens != "none",
		breaking: breaking{
			all: style.WordBreak == "break-all", keep: style.WordBreak == "keep-all",
			anywhere: style.OverflowWrap == "anywhere" || style.WordBreak == "break-word",
			word:     style.OverflowWrap == "break-word",
		},
	}
	l.typo = s.typo(style, lang)
	primary := l.typo.faces.Primary().Font
	l.metrics = metricsOf(primary, size)
	l.metrics.ZeroWidth = advanceOf(primary, '0', l.scaled)
	if l.metrics.ZeroWidth == 0 {
		l.metrics.ZeroWidth = size / 2
	}
	normal := l.metrics.Ascent + l.metrics.Descent + l.metrics.LineGap
	l.lineHeight = inUnits(style.LineHeight.Resolve(math.Round(size*blinkUnits)/blinkUnits, normal))
	l.fallbackHeights = !style.LineHeight.Set
	l.above, l.below = leading(l.metrics, l.lineHeight)
	l.space = glyphOf(primary, ' ')
	l.blank = advanceOf(primary, ' ', l.scaled)
	l.blank += l.letter + l.word
	return l
}

// blinkUnits is how many units of Blink a pixel has. Lines are as high as there, to the unit: many of them make pixels.
const blinkUnits = 64

func inUnits(length float64) float64 { return math.Trunc(finite(length)*blinkUnits) / blinkUnits }

func (s *Setter) typo(style *property.Style, lang string) *typo {
	faces := s.set.Select(style.FontFamily, fonts.Style{
		Weight: int(style.FontWeight), Italic: style.FontStyle != "normal" && style.FontStyle != "", Width: fonts.WidthClass(style.FontStretch),
	})
	list := features(style)
	var tags strings.Builder
	for _, f := range list {
		tags.WriteString(f.Tag)
		tags.WriteRune(rune(f.Value)) //nolint:gosec // G115: it only tells keys apart
	}
	key := typoKey{faces, tags.String(), lang}
	t := s.typos[key]
	if t == nil {
		t = &typo{id: uint32(len(s.typos)), faces: faces, features: list, lang: lang, families: style.FontFamily} //nolint:gosec // G115: styles are counted
		if s.stock != nil {
			t.stocked = s.stock.typo(faces, key.features, lang)
		}
		s.typos[key] = t
	}
	return t
}

// most is the largest length that is believed: what is more is cut, and what is no number is 0.
const most = 1e6

func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -most), most)
}

// advance is how wide a glyph is.
func (l *look) advance(g *glyph, r *run) float64 {
	return float64(g.advance) * l.scaled / r.em
}
