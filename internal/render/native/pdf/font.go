package pdf

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
)

// Typeface is a font as this package needs it. Implementations must be comparable and give equal answers always; the same value
// is embedded once.
type Typeface interface {
	// Descriptor describes the whole font.
	Descriptor() Descriptor
	// CID is the code by which a reader finds the glyph in what Subset returns: the glyph's own number, except in CID-keyed
	// CFF fonts.
	CID(glyph uint16) uint16
	// Advance is the width of a glyph in thousandths of the font size.
	Advance(glyph uint16) float64
	// Subset returns a font program that has these glyphs, under their old numbers. They come sorted, and glyph 0 is
	// among them. Equal glyphs give equal bytes.
	Subset(glyphs []uint16) ([]byte, error)
}

// Descriptor is what a reader wants to know about a font that it cannot open (9.8). Lengths are thousandths of the size.
type Descriptor struct {
	Name string // PostScript name
	// CFF says that Subset returns a bare CFF table; otherwise it is a TrueType file.
	CFF                        bool
	Ascent, Descent, CapHeight float64
	ItalicAngle                float64
	Box                        [4]float64
	Weight                     int // 100–900
	Serif, Fixed               bool
}

// fontUse is a font in a document: which of its glyphs are used, and for what.
type fontUse struct {
	face   Typeface
	name   string // in content streams
	ref    ref
	glyphs []*[glyphsPerBlock]glyphUse // up to the last one that is used; nil where none is
}

// glyphsPerBlock is how many glyphs are noted side by side: those of a script are neighbors in most fonts.
const glyphsPerBlock = 64

type glyphUse struct {
	used  bool
	cid   uint16
	width float64 // as the file tells readers
	text  string  // what the ToUnicode map says; "" is nothing yet
}

func (d *Document) font(face Typeface) *fontUse {
	if use, ok := d.fontOf[face]; ok {
		return use
	}
	use := &fontUse{face: face, name: fmt.Sprintf("F%d", len(d.fonts)), ref: d.file.alloc()}
	use.glyph(0)
	d.fonts = append(d.fonts, use)
	d.fontOf[face] = use
	return use
}

// glyph returns what is known of a glyph, which is used from now on.
func (f *fontUse) glyph(id uint16) *glyphUse {
	at := int(id / glyphsPerBlock)
	if at >= len(f.glyphs) {
		f.glyphs = append(f.glyphs, make([]*[glyphsPerBlock]glyphUse, at+1-len(f.glyphs))...)
	}
	block := f.glyphs[at]
	if block == nil {
		block = new([glyphsPerBlock]glyphUse)
		f.glyphs[at] = block
	}
	g := &block[id%glyphsPerBlock]
	if !g.used {
		*g = glyphUse{used: true, cid: f.face.CID(id), width: math.Round(f.face.Advance(id))}
	}
	return g
}

// used returns the glyphs that were used, sorted.
func (f *fontUse) used() []uint16 {
	var glyphs []uint16
	for at, block := range f.glyphs {
		if block == nil {
			continue
		}
		for i := range block {
			if block[i].used {
				glyphs = append(glyphs, uint16(at*glyphsPerBlock+i))
			}
		}
	}
	return glyphs
}

// say notes what a glyph means that is a cluster, and reports whether the ToUnicode map says just that. A code has one meaning in the map: the
// first one that it is used with. A cluster of several glyphs has none of its own.
func (g *glyphUse) say(id uint16, text string) bool {
	if g.text == "" && id != 0 && len(text) <= longestMapping {
		g.text = text
	}
	return g.text == text
}

func (d *Document) writeFonts() {
	for _, f := range d.fonts {
		if !d.file.alive() {
			return
		}
		d.writeFont(f)
	}
}

