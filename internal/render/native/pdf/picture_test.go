package pdf_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// shown is the first page as a reader draws it, one pixel to a point.
func shown(tb testing.TB, doc []byte) image.Image {
	tb.Helper()
	dir := tb.TempDir()
	file := filepath.Join(dir, "document.pdf")
	if err := os.WriteFile(file, doc, 0o600); err != nil {
		tb.Fatal(err)
	}
	path, err := exec.LookPath("pdftoppm")
	if err != nil {
		tb.Fatal("pdftoppm is missing: install the Debian package poppler-utils")
	}
	out, err := exec.CommandContext(tb.Context(), path, "-r", "72", "-png", "-singlefile", file).Output()
	if err != nil {
		tb.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		tb.Fatal(err)
	}
	return img
}

func TestEveryOperationShowsWhereItWasDrawn(t *testing.T) {
	t.Parallel()
	page := shown(t, sampleBytes(t))
	white := color.NRGBA{255, 255, 255, 255}
	for name, want := range map[string]struct {
		x, y  int
		color color.NRGBA
	}{
		"fill":                        {80, 215, red},
		"rounded corner is cut off":   {142, 192, white},
		"rounded inside":              {180, 215, blue},
		"stroke over fill":            {180, 190, black},
		"even-odd ring":               {247, 215, color.NRGBA{G: 150, A: 255}},
		"even-odd hole":               {280, 215, white},
		"dash":                        {342, 195, black},
		"gap":                         {347, 195, white},
		"clipped away":                {42, 265, white},
		"inside the clip":             {82, 290, red},
		"rotated":                     {190, 290, color.NRGBA{R: 250, G: 180, A: 255}},
		"start of a gradient":         {261, 290, color.NRGBA{R: 201, G: 3, A: 255}},
		"end of a gradient":           {379, 290, color.NRGBA{G: 62, B: 218, A: 255}},
		"center of a radial gradient": {460, 290, color.NRGBA{R: 203, G: 12, A: 255}},
		"opaque end of a fade":        {41, 345, color.NRGBA{R: 200, A: 255}},
		"transparent end of a fade":   {268, 345, white},
		"half opaque group":           {300, 380, color.NRGBA{R: 227, G: 127, B: 127, A: 255}},
		"overlap in a group":          {370, 380, color.NRGBA{R: 127, G: 157, B: 237, A: 255}},
		"alpha of a fill":             {460, 385, color.NRGBA{R: 255, G: 155, B: 155, A: 255}},
		"first quarter of a PNG":      {50, 430, color.NRGBA{R: 255, A: 255}},
		"black through alpha":         {80, 447, color.NRGBA{R: 60, G: 60, B: 60, A: 255}},
		"JPEG":                        {110, 430, color.NRGBA{R: 254, A: 255}},
		"JPEG turned by EXIF":         {210, 430, color.NRGBA{B: 254, A: 255}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := color.NRGBAModel.Convert(page.At(want.x, want.y)).(color.NRGBA)
			for _, d := range []int{int(got.R) - int(want.color.R), int(got.G) - int(want.color.G), int(got.B) - int(want.color.B)} {
				if d < -12 || d > 12 {
					t.Fatalf("at %d,%d: got %v, want %v", want.x, want.y, got, want.color)
				}
			}
		})
	}
}
