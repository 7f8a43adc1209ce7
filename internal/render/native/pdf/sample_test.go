package pdf_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/fonts/shape"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// sampleVariable makes a run of this test binary write the sample to its output instead of testing.
const sampleVariable = "PLATEN_TEST_PDF_SAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(sampleVariable) == "" {
		os.Exit(m.Run())
	}
	if err := sample(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// picture is a test image whose quarters are red, green, blue and white, the last one with this alpha.
func picture(width, height int, alpha uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			quarters := [2][2]color.NRGBA{{{R: 255, A: 255}, {G: 255, A: 255}}, {{B: 255, A: 255}, {R: 255, G: 255, B: 255, A: alpha}}}
			img.SetNRGBA(x, y, quarters[2*y/height][2*x/width])
		}
	}
	return img
}

func pngOf(img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegOf(img image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// oriented puts an EXIF segment with an orientation into a JPEG.
func oriented(jpeg []byte, orientation byte) []byte {
	exif := append([]byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), orientation, 0, 0, 0, 0, 0, 0)
	return append(append(bytes.Clone(jpeg[:2]), exif...), jpeg[2:]...)
}

// failing is a testing.TB that panics: the sample is also drawn outside tests.
type failing struct{ testing.TB }

func (failing) Helper()           {}
func (failing) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// sample writes a document that uses everything the package can draw.
func sample(ctx context.Context, out io.Writer) error {
	t := failing{}
	w := newWriter(t)
	doc := pdf.New(ctx, out, pdf.Info{
		Title: "Sample (ž) – שלום", Author: "Platen", Subject: "All of it", Keywords: "a, b", Creator: "test", Producer: "Platen", Lang: "en-GB",
	}, pdf.Limits{})
	page := doc.Page(595, 842)
	page.Destination("top", 0, 0)
	doc.Outline(1, "Text", "top")
	sampleText(t, w, page)
	doc.Outline(2, "Shapes – žluť", "shapes")
	page.Destination("shapes", 0, 300)
	sampleShapes(page)
	doc.Outline(2, "Paint", "shapes")
	samplePaint(page)
	if err := sampleImages(doc, page); err != nil {
		return err
	}
	page.Finish()

	doc.Outline(1, "Second page", "second")
	page = doc.Page(420, 595)
	page.Destination("second", 10, 50)
	page.Marked(pdf.Mark{}, func() { w.draw(t, page.Canvas, 40, 60, line{text: "Page 2", size: 20, color: blue}) })
	page.LinkTo(pdf.Bounds{X0: 40, Y0: 40, X1: 120, Y1: 65}, "top")
	page.LinkTo(pdf.Bounds{X0: 40, Y0: 80, X1: 120, Y1: 95}, "nowhere")
	page.Finish()
	return doc.Close()
}

func sampleText(tb testing.TB, w *writer, page *pdf.Page) {
	tb.Helper()
	c := page.Canvas
	w.draw(tb, c, 40, 50, line{text: "Sans regular: AVATAR Těšín office", size: 14, families: []string{"Arial"}})
	w.draw(tb, c, 40, 70, line{text: "Sans bold", size: 14, families: []string{"sans-serif"}, style: fonts.Style{Weight: 700}})
	w.draw(tb, c, 150, 70, line{text: "Sans italic", size: 14, families: []string{"system-ui"}, style: fonts.Style{Italic: true}})
	w.draw(tb, c, 260, 70, line{text: "Serif bold italic", size: 14, families: []string{"serif"}, style: fonts.Style{Weight: 700, Italic: true}})
	w.draw(tb, c, 40, 90, line{text: "Mono 0123", size: 14, families: []string{"monospace"}})
	w.draw(tb, c, 150, 90, line{text: "Mono made italic", size: 14, families: []string{"monospace"}, style: fonts.Style{Italic: true}})
	w.draw(tb, c, 300, 90, line{text: "s p a c e d", size: 14, Setting: shape.Setting{LetterSpacing: 2}})
	w.draw(tb, c, 40, 115, line{text: "Ελληνικά Кириллица", size: 14, families: []string{"serif"}})
	w.draw(tb, c, 40, 140, line{text: "السلام عليكم مُحَمَّدٌ 1234", size: 16, base: shape.RTL})
	w.draw(tb, c, 240, 140, line{text: "שָׁלוֹם עולם (סה״כ 99.50 ₪)", size: 16, base: shape.RTL})
	w.draw(tb, c, 40, 165, line{text: "Half transparent", size: 16, color: color.NRGBA{R: 200, A: 128}})
	end := 240 + w.draw(tb, c, 240, 165, line{text: "a link", size: 16, color: blue})
	page.Link(pdf.Bounds{X0: 240, Y0: 150, X1: end, Y1: 170}, "https://example.org/á?q=(1)")
}

func sampleShapes(page *pdf.Page) {
	c := page.Canvas
	c.Fill(pdf.Rect(40, 190, 80, 50), red)
	var round pdf.Path
	round.AddRounded(140, 190, 80, 50, pdf.Radii{TopLeft: pdf.Radius{X: 20, Y: 20}, BottomRight: pdf.Radius{X: 40, Y: 25}})
	c.Fill(round, blue)
	c.Stroke(round, pdf.Pen{Width: 3, Color: black})
	var ring pdf.Path
	ring.AddEllipse(280, 215, 40, 25)
	ring.AddEllipse(280, 215, 25, 12)
	c.FillBy(pdf.EvenOdd, ring, color.NRGBA{G: 150, A: 255})
	c.Stroke(pdf.Line(340, 195, 540, 195), pdf.Pen{Width: 2, Color: black, Dash: []float64{6, 3}})
	c.Stroke(pdf.Line(340, 210, 540, 210), pdf.Pen{Width: 4, Color: red, Dash: []float64{0, 8}, Cap: pdf.RoundCap})
	var zigzag pdf.Path
	zigzag.MoveTo(340, 240)
	for i := range 8 {
		zigzag.LineTo(360+float64(i)*25, 225+float64(i%2)*15)
	}
	c.Stroke(zigzag, pdf.Pen{Width: 4, Color: blue, Join: pdf.RoundJoin, Cap: pdf.SquareCap})
	c.Save()
	var circle pdf.Path
	circle.AddEllipse(80, 290, 40, 30)
	c.Clip(circle, pdf.NonZero)
	for i := range 10 {
		c.Fill(pdf.Rect(40+float64(i)*8, 250, 4, 80), red)
	}
	c.Restore()
	c.Save()
	c.Transform(pdf.Matrix{A: 0.866025, B: 0.5, C: -0.5, D: 0.866025, E: 190, F: 255})
	c.Fill(pdf.Rect(0, 0, 50, 50), color.NRGBA{R: 250, G: 180, A: 255})
	c.Restore()
}

func samplePaint(page *pdf.Page) {
	c := page.Canvas
	rainbow := []pdf.Stop{{0, red}, {0.5, color.NRGBA{R: 250, G: 250, A: 255}}, {0.5, color.NRGBA{G: 200, A: 255}}, {1, blue}}
	c.FillGradient(pdf.Rect(260, 260, 120, 60), pdf.Gradient{X1: 260, X2: 380, Stops: rainbow})
	c.FillGradient(pdf.Rect(400, 260, 120, 60), pdf.Gradient{Radial: true, X1: 460, Y1: 290, X2: 460, Y2: 290, R2: 60, Stops: rainbow})
	c.Fill(pdf.Rect(40, 360, 480, 12), black)
	c.FillGradient(pdf.Rect(40, 340, 230, 50), pdf.Gradient{X1: 40, X2: 270, Stops: []pdf.Stop{{0, red}, {1, color.NRGBA{}}}})
	c.Group(pdf.Bounds{X0: 290, Y0: 330, X1: 520, Y1: 400}, 0.5, func(c *pdf.Canvas) {
		c.Fill(pdf.Rect(290, 340, 100, 50), red)
		c.Fill(pdf.Rect(340, 350, 100, 50), blue)
		c.Stroke(pdf.Line(290, 345, 520, 345), pdf.Pen{Width: 3, Color: black})
	})
	c.Fill(pdf.Rect(450, 340, 60, 50), color.NRGBA{R: 255, A: 100})
}

func sampleImages(doc *pdf.Document, page *pdf.Page) error {
	x := 40.0
	photo := jpegOf(picture(64, 32, 255))
	gray := image.NewGray(image.Rect(0, 0, 32, 32))
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i / 4)
	}
	deep := image.NewNRGBA64(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		deep.SetNRGBA64(i%8, i/8, color.NRGBA64{R: uint16(i * 1000), B: 0x8000, A: 0xffff - uint16(i*900)})
	}
	few := image.NewPaletted(image.Rect(0, 0, 16, 16), color.Palette{color.NRGBA{}, red, blue})
	for i := range few.Pix {
		few.Pix[i] = uint8(i % 3)
	}
	for _, data := range [][]byte{
		pngOf(picture(40, 40, 60)), photo, oriented(photo, 6), oriented(photo, 3), pngOf(gray), pngOf(deep), pngOf(few), photo,
	} {
		img, err := doc.Image(data)
		if err != nil {
			return err
		}
		width := 50 * float64(img.Width) / float64(img.Height)
		page.Fill(pdf.Rect(x, 440, width, 10), black)
		page.Image(img, x, 420, width, 50)
		x += width + 8
	}
	return nil
}

