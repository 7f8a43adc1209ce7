package property

import (
	"maps"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// Custom are custom properties with their values, var() resolved. It is never changed.
type Custom struct {
	values map[string]CustomValue
}

// CustomValue is a value and how many tokens it has, those inside of functions included: values share their
// parts, so that one of a few bytes can stand for many.
type CustomValue struct {
	Values []syntax.Value
	Weight int
}

// Get returns the value of a custom property and whether it has one. Nil has none.
func (c *Custom) Get(name string) (CustomValue, bool) {
	if c == nil {
		return CustomValue{}, false
	}
	v, ok := c.values[name]
	return v, ok
}

// With returns the properties with others over them, without those that are removed.
func (c *Custom) With(over map[string]CustomValue, removed []string) *Custom {
	if len(over) == 0 && len(removed) == 0 {
		return c
	}
	merged := &Custom{values: map[string]CustomValue{}}
	if c != nil {
		maps.Copy(merged.values, c.values)
	}
	for _, name := range removed {
		delete(merged.values, name)
	}
	maps.Copy(merged.values, over)
	return merged
}
