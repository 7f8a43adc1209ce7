package value

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// channel says how a component of a color function is read.
type channel struct {
	full float64 // what 100% is
	hue  bool
}

// colorParts are the three components and the alpha of a color function.
type colorParts struct {
	part     [3]float64
	percent  [3]bool
	alpha    float64
	legacy   bool // with commas
	relative bool // from another color: outside
}

// parts reads the arguments of a color function in both syntaxes (CSS Color 4, section 4).
func (r *Reader) parts(v syntax.Value, channels [3]channel) (colorParts, bool) {
	in := r.Inside(v)
	out := colorParts{alpha: 1}
	if in.Peek().IsIdent("from") {
		r.Refuse("relative colors are not supported")
		out.relative = true
		return out, true
	}
	for i, c := range channels {
		if i > 0 {
			comma := in.Delim(",")
			if i == 1 {
				out.legacy = comma
			}
			if comma != out.legacy {
				return out, false
			}
		}
		var ok bool
		if out.part[i], out.percent[i], ok = in.component(c, out.legacy); !ok {
			return out, false
		}
	}
	return out, in.alpha(&out) && r.Take(in)
}

// component reads one; "none" is 0.
func (r *Reader) component(c channel, legacy bool) (v float64, percent, ok bool) {
	if _, none := r.Keyword("none"); none {
		return 0, false, !legacy
	}
	if c.hue {
		if v, ok = r.Angle(false); !ok {
			v, ok = r.Number()
		}
		return v, false, ok
	}
	percent = r.Peek().Kind == syntax.Percentage
	if v, ok = r.Number(); ok {
		return v, false, true
	}
	v, ok = r.NumberOrPercent()
	return v * c.full, percent, ok
}

func (r *Reader) alpha(out *colorParts) bool {
	if r.Done() {
		return true
	}
	if out.legacy != r.Delim(",") || (!out.legacy && !r.Delim("/")) {
		return false
	}
	if _, none := r.Keyword("none"); none {
		out.alpha = 0
		return !out.legacy
	}
	a, ok := r.NumberOrPercent()
	out.alpha = clamp(a, 0, 1)
	return ok
}

func rgbFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{full: 255}, {full: 255}, {full: 255}})
	if !ok || (p.legacy && (p.percent[0] != p.percent[1] || p.percent[1] != p.percent[2])) {
		return Color{}, false
	}
	at := func(i int) float64 { return math.Round(clamp(p.part[i], 0, 255)) / 255 }
	return Color{R: at(0), G: at(1), B: at(2), A: p.alpha}, true
}

func hslFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{hue: true}, {full: 100}, {full: 100}})
	if !ok || (p.legacy && (!p.percent[1] || !p.percent[2]) && !p.relative) {
		return Color{}, false
	}
	return hsl(p.part[0], clamp(p.part[1]/100, 0, 1), clamp(p.part[2]/100, 0, 1), p.alpha), true
}

// hsl converts (CSS Color 4, section 7.1).
func hsl(hue, saturation, light, alpha float64) Color {
	f := func(n float64) float64 {
		k := math.Mod(n+hue/30, 12)
		if k < 0 {
			k += 12
		}
		return light - saturation*min(light, 1-light)*max(-1, min(k-3, 9-k, 1))
	}
	return Color{R: f(0), G: f(8), B: f(4), A: alpha}
}

func hwbFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{hue: true}, {full: 100}, {full: 100}})
	if !ok || p.legacy {
		return Color{}, false
	}
	white, black := clamp(p.part[1]/100, 0, 1), clamp(p.part[2]/100, 0, 1)
	if white+black >= 1 {
		gray := white / (white + black)
		return Color{R: gray, G: gray, B: gray, A: p.alpha}, true
	}
	c := hsl(p.part[0], 1, 0.5, p.alpha)
	mix := func(v float64) float64 { return v*(1-white-black) + white }
	return Color{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: p.alpha}, true
}

func oklabFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{full: 1}, {full: 0.4}, {full: 0.4}})
	return oklab(clamp(p.part[0], 0, 1), p.part[1], p.part[2], p.alpha), ok && !p.legacy
}

func oklchFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{full: 1}, {full: 0.4}, {hue: true}})
	a, b := polar(max(p.part[1], 0), p.part[2])
	return oklab(clamp(p.part[0], 0, 1), a, b, p.alpha), ok && !p.legacy
}

func labFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{full: 100}, {full: 125}, {full: 125}})
	return lab(clamp(p.part[0], 0, 100), p.part[1], p.part[2], p.alpha), ok && !p.legacy
}

func lchFunction(r *Reader, v syntax.Value) (Color, bool) {
	p, ok := r.parts(v, [3]channel{{full: 100}, {full: 150}, {hue: true}})
	a, b := polar(max(p.part[1], 0), p.part[2])
	return lab(clamp(p.part[0], 0, 100), a, b, p.alpha), ok && !p.legacy
}

func polar(chroma, hue float64) (a, b float64) {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	return chroma * cos, chroma * sin
}

// oklab converts by way of the cube of the cone responses (CSS Color 4, section 9 and its sample code).
func oklab(light, a, b, alpha float64) Color {
	cube := func(v float64) float64 { return v * v * v }
	l := cube(light + 0.3963377773761749*a + 0.2158037573099136*b)
	m := cube(light - 0.1055613458156586*a - 0.0638541728258133*b)
	s := cube(light - 0.0894841775298119*a - 1.2914855480194092*b)
	return linear(
		4.0767416613479942*l-3.3077115904081933*m+0.2309699287294279*s,
		-1.2684380040921763*l+2.6097574006633715*m-0.3413193963102197*s,
		-0.0041960865418371*l-0.7034186144594493*m+1.7076147009309444*s, alpha)
}

// lab converts from the white of D50 (CSS Color 4, sections 9.3 and 10.11).
func lab(light, a, b, alpha float64) Color {
	const epsilon, kappa = 216.0 / 24389, 24389.0 / 27
	fy := (light + 16) / 116
	inverse := func(f float64) float64 {
		if f*f*f > epsilon {
			return f * f * f
		}
		return (116*f - 16) / kappa
	}
	y := light / kappa
	if light > kappa*epsilon {
		y = fy * fy * fy
	}
	x, z := inverse(a/500+fy)*0.9642956764295677, inverse(fy-b/200)*0.8251046025104602
	// D50 XYZ to linear sRGB, both matrices multiplied.
	return linear(
		3.1341358529001178*x-1.6173863321612538*y-0.4906619460083532*z,
		-0.978795502912089*x+1.916254567259524*y+0.03344273116131949*z,
		0.07195537988411677*x-0.2289768264158322*y+1.405386058324125*z, alpha)
}

// linear applies the transfer curve of sRGB and clips to its gamut.
func linear(r, g, b, alpha float64) Color {
	curve := func(v float64) float64 {
		if v <= 0.0031308 {
			return clamp(12.92*v, 0, 1)
		}
		return clamp(1.055*math.Pow(v, 1/2.4)-0.055, 0, 1)
	}
	return Color{R: curve(r), G: curve(g), B: curve(b), A: alpha}
}

// colorFunction is color(srgb r g b) and color(srgb-linear r g b); other spaces are outside.
func colorFunction(r *Reader, v syntax.Value) (Color, bool) {
	in := r.Inside(v)
	space, ok := in.Keyword("srgb", "srgb-linear", "display-p3", "display-p3-linear", "a98-rgb", "prophoto-rgb", "rec2020", "xyz", "xyz-d50", "xyz-d65", "from")
	if !ok {
		return Color{}, false
	}
	if space != "srgb" && space != "srgb-linear" {
		return refuseColor(r, v)
	}
	rest := syntax.Value{Args: in.values[in.next:]}
	p, ok := r.parts(rest, [3]channel{{full: 1}, {full: 1}, {full: 1}})
	if space == "srgb-linear" {
		return linear(p.part[0], p.part[1], p.part[2], p.alpha), ok && !p.legacy
	}
	return Color{R: clamp(p.part[0], 0, 1), G: clamp(p.part[1], 0, 1), B: clamp(p.part[2], 0, 1), A: p.alpha}, ok && !p.legacy
}