func sampleBytes(tb testing.TB) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := sample(tb.Context(), &b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestTheSampleIsSound(t *testing.T) {
	t.Parallel()
	doc := sampleBytes(t)
	sound(t, doc)
	if path := os.Getenv("PLATEN_TEST_PDF_KEEP"); path != "" {
		if err := os.WriteFile(path, doc, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheSampleHasItsProperties(t *testing.T) {
	t.Parallel()
	info := tool(t, sampleBytes(t), "pdfinfo", "-enc", "UTF-8", "FILE")
	for _, want := range []string{
		"Title:           Sample (ž) – שלום\n", "Author:          Platen\n", "Subject:         All of it\n", "Pages:           2\n",
		"PDF version:     1.7\n", "Page size:       595 x 842 pts (A4)\n",
	} {
		if !strings.Contains(info, want) {
			t.Errorf("pdfinfo lacks %q:\n%s", want, info)
		}
	}
	if strings.Contains(info, "Date") {
		t.Errorf("there is a date:\n%s", info)
	}
}

func TestEqualCallsGiveEqualBytesInEveryProcess(t *testing.T) {
	t.Parallel()
	want := sha256.Sum256(sampleBytes(t))
	for _, procs := range []string{"1", "2", "7"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), sampleVariable+"=1", "GOMAXPROCS="+procs)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if sha256.Sum256(out) != want {
			t.Errorf("GOMAXPROCS=%s gives other bytes", procs)
		}
	}
}
