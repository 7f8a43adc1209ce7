package sfnt

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// kept are the tables that a TrueType program in a PDF has beside those that are cut down (ISO 32000-1 section 9.9).
var kept = []string{"cvt ", "fpgm", "prep"}

func (f *Font) subsetTrueType(glyphs []uint16) ([]byte, error) {
	used, err := f.closure(glyphs)
	if err != nil {
		return nil, err
	}
	last := int(slices.Max(used))
	tables := map[string][]byte{}
	for _, tag := range kept {
		if t, ok := f.tables[tag]; ok {
			tables[tag] = t
		}
	}
	tables["glyf"], tables["loca"] = f.cutOutlines(used, last)
	tables["hmtx"] = f.cutMetrics(used, last)
	hhea := slices.Clone(f.tables["hhea"])
	binary.BigEndian.PutUint16(hhea[34:], uint16(last+1)) //nolint:gosec // G115: a glyph number and one
	maxp := slices.Clone(f.tables["maxp"])
	binary.BigEndian.PutUint16(maxp[4:], uint16(last+1)) //nolint:gosec // G115: as above
	head := slices.Clone(f.tables["head"])
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	tables["hhea"], tables["maxp"], tables["head"] = hhea, maxp, head
	return assemble("\x00\x01\x00\x00", tables), nil
}

// closure adds the parts of composite glyphs, and returns all without doubles, sorted. Glyph 0 is always there.
func (f *Font) closure(glyphs []uint16) ([]uint16, error) {
	seen, count := make([]uint64, f.Glyphs/64+1), 0 // a bit for each, the blank too
	known := func(g uint16) bool { return seen[g/64]>>(g%64)&1 != 0 }
	todo := append(make([]uint16, 0, 2*len(glyphs)+1), 0)
	for todo = append(todo, glyphs...); len(todo) > 0; {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if known(g) {
			continue
		}
		seen[g/64] |= 1 << (g % 64)
		count++
		outline, err := f.outline(g)
		if err != nil {
			return nil, err
		}
		for _, part := range components(outline) {
			if int(part) >= f.Glyphs {
				return nil, fmt.Errorf("%w: glyph %d has a part %d", ErrInvalid, g, part)
			}
			if !known(part) {
				todo = append(todo, part)
			}
		}
	}
	all := make([]uint16, 0, count)
	for i, word := range seen {
		for ; word != 0; word &= word - 1 {
			all = append(all, uint16(64*i+bits.TrailingZeros64(word))) //nolint:gosec // G115: the number of a glyph
		}
	}
	return all, nil
}

// outline is the entry of a glyph in glyf; empty for a space.
func (f *Font) outline(glyph uint16) ([]byte, error) {
	if int(glyph) == f.Glyphs {
		return nil, nil // the blank
	}
	loca, glyf := f.loca, f.glyf
	var start, end int
	if f.longOffsets {
		start, end = int(binary.BigEndian.Uint32(loca[4*int(glyph):])), int(binary.BigEndian.Uint32(loca[4*int(glyph)+4:]))
	} else {
		start, end = 2*int(binary.BigEndian.Uint16(loca[2*int(glyph):])), 2*int(binary.BigEndian.Uint16(loca[2*int(glyph)+2:]))
	}
	if start > end || end > len(glyf) {
		return nil, fmt.Errorf("%w: glyph %d is cut off", ErrInvalid, glyph)
	}
	return glyf[start:end], nil
}

// Flags of the parts of composite glyphs.
const (
	argsAreWords  = 0x0001
	hasScale      = 0x0008
	moreParts     = 0x0020
	hasTwoScales  = 0x0040
	hasTwoByTwo   = 0x0080
	headerOfGlyph = 10
)

// components are the glyphs that a composite glyph is made of; none for a simple one or a damaged one.
func components(outline []byte) []uint16 {
	if len(outline) < headerOfGlyph || short(outline) >= 0 {
		return nil
	}
	var parts []uint16
	for b := outline[headerOfGlyph:]; len(b) >= 4; {
		flags := binary.BigEndian.Uint16(b)
		parts = append(parts, binary.BigEndian.Uint16(b[2:]))
		size := partSize(flags)
		if flags&moreParts == 0 || len(b) < size {
			break
		}
		b = b[size:]
	}
	return parts
}

