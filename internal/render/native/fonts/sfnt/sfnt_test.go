package sfnt_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/fonts/sfnt"
)

// noto reads a font of the binary.
func noto(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.Open("../noto/" + name + ".ttf.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func testdata(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func parsed(tb testing.TB, data []byte) *sfnt.Font {
	tb.Helper()
	f, err := sfnt.Parse(data, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// tables are the tables of a font file, read independently of the package; every checksum is right.
func tables(tb testing.TB, file []byte) map[string][]byte {
	tb.Helper()
	if sum := checksum(file); sum != 0xB1B0AFBA {
		tb.Errorf("the sum of the file is %#x", sum)
	}
	found := map[string][]byte{}
	var last string
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		r := file[12+16*i:]
		tag, start, size := string(r[:4]), binary.BigEndian.Uint32(r[8:]), binary.BigEndian.Uint32(r[12:])
		if tag <= last {
			tb.Errorf("table %q stands after %q", tag, last)
		}
		last = tag
		found[tag] = file[start : start+size]
		data := bytes.Clone(found[tag])
		if tag == "head" {
			clear(data[8:12])
		}
		if sum := checksum(data); sum != binary.BigEndian.Uint32(r[4:]) {
			tb.Errorf("the sum of table %q is wrong", tag)
		}
	}
	return found
}

func checksum(b []byte) (sum uint32) {
	for b = append(bytes.Clone(b), 0, 0, 0); len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	return sum
}

func TestNamesAndMetricsAreRead(t *testing.T) {
	t.Parallel()
	f := parsed(t, noto(t, "NotoSerif-BoldItalic"))
	if diff := cmp.Diff(sfnt.Names{Family: "Noto Serif", PostScript: "NotoSerif-BoldItalic"}, f.Names); diff != "" {
		t.Error(diff)
	}
	want := sfnt.Metrics{
		Ascent: 1069, Descent: -293, CapHeight: 714, XHeight: 536, UnderlinePosition: -100, UnderlineThickness: 50, StrikePosition: 322, StrikeThickness: 50,
		Box: f.Metrics.Box, Weight: 700, Width: 5, Italic: true, ItalicAngle: -12, Serif: true,
	}
	if diff := cmp.Diff(want, f.Metrics); diff != "" {
		t.Error(diff)
	}
	if f.UnitsPerEm != 1000 || f.CFF || f.Variable {
		t.Errorf("%+v", f)
	}
	if !parsed(t, noto(t, "NotoSansMono-Regular")).Metrics.Fixed {
		t.Error("Noto Sans Mono is not fixed")
	}
}

func TestASubsetHasTheGlyphsAndTheirParts(t *testing.T) {
	t.Parallel()
	whole := parsed(t, noto(t, "NotoSans-Regular"))
	const e, eacute = 72, 171 // in this version of the font; é is made of e and an accent
	file, err := whole.Subset([]uint16{eacute})
	if err != nil {
		t.Fatal(err)
	}
	cut := tables(t, file)
	drawn := 0
	loca := cut["loca"]
	for g := range len(loca)/4 - 1 {
		if !bytes.Equal(loca[4*g:4*g+4], loca[4*g+4:4*g+8]) {
			drawn++
		}
	}
	if drawn != 4 { // .notdef, é, e, acute
		t.Errorf("%d glyphs are drawn", drawn)
	}
	again := parsed(t, file)
	for _, g := range []uint16{0, e, eacute} {
		if again.Advance(g) != whole.Advance(g) {
			t.Errorf("glyph %d is %d wide, was %d", g, again.Advance(g), whole.Advance(g))
		}
	}
	if len(file) > 12_000 {
		t.Errorf("%d bytes for one letter", len(file))
	}
}

func TestEqualGlyphsGiveEqualBytes(t *testing.T) {
	t.Parallel()
	data := noto(t, "NotoSerif-Regular")
	glyphs := []uint16{0, 3, 40, 41, 171, 190, 300, 301, 500}
	first, err := parsed(t, data).Subset(glyphs)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		slices.Reverse(glyphs)
		if again, err := parsed(t, data).Subset(glyphs); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("other bytes, %v", err)
		}
	}
}

