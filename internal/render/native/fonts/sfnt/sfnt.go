// Package sfnt reads and cuts down OpenType and TrueType fonts: it knows tables, not text. It is made for fonts from strangers: every
// offset is checked, and a damaged font is an error that wraps [ErrInvalid].
package sfnt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrInvalid is wrapped by every error about the content of a font.
var ErrInvalid = errors.New("invalid font")

// Font is one font of a file. It is immutable and safe for concurrent use. It keeps the bytes it was parsed from.
type Font struct {
	tables map[string][]byte
	// UnitsPerEm is the size that all lengths of the font refer to: 16–16384.
	UnitsPerEm int
	Glyphs     int
	// CFF says that outlines are in a CFF table instead of glyf.
	CFF bool
	// Variable says that there is an fvar table. Only the default instance is used.
	Variable bool
	// Colored says that glyphs have colors of their own. Only their outlines are used.
	Colored bool
	Names   Names
	Metrics Metrics

	glyf, loca, hmtx []byte
	longOffsets      bool // of loca
	longMetrics      int  // entries of hmtx that have an advance
	cff              *cffTable
}

// Parse reads the font of this index in a file; a file that is no collection has index 0 only.
func Parse(data []byte, index int) (*Font, error) {
	offset, err := directory(data, index)
	if err != nil {
		return nil, err
	}
	f := &Font{}
	if f.tables, err = readTables(data, offset); err != nil {
		return nil, err
	}
	if err := f.readHeaders(); err != nil {
		return nil, err
	}
	if err := f.readOutlines(); err != nil {
		return nil, err
	}
	f.Names = readNames(f.tables["name"])
	f.readMetrics()
	return f, nil
}

// Count returns how many fonts a file has.
func Count(data []byte) int {
	if len(data) < 12 || string(data[:4]) != "ttcf" {
		return 1
	}
	return int(min(binary.BigEndian.Uint32(data[8:]), maxFonts))
}

// maxFonts bounds a collection; the largest in use have some twenty.
const maxFonts = 256

func directory(data []byte, index int) (int, error) {
	if len(data) < 12 {
		return 0, fmt.Errorf("%w: %d bytes", ErrInvalid, len(data))
	}
	if index < 0 || index >= Count(data) {
		return 0, fmt.Errorf("%w: no font of index %d", ErrInvalid, index)
	}
	if string(data[:4]) != "ttcf" {
		return 0, nil
	}
	at := 12 + 4*index
	if at+4 > len(data) {
		return 0, fmt.Errorf("%w: collection is cut off", ErrInvalid)
	}
	return int(binary.BigEndian.Uint32(data[at:])), nil
}

func readTables(data []byte, offset int) (map[string][]byte, error) {
	if offset+12 > len(data) {
		return nil, fmt.Errorf("%w: directory is cut off", ErrInvalid)
	}
	switch string(data[offset : offset+4]) {
	case "\x00\x01\x00\x00", "true", "OTTO":
	default:
		return nil, fmt.Errorf("%w: unknown kind %q", ErrInvalid, data[offset:offset+4])
	}
	count := int(binary.BigEndian.Uint16(data[offset+4:]))
	records := data[offset+12:]
	if len(records) < 16*count {
		return nil, fmt.Errorf("%w: directory is cut off", ErrInvalid)
	}
	tables := make(map[string][]byte, count)
	for ; count > 0; count-- {
		start, size := int(binary.BigEndian.Uint32(records[8:])), int(binary.BigEndian.Uint32(records[12:]))
		if start+size > len(data) {
			return nil, fmt.Errorf("%w: table %q is cut off", ErrInvalid, records[:4])
		}
		tables[string(records[:4])] = data[start : start+size : start+size]
		records = records[16:]
	}
	return tables, nil
}

