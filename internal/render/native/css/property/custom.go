package property

import "github.com/platen-render/platen/internal/render/native/css/syntax"

// Custom are custom properties with their values, var() resolved. It is never changed.
type Custom struct {
	values map[string][]syntax.Value
}

// Get returns the value of a custom property and whether it has one.
func (c *Custom) Get(name string) ([]syntax.Value, bool) {
	if c == nil {
		return nil, false
	}
	v, ok := c.values[name]
	return v, ok
}

// With returns the properties with others over them; a nil value takes one away.
func (c *Custom) With(over map[string][]syntax.Value) *Custom {
	if len(over) == 0 {
		return c
	}
	merged := &Custom{values: map[string][]syntax.Value{}}
	if c != nil {
		for name, v := range c.values {
			merged.values[name] = v
		}
	}
	for name, v := range over {
		if v == nil {
			delete(merged.values, name)
		} else {
			merged.values[name] = v
		}
	}
	return merged
}
