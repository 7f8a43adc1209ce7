package svg_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/svg"
)

// source reads markup and returns its first <svg>.
func source(tb testing.TB, markup string) (*svg.Source, *dom.Node) {
	tb.Helper()
	doc, err := dom.Parse(tb.Context(), "<!DOCTYPE html>"+markup, dom.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	styles, err := cascade.Compute(tb.Context(), doc, cascade.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, n := range doc.Elements {
		if n.Tag == "svg" {
			return svg.NewSource(doc, func(n *dom.Node) *property.Style { return styles.Of(n).Style }), n
		}
	}
	tb.Fatal("there is no <svg>")
	return nil, nil
}

// document draws markup on a page of 200 by 200 points and checks that the file is sound.
func document(tb testing.TB, markup string) []byte {
	tb.Helper()
	s, root := source(tb, markup)
	var out bytes.Buffer
	doc := pdf.New(tb.Context(), &out, pdf.Info{}, pdf.Limits{})
	p := doc.Page(200, 200)
	if err := svg.Draw(tb.Context(), p.Canvas, s, root, svg.Frame{Width: 200, Height: 200}); err != nil {
		tb.Fatal(err)
	}
	p.Finish()
	if err := doc.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func run(tb testing.TB, document []byte, name, debian string, args ...string) []byte {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatalf("%s is missing: install the Debian package %s", name, debian)
	}
	file := filepath.Join(tb.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		tb.Fatal(err)
	}
	out, err := exec.CommandContext(tb.Context(), path, append(args, file)...).Output()
	if err != nil {
		tb.Fatalf("%s: %v\n%s", name, err, out)
	}
	return out
}

// picture is what a reader shows, a pixel to a point.
func picture(tb testing.TB, markup string) image.Image {
	tb.Helper()
	doc := document(tb, markup)
	run(tb, doc, "qpdf", "qpdf", "--check")
	if dir := os.Getenv("PLATEN_TEST_SVG_KEEP"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(tb.Name(), "/", "_")+".pdf"), doc, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	img, err := png.Decode(bytes.NewReader(run(tb, doc, "pdftoppm", "poppler-utils", "-r", "72", "-png", "-singlefile")))
	if err != nil {
		tb.Fatal(err)
	}
	return img
}

type spot struct {
	x, y  int
	color color.NRGBA
}

var (
	white = color.NRGBA{255, 255, 255, 255}
	red   = color.NRGBA{255, 0, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
	lime  = color.NRGBA{0, 255, 0, 255}
	black = color.NRGBA{0, 0, 0, 255}
)

func TestPicturesShowWhatTheySay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		inside string
		spots  []spot
	}{
		"shapes": {
			`<rect x="10" y="10" width="40" height="20" fill="red"/><circle cx="100" cy="30" r="20" fill="blue"/>
			<ellipse cx="160" cy="30" rx="30" ry="10" fill="lime"/><line x1="10" y1="80" x2="90" y2="80" stroke="red" stroke-width="6"/>
			<polygon points="110,60 190,60 150,100" /><polyline points="10,120 50,120 50,160" fill="none" stroke="blue" stroke-width="4"/>
			<rect x="100" y="110" width="60" height="60" rx="30" fill="red"/>`,
			[]spot{
				{20, 20, red},
				{55, 20, white},
				{100, 30, blue},
				{118, 48, white},
				{160, 30, lime},
				{185, 38, white},
				{50, 80, red},
				{150, 70, black},
				{115, 95, white},
				{30, 120, blue},
				{50, 140, blue},
				{30, 140, white},
				{130, 140, red},
				{103, 113, white},
			},
		},
		"paths": {
			`<path d="M10 10h40v40h-40zM20,20 L20,40 40,40 40,20z" fill="red" fill-rule="evenodd"/>
			<path d="M60 10 h40 v40 h-40z M70 20 h20 v20 h-20z" fill="blue"/>
			<path d="M110 50 A20 20 0 0 1 150 50 Z" fill="lime"/>
			<path d="m10 100q20-40 40 0t40 0" fill="none" stroke="red" stroke-width="4"/>
			<path d="M110 100 L150 100 L150 140 oops L 190 190" fill="blue"/>
			<path d="M10 150a20,20 0 1140,0" fill="none" stroke="black" stroke-width="4"/>`,
			[]spot{
				{15, 30, red},
				{30, 30, white},
				{80, 30, blue},
				{130, 40, lime},
				{130, 28, white},
				{30, 80, red},
				{70, 120, red},
				{145, 110, blue},
				{115, 135, white},
				{160, 160, white},
				{30, 130, black},
			},
		},
		"groups and transformations": {
			`<g transform="translate(50,50) rotate(90)"><rect width="40" height="20" fill="red"/></g>
			<g transform="scale(2)"><rect x="50" y="10" width="20" height="10" fill="blue"/></g>
			<g opacity="0.5"><rect x="20" y="120" width="40" height="40" fill="red"/><rect x="40" y="140" width="40" height="40" fill="blue"/></g>
			<g fill="lime" style="transform: translate(100px, 100px)"><rect width="30" height="30"/></g>
			<rect x="150" y="150" width="20" height="20" transform="rotate(45 160 160)" fill="red"/>`,
			[]spot{
				{40, 70, red},
				{70, 55, white},
				{120, 30, blue},
				{30, 130, color.NRGBA{255, 127, 127, 255}},
				{50, 150, color.NRGBA{127, 127, 255, 255}},
				{110, 110, lime},
				{160, 148, red},
				{151, 151, white},
			},
		},
		"gradients": {
			`<defs><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
			<linearGradient id="b" href="#a" x1="0" y1="0" x2="0" y2="1"/>
			<radialGradient id="c" gradientUnits="userSpaceOnUse" cx="50" cy="120" r="30"><stop stop-color="lime"/><stop offset="100%" stop-color="black"/></radialGradient>
			<linearGradient id="d" gradientUnits="userSpaceOnUse" x1="100" x2="120" y1="0" y2="0" spreadMethod="repeat"><stop offset=".5" stop-color="red"/><stop offset=".5" stop-color="blue"/></linearGradient></defs>
			<rect x="10" y="10" width="80" height="40" fill="url(#a)"/><rect x="110" y="10" width="80" height="40" fill="url(#b)"/>
			<circle cx="50" cy="120" r="30" fill="url(#c)"/><rect x="100" y="80" width="80" height="20" fill="url('#d')"/>
			<rect x="100" y="120" width="80" height="20" fill="url(#none) lime"/>
			<line x1="100" y1="170" x2="180" y2="170" stroke="url(#d)" stroke-width="20"/>`,
			[]spot{
				{12, 30, red},
				{88, 30, blue},
				{150, 12, red},
				{150, 48, blue},
				{50, 120, lime},
				{50, 148, color.NRGBA{0, 20, 0, 255}},
				{105, 90, red},
				{115, 90, blue},
				{165, 90, red},
				{175, 90, blue},
				{150, 130, lime},
				{105, 170, red},
				{115, 170, blue},
				{145, 170, red},
				{145, 158, white},
			},
		},
		"strokes": {
			`<path d="M20 20 L80 20 L80 80" fill="none" stroke="red" stroke-width="20" stroke-linejoin="round"/>
			<path d="M120 20 L180 20" stroke="blue" stroke-width="10" stroke-dasharray="10 5 5" stroke-dashoffset="-5"/>
			<path d="M20 120 L80 120" stroke="lime" stroke-width="20" stroke-linecap="square"/>
			<g color="blue"><circle cx="150" cy="150" r="20" fill="none" stroke="currentColor" stroke-width="4" stroke-opacity="0.5"/></g>`,
			[]spot{
				{89, 11, white},
				{85, 15, red},
				{122, 20, white},
				{130, 20, blue},
				{137, 20, white},
				{142, 20, blue},
				{148, 20, white},
				{155, 20, blue},
				{12, 120, lime},
				{88, 120, lime},
				{170, 150, color.NRGBA{127, 127, 255, 255}},
			},
		},
		"hidden": {
			`<rect width="50" height="50" fill="red" display="none"/><g style="display:none"><rect width="50" height="50" fill="red"/></g>
			<rect width="50" height="50" fill="red" visibility="hidden"/><defs><rect width="50" height="50" fill="red"/></defs>
			<rect width="50" height="50" fill="none"/><rect width="50" height="50" fill="red" transform="scale(0)"/>
			<svg x="100" y="100" width="50" height="50" viewBox="0 0 10 10"><rect width="20" height="5" fill="blue"/></svg>`,
			[]spot{{25, 25, white}, {120, 110, blue}, {160, 110, white}, {120, 140, white}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, picture(t, `<svg width="200" height="200">`+c.inside+`</svg>`), c.spots)
		})
	}
}

