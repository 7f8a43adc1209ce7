package templates

import (
	"math"
	"reflect"
	"slices"
)

// fallBack is the value, or the fallback where the value is null or empty: {{.note | default "-"}}. Zero and false are values. That
// the value may be missing is the work of [tolerate].
func fallBack(fallback, value any) any {
	if isEmpty(value) {
		return fallback
	}
	return value
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	default:
		return false
	}
}

// list is a list of its arguments.
func (r *run) list(parts ...any) ([]any, error) {
	if err := r.hold("list", parts); err != nil {
		return nil, err
	}
	return slices.Clone(parts), nil
}

// dict is an object of names and values: {{template "row" dict "item" . "currency" $.currency}}.
func (r *run) dict(pairs ...any) (map[string]any, error) {
	if err := r.hold("dict", pairs); err != nil {
		return nil, err
	}
	object := make(map[string]any, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		name, ok := pair[0].(string)
		switch {
		case !ok:
			return nil, ErrFailed.With("dict: %s is not a name; names are texts.", describe(pair[0]))
		case len(pair) < 2:
			return nil, ErrFailed.With("dict: the name %q has no value.", shorten(name))
		}
		if _, twice := object[name]; twice {
			return nil, ErrFailed.With("dict: the name %q is there twice.", shorten(name))
		}
		object[name] = pair[1]
	}
	return object, nil
}

// A list may hold a list twice, and that one another one twice: thirty lines, and what is printed would have a billion parts. So
// what a list or an object would be when written out is weighed before it is made, and may exceed the data by little. Data itself
// is weighed once, as templates pass $ on again and again.
const (
	maxNesting    = 11_000 // the library that reads the data allows 10,000
	visitsAStep   = 8
	leastKeptLoad = 1 << 10
)

// hold charges for values that go into another one, and refuses what is too large.
func (r *run) hold(name string, parts []any) error {
	if err := r.weighRoot(); err != nil {
		return err
	}
	s := scales{known: r.loads, left: r.load + maxArgBytes}
	for _, part := range parts {
		s.add(part, 1)
	}
	if s.left < 0 {
		return ErrFailed.With("%s: it would hold more than the data and %d bytes.", name, maxArgBytes)
	}
	return r.spend(1 + s.visits/visitsAStep)
}

// weighRoot weighs the data and its members when the first list or object is made.
func (r *run) weighRoot() error {
	if r.loads != nil {
		return nil
	}
	r.loads = map[uintptr]int{}
	switch root := r.root.(type) {
	case map[string]any:
		for _, member := range root {
			r.keepLoad(member)
		}
	case []any:
		for _, member := range root {
			r.keepLoad(member)
		}
	}
	r.load = r.keepLoad(r.root)
	return r.spend(1 + r.load/bytesAStep)
}

// keepLoad weighs a part of the data, which stays where it is as long as the run lasts. What is light is not worth a place.
func (r *run) keepLoad(v any) int {
	load := math.MaxInt - weigh(v, math.MaxInt)
	if at := address(v); at != 0 && load >= leastKeptLoad {
		r.loads[at] = load
	}
	return load
}

// address identifies a list or an object that is not empty; 0 is none.
func address(v any) uintptr {
	switch v := v.(type) {
	case map[string]any:
		return reflect.ValueOf(v).Pointer()
	case []any:
		if len(v) > 0 {
			return reflect.ValueOf(v).Pointer()
		}
	}
	return 0
}

// scales weigh as [weigh] does, but know some loads beforehand.
type scales struct {
	known        map[uintptr]int
	left, visits int
}

func (s *scales) add(v any, depth int) {
	s.visits++
	if load, known := s.known[address(v)]; known {
		s.left -= load
		return
	}
	if depth > maxNesting {
		s.left = -1
	}
	if s.left < 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		s.left -= 8
		for name, value := range v {
			s.left -= len(name)
			s.add(value, depth+1)
		}
	case []any:
		s.left -= 8
		for _, value := range v {
			s.add(value, depth+1)
		}
	default:
		s.left = weigh(v, s.left)
	}
}