// writeFont writes a composite font (9.7): a Type 0 font, its one descendant, and what belongs to them.
func (d *Document) writeFont(f *fontUse) {
	glyphs := f.used()
	program, err := f.face.Subset(glyphs)
	if err != nil {
		d.file.fail(ErrFontInvalid.Because(err))
		return
	}
	desc := f.face.Descriptor()
	sum := digest(sha256.Sum256(program))
	name := subsetTag(sum) + "+" + desc.Name
	descendant, descriptor, embedded, unicode := d.file.alloc(), d.file.alloc(), d.file.alloc(), d.file.alloc()

	entries := append([]byte("/Filter/FlateDecode"), desc.programEntries(len(program))...)
	d.pressFont(program, sum, func(data []byte) { d.file.raw(embedded, entries, data) })
	d.file.stream(unicode, nil, f.toUnicode(glyphs))
	d.file.object(descriptor, desc.dictionary(name, embedded))
	d.file.object(descendant, f.descendant(name, glyphs, descriptor))
	b := appendName([]byte("<</Type/Font/Subtype/Type0/Encoding/Identity-H/BaseFont"), name)
	b = appendRef(append(b, "/DescendantFonts["...), descendant)
	d.file.object(f.ref, append(appendEntry(append(b, ']'), "ToUnicode", unicode), ">>"...))
}

// pressFont compresses a font program, and hands it on.
func (d *Document) pressFont(program []byte, sum digest, use func(data []byte)) {
	press := d.file.press
	if known := press.shelf.find(sum); known != nil {
		use(known.data)
		return
	}
	z := press.fonts.lend(levelOfFonts)
	defer press.fonts.giveBack(z)
	data := d.file.deflate(z, program)
	if d.file.alive() {
		press.shelf.keep(sum, &pressed{data: data})
	}
	use(data)
}

// subsetTag is six letters that tell subsets of one font apart (9.6.4).
func subsetTag(sum digest) string {
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + sum[i]%26
	}
	return string(tag)
}

func (d Descriptor) programEntries(size int) []byte {
	if d.CFF {
		return []byte("/Subtype/CIDFontType0C")
	}
	return fmt.Appendf(nil, "/Length1 %d", size)
}

func (d Descriptor) dictionary(name string, program ref) []byte {
	b := appendName([]byte("<</Type/FontDescriptor/FontName"), name)
	b = append(appendNumbers(append(b, "/FontBBox["...), d.Box[:]...), ']')
	for _, e := range []struct {
		key   string
		value float64
	}{
		{"Flags", float64(d.flags())},
		{"ItalicAngle", d.ItalicAngle},
		{"Ascent", d.Ascent},
		{"Descent", d.Descent},
		{"CapHeight", d.CapHeight},
		{"StemV", d.stemV()},
	} {
		b = appendNumber(append(appendName(b, e.key), ' '), e.value)
	}
	key := "FontFile2"
	if d.CFF {
		key = "FontFile3"
	}
	return append(appendEntry(b, key, program), ">>"...)
}

func (d Descriptor) flags() int {
	flags := 1 << 2 // symbolic: no standard encoding applies
	if d.Fixed {
		flags |= 1 << 0
	}
	if d.Serif {
		flags |= 1 << 1
	}
	if d.ItalicAngle != 0 {
		flags |= 1 << 6
	}
	return flags
}

// stemV guesses the width of stems from the weight. Readers use it only to make up a font when they cannot use the
// embedded one.
func (d Descriptor) stemV() float64 { return 50 + math.Round(math.Pow(float64(d.Weight)/65, 2)) }

func (f *fontUse) descendant(name string, glyphs []uint16, descriptor ref) []byte {
	b := []byte("<</Type/Font/Subtype/CIDFontType2/CIDToGIDMap/Identity/BaseFont")
	if f.face.Descriptor().CFF {
		b = []byte("<</Type/Font/Subtype/CIDFontType0/BaseFont")
	}
	b = append(appendName(b, name), "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 0/W["...)
	b = f.appendWidths(b, glyphs)
	return append(appendEntry(append(b, ']'), "FontDescriptor", descriptor), ">>"...)
}

// appendWidths writes the widths of neighboring codes together (9.7.4.3).
func (f *fontUse) appendWidths(b []byte, glyphs []uint16) []byte {
	last := 0
	for i, g := range f.byCID(glyphs) {
		e := f.glyph(g)
		switch {
		case i == 0:
			b = fmt.Appendf(b, "%d[", e.cid)
		case last+1 != int(e.cid):
			b = fmt.Appendf(b, "]%d[", e.cid)
		default:
			b = append(b, ' ')
		}
		last = int(e.cid)
		b = appendNumber(b, e.width)
	}
	return append(b, ']')
}

// byCID sorts glyphs by their codes.
func (f *fontUse) byCID(glyphs []uint16) []uint16 {
	return slices.SortedFunc(slices.Values(glyphs), func(a, b uint16) int { return int(f.glyph(a).cid) - int(f.glyph(b).cid) })
}