func expect(t *testing.T, img image.Image, spots []spot) {
	t.Helper()
	for _, s := range spots {
		got, _ := color.NRGBAModel.Convert(img.At(s.x, s.y)).(color.NRGBA)
		for _, d := range []int{int(got.R) - int(s.color.R), int(got.G) - int(s.color.G), int(got.B) - int(s.color.B)} {
			if d < -14 || d > 14 {
				t.Errorf("at %d,%d: got %v, want %v", s.x, s.y, got, s.color)
				break
			}
		}
	}
}

func TestAViewBoxIsFittedIntoTheFrame(t *testing.T) {
	t.Parallel()
	const inside = `<rect width="100" height="50" fill="red"/></svg>`
	for keep, spots := range map[string][]spot{
		"":               {{100, 30, white}, {100, 100, red}, {100, 170, white}},
		"xMinYMin":       {{100, 30, red}, {100, 110, white}},
		"xMidYMax meet":  {{100, 90, white}, {100, 170, red}},
		"xMidYMid slice": {{10, 10, red}, {190, 190, red}},
		"none":           {{10, 10, red}, {190, 190, red}},
		"nonsense":       {{100, 30, white}, {100, 100, red}},
	} {
		expect(t, picture(t, `<svg viewBox="0 0 100 50" preserveAspectRatio="`+keep+`">`+inside), spots)
	}
	expect(t, picture(t, `<svg viewBox="0 0 0 50">`+inside), []spot{{100, 100, white}})
	expect(t, picture(t, `<svg viewBox="-100 -100 200 200">`+inside), []spot{{90, 90, white}, {110, 110, red}})
}

