package paint

import (
	"image/color"
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
)

// ink is a color as the canvas wants it.
func ink(c value.Color) color.NRGBA {
	part := func(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 1) * 255)) }
	return color.NRGBA{R: part(c.R), G: part(c.G), B: part(c.B), A: part(c.A)}
}

func inkOf(c [4]float64) color.NRGBA {
	return ink(value.Color{R: c[0], G: c[1], B: c[2], A: c[3]})
}

// The shades of inset, outset, groove and ridge are those of Chromium, measured: a third of the brightness less in the shadow and a third
// more in the light; for a color that is nearly black, a third and two thirds more.

// dark is the color in the shadow.
func dark(c color.NRGBA) color.NRGBA {
	v := brightest(c)
	if v == 0 {
		return c
	}
	return scaled(c, max(0, v-0.33)/v)
}

// light is the color in the light.
func light(c color.NRGBA) color.NRGBA {
	v := brightest(c)
	if v == 0 {
		return color.NRGBA{84, 84, 84, c.A}
	}
	return scaled(c, min(1, v+0.33)/v)
}

func brightest(c color.NRGBA) float64 { return float64(max(c.R, c.G, c.B)) / 255 }

func scaled(c color.NRGBA, k float64) color.NRGBA {
	part := func(v uint8) uint8 { return uint8(min(math.Floor(float64(v)/255*k*256), 255)) }
	return color.NRGBA{part(c.R), part(c.G), part(c.B), c.A}
}

// relief returns the colors of what lies in the shadow and in the light.
func relief(c color.NRGBA) (shadow, lit color.NRGBA) {
	if distance(c, color.NRGBA{}) <= 3*0x20*0x20 {
		lit = light(c)
		return lit, light(lit)
	}
	return dark(c), light(c)
}

func distance(a, b color.NRGBA) int {
	r, g, u := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + u*u
}

// nearWhite is how near to white a color is that a browser darkens when it prints no backgrounds.
const nearWhite = 65025

// textInk is the color of text, which must be seen on white paper when backgrounds are not printed.
func (p *painter) textInk(c value.Color, s *property.Style) color.NRGBA {
	n := ink(c)
	if p.backgrounds(s) || distance(n, color.NRGBA{255, 255, 255, 255}) > nearWhite {
		return n
	}
	return dark(n)
}

// backgrounds reports whether backgrounds of this style are printed.
func (p *painter) backgrounds(s *property.Style) bool {
	return p.options.Background || s.PrintColorAdjust == "exact"
}
