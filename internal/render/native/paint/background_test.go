package paint_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/page"
	"github.com/platen-render/platen/internal/render/native/paint"
)

// quarters is a PNG of 20 × 20 pixels: red, lime, blue and black.
func quarters(tb testing.TB) []byte {
	tb.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 20, 20))
	for y := range 20 {
		for x := range 20 {
			img.SetNRGBA(x, y, [2][2]color.NRGBA{{red, lime}, {blue, black}}[y/10][x/10])
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func loader(tb testing.TB) *images.Loader {
	tb.Helper()
	return images.New(cascade.Library{Resources: map[string]render.Resource{
		"q.png": {ContentType: "image/png", Body: quarters(tb)},
		"s.svg": {ContentType: "image/svg+xml", Body: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><style>rect{fill:blue}</style><rect width="1" height="1"/></svg>`)},
	}}, 0)
}

func TestBackgroundImagesAreRepeatedAndPlaced(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	root := s.root(500, 200,
		s.block("background:url(q.png)", 10, 10, 50, 50),
		s.block("background:url(q.png) no-repeat right 5px bottom 5px lime", 70, 10, 50, 50),
		s.block("background:url(q.png) 0 0/50% 100%", 130, 10, 40, 40),
		s.block("background:url(q.png) center/cover no-repeat", 190, 10, 40, 80),
		s.block("background:url(q.png) center/contain no-repeat red", 250, 10, 40, 80),
		s.block("background:url(q.png) repeat-x", 310, 10, 50, 50),
		s.block("background:url(q.png) space", 380, 10, 70, 50),
		s.block("background:url(q.png) no-repeat,linear-gradient(red,red) 0 20px no-repeat lime", 10, 110, 40, 60),
		s.block("background:url(s.svg) no-repeat red", 70, 110, 60, 60),
		s.block("background:url(q.png) no-repeat;border:10px solid transparent;padding:5px;background-origin:content-box", 150, 110, 60, 60),
		s.block("background:linear-gradient(blue,blue) 0 0/4px 4px,red", 230, 110, 60, 60),
		s.block("background:linear-gradient(blue 2px,transparent 2px) 0 0/10px 10px", 310, 110, 60, 60),
	)
	img := s.picture(s.print(paint.Options{Pictures: loader(t)}, sheet(root)))
	s.check(img, spots{
		{15, 15}: red, {25, 15}: lime, {35, 15}: red, {55, 55}: red, {45, 48}: black,
		{72, 12}: lime, {98, 38}: red, {110, 52}: black, {118, 58}: lime,
		{134, 15}: red, {145, 15}: lime, {155, 15}: red, {134, 45}: blue,
		{205, 30}: red, {215, 30}: lime, {195, 60}: blue, {192, 12}: red,
		{270, 15}: red, {255, 35}: red, {265, 60}: blue, {285, 60}: black,
		{315, 15}: red, {355, 25}: blue, {355, 45}: white,
		{385, 15}: red, {402, 15}: white, {410, 15}: red, {435, 45}: red, {435, 35}: white,
		{15, 115}: red, {15, 125}: blue, {45, 125}: lime, {45, 160}: red,
		{80, 140}: red, {80, 120}: blue, {110, 120}: red,
		{162, 122}: white, {168, 128}: red, {182, 142}: black,
		{232, 140}: blue, {288, 168}: blue,
		{330, 111}: blue, {330, 115}: white, {330, 121}: blue,
	})
}

func TestGradientsRunWhereTheySay(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	half := color.NRGBA{R: 127, B: 127, A: 255}
	img := s.show(s.root(500, 200,
		s.block("background:linear-gradient(red,blue)", 10, 10, 60, 60),
		s.block("background:linear-gradient(90deg,red 50%,blue 50%)", 80, 10, 60, 60),
		s.block("background:linear-gradient(to top left,red,blue)", 150, 10, 60, 30),
		s.block("background:repeating-linear-gradient(90deg,red 0 5px,blue 5px 10px)", 220, 10, 60, 60),
		s.block("background:linear-gradient(90deg,transparent,red)", 290, 10, 60, 60),
		s.block("background:linear-gradient(90deg,red,10%,blue)", 360, 10, 60, 60),
		s.block("background:radial-gradient(circle closest-side,red 50%,blue 50%)", 10, 110, 60, 60),
		s.block("background:radial-gradient(red 50%,blue 50%)", 80, 110, 80, 40),
		s.block("background:radial-gradient(10px at 20% 50%,red 99%,blue)", 170, 110, 60, 60),
		s.block("background:repeating-radial-gradient(circle at 0 0,red 0 10px,blue 10px 20px)", 240, 110, 60, 60),
		s.block("background:linear-gradient(red,lime 30px,blue 30px)", 310, 110, 60, 60),
		s.block("background:linear-gradient(90deg,red)", 380, 110, 60, 60),
	))
	s.check(img, spots{
		{40, 11}: red, {40, 68}: blue, {40, 40}: half,
		{108, 40}: red, {112, 40}: blue,
		{151, 11}: {R: 4, B: 251, A: 255}, {208, 38}: {R: 242, B: 13, A: 255}, {180, 25}: half, {155, 36}: half,
		{222, 40}: red, {227, 40}: blue, {272, 40}: red, {277, 40}: blue,
		{292, 40}: {R: 255, G: 249, B: 249, A: 255}, {347, 40}: {R: 255, G: 12, B: 12, A: 255},
		{366, 40}: half, {390, 40}: {R: 44, B: 211, A: 255},
		{40, 140}: red, {40, 126}: red, {40, 123}: blue, {12, 112}: blue,
		{120, 118}: red, {89, 130}: blue, {95, 130}: red, {120, 147}: blue, {120, 142}: red,
		{182, 140}: red, {195, 140}: blue, {182, 155}: blue,
		{245, 112}: red, {255, 112}: blue, {265, 112}: red,
		{340, 138}: {R: 10, G: 245, A: 255}, {340, 145}: blue, {400, 140}: red,
	})
}

func TestTheCanvasFillsTheAreaOfThePage(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	root := s.root(60, 20, s.block("background:red", 10, 5, 20, 10))
	tree := &box.Tree{Canvas: s.style("background:lime"), CanvasBox: root.Box}
	corner := s.block("background:blue", 5, 5, 10, 10)
	p := &page.Page{
		Width: 100, Height: 100, Area: page.Area{X: 20, Y: 20, Width: 60, Height: 60}, Root: root,
		Margins: []*fragment.Fragment{corner}, Style: s.style("background:#ffff00"),
	}
	img := s.picture(s.printAs(paint.Options{Background: true}, tree, p))
	s.check(img, spots{
		{2, 50}: {R: 255, G: 255, A: 255}, {10, 10}: blue, {25, 70}: lime, {78, 78}: lime, {82, 82}: {R: 255, G: 255, A: 255}, {35, 30}: red,
	})
	img = s.picture(s.printAs(paint.Options{}, tree, p))
	s.check(img, spots{{2, 50}: white, {10, 10}: white, {25, 70}: white, {35, 30}: white})
}

func TestPicturesFitTheirBoxes(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	picture := s.imageOf(quarters(t))
	put := func(css string, x float64) *fragment.Fragment {
		f := s.block(css, x, 10, 40, 80)
		f.Box.Kind, f.Box.Image = box.Replaced, picture
		return f
	}
	check := s.block("", 310, 10, 13, 13)
	check.Box.Kind, check.Box.Widget = box.Replaced, box.CheckedBox
	img := s.show(s.root(400, 100,
		put("", 10), put("object-fit:contain", 60), put("object-fit:cover;overflow:clip", 110), put("object-fit:none;object-position:0 0", 160),
		put("border-radius:20px", 210), put("border:10px solid lime;object-fit:scale-down", 260), check,
	))
	s.check(img, spots{
		{15, 15}: red, {45, 85}: black, {65, 15}: white, {65, 35}: red, {95, 65}: black,
		{112, 12}: red, {148, 88}: black, {165, 15}: red, {185, 15}: white, {165, 35}: white,
		{211, 11}: white, {225, 20}: red, {265, 50}: lime, {274, 44}: red, {285, 55}: black, {280, 25}: white, {311, 16}: {G: 117, B: 255, A: 255},
	})
}

// TestTilesOfOneColorLeaveNoSeams looks at a resolution at which the edges of tiles are between pixels.
func TestTilesOfOneColorLeaveNoSeams(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	root := s.root(400, 200,
		s.block("background:linear-gradient(red,red) 0 0/41px 100%", 10, 10, 380, 30),
		s.block("background:linear-gradient(45deg,red,20%,red) 3px 5px/17px 7px", 10, 50, 380, 30),
		s.block("background:linear-gradient(180deg,red 50%,blue 50%) 0 0/19px 100%", 10, 90, 380, 40),
		s.block("background:linear-gradient(270deg,red 50%,blue 50%) 0 0/100% 7px", 10, 140, 380, 40),
	)
	img := s.pictureAt(s.print(paint.Options{}, sheet(root)), 150)
	at := func(px int) int { return px * 150 / 96 }
	for _, band := range []struct {
		area image.Rectangle
		want color.NRGBA
	}{
		{image.Rect(11, 11, 389, 39), red},
		{image.Rect(11, 51, 389, 79), red},
		{image.Rect(11, 91, 389, 109), red},
		{image.Rect(11, 111, 389, 129), blue},
		{image.Rect(11, 141, 199, 179), blue},
		{image.Rect(201, 141, 389, 179), red},
	} {
		for y := at(band.area.Min.Y) + 1; y < at(band.area.Max.Y); y++ {
			for x := at(band.area.Min.X) + 1; x < at(band.area.Max.X); x++ {
				if got := color.NRGBAModel.Convert(img.At(x, y)); got != band.want {
					t.Fatalf("%v: at %d,%d: %v, want %v", band.area, x, y, got, band.want)
				}
			}
		}
	}
}