func TestAPictureWithTooManyPartsIsRefused(t *testing.T) {
	t.Parallel()
	s, root := source(t, `<svg><path d="M0 0`+strings.Repeat("h1", 2_000_001)+`"/></svg>`)
	doc := pdf.New(t.Context(), &bytes.Buffer{}, pdf.Info{}, pdf.Limits{})
	err := svg.Draw(t.Context(), doc.Page(10, 10).Canvas, s, root, svg.Frame{Width: 10, Height: 10})
	if !errors.Is(err, svg.ErrTooComplex) {
		t.Errorf("got %v", err)
	}
}

func TestDrawingStopsWithItsContext(t *testing.T) {
	t.Parallel()
	s, root := source(t, `<svg>`+strings.Repeat(`<g></g>`, 1000)+`</svg>`)
	doc := pdf.New(t.Context(), &bytes.Buffer{}, pdf.Info{}, pdf.Limits{})
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := svg.Draw(ctx, doc.Page(10, 10).Canvas, s, root, svg.Frame{Width: 10, Height: 10}); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

func FuzzPathsAreDrawnOrNot(f *testing.F) {
	for _, d := range []string{"M0 0L1 1z", "m1-1.5.5e3h1v2", "M0 0A1 2 3 014 5", "M1 1T2 2S3 3 4 4Q1 1 2 2", "M1e9 1e-400C", "M0,0,,1", "z", "M0 0a0 0 0 0 0 0 0"} {
		f.Add(d, "rotate(10) matrix(1 2 3 4 5 6)", "1,2 3")
	}
	f.Fuzz(func(t *testing.T, d, transform, points string) {
		clean := strings.NewReplacer(`"`, "", "&", "", "\x00", "")
		markup := `<svg><path d="` + clean.Replace(d) + `" transform="` + clean.Replace(transform) + `" stroke="red"/><polygon points="` +
			clean.Replace(points) + `" fill="url(#g)"/><linearGradient id="g"><stop/><stop offset="1"/></linearGradient></svg>`
		if one, two := document(t, markup), document(t, markup); !bytes.Equal(one, two) {
			t.Error("the same picture gives other bytes")
		}
	})
}
