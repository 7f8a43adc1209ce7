package examples_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/rendertest"
)

var update = flag.Bool("update", false, "draw the pictures of the gallery anew")

// gallery is where the pictures of docs/gallery.md are.
const gallery = "../docs/images/templates"

const (
	dotsPerInch = 73 // an upright sheet is then about 600 dots wide
	mostColors  = 64
	// alike is how much the brightness of a dot may differ on average, of 255: the programs that draw pages do not smooth alike.
	alike = 1.5
)

// TestTheGalleryShowsWhatIsRendered compares each page of each sample, by both engines, with its picture.
func TestTheGalleryShowsWhatIsRendered(t *testing.T) {
	t.Parallel()
	ours, theirs := engines(t)
	known := map[string]bool{}
	for _, name := range examples.TemplateNames() {
		s := example(t, name)
		req, err := s.page(t.Context(), s.request.Sample)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []render.Engine{ours, theirs} {
			pdf, report, err := draw(t.Context(), e, req)
			if err != nil {
				t.Fatal(err)
			}
			for page := 1; page <= report.Pages; page++ {
				file := fmt.Sprintf("%s-%d.%s.png", name, page, report.Engine)
				known[file] = true
				hold(t, file, decoded(t, rendertest.Picture(t, pdf, page, dotsPerInch)))
			}
		}
	}
	entries, err := os.ReadDir(gallery)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !known[e.Name()] {
			t.Errorf("%s shows nothing that is rendered", e.Name())
		}
	}
}

// hold compares a page with its picture, or makes that one anew.
func hold(t *testing.T, file string, page image.Image) {
	t.Helper()
	file = filepath.Join(gallery, file)
	if *update {
		if err := os.WriteFile(file, small(t, page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: \"make gallery\" draws it", err)
	}
	if d := distance(decoded(t, kept), page); d > alike {
		t.Errorf("%s shows something else by %.1f: \"make gallery\" draws it anew", file, d)
	}
}

func decoded(t *testing.T, picture []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// distance is how much the brightness of dots differs on average; pictures of different sizes have nothing in common.
func distance(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 255
	}
	sum, bounds := 0, a.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			sum += max(gray(a, x, y)-gray(b, x, y), gray(b, x, y)-gray(a, x, y))
		}
	}
	return float64(sum) / float64(bounds.Dx()*bounds.Dy())
}

func gray(m image.Image, x, y int) int {
	g, _ := color.GrayModel.Convert(m.At(x, y)).(color.Gray)
	return int(g.Y)
}

// small is a picture in its most frequent colors, of which none is like another one.
func small(t *testing.T, m image.Image) []byte {
	t.Helper()
	counts, bounds := map[color.RGBA]int{}, m.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c, _ := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
			counts[c]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], number(a)-number(b))
	})
	var palette color.Palette
	for _, c := range frequent {
		like := slices.ContainsFunc(palette, func(known color.Color) bool { return isLike(known, c) })
		if !like && len(palette) < mostColors {
			palette = append(palette, c)
		}
	}
	out := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			out.Set(x, y, m.At(x, y))
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// isLike reports whether colors differ by so little that one of them is enough.
func isLike(a, b color.Color) bool {
	const little = 10 << 8
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return max(ar, br)-min(ar, br) < little && max(ag, bg)-min(ag, bg) < little && max(ab, bb)-min(ab, bb) < little
}

func number(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