func partSize(flags uint16) int {
	size := 6
	if flags&argsAreWords != 0 {
		size += 2
	}
	switch {
	case flags&hasScale != 0:
		size += 2
	case flags&hasTwoScales != 0:
		size += 4
	case flags&hasTwoByTwo != 0:
		size += 8
	}
	return size
}

// cutOutlines returns glyf with the used glyphs only, and loca up to the last of them. The closure has checked that they are there.
func (f *Font) cutOutlines(used []uint16, last int) (glyf, loca []byte) {
	loca = make([]byte, 0, 4*(last+2))
	room := 0
	for _, g := range used {
		if outline, err := f.outline(g); err == nil {
			room += len(outline) + 3
		}
	}
	glyf = make([]byte, 0, room)
	for g, rest := 0, used; g <= last; g++ {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf))) //nolint:gosec // G115: no longer than the table was
		if g != int(rest[0]) {
			continue
		}
		if outline, err := f.outline(rest[0]); err == nil {
			glyf = append(glyf, outline...)
			glyf = append(glyf, make([]byte, -len(glyf)&3)...)
		}
		rest = rest[1:]
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf))) //nolint:gosec // G115: as above
}

// cutMetrics returns hmtx up to the last glyph, with zeros for unused ones.
func (f *Font) cutMetrics(used []uint16, last int) []byte {
	hmtx := make([]byte, 4*(last+1))
	for _, g := range used {
		binary.BigEndian.PutUint16(hmtx[4*int(g):], uint16(f.Advance(g))) //nolint:gosec // G115: read from 16 bits
		copy(hmtx[4*int(g)+2:4*int(g)+4], f.sideBearing(int(g)))
	}
	return hmtx
}

func (f *Font) sideBearing(glyph int) []byte {
	if glyph >= f.Glyphs {
		return nil
	}
	if glyph < f.longMetrics {
		return f.hmtx[4*glyph+2:]
	}
	return f.hmtx[4*f.longMetrics+2*(glyph-f.longMetrics):]
}

// assemble writes a font file of this kind with sorted tables and right checksums. It has a head table.
func assemble(kind string, tables map[string][]byte) []byte {
	head := slices.Clone(tables["head"])
	clear(head[8:12]) // checkSumAdjustment, set at the end
	tables["head"] = head
	tags := make([]string, 0, len(tables))
	for tag := range tables {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	searched, selector := 16, 0
	for 2*searched <= 16*len(tags) {
		searched, selector = 2*searched, selector+1
	}
	size := 12 + 16*len(tags)
	for _, t := range tables {
		size += len(t) + 3
	}
	file := append(make([]byte, 0, size), kind...)
	for _, v := range []int{len(tags), searched, selector, 16*len(tags) - searched} {
		file = binary.BigEndian.AppendUint16(file, uint16(v)) //nolint:gosec // G115: a dozen tables; readers ignore it
	}
	offset := 12 + 16*len(tags)
	headAt := 0
	sum := uint32(0) // of all tables, which begin at multiples of four bytes
	for _, tag := range tags {
		if tag == "head" {
			headAt = offset
		}
		own := checksum(tables[tag])
		sum += own
		file = append(file, tag...)
		file = binary.BigEndian.AppendUint32(file, own)
		file = binary.BigEndian.AppendUint32(file, uint32(offset))           //nolint:gosec // G115: no longer than the font was
		file = binary.BigEndian.AppendUint32(file, uint32(len(tables[tag]))) //nolint:gosec // G115: as above
		offset += (len(tables[tag]) + 3) &^ 3
	}
	sum += checksum(file)
	for _, tag := range tags {
		file = append(file, tables[tag]...)
		file = append(file, make([]byte, -len(file)&3)...)
	}
	binary.BigEndian.PutUint32(file[headAt+8:], 0xB1B0AFBA-sum)
	return file
}

func checksum(b []byte) uint32 {
	var sum uint32
	for ; len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	var last [4]byte
	copy(last[:], b)
	return sum + binary.BigEndian.Uint32(last[:])
}
