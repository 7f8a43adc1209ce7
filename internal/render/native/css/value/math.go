package value

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// dimension is what a quantity is of. Numbers, angles and so on are in number, in their canonical unit.
type dimension uint8

const (
	number     dimension = iota
	length               // percentages included
	angle                // degrees
	duration             // seconds
	resolution           // dots per pixel
)

// quantity is the value of a calculation. All are linear in 100% except for min() and max() of lengths.
type quantity struct {
	kind    dimension
	number  float64
	length  Length
	percent bool // a percentage was in it, be it 0%
}

// maxTerms bounds what one calculation keeps for layout: sums of min() over each other would grow.
const maxTerms = 64

// unit is how much of its dimension's canonical unit a unit is.
type unit struct {
	kind   dimension
	factor float64
}

var units = map[string]unit{
	"px": {length, 1}, "pt": {length, 96.0 / 72}, "pc": {length, 16}, "in": {length, 96},
	"cm": {length, 96 / 2.54}, "mm": {length, 96 / 25.4}, "q": {length, 96 / 101.6},
	"deg": {angle, 1}, "grad": {angle, 0.9}, "rad": {angle, 180 / math.Pi}, "turn": {angle, 360},
	"s": {duration, 1}, "ms": {duration, 0.001},
	"dpi": {resolution, 1.0 / 96}, "dpcm": {resolution, 2.54 / 96}, "dppx": {resolution, 1}, "x": {resolution, 1},
}

// relative are the units that depend on the context. On paper all viewports are the same.
var relative = map[string]func(c *Context) float64{
	"em":  func(c *Context) float64 { return c.FontSize },
	"rem": func(c *Context) float64 { return c.RootFontSize },
	"lh":  func(c *Context) float64 { return c.LineHeight },
	"rlh": func(c *Context) float64 { return c.RootLineHeight },
	"vw":  func(c *Context) float64 { return c.ViewportWidth / 100 }, "vi": func(c *Context) float64 { return c.ViewportWidth / 100 },
	"vh": func(c *Context) float64 { return c.ViewportHeight / 100 }, "vb": func(c *Context) float64 { return c.ViewportHeight / 100 },
	"vmin": func(c *Context) float64 { return min(c.ViewportWidth, c.ViewportHeight) / 100 },
	"vmax": func(c *Context) float64 { return max(c.ViewportWidth, c.ViewportHeight) / 100 },
	"ex":   func(c *Context) float64 { return c.Ex }, "ch": func(c *Context) float64 { return c.Ch },
}

// metric are the units that are 0 when nobody measured a font: lh, because the line height is normal.
var metric = map[string]bool{"ex": true, "ch": true, "lh": true, "rlh": true}

// otherUnits need the metrics of other fonts, or a container.
var otherUnits = map[string]bool{
	"rex": true, "rch": true, "cap": true, "rcap": true, "ic": true, "ric": true,
	"cqw": true, "cqh": true, "cqi": true, "cqb": true, "cqmin": true, "cqmax": true,
}

// quirkEm is the em of margins of which [Length.Quirk] tells.
const quirkEm = "__qem"

// dimensionValue resolves a number with a unit.
func (r *Reader) dimensionValue(v syntax.Value) (quantity, bool) {
	if u, ok := units[v.Text]; ok {
		if u.kind == length {
			return quantity{kind: length, length: Length{Px: v.Number * u.factor}}, true
		}
		return quantity{kind: u.kind, number: v.Number * u.factor}, true
	}
	if v.Text == quirkEm && r.Context.Internal {
		return quantity{kind: length, length: Length{Px: v.Number * r.Context.FontSize, Quirk: true}}, true
	}
	name := v.Text
	if len(name) == 3 && (name[0] == 's' || name[0] == 'l' || name[0] == 'd') && name[1] == 'v' || len(name) == 5 && name[1] == 'v' {
		name = name[1:] // svw, lvh, dvmin
	}
	if of, ok := relative[name]; ok {
		if metric[name] && of(r.Context) == 0 {
			r.Refuse("the unit " + name + " needs the metrics of the font")
		}
		return quantity{kind: length, length: Length{Px: v.Number * of(r.Context)}}, true
	}
	if otherUnits[name] {
		r.Refuse("the unit " + name + " is not supported")
		return quantity{kind: length}, true
	}
	return quantity{}, false
}

// quantity reads a number, percentage, dimension or math function.
func (r *Reader) quantity() (quantity, bool) {
	v := r.Peek()
	r.next++
	switch v.Kind {
	case syntax.Number:
		return quantity{number: v.Number}, true
	case syntax.Percentage:
		return quantity{kind: length, length: Length{Percent: v.Number}, percent: true}, true
	case syntax.Dimension:
		return r.dimensionValue(v)
	case syntax.Function:
		return r.function(v)
	default:
		return quantity{}, false
	}
}

// otherFunctions are the math functions that are not calculated here.
var otherFunctions = map[string]bool{
	"round": true, "mod": true, "rem": true, "sin": true, "cos": true, "tan": true, "asin": true, "acos": true, "atan": true,
	"atan2": true, "pow": true, "sqrt": true, "hypot": true, "log": true, "exp": true, "abs": true, "sign": true,
	"calc-size": true, "anchor": true, "anchor-size": true, "attr": true, "sibling-index": true, "sibling-count": true, "progress": true,
}

