package images_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// loader has one file, "x".
func loader(data []byte, maxPixels int) *images.Loader {
	return images.New(cascade.Library{Resources: map[string]render.Resource{"x": {Body: data}}}, maxPixels)
}

func readFile(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// sheet is a picture with a red left half.
func sheet(width, height int) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Transparent, color.NRGBA{R: 255, A: 255}})
	for y := range height {
		for x := range width / 2 {
			img.SetColorIndex(x, y, 1)
		}
	}
	return img
}

func encoded(tb testing.TB, encode func(b *bytes.Buffer) error) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func jpegOf(tb testing.TB, orientation byte) []byte {
	tb.Helper()
	data := encoded(tb, func(b *bytes.Buffer) error { return jpeg.Encode(b, sheet(40, 20), nil) })
	if orientation == 0 {
		return data
	}
	tiff := []byte{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(segment)+2))
	return append(append(head, segment...), data[2:]...)
}

// gifOf has a frame that is smaller than the picture.
func gifOf(tb testing.TB) []byte {
	tb.Helper()
	frame := sheet(10, 10).(*image.Paletted)
	frame.Rect = image.Rect(20, 5, 30, 15)
	return encoded(tb, func(b *bytes.Buffer) error {
		return gif.EncodeAll(b, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}, Config: image.Config{Width: 40, Height: 20, ColorModel: frame.Palette}})
	})
}

func TestPicturesSayHowLargeTheyAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                 string
		data                 []byte
		width, height, ratio float64
		magic                string
	}{
		{"png", encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, sheet(40, 20)) }), 40, 20, 2, "\x89PNG"},
		{"jpeg", jpegOf(t, 0), 40, 20, 2, "\xff\xd8"},
		{"jpeg upside down", jpegOf(t, 3), 40, 20, 2, "\xff\xd8"},
		{"jpeg turned", jpegOf(t, 6), 20, 40, 0.5, "\xff\xd8"},
		{"gif", gifOf(t), 40, 20, 2, "\x89PNG"},
		{"lossy webp with alpha", readFile(t, "testdata/lossy.webp"), 24, 10, 2.4, "\x89PNG"},
		{"lossless webp", readFile(t, "testdata/lossless.webp"), 24, 10, 2.4, "\x89PNG"},
		{"svg", []byte(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><!-- > --><svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="1in"/>`), 30 * 96 / 25.4, 96, 30 / 25.4, ""},
		{"svg with a viewBox", []byte(`<svg viewBox="0, 0 40 20"></svg>`), 0, 0, 2, ""},
		{"svg with a width", []byte(`<svg width=" 80px " viewBox="0 0 40 20"></svg>`), 80, 0, 2, ""},
		{"svg with percentages", []byte(`<svg width="100%" height="20" viewBox="0 0 40 20"></svg>`), 0, 20, 2, ""},
		{"svg that may be stretched", []byte(`<svg viewBox="0 0 40 20" preserveAspectRatio="none"></svg>`), 0, 0, 0, ""},
		{"svg with a wrong viewBox", []byte(`<svg width="-1" height="x" viewBox="0 0 NaN 20"></svg>`), 0, 0, 0, ""},
		{"svg with endless sizes", []byte(`<svg width="1e400" height="1e30" viewBox="0 0 1e-300 1"></svg>`), 0, 1e6, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := loader(c.data, 0).Find("", "x")
			if err != nil {
				t.Fatal(err)
			}
			if near(got.Width, c.width) && near(got.Height, c.height) && near(got.Ratio, c.ratio) && got.Name == "x" &&
				strings.HasPrefix(string(got.Data), c.magic) && (got.SVG != nil) == (c.magic == "") && (got.Document != nil) == (c.magic == "") {
				return
			}
			t.Errorf("%v × %v, ratio %v, name %q, data %.8q, svg %v", got.Width, got.Height, got.Ratio, got.Name, got.Data, got.SVG)
		})
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestAFrameStandsInItsPlace(t *testing.T) {
	t.Parallel()
	got, err := loader(gifOf(t), 0).Find("", "x")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, y int
		want bool
	}{{0, 0, false}, {20, 5, true}, {24, 14, true}, {26, 10, false}} {
		if _, _, _, a := img.At(c.x, c.y).RGBA(); img.Bounds() != image.Rect(0, 0, 40, 20) || (a > 0) != c.want {
			t.Errorf("(%d, %d) has alpha %d in %v", c.x, c.y, a, img.Bounds())
		}
	}
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	t.Parallel()
	whole := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, sheet(40, 20)) })
	for _, c := range []struct {
		name   string
		data   []byte
		pixels int
		want   error
	}{
		{"a bomb of 30,000 × 30,000 pixels", readFile(t, "../pdf/testdata/bomb.png"), 0, images.ErrTooLarge},
		{"more pixels than wanted", whole, 799, images.ErrTooLarge},
		{"a gif with more pixels than wanted", gifOf(t), 799, images.ErrTooLarge},
		{"no header", whole[:20], 0, images.ErrBroken},
		{"half a gif", gifOf(t)[:60], 0, images.ErrBroken},
		{"half a webp", readFile(t, "testdata/lossy.webp")[:60], 0, images.ErrBroken},
		{"text", []byte("<!-- --> <svgs>"), 0, images.ErrBroken},
		{"a page", []byte("<html><svg></svg>"), 0, images.ErrBroken},
		{"nothing", nil, 0, images.ErrBroken},
		{"an svg too deep", []byte(strings.Repeat("<svg>", 600)), 0, images.ErrBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := loader(c.data, c.pixels)
			for range 2 { // the second answer is the same
				if got, err := l.Find("", "x"); !errors.Is(err, c.want) || got != nil {
					t.Errorf("image %v, error %v; want %v", got, err, c.want)
				}
			}
		})
	}
}

func TestAPictureIsReadOnce(t *testing.T) {
	t.Parallel()
	l := loader(jpegOf(t, 0), 0)
	first, err := l.Find("", "x")
	if err != nil {
		t.Fatal(err)
	}
	if second, err := l.Find("sheet.css", "./x#part"); second != first || err != nil {
		t.Errorf("another image, or %v", err)
	}
	if _, err := l.Find("folder/sheet.css", "x"); !errors.Is(err, images.ErrMissing) {
		t.Errorf("error %v; want %v", err, images.ErrMissing)
	}
	inner, err := l.Find("", "data:image/svg+xml,<svg width='3'/>")
	if err != nil || inner.Width != 3 || inner.Name != "" {
		t.Errorf("image %+v, error %v", inner, err)
	}
}

func TestAnSVGOfThePageIsAPicture(t *testing.T) {
	t.Parallel()
	doc, err := dom.Parse(t.Context(), `<svg width=2em viewBox="0 0 4 2"></svg>`, dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	svg := doc.Body().First
	l := loader(nil, 0)
	got := l.Inline(svg)
	if got.SVG != svg || got.Document != nil || got.Width != 32 || got.Ratio != 2 || l.Inline(svg) != got {
		t.Errorf("%+v", got)
	}
}

func TestDecodingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := loader(gifOf(t), 0).Until(ctx).Find("", "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v; want %v", err, context.Canceled)
	}
}

// chunk is a part of a WebP file.
func chunk(kind string, body []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	return append(b, make([]byte, len(b)&1)...)
}

// webpOf puts the chunks of a file into another one whose header says this size, less one.
func webpOf(width, height byte, chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), chunk("VP8X", []byte{0x12, 0, 0, 0, width, 0, 0, height, 0, 0})...)
	for _, c := range chunks {
		body = append(body, c...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func TestTheFirstPictureOfAnAnimatedWebPIsRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"testdata/lossy.webp", "testdata/lossless.webp"} {
		still := readFile(t, name)[30:] // what follows the header
		animated := webpOf(29, 19, chunk("ANIM", make([]byte, 6)), chunk("ANMF", append([]byte{2, 0, 0, 3, 0, 0, 23, 0, 0, 9, 0, 0, 0, 0, 0, 0}, still...)))
		got, err := loader(animated, 0).Find("", "x")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		img, err := png.Decode(bytes.NewReader(got.Data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, _, _, before := img.At(3, 6).RGBA()
		if r, _, _, _ := img.At(5, 7).RGBA(); img.Bounds() != image.Rect(0, 0, 30, 20) || before != 0 || r < 0xb000 {
			t.Errorf("%s: %v, alpha %d, red %d", name, img.Bounds(), before, r)
		}
		small := webpOf(9, 9, still)
		if _, err := loader(small, 0).Find("", "x"); !errors.Is(err, images.ErrBroken) {
			t.Errorf("%s is larger than its header says: error %v", name, err)
		}
	}
}

// FuzzFind: any bytes are a picture with finite sizes, or refused by a fault.
func FuzzFind(f *testing.F) {
	f.Add(gifOf(f))
	f.Add(jpegOf(f, 6))
	f.Add(readFile(f, "testdata/lossy.webp"))
	f.Add(readFile(f, "testdata/lossless.webp"))
	f.Add([]byte(`<svg width="30mm" height="10%" viewBox="0 0 40 20" preserveAspectRatio="none"/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := loader(data, 1_000_000).Find("", "x")
		if err != nil {
			if got != nil || (!errors.Is(err, images.ErrBroken) && !errors.Is(err, images.ErrTooLarge)) {
				t.Fatalf("image %v, error %v", got, err)
			}
			return
		}
		for _, v := range []float64{got.Width, got.Height, got.Ratio} {
			if !(v >= 0 && v <= 1e13) {
				t.Fatalf("%v × %v, ratio %v", got.Width, got.Height, got.Ratio)
			}
		}
	})
}
