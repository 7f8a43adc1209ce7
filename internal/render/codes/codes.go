// Package codes draws what machines read: QR codes (ISO/IEC 18004) and bar codes, Code 128 (ISO/IEC 15417) and EAN-13 (ISO/IEC 15420).
//
// A code is a picture of SVG with two paths, a light ground and all dark modules, that can stand in a page. It has a size in
// millimeters, which a style sheet may change, the quiet zone that readers want around it, and a name for whoever cannot see it. What
// a bar code says is not written below it.
package codes

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/ean"
	"github.com/boombuler/barcode/qr"

	"github.com/platen-render/platen/internal/fault"
)

// ErrUnfit is text that the kind of code cannot say.
var ErrUnfit = fault.New(fault.Invalid, "code_unfit", "The text does not fit into the code.")

// levels are how much of a QR code may be lost: about 7, 15, 25 and 30 percent.
var levels = map[string]qr.ErrorCorrectionLevel{"L": qr.L, "M": qr.M, "Q": qr.Q, "H": qr.H}

// Levels are the names of the error correction levels of a QR code.
func Levels() []string { return []string{"L", "M", "Q", "H"} }

const (
	maxCode128 = 80
	quietQR    = 4 // modules
	quiet128   = 10
	quietLeft  = 11 // of EAN-13
	quietRight = 7
	moduleQR   = 0.5 // mm
	module1D   = 0.33
	height128  = 15 // mm
	heightEAN  = 22.85
)

// QR draws a QR code, as small as the text allows. Letters other than capitals are UTF-8.
//
// Errors: [ErrUnfit] for an unknown level and a text that is empty, too long or not UTF-8.
func QR(level, text string) (Picture, error) {
	correction, known := levels[level]
	switch {
	case !known:
		return Picture{}, ErrUnfit.With("%q is no level of error correction; L, M, Q and H are.", shorten(level))
	case text == "" || !utf8.ValidString(text):
		return Picture{}, ErrUnfit.With("A QR code says a text that is not empty, in UTF-8.")
	}
	code, err := qr.Encode(text, correction, qr.Auto)
	if err != nil {
		return Picture{}, ErrUnfit.With("A text of %d bytes is too long for a QR code of level %s, which has 7089 digits or 2953 bytes at most, with level L.", len(text), level).Because(err)
	}
	side := code.Bounds().Dx()
	size := float64(side+2*quietQR) * moduleQR
	return Picture{
		class: "qr", label: "QR code: " + shorten(text), code: code, rows: side, left: quietQR, right: quietQR, top: quietQR,
		width: size, height: size,
	}, nil
}

// Code128 draws a bar code of printable ASCII. Errors: [ErrUnfit].
func Code128(text string) (Picture, error) {
	outside := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	if text == "" || len(text) > maxCode128 || outside >= 0 {
		return Picture{}, ErrUnfit.With("Code 128 says 1 to %d characters of printable ASCII, not %q.", maxCode128, shorten(text))
	}
	code, err := code128.Encode(text)
	if err != nil {
		return Picture{}, ErrUnfit.Because(err)
	}
	return oneRow("Bar code: "+text, code, quiet128, quiet128, height128), nil
}

// EAN13 draws the bar code of an article number: 13 digits of which the last is right, or 12, whose check digit is computed.
// Errors: [ErrUnfit].
func EAN13(digits string) (Picture, error) {
	if strings.Trim(digits, "0123456789") != "" || len(digits) != 12 && len(digits) != 13 {
		return Picture{}, ErrUnfit.With("EAN-13 says 12 digits, or 13 with the check digit, not %q.", shorten(digits))
	}
	whole := digits[:12] + string(checkDigit(digits[:12]))
	if len(digits) == 13 && digits != whole {
		return Picture{}, ErrUnfit.With("The check digit of the EAN-13 %s is wrong: it would be %s.", digits, whole[12:])
	}
	code, err := ean.Encode(whole)
	if err != nil {
		return Picture{}, ErrUnfit.Because(err)
	}
	return oneRow("Bar code: "+whole, code, quietLeft, quietRight, heightEAN), nil
}

// checkDigit weighs every second digit thrice.
func checkDigit(digits string) byte {
	sum := 0
	for i, digit := range []byte(digits) {
		sum += int(digit-'0') * (1 + 2*(i%2))
	}
	return "0123456789"[(10-sum%10)%10]
}

func oneRow(label string, code barcode.Barcode, left, right int, height float64) Picture {
	width := float64(code.Bounds().Dx()+left+right) * module1D
	return Picture{class: "barcode", label: label, code: code, rows: 1, left: left, right: right, width: width, height: height}
}

// Picture is a code that can be drawn.
type Picture struct {
	class, label           string
	code                   barcode.Barcode
	rows, left, right, top int     // modules
	width, height          float64 // mm
}

// Modules is how many modules the code has, without its quiet zone: a measure of the work.
func (p Picture) Modules() int { return p.code.Bounds().Dx() * p.rows }

// SVG returns the element.
func (p Picture) SVG() string {
	columns, rows := p.left+p.code.Bounds().Dx()+p.right, p.rows+2*p.top
	stretch := ""
	if p.rows == 1 {
		stretch = ` preserveAspectRatio="none"`
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="%s" role="img" aria-label="%s" width="%gmm" height="%gmm" viewBox="0 0 %d %d"%s shape-rendering="crispEdges">`,
		p.class, html.EscapeString(p.label), round(p.width), p.height, columns, rows, stretch)
	fmt.Fprintf(&b, `<path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d="`, columns, rows)
	for y := range p.rows {
		p.row(&b, y)
	}
	b.WriteString(`"/></svg>`)
	return b.String()
}

// row draws every run of dark modules as a rectangle.
func (p Picture) row(b *strings.Builder, y int) {
	width := p.code.Bounds().Dx()
	for x := 0; x < width; x++ {
		start := x
		for x < width && p.dark(x, y) {
			x++
		}
		if x > start {
			fmt.Fprintf(b, "M%d %dh%dv1h-%dz", p.left+start, p.top+y, x-start, x-start)
		}
	}
}

func (p Picture) dark(x, y int) bool {
	r, _, _, _ := p.code.At(x, y).RGBA()
	return r < 0x8000
}

// round takes away what floats add to hundredths of a millimeter.
func round(mm float64) float64 { return float64(int(mm*100+0.5)) / 100 }

// shorten keeps labels and messages readable.
func shorten(text string) string {
	const most = 60
	for i := range text {
		if i >= most {
			return strings.ToValidUTF8(text[:i], "\ufffd") + "…"
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
