package templates

import (
	"cmp"
	"strings"
)

func (r *run) calculate(name string, op func(x, y exact) exact, a, b any) (decimal, error) {
	if err := r.charge(a, b); err != nil {
		return nil, err
	}
	x, err := operand(name, a)
	if err != nil {
		return nil, err
	}
	y, err := operand(name, b)
	if err != nil {
		return nil, err
	}
	return op(x, y).decimal()
}

// fixed rounds: {{.total | fixed 2}}. Half is rounded away from zero, and nothing is negative zero.
func (r *run) fixed(places, value any) (decimal, error) {
	if err := r.charge(places, value); err != nil {
		return nil, err
	}
	x, err := operand("fixed", value)
	if err != nil {
		return nil, err
	}
	p, err := operand("fixed", places)
	if err != nil {
		return nil, err
	}
	n, isWhole := p.whole()
	if !isWhole || !n.IsInt64() || n.Int64() < 0 || n.Int64() > 100 {
		return nil, ErrFailed.With("fixed: %s is not a number of decimal places between 0 and 100.", shorten(p.String()))
	}
	return x.rounded(int(n.Int64())).decimal()
}

func operand(name string, v any) (exact, error) {
	x, isNumber, err := toExact(v)
	if err != nil {
		return exact{}, err
	}
	if !isNumber {
		return exact{}, ErrFailed.With("%s: %s is not a number.", name, describe(v))
	}
	return x, nil
}

// equal reports whether a equals one of the others. Null equals null only; different kinds are an error, as
// in Go, because such a comparison is a mistake in the template.
func (r *run) equal(a any, others []any) (bool, error) {
	if len(others) == 0 {
		return false, ErrFailed.With("eq: there is nothing to compare with.")
	}
	for _, b := range others {
		if a == nil || b == nil {
			if a == nil && b == nil {
				return true, nil
			}
			continue
		}
		c, err := r.compare(a, b)
		if err != nil || c == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// order compares what has an order: numbers and texts.
func (r *run) order(a, b any) (int, error) {
	if _, ok := a.(bool); ok {
		return 0, ErrFailed.With("true and false have no order.")
	}
	return r.compare(a, b)
}

func (r *run) compare(a, b any) (int, error) {
	if err := r.charge(a, b); err != nil {
		return 0, err
	}
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), nil
		}
	case bool:
		if y, ok := b.(bool); ok {
			return map[bool]int{true: 0, false: 1}[x == y], nil
		}
	}
	return compareNumbers(a, b)
}

func compareNumbers(a, b any) (int, error) {
	if x, ok := a.(int); ok {
		if y, ok := b.(int); ok {
			return cmp.Compare(x, y), nil
		}
	}
	x, isNumber, err := toExact(a)
	if err != nil {
		return 0, err
	}
	y, isNumberToo, err := toExact(b)
	if err != nil {
		return 0, err
	}
	if !isNumber || !isNumberToo {
		return 0, ErrFailed.With("%s and %s cannot be compared.", describe(a), describe(b))
	}
	return x.cmp(y), nil
}
