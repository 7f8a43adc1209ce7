package native_test

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/corpus"
)

// hardest are the documents that docs/fidelity.md shows, and which page of each.
var hardest = map[string]int{
	"multiscript.html": 1, "certificate-bilingual-ar.html": 1, "quote-he.html": 1, "statement-card-es.html": 1, "ticket-boarding-pass.html": 1,
	"certificate-conformity.html": 1, "payslip-fr.html": 1, "letter-window-ua.html": 1, "report-annual.html": 4, "report.md": 1,
}

// The pictures of docs/fidelity.md: the browser's page at the left, the engine's at the right, at a resolution on which no edges of pixels
// are those of CSS. With FIDELITY_PICTURES set they are made anew.
const (
	shown       = "../../../docs/images/fidelity"
	shownDPI    = 101
	shownGap    = 6
	shownColors = 256
	shownBytes  = 150_000
)

func TestTheHardestDocumentsAreShown(t *testing.T) {
	t.Parallel()
	if os.Getenv("FIDELITY_PICTURES") != "" {
		drawHardest(t)
	}
	for file := range hardest {
		path := picturePath(file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if _, paletted := img.(*image.Paletted); !paletted || len(data) > shownBytes || img.Bounds().Dx() <= img.Bounds().Dy() {
			t.Errorf("%s: not two pages in at most %d colors and %d bytes: %d bytes, %v", path, shownColors, shownBytes, len(data), img.Bounds())
		}
	}
}

func picturePath(file string) string {
	return filepath.Join(shown, strings.TrimSuffix(file, filepath.Ext(file))+".png")
}

func drawHardest(t *testing.T) {
	t.Helper()
	ours, theirs := engine(t), browser(t)
	all, err := corpus.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		number, wanted := hardest[d.File]
		if !wanted {
			continue
		}
		req, err := d.Request(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		left := pictureOf(t, draw(t, theirs, req, d.File), number)
		right := pictureOf(t, draw(t, ours, req, d.File), number)
		var out bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&out, inFewColors(sideBySide(left, right))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(picturePath(d.File), out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pictureOf is one page of a document.
func pictureOf(t *testing.T, pdf []byte, number int) image.Image {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	page := strconv.Itoa(number)
	cmd := exec.CommandContext(ctx, "pdftoppm", "-png", "-r", strconv.Itoa(shownDPI), "-f", page, "-l", page, "-singlefile", "-")
	cmd.Stdin = bytes.NewReader(pdf)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pdftoppm (Debian package poppler-utils): %v", err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func sideBySide(left, right image.Image) *image.RGBA {
	l, r := left.Bounds(), right.Bounds()
	both := image.NewRGBA(image.Rect(0, 0, l.Dx()+shownGap+r.Dx(), max(l.Dy(), r.Dy())))
	imagedraw.Draw(both, both.Bounds(), image.NewUniform(color.Gray{Y: 0x88}), image.Point{}, imagedraw.Src)
	imagedraw.Draw(both, l, left, l.Min, imagedraw.Src)
	imagedraw.Draw(both, r.Add(image.Pt(l.Dx()+shownGap, 0)), right, r.Min, imagedraw.Src)
	return both
}

// inFewColors has the colors that are seen most, and the nearest of them instead of others.
func inFewColors(img *image.RGBA) *image.Paletted {
	colors := mostSeen(img)
	out := image.NewPaletted(img.Bounds(), colors)
	index := map[color.RGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := coarse(img.RGBAAt(x, y))
			i, known := index[c]
			if !known {
				i = colors.Index(c)
				index[c] = i
			}
			out.Pix[out.PixOffset(x, y)] = uint8(i)
		}
	}
	return out
}

// coarse takes colors together that are hard to tell apart. White stays white.
func coarse(c color.RGBA) color.RGBA { return color.RGBA{c.R | 3, c.G | 3, c.B | 3, 255} }

func mostSeen(img *image.RGBA) color.Palette {
	count := map[color.RGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[coarse(img.RGBAAt(x, y))]++
		}
	}
	number := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	seen := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(number(a), number(b)))
	})
	var colors []color.RGBA
	for _, room := range []int{shownColors / 2, shownColors} { // first what is unlike, then the shades of what is seen most
		for _, c := range seen {
			same := func(d color.RGBA) bool { return c == d || room < shownColors && alike(c, d) }
			if len(colors) < room && !slices.ContainsFunc(colors, same) {
				colors = append(colors, c)
			}
		}
	}
	palette := make(color.Palette, len(colors))
	for i, c := range colors {
		palette[i] = c
	}
	return palette
}

// alike reports whether one color may stand for another: otherwise gradients would leave no room for what is small.
func alike(a, b color.RGBA) bool {
	near := func(v, w uint8) bool { return max(v, w)-min(v, w) < 20 }
	return near(a.R, b.R) && near(a.G, b.G) && near(a.B, b.B)
}
