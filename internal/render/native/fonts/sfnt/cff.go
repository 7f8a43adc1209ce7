package sfnt

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// cffTable is a CFF table (Adobe Technical Note 5176) as far as it must be understood to empty some of its glyphs.
type cffTable struct {
	data    []byte
	index   int   // where the CharStrings INDEX begins
	width   int   // bytes of an offset in it
	offsets []int // of the glyphs in data, and where the last one ends
	cids    []uint16
}

// Operators of a Top DICT.
const (
	opCharset     = 15
	opCharStrings = 17
	opROS         = 12<<8 | 30
)

func parseCFF(data []byte) (*cffTable, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("%w: CFF is cut off", ErrInvalid)
	}
	_, _, names, err := readIndex(data, int(data[2]))
	if err != nil {
		return nil, err
	}
	tops, _, _, err := readIndex(data, names)
	if err != nil {
		return nil, err
	}
	if len(tops) < 2 {
		return nil, fmt.Errorf("%w: CFF has no Top DICT", ErrInvalid)
	}
	top := readDict(data[tops[0]:tops[1]])
	t := &cffTable{data: data, index: top[opCharStrings]}
	if t.offsets, t.width, _, err = readIndex(data, t.index); err != nil {
		return nil, err
	}
	if len(t.offsets) < 2 {
		return nil, fmt.Errorf("%w: CFF has no glyphs", ErrInvalid)
	}
	if _, keyed := top[opROS]; keyed {
		t.cids = readCharset(data, top[opCharset], len(t.offsets)-1)
	}
	return t, nil
}

// readIndex reads the INDEX at a place: where its objects begin and the last one ends, the width of its offsets, and where it ends.
func readIndex(data []byte, at int) (offsets []int, width, end int, err error) {
	bad := fmt.Errorf("%w: an INDEX of CFF is damaged", ErrInvalid)
	if at < 0 || at+2 > len(data) {
		return nil, 0, 0, bad
	}
	count := int(binary.BigEndian.Uint16(data[at:]))
	if count == 0 {
		return nil, 0, at + 2, nil
	}
	if at+3 > len(data) {
		return nil, 0, 0, bad
	}
	width = int(data[at+2])
	base := at + 3 + (count+1)*width - 1
	if width < 1 || width > 4 || base+1 > len(data) {
		return nil, 0, 0, bad
	}
	offsets = make([]int, count+1)
	for i := range offsets {
		offsets[i] = base + bigEndian(data[at+3+i*width:], width)
		if offsets[i] > len(data) || i == 0 && offsets[i] != base+1 || i > 0 && offsets[i] < offsets[i-1] {
			return nil, 0, 0, bad
		}
	}
	return offsets, width, offsets[count], nil
}

func bigEndian(b []byte, width int) int {
	v := 0
	for _, c := range b[:width] {
		v = v<<8 | int(c)
	}
	return v
}

// readDict reads the last operand of each operator of a DICT (section 4); real numbers count as 0.
func readDict(b []byte) map[int]int {
	dict := map[int]int{}
	operand := 0
	for len(b) > 0 {
		c := int(b[0])
		n := 1
		switch {
		case c == 12 && len(b) > 1:
			dict[c<<8|int(b[1])], n = operand, 2
		case c <= 21:
			dict[c] = operand
		case c == 28 && len(b) >= 3:
			operand, n = short(b[1:]), 3
		case c == 29 && len(b) >= 5:
			operand, n = bigEndian(b[1:], 4), 5
		case c == 30:
			operand, n = 0, realLength(b)
		case c >= 32 && c <= 246:
			operand = c - 139
		case c >= 247 && c <= 250 && len(b) >= 2:
			operand, n = (c-247)*256+int(b[1])+108, 2
		case c >= 251 && c <= 254 && len(b) >= 2:
			operand, n = -(c-251)*256-int(b[1])-108, 2
		}
		b = b[n:]
	}
	return dict
}

// realLength is the length of a real number: it ends with a nibble of 15.
func realLength(b []byte) int {
	for i := 1; i < len(b); i++ {
		if b[i]&15 == 15 {
			return i + 1
		}
	}
	return len(b)
}

// readCharset reads which code selects each glyph (section 13). A damaged one counts as the identity from there on.
func readCharset(data []byte, at, glyphs int) []uint16 {
	cids := make([]uint16, 1, glyphs)
	if at > 2 && at < len(data) {
		cids = appendCharset(cids, data[at], data[at+1:], glyphs)
	}
	for len(cids) < glyphs {
		cids = append(cids, uint16(len(cids))) //nolint:gosec // G115: a glyph number
	}
	return cids[:glyphs]
}

func appendCharset(cids []uint16, format byte, b []byte, glyphs int) []uint16 {
	size, ok := map[byte]int{0: 2, 1: 3, 2: 4}[format]
	for ok && len(b) >= size && len(cids) < glyphs {
		first, more := binary.BigEndian.Uint16(b), bigEndian(b[2:], size-2)
		for ; more >= 0; more-- {
			cids = append(cids, first)
			first++
		}
		b = b[size:]
	}
	return cids
}

// endchar is the whole of an empty glyph.
const endchar = 14

// subset empties all other glyphs in place: the new INDEX is no longer than the old one, so nothing that stands behind it moves, and
// the zeros at its end compress to nothing.
func (t *cffTable) subset(glyphs []uint16) ([]byte, error) {
	out := slices.Clone(t.data)
	count := len(t.offsets) - 1
	base := t.offsets[0]
	at := base
	used := make([]bool, count)
	used[0] = true
	for _, g := range glyphs {
		used[g] = true
	}
	for g := range count {
		t.putOffset(out, g, at-base+1)
		old := t.data[t.offsets[g]:t.offsets[g+1]]
		switch {
		case used[g]:
			at += copy(out[at:], old)
		case len(old) > 0:
			out[at] = endchar
			at++
		}
	}
	t.putOffset(out, count, at-base+1)
	clear(out[at:t.offsets[count]])
	return out, nil
}

func (t *cffTable) putOffset(out []byte, entry, offset int) {
	for i := range t.width {
		out[t.index+3+entry*t.width+i] = byte(offset >> (8 * (t.width - 1 - i))) //nolint:gosec // G115: one byte after the other
	}
}
