package layout_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// bordered are tables with collapsed borders of all sorts where they meet. Cells are empty, so that only borders are seen.
const bordered = `<!DOCTYPE html><style>
	body{margin:0} table{border-collapse:collapse;position:absolute} td,th{padding:0;width:30px;height:20px}
	.t{border:1px solid #000} .m{border:3px solid #00f} .w{border:8px solid #f00} .g{border:4px solid #0a0}</style><body>
	<table style="left:10px;top:10px"><tr><td class=t><td class=t><tr><td class=t><td class=t></table>
	<table style="left:110px;top:10px"><tr><td class=t><td class=w><tr><td class=m><td class=t></table>
	<table style="left:210px;top:10px" class=w><tr><td class=t><td class=t><tr><td class=g><td class=t></table>
	<table style="left:310px;top:10px"><tr style="border-bottom:4px solid #0a0"><td><td><tr><td class=m><td></table>
	<table style="left:410px;top:10px"><tr><td colspan=2 class=m><td rowspan=2 class=w><tr><td class=t><td class=g></table>
	<table style="left:10px;top:110px" class=g><col style="border-left:3px solid #00f"><col style="border-right:8px solid #f00"><tr><td><td><td><tr><td><td><td></table>
	<table style="left:160px;top:110px"><thead style="border-bottom:3px solid #00f"><tr><th class=t><th class=t></thead><tr class=g><td><td class=t><tr><td class=t><td></table>
	<table style="left:260px;top:110px"><tr><td style="border-left:4px solid #0a0;border-top:4px solid #f00"><td style="border:4px solid #00f"><tr><td style="border:4px solid #000"><td></table>
	<table style="left:360px;top:110px" dir=rtl><tr><td class=t><td class=w><tr><td class=m><td class=g></table>
	<table style="left:460px;top:110px" class=w><tr><td style="border:hidden"><td class=t><tr><td class=m><td style="border-style:hidden"></table>
	<table style="left:10px;top:230px"><tr><td class=m rowspan=2><td class=t><td class=m rowspan=3><tr><td class=w><tr><td class=t colspan=2></table>
	<table style="left:160px;top:230px"><tr class=m><td class=t><td><tr class=m><td><td class=t><tr class=w><td><td></table>
`

// TestCollapsedBordersCoverThePixelsThatTheyDoInTheBrowser draws the rules of tables and compares the picture with the browser's.
func TestCollapsedBordersCoverThePixelsThatTheyDoInTheBrowser(t *testing.T) {
	t.Parallel()
	want := screenshot(t, bordered)
	got := image.NewRGBA(image.Rect(0, 0, layouttest.Width, 400))
	draw.Draw(got, got.Bounds(), image.White, image.Point{}, draw.Src)
	drawRules(got, layouttest.Layout(t, bordered, nil), 0, 0)
	wrong, painted := 0, 0
	for y := range 400 {
		for x := range layouttest.Width {
			r, g, b, _ := want.At(x, y).RGBA()
			w := color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
			if w != (color.RGBA{255, 255, 255, 255}) {
				painted++
			}
			if c := got.RGBAAt(x, y); c != w {
				if wrong++; wrong < 20 {
					t.Errorf("at %d, %d is %v, in the browser %v", x, y, c, w)
				}
			}
		}
	}
	if wrong > 0 || painted < 5000 {
		t.Errorf("%d pixels differ of %d that the browser painted", wrong, painted)
	}
}

// drawRules draws rules as the browser snaps them to pixels.
func drawRules(to *image.RGBA, f *fragment.Fragment, x, y float64) {
	x, y = x+f.X, y+f.Y
	for _, c := range f.Children {
		drawRules(to, c, x, y)
	}
	if f.Table == nil {
		return
	}
	for _, r := range f.Table.Collapsed {
		left, top, right, bottom := x+r.X1, y+r.Y1, x+r.X2, y+r.Y2
		if r.X1 == r.X2 {
			left, right = left-r.Width/2, right+r.Width/2
		} else {
			top, bottom = top-r.Width/2, bottom+r.Width/2
		}
		c := color.RGBA{uint8(r.Color[0]*255 + 0.5), uint8(r.Color[1]*255 + 0.5), uint8(r.Color[2]*255 + 0.5), 255}
		draw.Draw(to, image.Rect(snap(left), snap(top), snap(right), snap(bottom)), image.NewUniform(c), image.Point{}, draw.Src)
	}
}

func snap(v float64) int { return int(math.Floor(v + 0.5)) }

// screenshot is the page as the browser paints it.
func screenshot(t *testing.T, page string) image.Image {
	t.Helper()
	program, err := chromium.FindProgram("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.html"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	shot := filepath.Join(dir, "shot.png")
	out, err := exec.CommandContext(t.Context(), program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+filepath.Join(dir, "profile"),
		fmt.Sprintf("--window-size=%d,%d", layouttest.Width, layouttest.Height), "--screenshot="+shot, "file://"+filepath.Join(dir, "page.html")).CombinedOutput()
	if err != nil {
		t.Fatalf("the browser (Debian package chromium-headless-shell): %v\n%s", err, out)
	}
	file, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