func (r *Reader) function(v syntax.Value) (quantity, bool) {
	switch v.Text {
	case "calc", "-webkit-calc":
		in := r.Inside(v)
		q, ok := in.sum()
		return q, ok && r.Take(in)
	case "min", "max":
		list, ok := r.arguments(v)
		if !ok {
			return quantity{}, false
		}
		return choose(list, v.Text == "max")
	case "clamp":
		return r.clamp(v)
	}
	if otherFunctions[v.Text] {
		r.Refuse("the function " + v.Text + "() is not supported")
		return quantity{kind: length}, true
	}
	return quantity{}, false
}

// clamp reads clamp(): either bound may be none (CSS Values 4, section 10.3).
func (r *Reader) clamp(v syntax.Value) (quantity, bool) {
	parts := syntax.SplitComma(v.Args)
	if len(parts) != 3 {
		return quantity{}, false
	}
	low, high := isNone(parts[0]), isNone(parts[2])
	if low {
		parts[0] = parts[1]
	}
	if high {
		parts[2] = parts[1]
	}
	list, ok := r.sums(parts)
	if !ok {
		return quantity{}, false
	}
	upper, ok := choose(list[1:], false)
	if !ok || low {
		return upper, ok
	}
	return choose([]quantity{list[0], upper}, true)
}

func isNone(part []syntax.Value) bool {
	part = syntax.Trim(part)
	return len(part) == 1 && part[0].IsIdent("none")
}

// arguments reads sums between commas.
func (r *Reader) arguments(v syntax.Value) ([]quantity, bool) {
	return r.sums(syntax.SplitComma(v.Args))
}

func (r *Reader) sums(parts [][]syntax.Value) ([]quantity, bool) {
	var list []quantity
	for _, part := range parts {
		in := NewReader(r.Context, part)
		q, ok := in.sum()
		if !ok || !r.Take(in) {
			return nil, false
		}
		list = append(list, q)
	}
	return list, len(list) <= maxTerms
}

// choose is min() or max().
func choose(list []quantity, greatest bool) (quantity, bool) {
	best := list[0]
	for _, q := range list[1:] {
		if q.kind != best.kind {
			return quantity{}, false
		}
		best.percent = best.percent || q.percent
		if (q.number > best.number) == greatest {
			best.number = q.number
		}
	}
	if best.kind != length {
		return best, true
	}
	return chooseLength(list, greatest, best.percent)
}

func chooseLength(list []quantity, greatest, percent bool) (quantity, bool) {
	c := choice{scale: 1, greatest: greatest}
	relative := false
	for _, q := range list {
		c.of = append(c.of, q.length)
		relative = relative || q.length.HasPercent()
	}
	if !relative {
		return quantity{kind: length, length: Length{Px: c.resolve(0)}, percent: percent}, true
	}
	return quantity{kind: length, length: Length{choices: &[]choice{c}}, percent: percent}, true
}

// sum reads products between + and -.
func (r *Reader) sum() (quantity, bool) {
	left, ok := r.product()
	for ok && (r.Peek().Is("+") || r.Peek().Is("-")) {
		sign := 1.0
		if r.Peek().Is("-") {
			sign = -1
		}
		r.next++
		var right quantity
		if right, ok = r.product(); !ok || right.kind != left.kind {
			return quantity{}, false
		}
		left.number += sign * right.number
		left.length = left.length.plus(right.length, sign)
		left.percent = left.percent || right.percent
		if left.length.choices != nil && len(*left.length.choices) > maxTerms {
			return quantity{}, false
		}
	}
	return left, ok
}

// product reads operands between * and /.
func (r *Reader) product() (quantity, bool) {
	left, ok := r.operand()
	for ok && (r.Peek().Is("*") || r.Peek().Is("/")) {
		divide := r.Peek().Is("/")
		r.next++
		right, good := r.operand()
		switch {
		case !good, divide && right.kind != number:
			return quantity{}, false
		case divide:
			left = left.times(1 / right.number)
		case right.kind == number:
			left = left.times(right.number)
		case left.kind == number:
			left = right.times(left.number)
		default:
			return quantity{}, false
		}
	}
	return left, ok
}

func (q quantity) times(k float64) quantity {
	q.number *= k
	q.length = q.length.times(k)
	return q
}

var constants = map[string]float64{"e": math.E, "pi": math.Pi, "infinity": math.Inf(1), "-infinity": math.Inf(-1), "nan": math.NaN()}

// operand reads a value, a constant or a sum in parentheses.
func (r *Reader) operand() (quantity, bool) {
	v := r.Peek()
	if v.Kind == syntax.Parens {
		r.next++
		in := r.Inside(v)
		q, ok := in.sum()
		return q, ok && r.Take(in)
	}
	if v.Kind == syntax.Ident {
		for name, c := range constants {
			if v.IsIdent(name) {
				r.next++
				return quantity{number: c}, true
			}
		}
		return quantity{}, false
	}
	return r.quantity()
}
