// Package value reads component values into typed ones: lengths and the arithmetic on them, colors, images. A
// value can be good, wrong, or right but outside of what the native engine does; browsers drop a wrong one, and
// one that is outside must be told.
package value

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Context is what relative values are relative to. Lengths are CSS pixels.
type Context struct {
	FontSize, RootFontSize     float64
	LineHeight, RootLineHeight float64
	ViewportWidth              float64
	ViewportHeight             float64
	// Ex and Ch are the height of an x and the width of a 0 in the element's font. Zero: they are not known, and
	// a length in these units is outside.
	Ex, Ch float64
	// Color is what currentColor means; unset, it stays to be resolved.
	Color Color
	// ParentWeight is what bolder and lighter start from, ParentSize what larger, smaller and percentages do.
	ParentWeight, ParentSize float64
	// Internal: what only the browser's own sheet may say is understood. Body is what it calls the color of <body>.
	Internal bool
	Body     Color
	// Quirks: the page is in quirks mode.
	Quirks bool
}

// Reader reads values from left to right. A method that fails leaves the reader where it was. The zero Outside
// means that all is inside of the subset so far.
type Reader struct {
	Context *Context
	// Outside says why a value that was read, and is right, cannot be applied.
	Outside string
	// Unitless and Hashless say that, in quirks mode, a number is a length in pixels, and that a color may be written without #.
	Unitless, Hashless bool

	values []syntax.Value
	next   int
}

// NewReader returns a reader of values; spaces do not count.
func NewReader(context *Context, values []syntax.Value) *Reader {
	return &Reader{Context: context, values: syntax.WithoutSpace(values)}
}

// Restart makes the reader read other values, in the same context: one serves many declarations.
func (r *Reader) Restart(values []syntax.Value) {
	r.values, r.next, r.Outside = syntax.WithoutSpace(values), 0, ""
}

// Done reports whether everything was read.
func (r *Reader) Done() bool { return r.next >= len(r.values) }

// Peek returns the next value without reading it; at the end its Kind is 0.
func (r *Reader) Peek() syntax.Value {
	if r.Done() {
		return syntax.Value{}
	}
	return r.values[r.next]
}

// Skip reads one value.
func (r *Reader) Skip() { r.next++ }

// Mark and Reset go back: an alternative is tried this way.
func (r *Reader) Mark() int { return r.next }

// Reset is described at [Reader.Mark].
func (r *Reader) Reset(mark int) { r.next = mark }

// Inside returns a reader of the arguments of a value, with the same context.
func (r *Reader) Inside(v syntax.Value) *Reader { return NewReader(r.Context, v.Args) }

// Take reads what another reader, of a part of this one, found to be outside, and reports whether that one is done.
func (r *Reader) Take(part *Reader) bool {
	r.Refuse(part.Outside)
	return part.Done()
}

// Refuse notes that what was read is outside; the first reason stands. An empty reason is none.
func (r *Reader) Refuse(reason string) {
	if r.Outside == "" {
		r.Outside = reason
	}
}

// Keyword reads one of the keywords and returns it in lower case.
func (r *Reader) Keyword(allowed ...string) (string, bool) {
	v := r.Peek()
	if v.Kind != syntax.Ident {
		return "", false
	}
	for _, k := range allowed {
		if strings.EqualFold(k, v.Text) {
			r.next++
			return k, true
		}
	}
	return "", false
}

// Delim reads a delimiter.
func (r *Reader) Delim(text string) bool {
	if !r.Peek().Is(text) {
		return false
	}
	r.next++
	return true
}

// Number reads a number, calculated ones included.
func (r *Reader) Number() (float64, bool) {
	mark := r.next
	if q, ok := r.quantity(); ok && q.kind == number {
		return q.number, true
	}
	r.next = mark
	return 0, false
}

// Integer reads an integer; a calculated number is rounded.
func (r *Reader) Integer() (int, bool) {
	v := r.Peek()
	if v.Kind == syntax.Number && !v.Integer {
		return 0, false
	}
	n, ok := r.Number()
	if !ok {
		return 0, false
	}
	return int(clamp(roundHalfUp(n), -1<<31, 1<<31-1)), true
}

// NumberOrPercent reads a number, or a percentage as its hundredth part.
func (r *Reader) NumberOrPercent() (float64, bool) {
	mark := r.next
	q, ok := r.quantity()
	switch {
	case ok && q.kind == number:
		return q.number, true
	case ok && q.kind == length && q.length.Px == 0 && q.length.choices == nil && q.percent:
		return q.length.Percent / 100, true
	}
	r.next = mark
	return 0, false
}

// Angle reads an angle in degrees; zero needs no unit where it is allowed.
func (r *Reader) Angle(zero bool) (float64, bool) {
	mark := r.next
	q, ok := r.quantity()
	if ok && (q.kind == angle || (zero && q.kind == number && q.number == 0)) {
		return q.number, true
	}
	r.next = mark
	return 0, false
}

// Resolution reads a resolution in dots per pixel.
func (r *Reader) Resolution() (float64, bool) {
	mark := r.next
	if q, ok := r.quantity(); ok && q.kind == resolution {
		return q.number, true
	}
	r.next = mark
	return 0, false
}

// Flex reads a fraction: 1fr.
func (r *Reader) Flex() (float64, bool) {
	v := r.Peek()
	if v.Kind != syntax.Dimension || v.Text != "fr" || v.Number < 0 {
		return 0, false
	}
	r.next++
	return v.Number, true
}

// Length reads a length without percentage. A bare 0 is one.
func (r *Reader) Length() (float64, bool) {
	mark := r.next
	if l, ok := r.LengthPercent(); ok && !l.HasPercent() {
		return l.Px, true
	}
	r.next = mark
	return 0, false
}

// LengthPercent reads a length, a percentage or a calculation with both. A bare 0 is one.
func (r *Reader) LengthPercent() (Length, bool) {
	mark := r.next
	plain := r.Peek().Kind == syntax.Number
	q, ok := r.quantity()
	if ok && q.kind == length {
		return q.length.clamped(), true
	}
	if ok && plain && q.kind == number && (q.number == 0 || r.Unitless) {
		return Length{Px: q.number}.clamped(), true
	}
	r.next = mark
	return Length{}, false
}

// NonNegative reads a length or percentage that is not below zero; a calculation is clamped.
func (r *Reader) NonNegative() (Length, bool) {
	mark := r.next
	written := r.Peek().Kind != syntax.Function
	l, ok := r.LengthPercent()
	if !ok || (written && (l.Px < 0 || l.Percent < 0)) {
		r.next = mark
		return Length{}, false
	}
	if !l.HasPercent() {
		l.Px = max(l.Px, 0)
	}
	return l, true
}

// Since returns the values that were read since a mark.
func (r *Reader) Since(mark int) []syntax.Value {
	return slices.Clip(r.values[mark:min(r.next, len(r.values))])
}

// Rest returns the values that were not read yet.
func (r *Reader) Rest() []syntax.Value { return slices.Clip(r.values[min(r.next, len(r.values)):]) }
