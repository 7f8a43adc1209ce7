package pdf_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

func asset(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestAnImageOfTooManyPixelsIsRefusedBeforeItIsDecoded(t *testing.T) { // alone: it measures memory
	bomb := asset(t, "bomb.png") // 30,000 × 30,000
	doc := pdf.New(t.Context(), io.Discard, pdf.Info{}, pdf.Limits{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := doc.Image(bomb)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, pdf.ErrImageTooLarge) {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "30000 × 30000") {
		t.Errorf("the error does not say how large: %v", err)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
		t.Errorf("%d bytes were allocated", spent)
	}
	doc.Page(100, 100).Finish()
	if err := doc.Close(); err != nil {
		t.Errorf("the document is not usable afterwards: %v", err)
	}
}

func TestTheSameImageIsStoredOnce(t *testing.T) {
	t.Parallel()
	logo := asset(t, "logo.png")
	size := func(times int) int {
		return len(document(t, pdf.Info{}, func(d *pdf.Document) {
			page := d.Page(300, 300)
			for i := range times {
				img, err := d.Image(bytes.Clone(logo))
				if err != nil {
					t.Fatal(err)
				}
				page.Image(img, float64(i), 0, 10, 10)
			}
			page.Finish()
		}))
	}
	if once, often := size(1), size(20); often-once > 600 {
		t.Errorf("one image takes %d bytes, twenty of the same %d", once, often)
	}
}

func TestAJPEGIsPassedThrough(t *testing.T) {
	t.Parallel()
	photo := jpegOf(picture(60, 40, 255))
	doc := document(t, pdf.Info{}, func(d *pdf.Document) {
		img, err := d.Image(photo)
		if err != nil {
			t.Fatal(err)
		}
		if img.Width != 60 || img.Height != 40 {
			t.Errorf("size is %d × %d", img.Width, img.Height)
		}
		if turned, err := d.Image(oriented(photo, 8)); err != nil || turned.Width != 40 || turned.Height != 60 {
			t.Errorf("turned: %+v, %v", turned, err)
		}
		page := d.Page(100, 100)
		page.Image(img, 0, 0, 60, 40)
		page.Finish()
	})
	if !bytes.Contains(doc, photo) {
		t.Error("the file does not contain the JPEG")
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	t.Parallel()
	whole := pngOf(picture(50, 50, 9))
	for name, data := range map[string][]byte{
		"nothing":     nil,
		"text":        []byte("<svg/>"),
		"half a PNG":  whole[:len(whole)/2],
		"half a JPEG": jpegOf(picture(50, 50, 255))[:30],
		"GIF":         []byte("GIF89a\x01\x00\x01\x00"),
	} {
		doc := pdf.New(t.Context(), io.Discard, pdf.Info{}, pdf.Limits{})
		if _, err := doc.Image(data); !errors.Is(err, pdf.ErrImageInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
		if doc.Err() != nil {
			t.Errorf("%s: the document fails too: %v", name, doc.Err())
		}
	}
}

func TestDecodingStopsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	doc := pdf.New(ctx, io.Discard, pdf.Info{}, pdf.Limits{})
	data := pngOf(image.NewGray(image.Rect(0, 0, 3000, 3000)))
	cancel()
	if _, err := doc.Image(data); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func FuzzImage(f *testing.F) {
	f.Add(pngOf(picture(4, 4, 100)))
	f.Add(jpegOf(picture(8, 8, 255)))
	f.Add(oriented(jpegOf(picture(8, 8, 255)), 6))
	f.Add(pngOf(image.NewGray16(image.Rect(0, 0, 3, 3))))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		doc := pdf.New(t.Context(), &out, pdf.Info{}, pdf.Limits{ImagePixels: 100_000})
		page := doc.Page(100, 100)
		img, err := doc.Image(data)
		if err == nil {
			page.Image(img, 0, 0, 10, 10)
		} else if !errors.Is(err, pdf.ErrImageInvalid) && !errors.Is(err, pdf.ErrImageTooLarge) {
			t.Fatalf("an error without a name: %v", err)
		}
		page.Finish()
		if err := doc.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
