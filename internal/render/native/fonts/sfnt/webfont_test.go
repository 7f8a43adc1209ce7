package sfnt_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/platen-render/platen/internal/render/native/fonts/sfnt"
)

// woff packs a font file.
func woff(tb testing.TB, file []byte) []byte {
	tb.Helper()
	count := int(binary.BigEndian.Uint16(file[4:]))
	head := append([]byte("wOFF"), file[:4]...)
	head = append(head, make([]byte, 36)...)
	binary.BigEndian.PutUint16(head[12:], uint16(count))
	offset := 44 + 20*count
	var body []byte
	for i := range count {
		r := file[12+16*i:]
		start, size := binary.BigEndian.Uint32(r[8:]), binary.BigEndian.Uint32(r[12:])
		table := file[start : start+size]
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write(table); err != nil {
			tb.Fatal(err)
		}
		if err := z.Close(); err != nil {
			tb.Fatal(err)
		}
		packed := b.Bytes()
		if len(packed) >= len(table) {
			packed = table
		}
		head = append(head, r[:4]...)
		for _, v := range []uint32{uint32(offset + len(body)), uint32(len(packed)), size, binary.BigEndian.Uint32(r[4:])} {
			head = binary.BigEndian.AppendUint32(head, v)
		}
		body = append(body, packed...)
	}
	return append(head, body...)
}

// woff2 is a WOFF2 file of one table, which says it has size bytes and is packed from data.
func woff2(tb testing.TB, size byte, data io.Reader) []byte {
	tb.Helper()
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, 4)
	if _, err := io.Copy(w, data); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	file := append([]byte("wOF2\x00\x01\x00\x00"), make([]byte, 40)...)
	binary.BigEndian.PutUint16(file[12:], 1)
	binary.BigEndian.PutUint32(file[16:], 1000)
	binary.BigEndian.PutUint32(file[20:], uint32(packed.Len()))
	file = append(append(file, 1, size), packed.Bytes()...) // table 1 is head
	binary.BigEndian.PutUint32(file[8:], uint32(len(file)))
	return file
}

// zeros is a reader of many zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestPackedFontsBecomeTheFontsTheyWere(t *testing.T) {
	t.Parallel()
	original := noto(t, "NotoSansHebrew-Regular")
	unpacked, err := sfnt.Unpack(woff(t, original))
	if err != nil {
		t.Fatal(err)
	}
	got, want := tables(t, unpacked), tables(t, original)
	if len(got) != len(want) {
		t.Errorf("%d tables, were %d", len(got), len(want))
	}
	for tag, table := range want {
		if tag != "head" && !bytes.Equal(got[tag], table) {
			t.Errorf("table %q is another one", tag)
		}
	}
	inter, err := sfnt.Unpack(testdata(t, "Inter-Regular.woff2"))
	if err != nil {
		t.Fatal(err)
	}
	if f := parsed(t, inter); f.Names.Family != "Inter" || f.Glyphs < 200 {
		t.Errorf("%+v", f)
	}
	padded := append(testdata(t, "Inter-Regular.woff2"), 0, 0, 0)
	binary.BigEndian.PutUint32(padded[8:], uint32(len(padded)))
	if got, err := sfnt.Unpack(padded); err != nil || !bytes.Equal(got, inter) {
		t.Errorf("padding at the end changes a font: %v", err)
	}
	if plain, err := sfnt.Unpack(original); err != nil || !bytes.Equal(plain, original) {
		t.Errorf("a font that is not packed changes: %v", err)
	}
}

func TestAFontThatUnpacksToMoreThanItSaysIsRefused(t *testing.T) { // alone: it measures memory
	const large = 32 << 20
	bomb := woff2(t, 100, io.LimitReader(zeros{}, large))
	if len(bomb) > 100_000 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := sfnt.Unpack(bomb)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, sfnt.ErrInvalid) {
		t.Fatalf("got %v", err)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 16<<20 {
		t.Errorf("%d bytes were allocated", spent)
	}
}

func TestDamagedPackedFontsAreRefused(t *testing.T) {
	t.Parallel()
	small := woff(t, testdata(t, "CFFTest.otf"))
	inter := testdata(t, "Inter-Regular.woff2")
	for _, data := range [][]byte{
		small[:40], small[:100], small[:len(small)-200], inter[:60], inter[:len(inter)-100], woff2(t, 100, bytes.NewReader(make([]byte, 99))),
		make([]byte, sfnt.MaxSize+1), []byte("wOFF"),
	} {
		if exercise(t, data) {
			t.Errorf("%d bytes of a damaged font were taken", len(data))
		}
	}
}
