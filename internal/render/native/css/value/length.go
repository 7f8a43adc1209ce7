package value

import (
	"math"
	"strconv"
	"strings"
)

// Length is a length in CSS pixels plus a share of something that only layout knows: it is resolved as far as it
// can be. The zero value is 0.
type Length struct {
	Px, Percent float64
	choices     *[]choice // min() and max() over percentages
	// Quirk: a margin that the browser itself gives to an element, and takes away at the edges of cells and of the body in quirks mode.
	Quirk bool
}

// choice is scale × the least, or the greatest, of some lengths.
type choice struct {
	scale    float64
	greatest bool
	of       []Length
}

// most is what browsers clamp lengths to: 2^25 pixels, less a little.
const most = 33554428

// Px returns a length of pixels.
func Px(px float64) Length { return Length{Px: px} }

// Percent returns a share.
func Percent(p float64) Length { return Length{Percent: p} }

// HasPercent reports whether layout must resolve it.
func (l Length) HasPercent() bool { return l.Percent != 0 || l.choices != nil }

// IsZero reports whether it is 0 whatever the base.
func (l Length) IsZero() bool { return l.Px == 0 && l.Percent == 0 && l.choices == nil }

// Resolve returns pixels; base is what 100% is. The result is finite if base is.
func (l Length) Resolve(base float64) float64 {
	sum := l.Px + l.Percent*base/100
	if l.choices == nil {
		return sum
	}
	for _, c := range *l.choices {
		sum += c.scale * c.resolve(base)
	}
	return sum
}

func (c choice) resolve(base float64) float64 {
	best := c.of[0].Resolve(base)
	for _, l := range c.of[1:] {
		if c.greatest {
			best = max(best, l.Resolve(base))
		} else {
			best = min(best, l.Resolve(base))
		}
	}
	return best
}

// String is the length as CSS: "12px", "50%", "calc(50% - 4px)".
func (l Length) String() string {
	switch {
	case l.choices != nil:
		return "calc(" + l.sum() + ")"
	case l.Percent == 0:
		return format(l.Px) + "px"
	case l.Px == 0:
		return format(l.Percent) + "%"
	}
	return "calc(" + l.sum() + ")"
}

func (l Length) sum() string {
	sign := " + "
	if l.Px < 0 {
		sign = " - "
	}
	text := format(l.Percent) + "%" + sign + format(math.Abs(l.Px)) + "px"
	if l.choices == nil {
		return text
	}
	for _, c := range *l.choices {
		name := "min("
		if c.greatest {
			name = "max("
		}
		parts := make([]string, len(c.of))
		for i := range c.of {
			parts[i] = c.of[i].String()
		}
		text += " + " + format(c.scale) + " * " + name + strings.Join(parts, ", ") + ")"
	}
	return text
}

// format writes a number as short as six digits allow, as browsers do.
func format(v float64) string {
	text := strconv.FormatFloat(v, 'g', 6, 64)
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}

func (l Length) plus(m Length, sign float64) Length {
	out := Length{Px: l.Px + sign*m.Px, Percent: l.Percent + sign*m.Percent}
	if l.choices == nil && m.choices == nil {
		return out
	}
	var all []choice
	if l.choices != nil {
		all = append(all, *l.choices...)
	}
	if m.choices != nil {
		for _, c := range *m.choices {
			c.scale *= sign
			all = append(all, c)
		}
	}
	out.choices = &all
	return out
}

func (l Length) times(k float64) Length {
	out := Length{Px: l.Px * k, Percent: l.Percent * k}
	if l.choices == nil {
		return out
	}
	all := make([]choice, len(*l.choices))
	for i, c := range *l.choices {
		c.scale *= k
		all[i] = c
	}
	out.choices = &all
	return out
}

// clamped makes it finite: an infinity becomes the largest length, what is not a number becomes 0 (CSS Values 4,
// section 10.9).
func (l Length) clamped() Length {
	l.Px, l.Percent = clamp(l.Px, -most, most), clamp(l.Percent, -most, most)
	if l.choices != nil {
		all := make([]choice, len(*l.choices))
		for i, c := range *l.choices {
			of := make([]Length, len(c.of))
			for j := range c.of {
				of[j] = c.of[j].clamped()
			}
			all[i] = choice{scale: clamp(c.scale, -most, most), greatest: c.greatest, of: of}
		}
		l.choices = &all
	}
	return l
}

func clamp(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return max(0, low)
	}
	return min(max(v, low), high)
}

func roundHalfUp(v float64) float64 { return math.Floor(v + 0.5) }
