package text

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
)

// The characters of UAX #9 that open and close directions.
const (
	lre, rle, popDirection, lro, rlo = "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"
	lri, rli, fsi, pdi               = "\u2066", "\u2067", "\u2068", "\u2069"
)

// directions are the characters that stand for the direction of an inline box (CSS Writing Modes 3, section 2.4.3).
func directions(s *property.Style) []string {
	rtl := s.Direction == "rtl"
	pick := func(ltr, other string) string {
		if rtl {
			return other
		}
		return ltr
	}
	switch s.UnicodeBidi {
	case "embed":
		return []string{pick(lre, rle)}
	case "bidi-override":
		return []string{pick(lro, rlo)}
	case "isolate", "-webkit-isolate":
		return []string{pick(lri, rli)}
	case "isolate-override":
		return []string{fsi, pick(lro, rlo)}
	case "plaintext", "-webkit-plaintext":
		return []string{fsi}
	}
	return nil
}

func closer(opened string) string {
	if opened == lri || opened == rli || opened == fsi {
		return pdi
	}
	return popDirection
}

// rightToLeft reports whether text with this character needs levels: it runs from right to left, or orders directions.
func rightToLeft(r rune) bool {
	return r >= 0x590 && (r <= 0x8ff || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff)
}

// readLevels gives the pieces their levels, and cuts words where those change.
func (f *Flow) readLevels(pieces []piece) []piece {
	levels := f.bidiLevels()
	f.levels = true
	out := make([]piece, 0, len(pieces)+8)
	for _, p := range pieces {
		at := int(p.start)
		switch {
		case p.kind == wordPiece:
			for at < int(p.end) {
				part := p
				part.start, part.level = int32(at), levels[at] //nolint:gosec // G115: within the text
				for at < int(p.end) && levels[at] == part.level {
					at++
				}
				part.end = int32(at) //nolint:gosec // G115: within the text
				out = append(out, part)
			}
			continue
		case at < len(levels):
			p.level = levels[at]
		default:
			p.level = f.level
		}
		out = append(out, p)
	}
	return out
}

// bidiLevels returns the level of each byte. Each line that the text wants is a paragraph of its own.
func (f *Flow) bidiLevels() []uint8 {
	style := f.box.Style
	base := shape.LTR
	if style.Direction == "rtl" {
		base, f.level = shape.RTL, 1
	}
	override := ""
	switch style.UnicodeBidi {
	case "plaintext", "-webkit-plaintext":
		base = shape.Auto
	case "bidi-override", "isolate-override":
		override = lro
		if f.level == 1 {
			override = rlo
		}
	}
	levels := make([]uint8, 0, len(f.text)+1)
	for paragraph := range strings.SplitSeq(f.text, "\n") {
		p := f.setter.segmenter.Paragraph(override+paragraph+"\n", base)
		if base == shape.Auto {
			f.bases = append(f.bases, paragraphLevel{int32(len(levels) + len(paragraph)), firstStrong(p)}) //nolint:gosec // G115: within the text
		}
		for i := utf8.RuneCountInString(override); i < len(p.Runes); i++ {
			for range utf8.RuneLen(p.Runes[i]) {
				levels = append(levels, p.Levels[i])
			}
		}
	}
	return levels
}

// paragraphLevel is the level of a paragraph, when each has its own, and where it ends.
type paragraphLevel struct {
	end   int32
	level uint8
}

// baseAt is the level of the paragraph that a place is in.
func (f *Flow) baseAt(at int32) uint8 {
	i := sort.Search(len(f.bases), func(i int) bool { return f.bases[i].end >= at })
	if i < len(f.bases) {
		return f.bases[i].level
	}
	return f.level
}

// firstStrong is the level of the first letter, which is that of its paragraph.
func firstStrong(p *shape.Paragraph) uint8 {
	if i := slices.IndexFunc(p.Runes, unicode.IsLetter); i >= 0 {
		return p.Levels[i] % 2
	}
	return 0
}