func TestTheBlankGlyphIsEmpty(t *testing.T) {
	t.Parallel()
	f := parsed(t, noto(t, "NotoSansArabic-Regular"))
	blank, ok := f.Blank()
	if !ok || f.Advance(blank) != 0 {
		t.Fatalf("glyph %d, %v, is %d wide", blank, ok, f.Advance(blank))
	}
	file, err := f.Subset([]uint16{5, blank})
	if err != nil {
		t.Fatal(err)
	}
	if again := parsed(t, file); again.Glyphs != int(blank)+1 || again.Advance(blank) != 0 {
		t.Errorf("%d glyphs, the last is %d wide", again.Glyphs, again.Advance(blank))
	}
	if _, err := f.Subset([]uint16{blank + 1}); !errors.Is(err, sfnt.ErrInvalid) {
		t.Errorf("a glyph that is not there: %v", err)
	}
}

func TestACFFSubsetKeepsItsPlaces(t *testing.T) {
	t.Parallel()
	data := testdata(t, "CFFTest.otf")
	f := parsed(t, data)
	if !f.CFF || f.Glyphs < 5 {
		t.Fatalf("%+v", f)
	}
	whole, err := f.Subset([]uint16{0, 1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, whole) {
		t.Error("with all its glyphs the table is another one")
	}
	part, err := f.Subset([]uint16{2})
	if err != nil {
		t.Fatal(err)
	}
	if len(part) != len(whole) || bytes.Equal(part, whole) {
		t.Errorf("the table has %d bytes, had %d", len(part), len(whole))
	}
	if bytes.Count(part, []byte{0}) <= bytes.Count(whole, []byte{0}) {
		t.Error("nothing was emptied")
	}
}

func TestCollectionsHaveSeveralFonts(t *testing.T) {
	t.Parallel()
	data := collection(noto(t, "NotoSansHebrew-Regular"), noto(t, "NotoSansHebrew-Bold"))
	if n := sfnt.Count(data); n != 2 {
		t.Fatalf("%d fonts", n)
	}
	for i, want := range []int{400, 700} {
		f, err := sfnt.Parse(data, i)
		if err != nil || f.Metrics.Weight != want {
			t.Errorf("font %d: weight %d, %v", i, f.Metrics.Weight, err)
		}
	}
	if _, err := sfnt.Parse(data, 2); !errors.Is(err, sfnt.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

// collection puts fonts into one file.
func collection(fonts ...[]byte) []byte {
	head := append([]byte("ttcf\x00\x01\x00\x00"), 0, 0, 0, byte(len(fonts)))
	offset := 12 + 4*len(fonts)
	var body []byte
	for _, f := range fonts {
		head = binary.BigEndian.AppendUint32(head, uint32(offset+len(body)))
		moved := bytes.Clone(f)
		for i := range int(binary.BigEndian.Uint16(f[4:])) {
			at := moved[12+16*i+8:]
			binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(offset+len(body)))
		}
		body = append(body, moved...)
	}
	return append(head, body...)
}

func TestATruncatedFontIsAnErrorOrAFont(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{noto(t, "NotoSansHebrew-Regular"), testdata(t, "CFFTest.otf")} {
		for n := 0; n < len(data); n += 1 + n/40 {
			exercise(t, data[:n])
		}
	}
}

// exercise does what is done with a font from a stranger, and returns whether it is one.
func exercise(tb testing.TB, data []byte) bool {
	tb.Helper()
	data, err := sfnt.Unpack(data)
	if err == nil {
		var f *sfnt.Font
		if f, err = sfnt.Parse(data, sfnt.Count(data)-1); err == nil {
			last := uint16(min(f.Glyphs, 65535) - 1)
			f.CID(last)
			f.Advance(last)
			_, err = f.Subset([]uint16{0, 1 % (last + 1), last})
		}
	}
	if err != nil && !errors.Is(err, sfnt.ErrInvalid) {
		tb.Fatalf("an error without a name: %v", err)
	}
	return err == nil
}

func FuzzFont(f *testing.F) {
	f.Add(noto(f, "NotoSansHebrew-Regular"))
	f.Add(testdata(f, "CFFTest.otf"))
	f.Add(testdata(f, "Inter-Regular.woff2"))
	f.Add(woff(f, testdata(f, "CFFTest.otf")))
	f.Fuzz(func(t *testing.T, data []byte) { exercise(t, data) })
}