// readHeaders reads head, maxp and hhea, and checks hmtx against them.
func (f *Font) readHeaders() error {
	head, maxp, hhea := f.tables["head"], f.tables["maxp"], f.tables["hhea"]
	if len(head) < 54 || len(maxp) < 6 || len(hhea) < 36 {
		return fmt.Errorf("%w: head, maxp or hhea is missing", ErrInvalid)
	}
	f.UnitsPerEm = int(binary.BigEndian.Uint16(head[18:]))
	if f.UnitsPerEm < 16 || f.UnitsPerEm > 16384 {
		return fmt.Errorf("%w: %d units per em", ErrInvalid, f.UnitsPerEm)
	}
	f.Glyphs = int(binary.BigEndian.Uint16(maxp[4:]))
	f.longMetrics = int(binary.BigEndian.Uint16(hhea[34:]))
	if f.Glyphs == 0 || f.longMetrics == 0 || f.longMetrics > f.Glyphs {
		return fmt.Errorf("%w: %d glyphs, %d metrics", ErrInvalid, f.Glyphs, f.longMetrics)
	}
	f.hmtx = f.tables["hmtx"]
	if len(f.hmtx) < 2*f.longMetrics+2*f.Glyphs {
		return fmt.Errorf("%w: hmtx is cut off", ErrInvalid)
	}
	_, f.Variable = f.tables["fvar"]
	for _, name := range []string{"COLR", "SVG ", "CBDT", "sbix"} {
		_, has := f.tables[name]
		f.Colored = f.Colored || has
	}
	return nil
}

func (f *Font) readOutlines() error {
	if table, ok := f.tables["CFF "]; ok {
		cff, err := parseCFF(table)
		if err != nil {
			return err
		}
		if len(cff.offsets)-1 < f.Glyphs {
			return fmt.Errorf("%w: CFF has too few glyphs", ErrInvalid)
		}
		f.CFF, f.cff = true, cff
		return nil
	}
	var ok bool
	if f.glyf, ok = f.tables["glyf"]; !ok {
		return fmt.Errorf("%w: no outlines (a bitmap or color font)", ErrInvalid)
	}
	width := 2
	if f.longOffsets = binary.BigEndian.Uint16(f.tables["head"][50:]) != 0; f.longOffsets {
		width = 4
	}
	f.loca = f.tables["loca"]
	if len(f.loca) < width*(f.Glyphs+1) {
		return fmt.Errorf("%w: loca is cut off", ErrInvalid)
	}
	return nil
}

// Advance is the width of a glyph in font units; 0 for a glyph that is not there.
func (f *Font) Advance(glyph uint16) int {
	g := int(glyph)
	if g >= f.Glyphs {
		return 0
	}
	g = min(g, f.longMetrics-1)
	return int(binary.BigEndian.Uint16(f.hmtx[4*g:]))
}

// CID is the code that selects a glyph in the CFF table of a CID-keyed font, and otherwise the number of the glyph.
func (f *Font) CID(glyph uint16) uint16 {
	if f.cff == nil || int(glyph) >= len(f.cff.cids) {
		return glyph
	}
	return f.cff.cids[glyph]
}

// Blank is a glyph without outline and width that subsets can have beside those of the font: the one after the last. CFF fonts have none.
func (f *Font) Blank() (glyph uint16, ok bool) {
	if f.CFF || f.Glyphs > math.MaxUint16 {
		return 0, false
	}
	return uint16(f.Glyphs), true //nolint:gosec // G115: just checked
}

// Subset returns a font program with these glyphs and what they are composed of, under their old numbers, so that nothing that refers
// to them needs to be changed. Other glyphs become empty. It is a TrueType file, or a CFF table if the font has
// one. Equal glyphs give equal bytes.
func (f *Font) Subset(glyphs []uint16) ([]byte, error) {
	blank, ok := f.Blank()
	for _, g := range glyphs {
		if int(g) >= f.Glyphs && (!ok || g != blank) {
			return nil, fmt.Errorf("%w: no glyph %d", ErrInvalid, g)
		}
	}
	if f.CFF {
		return f.cff.subset(glyphs)
	}
	return f.subsetTrueType(glyphs)
}
