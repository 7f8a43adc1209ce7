package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Color is a color in sRGB; the parts are 0–1. The zero value is transparent black.
type Color struct {
	R, G, B, A float64
	// Current: the color of the text (CSS Color 4, section 9.2); the parts say which it is, once that is known.
	Current bool
}

// CurrentColor is the color that stands for the color of the text.
func CurrentColor() Color { return Color{Current: true} }

// RGB makes an opaque color of bytes.
func RGB(r, g, b uint8) Color {
	return Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255, A: 1}
}

// Or returns the color, or text if it is currentColor: it goes on to be that, for children that inherit it.
func (c Color) Or(text Color) Color {
	if c.Current {
		text.Current = true
		return text
	}
	return c
}

// String is the color as browsers write a computed one: "rgb(255, 0, 0)" or "rgba(255, 0, 0, 0.5)".
func (c Color) String() string {
	if c == CurrentColor() {
		return "currentcolor"
	}
	byteOf := func(v float64) int { return int(math.Round(clamp(v, 0, 1) * 255)) }
	if c.A >= 1 {
		return fmt.Sprintf("rgb(%d, %d, %d)", byteOf(c.R), byteOf(c.G), byteOf(c.B))
	}
	alpha := strconv.FormatFloat(math.Round(c.A*1000)/1000, 'f', -1, 64)
	return fmt.Sprintf("rgba(%d, %d, %d, %s)", byteOf(c.R), byteOf(c.G), byteOf(c.B), alpha)
}

// Color reads a color.
func (r *Reader) Color() (Color, bool) {
	mark := r.next
	v := r.Peek()
	r.next++
	c, ok := r.color(v)
	if !ok && r.Hashless {
		c, ok = hashless(v)
	}
	if !ok {
		r.next = mark
	}
	return c, ok
}

func (r *Reader) color(v syntax.Value) (Color, bool) {
	switch v.Kind {
	case syntax.Hash:
		return hexColor(v.Text)
	case syntax.Ident:
		return r.namedColor(strings.ToLower(v.Text))
	case syntax.Function:
		if v.Text == "light-dark" {
			return lightDark(r, v)
		}
		read, ok := colorFunctions[v.Text]
		if !ok {
			return Color{}, false
		}
		return read(r, v)
	default:
		return Color{}, false
	}
}

// hashless reads a color that is written without its # (Quirks Mode Standard, "The hashless hex color quirk").
func hashless(v syntax.Value) (Color, bool) {
	text := v.Text
	switch v.Kind {
	case syntax.Ident:
	case syntax.Number, syntax.Dimension:
		if !v.Integer || v.Number < 0 || v.Number >= 1e6 {
			return Color{}, false
		}
		text = strconv.Itoa(int(v.Number)) + text
		text = strings.Repeat("0", max(6-len(text), 0)) + text
	default:
		return Color{}, false
	}
	if len(text) != 3 && len(text) != 6 {
		return Color{}, false
	}
	return hexColor(text)
}

func hexColor(text string) (Color, bool) {
	if len(text) == 3 || len(text) == 4 {
		var double strings.Builder
		for i := range len(text) {
			double.WriteByte(text[i])
			double.WriteByte(text[i])
		}
		text = double.String()
	}
	if len(text) == 6 {
		text += "ff"
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(text) != 8 {
		return Color{}, false
	}
	part := func(shift int) float64 { return float64(n>>shift&255) / 255 }
	return Color{R: part(24), G: part(16), B: part(8), A: part(0)}, true
}

func (r *Reader) namedColor(name string) (Color, bool) {
	switch name {
	case "-internal-quirk-inherit":
		return r.Context.Body, r.Context.Internal
	case "transparent":
		return Color{}, true
	case "currentcolor":
		return CurrentColor().Or(r.Context.Color), true
	case "highlight":
		return Color{G: 65.0 / 255, B: 198.0 / 255, A: 0.8}, true
	}
	if rgb, ok := names[name]; ok {
		return RGB(uint8(rgb>>16), uint8(rgb>>8&255), uint8(rgb&255)), true //nolint:gosec // G115: three bytes
	}
	if rgb, ok := systemColors[name]; ok {
		return RGB(uint8(rgb>>16), uint8(rgb>>8&255), uint8(rgb&255)), true //nolint:gosec // G115: three bytes
	}
	return Color{}, false
}

var colorFunctions = map[string]func(*Reader, syntax.Value) (Color, bool){
	"rgb": rgbFunction, "rgba": rgbFunction,
	"hsl": hslFunction, "hsla": hslFunction, "hwb": hwbFunction,
	"lab": labFunction, "lch": lchFunction, "oklab": oklabFunction, "oklch": oklchFunction,
	"color":     colorFunction,
	"color-mix": refuseColor, "contrast-color": refuseColor,
}

func refuseColor(r *Reader, v syntax.Value) (Color, bool) {
	r.Refuse("the color function " + v.Text + "() is not supported")
	return Color{A: 1}, true
}

// lightDark: paper is light.
func lightDark(r *Reader, v syntax.Value) (Color, bool) {
	in := r.Inside(v)
	light, ok := in.Color()
	if !ok || !in.Delim(",") {
		return Color{}, false
	}
	_, ok = in.Color()
	return light, ok && r.Take(in)
}
