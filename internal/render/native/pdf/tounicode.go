package pdf

import (
	"fmt"
	"slices"
)

// longestMapping bounds what one code may mean in a ToUnicode map, in bytes of UTF-8. Readers allow 512 bytes of UTF-16; the
// longest ligature of Unicode has 18 letters.
const longestMapping = 64

// mappingsPerBlock is the bound of Adobe Technical Note 5411.
const mappingsPerBlock = 100

// toUnicode is the CMap that says what the codes of a font mean (9.10.3).
func (f *fontUse) toUnicode(glyphs []uint16) []byte {
	said := slices.DeleteFunc(f.byCID(glyphs), func(g uint16) bool { return f.glyph(g).text == "" })
	b := []byte("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for block := range slices.Chunk(said, mappingsPerBlock) {
		b = fmt.Appendf(b, "%d beginbfchar\n", len(block))
		for _, g := range block {
			b = append(appendHex16(append(b, '<'), f.glyph(g).cid), "> <"...)
			b = append(appendUTF16(b, f.glyph(g).text), ">\n"...)
		}
		b = append(b, "endbfchar\n"...)
	}
	return append(b, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"...)
}
