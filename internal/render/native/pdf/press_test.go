package pdf_test

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

// noise is a picture that cannot be compressed, unlike that of any other seed.
func noise(seed uint64, width, height int) []byte {
	random := rand.New(rand.NewPCG(seed, seed))
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	return pngOf(img)
}

// printed makes a document with one of many pictures and a page of another length each.
func printed(tb testing.TB, press *pdf.Press, logo []byte, i int) []byte {
	tb.Helper()
	var out bytes.Buffer
	doc := press.New(tb.Context(), &out, pdf.Info{}, pdf.Limits{})
	page := doc.Page(300, 300)
	for _, data := range [][]byte{logo, noise(uint64(i%5), 40+i%5, 30)} {
		img, err := doc.Image(data)
		if err != nil {
			tb.Errorf("picture %d: %v", i, err)
			return nil
		}
		page.Image(img, 10, 10, 20, 20)
	}
	for range i % 7 * 100 {
		page.Fill(pdf.Rect(float64(i), 1, 2, 3), color.NRGBA{A: 255})
	}
	page.Finish()
	if err := doc.Close(); err != nil {
		tb.Errorf("document %d: %v", i, err)
	}
	return out.Bytes()
}

func TestADocumentIsTheSameWhateverThePressHasMadeBefore(t *testing.T) {
	t.Parallel()
	logo := asset(t, "logo.png")
	var press pdf.Press
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			if got, want := printed(t, &press, logo, i), printed(t, new(pdf.Press), logo, i); !bytes.Equal(got, want) {
				t.Errorf("document %d is another one out of a press that others use", i)
			}
		})
	}
	all.Wait()
}

func TestAPressKeepsOnlySoMuch(t *testing.T) { // alone: it measures memory
	var press pdf.Press
	before := live()
	for i := range 50 { // each of 400 kB
		doc := press.New(t.Context(), io.Discard, pdf.Info{}, pdf.Limits{})
		if _, err := doc.Image(noise(uint64(i), 1000, 100)); err != nil {
			t.Fatal(err)
		}
		if err := doc.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if kept := live() - before; kept > 12<<20 {
		t.Errorf("the press keeps %d bytes", kept)
	}
	runtime.KeepAlive(&press)
}

// live is how many bytes of the heap are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
