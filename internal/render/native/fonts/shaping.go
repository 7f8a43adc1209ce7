package fonts

import (
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/harfbuzz"
)

// NewShaping returns the font as the shaper wants it, for one goroutine. What is done with it must stand between [Font.BeginShaping] and
// [Font.EndShaping].
//
// The shaper remembers of each table of a font roughly which glyphs are in it. Of a list of ranges it forgets all that come after a
// long one (go-text/typesetting issue 278), so that Greek and Cyrillic were not kerned, and letters of some Arabic fonts did not
// join. So each such list begins with all glyphs while the shaper looks.
func (f *Font) NewShaping() (*harfbuzz.Font, error) {
	shaping, err := f.Shaping()
	if err != nil {
		return nil, err
	}
	f.shaped.Lock()
	defer f.shaped.Unlock()
	lists := longLists(shaping)
	kept := make([]tables.RangeRecord, len(lists))
	for i, ranges := range lists {
		kept[i], ranges[0] = ranges[0], tables.RangeRecord{EndGlyphID: 0xffff}
	}
	defer func() {
		for i, ranges := range slices.Backward(lists) {
			ranges[0] = kept[i]
		}
	}()
	return harfbuzz.NewFont(font.NewFace(shaping)), nil // its scale is the units of the font
}

// BeginShaping and EndShaping stand around shaping: meanwhile nobody makes a shaper of the font.
func (f *Font) BeginShaping() { f.shaped.RLock() }

// EndShaping is described at [Font.BeginShaping].
func (f *Font) EndShaping() { f.shaped.RUnlock() }

// longLists are the ranges that tables have glyphs of, where some would be forgotten.
func longLists(f *font.Font) [][]tables.RangeRecord {
	var lists [][]tables.RangeRecord
	add := func(covered tables.Coverage) {
		if c, ok := covered.(tables.Coverage2); ok && forgotten(c.Ranges) {
			lists = append(lists, c.Ranges)
		}
	}
	for _, l := range f.GSUB.Lookups {
		for _, t := range l.Subtables {
			add(t.Cov())
		}
	}
	for _, l := range f.GPOS.Lookups {
		for _, t := range l.Subtables {
			add(t.Cov())
		}
	}
	return lists
}

// longRange is how many glyphs may fill what the shaper remembers.
const longRange = 63

// forgotten reports whether the last range comes after enough glyphs.
func forgotten(ranges []tables.RangeRecord) bool {
	before := 0
	for i, r := range ranges {
		if i > 0 && before >= longRange {
			return true
		}
		before += int(r.EndGlyphID) - int(r.StartGlyphID) + 1
	}
	return false
}
