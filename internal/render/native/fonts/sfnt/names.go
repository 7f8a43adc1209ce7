package sfnt

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// Names are what a font calls itself. Any may be empty.
type Names struct {
	Family     string // the typographic family if there is one
	PostScript string
}

// Name identifiers of the name table.
const (
	nameFamily            = 1
	namePostScript        = 6
	nameTypographicFamily = 16
)

// readNames reads the English or first names; a damaged table has none.
func readNames(table []byte) Names {
	if len(table) < 6 {
		return Names{}
	}
	count, storage := int(binary.BigEndian.Uint16(table[2:])), int(binary.BigEndian.Uint16(table[4:]))
	found := map[uint16]string{}
	best := map[uint16]int{}
	for records := table[6:]; count > 0 && len(records) >= 12; count, records = count-1, records[12:] {
		id := binary.BigEndian.Uint16(records[6:])
		start := storage + int(binary.BigEndian.Uint16(records[10:]))
		end := start + int(binary.BigEndian.Uint16(records[8:]))
		rank := nameRank(binary.BigEndian.Uint16(records), binary.BigEndian.Uint16(records[4:]))
		if end > len(table) || rank <= best[id] {
			continue
		}
		best[id], found[id] = rank, decodeName(table[start:end], rank)
	}
	n := Names{Family: found[nameTypographicFamily], PostScript: found[namePostScript]}
	if n.Family == "" {
		n.Family = found[nameFamily]
	}
	return n
}

// nameRank prefers Windows English, then any Windows or Unicode name, then Macintosh.
func nameRank(platform, language uint16) int {
	switch {
	case platform == 3 && language == 0x0409:
		return 4
	case platform == 3:
		return 3
	case platform == 0:
		return 2
	}
	return 1
}

func decodeName(b []byte, rank int) string {
	if rank == 1 {
		return string(b) // MacRoman, of which only ASCII is expected
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.BigEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// Metrics are the vertical metrics and the style of a font. Lengths are font units.
type Metrics struct {
	// Ascent and LineGap are above the base line, Descent below it is negative: those of hhea, or the typographic ones when the font
	// asks for them (OS/2 fsSelection bit 7) or hhea has none.
	Ascent, Descent, LineGap int
	// CapHeight and XHeight are zero when the font does not say.
	CapHeight, XHeight int
	// Positions are those of the upper edge for the underline and the strike-out.
	UnderlinePosition, UnderlineThickness int
	StrikePosition, StrikeThickness       int
	Box                                   [4]int // xMin, yMin, xMax, yMax
	Weight                                int    // 1–1000
	Width                                 int    // OS/2 width class, 1–9; 5 is normal
	Italic                                bool
	ItalicAngle                           float64 // degrees counterclockwise
	Fixed                                 bool
	Serif                                 bool
}

func (f *Font) readMetrics() {
	m := &f.Metrics
	head, hhea := f.tables["head"], f.tables["hhea"]
	for i := range m.Box {
		m.Box[i] = short(head[36+2*i:])
	}
	m.Ascent, m.Descent, m.LineGap = short(hhea[4:]), short(hhea[6:]), short(hhea[8:])
	style := binary.BigEndian.Uint16(head[44:])
	m.Weight, m.Width, m.Italic = 400, 5, style&2 != 0
	if style&1 != 0 {
		m.Weight = 700
	}
	f.readOS2()
	if post := f.tables["post"]; len(post) >= 16 {
		m.ItalicAngle = float64(int32(binary.BigEndian.Uint32(post[4:]))) / 65536 //nolint:gosec // G115: a signed field
		m.UnderlinePosition, m.UnderlineThickness = short(post[8:]), short(post[10:])
		m.Fixed = binary.BigEndian.Uint32(post[12:]) != 0
	}
}

func (f *Font) readOS2() {
	os2, m := f.tables["OS/2"], &f.Metrics
	if len(os2) < 78 {
		return
	}
	if w := int(binary.BigEndian.Uint16(os2[4:])); w >= 1 && w <= 1000 {
		m.Weight = w
	}
	if w := int(binary.BigEndian.Uint16(os2[6:])); w >= 1 && w <= 9 {
		m.Width = w
	}
	m.StrikeThickness, m.StrikePosition = short(os2[26:]), short(os2[28:])
	class := os2[30] // the IBM family class: 1–5 and 7 have serifs
	m.Serif = class >= 1 && class <= 5 || class == 7
	if os2[32] == 2 { // PANOSE: Latin text
		m.Serif = os2[33] >= 2 && os2[33] <= 10
	}
	selection := binary.BigEndian.Uint16(os2[62:])
	m.Italic = m.Italic || selection&(1|1<<9) != 0
	if selection&(1<<7) != 0 || m.Ascent == 0 && m.Descent == 0 {
		m.Ascent, m.Descent, m.LineGap = short(os2[68:]), short(os2[70:]), short(os2[72:])
	}
	if len(os2) >= 90 && binary.BigEndian.Uint16(os2) >= 2 {
		m.XHeight, m.CapHeight = short(os2[86:]), short(os2[88:])
	}
}

func short(b []byte) int {
	v := int(binary.BigEndian.Uint16(b))
	if v > math.MaxInt16 {
		v -= 1 << 16
	}
	return v
}
