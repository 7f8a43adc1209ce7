package codes_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/codes"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func must(t *testing.T) func(p codes.Picture, err error) string {
	t.Helper()
	return func(p codes.Picture, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return p.SVG()
	}
}

// Each engine draws the codes into a PDF, and a reader reads them from its picture.
func TestBothEnginesDrawCodesThatCanBeRead(t *testing.T) {
	t.Parallel()
	picture := must(t)
	link := "https://docs.example.com/verify/doc_01ARZ3NDEKTSV4RRFFQ69G5FAV?code=00112233445566778899aabbccddeeff"
	long := strings.Repeat("All work and no play makes a long text. ", 12)
	drawn := []struct{ svg, want string }{
		{picture(codes.QR("M", link)), "QR-Code:" + link},
		{picture(codes.QR("H", "Rechnung für Müller & Söhne: 1.234,50 €")), "QR-Code:Rechnung für Müller & Söhne: 1.234,50 €"},
		{picture(codes.QR("Q", "0123456789012345678901234567890123456789")), "QR-Code:0123456789012345678901234567890123456789"},
		{picture(codes.QR("L", long)), "QR-Code:" + long},
		{picture(codes.Code128("PKG-2026/03 <a&b> 12345678")), "CODE-128:PKG-2026/03 <a&b> 12345678"},
		{picture(codes.EAN13("400638133393")), "EAN-13:4006381333931"},
		{picture(codes.EAN13("9783161484100")), "EAN-13:9783161484100"},
		// Styled: another size, on a dark ground.
		{`<div class="small">` + picture(codes.QR("M", "small")) + picture(codes.Code128("42")) + `</div>`, "QR-Code:small\nCODE-128:42"},
	}
	var page strings.Builder
	var want []string
	page.WriteString(`<!DOCTYPE html><meta charset="utf-8"><style>@page{size:A4;margin:15mm}div{break-after:page}` +
		`.small{background:#333;padding:10mm}.small svg{width:12mm;height:12mm}.small svg.barcode{width:40mm;height:8mm}</style>`)
	for _, d := range drawn {
		fmt.Fprintf(&page, "<div>%s</div>", d.svg)
		want = append(want, strings.Split(d.want, "\n")...)
	}
	slices.Sort(want)
	for name, engine := range engines(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var pdf bytes.Buffer
			if _, err := engine.Render(ctx, &pdf, render.Request{HTML: page.String(), Output: render.DefaultOutput()}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range drawn {
				got = append(got, scan(t, rendertest.Picture(t, pdf.Bytes(), i+1, 200))...)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func engines(t *testing.T) map[string]render.Engine {
	t.Helper()
	own, err := native.New(t.Context(), native.Options{})
	if err != nil {
		t.Fatal(err)
	}
	browser := chromium.New(chromium.Options{Pool: 1})
	t.Cleanup(func() {
		if err := browser.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := browser.Probe(t.Context()); err != nil {
		t.Fatalf("the browser does not start (Debian package chromium-headless-shell): %v", err)
	}
	return map[string]render.Engine{"native": own, "chromium": browser}
}

// scan reads what is in a picture, with the kind of the code before each text. Text is taken as it stands there: the reader would guess
// an encoding.
func scan(t *testing.T, png []byte) []string {
	t.Helper()
	reader, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Fatal("zbarimg is missing: install the Debian package zbar-tools")
	}
	path := filepath.Join(t.TempDir(), "page.png")
	if err := os.WriteFile(path, png, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, reader, "--quiet", "--nodbus", "-Sqrcode.binary", path).Output()
	if err != nil {
		t.Fatalf("nothing was read: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

func TestAPictureIsSmallAndWellFormed(t *testing.T) {
	t.Parallel()
	picture := must(t)
	for name, svg := range map[string]string{
		"QR":       picture(codes.QR("M", `</svg><script>"'&`)),
		"Code 128": picture(codes.Code128(`</svg><script>"'&`)),
		"largest":  picture(codes.QR("L", strings.Repeat("x", 2953))),
	} {
		paths := 0
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local != "svg" {
				paths++
			}
		}
		if paths != 2 || strings.Contains(svg, "<script") || !strings.Contains(svg, ` role="img" aria-label="`) || len(svg) > 150_000 {
			t.Errorf("%s: %d elements, %d bytes: %.200s", name, paths, len(svg), svg)
		}
	}
	// 33 modules and 8 of quiet zone, half a millimeter each.
	if svg := picture(codes.QR("M", "https://example.com/verify/doc_1234567890")); !strings.Contains(svg, `width="18.5mm" height="18.5mm" viewBox="0 0 37 37"`) {
		t.Errorf("%.300s", svg)
	}
	if again := picture(codes.QR("M", "x")); again != picture(codes.QR("M", "x")) {
		t.Error("the same text gives two pictures")
	}
}

func TestCheckDigitsAreComputedAndVerified(t *testing.T) {
	t.Parallel()
	picture := must(t)
	for digits, whole := range map[string]string{"400638133393": "4006381333931", "978316148410": "9783161484100", "590123412345": "5901234123457", "000000000000": "0000000000000"} {
		with, without := picture(codes.EAN13(whole)), picture(codes.EAN13(digits))
		if with != without || !strings.Contains(with, whole) {
			t.Errorf("%s: %.100s", digits, without)
		}
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func() (codes.Picture, error){
		"empty QR":       func() (codes.Picture, error) { return codes.QR("M", "") },
		"QR level":       func() (codes.Picture, error) { return codes.QR("m", "x") },
		"QR encoding":    func() (codes.Picture, error) { return codes.QR("M", "\xff") },
		"QR length":      func() (codes.Picture, error) { return codes.QR("L", strings.Repeat("x", 2954)) },
		"QR huge":        func() (codes.Picture, error) { return codes.QR("L", strings.Repeat("1", 1<<20)) },
		"Code 128 empty": func() (codes.Picture, error) { return codes.Code128("") },
		"Code 128 long":  func() (codes.Picture, error) { return codes.Code128(strings.Repeat("x", 81)) },
		"Code 128 ä":     func() (codes.Picture, error) { return codes.Code128("ä") },
		"Code 128 FNC":   func() (codes.Picture, error) { return codes.Code128("\u00f1") },
		"EAN short":      func() (codes.Picture, error) { return codes.EAN13("40063813339") },
		"EAN letters":    func() (codes.Picture, error) { return codes.EAN13("40063813339x") },
		"EAN digits":     func() (codes.Picture, error) { return codes.EAN13("４００６３８１３３３９３") },
		"EAN check":      func() (codes.Picture, error) { return codes.EAN13("4006381333930") },
	} {
		if _, err := draw(); !errors.Is(err, codes.ErrUnfit) || fault.From(err).Message == codes.ErrUnfit.Message {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
