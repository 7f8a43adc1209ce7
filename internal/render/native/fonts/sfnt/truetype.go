package sfnt

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// kept are the tables that a TrueType program in a PDF has beside those that are cut down (ISO 32000-1 section 9.9). The first three are always there.
var kept = []string{"head", "hhea", "maxp", "cvt ", "fpgm", "prep"}

func (f *Font) subsetTrueType(glyphs []uint16) ([]byte, error) {
	used, err := f.closure(glyphs)
	if err != nil {
		return nil, err
	}
	last := int(slices.Max(used))
	sizes := map[string]int{"glyf": f.sizeOfOutlines(used), "loca": 4 * (last + 2), "hmtx": 4 * (last + 1)}
	for _, tag := range kept {
		if t, ok := f.tables[tag]; ok {
			sizes[tag] = len(t)
		}
	}
	p := newProgram("\x00\x01\x00\x00", sizes)
	for _, tag := range kept {
		copy(p.tables[tag], f.tables[tag])
	}
	f.cutOutlines(p.tables["glyf"], p.tables["loca"], used, last)
	f.cutMetrics(p.tables["hmtx"], used)
	binary.BigEndian.PutUint16(p.tables["hhea"][34:], uint16(last+1)) //nolint:gosec // G115: a glyph number and one
	binary.BigEndian.PutUint16(p.tables["maxp"][4:], uint16(last+1))  //nolint:gosec // G115: as above
	binary.BigEndian.PutUint16(p.tables["head"][50:], 1)              // long offsets
	return p.seal(), nil
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

// sizeOfOutlines is how long glyf is with the used glyphs only.
func (f *Font) sizeOfOutlines(used []uint16) int {
	size := 0
	for _, g := range used {
		if outline, err := f.outline(g); err == nil {
			size += (len(outline) + 3) &^ 3
		}
	}
	return size
}

// cutOutlines writes glyf with the used glyphs only, and loca up to the last of them. The closure has checked that they are there.
func (f *Font) cutOutlines(glyf, loca []byte, used []uint16, last int) {
	at, rest := 0, used
	for g := range last + 1 {
		binary.BigEndian.PutUint32(loca[4*g:], uint32(at))
		if g != int(rest[0]) {
			continue
		}
		if outline, err := f.outline(rest[0]); err == nil {
			at += (copy(glyf[at:], outline) + 3) &^ 3
		}
		rest = rest[1:]
	}
	binary.BigEndian.PutUint32(loca[4*(last+1):], uint32(at))
}

// cutMetrics writes hmtx up to the last glyph, with zeros for unused ones.
func (f *Font) cutMetrics(hmtx []byte, used []uint16) {
	for _, g := range used {
		binary.BigEndian.PutUint16(hmtx[4*int(g):], uint16(f.Advance(g))) //nolint:gosec // G115: read from 16 bits
		copy(hmtx[4*int(g)+2:4*int(g)+4], f.sideBearing(int(g)))
	}
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

// program is a font file that is being written. Its tables, all zeros at first, are parts of it.
type program struct {
	file   []byte
	tags   []string
	tables map[string][]byte
}

// newProgram begins a file of this kind, with sorted tables of these sizes. It has a head table.
func newProgram(kind string, sizes map[string]int) *program {
	p := &program{tags: slices.Sorted(maps.Keys(sizes)), tables: make(map[string][]byte, len(sizes))}
	searched, selector := 16, 0
	for 2*searched <= 16*len(p.tags) {
		searched, selector = 2*searched, selector+1
	}
	offset := 12 + 16*len(p.tags)
	whole := offset
	for _, size := range sizes {
		whole += (size + 3) &^ 3
	}
	p.file = make([]byte, whole)
	b := append(p.file[:0], kind...)
	for _, v := range []int{len(p.tags), searched, selector, 16*len(p.tags) - searched} {
		b = binary.BigEndian.AppendUint16(b, uint16(v)) //nolint:gosec // G115: a dozen tables; readers ignore it
	}
	for _, tag := range p.tags {
		size := sizes[tag]
		b = append(append(b, tag...), 0, 0, 0, 0)            // the checksum, set at the end
		b = binary.BigEndian.AppendUint32(b, uint32(offset)) //nolint:gosec // G115: no longer than the font was
		b = binary.BigEndian.AppendUint32(b, uint32(size))   //nolint:gosec // G115: as above
		p.tables[tag] = p.file[offset : offset+size : offset+size]
		offset += (size + 3) &^ 3
	}
	return p
}

// seal sets the checksums and returns the file.
func (p *program) seal() []byte {
	head := p.tables["head"]
	clear(head[8:12]) // checkSumAdjustment
	sum := uint32(0)  // of all tables, which begin at multiples of four bytes
	for i, tag := range p.tags {
		own := checksum(p.tables[tag])
		binary.BigEndian.PutUint32(p.file[12+16*i+4:], own)
		sum += own
	}
	sum += checksum(p.file[:12+16*len(p.tags)])
	binary.BigEndian.PutUint32(head[8:], 0xB1B0AFBA-sum)
	return p.file
}

// assemble writes a font file of these tables.
func assemble(kind string, tables map[string][]byte) []byte {
	sizes := make(map[string]int, len(tables))
	for tag, table := range tables {
		sizes[tag] = len(table)
	}
	p := newProgram(kind, sizes)
	for tag, table := range tables {
		copy(p.tables[tag], table)
	}
	return p.seal()
}

func checksum(b []byte) uint32 {
	var sum uint32
	for ; len(b) >= 8; b = b[8:] {
		two := binary.BigEndian.Uint64(b)
		sum += uint32(two>>32) + uint32(two) //nolint:gosec // G115: a half each
	}
	var last [8]byte
	copy(last[:], b)
	return sum + binary.BigEndian.Uint32(last[:]) + binary.BigEndian.Uint32(last[4:])
}
