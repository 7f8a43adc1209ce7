package cascade

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// maxExpansion bounds the tokens that var() makes for one value; maxVarDepth how deep properties refer to each
// other.
const (
	maxExpansion = 1 << 16
	maxVarDepth  = 256
)

// hasVar reports whether a value depends on custom properties or the environment.
func hasVar(values []syntax.Value) bool {
	for i := range values {
		if (values[i].Kind == syntax.Function && (values[i].Text == "var" || values[i].Text == "env")) || hasVar(values[i].Args) {
			return true
		}
	}
	return false
}

// expander resolves the custom properties of one element (CSS Variables 1, section 2.3). A cycle makes all that
// take part in it invalid.
type expander struct {
	parent *property.Custom
	own    map[string][]syntax.Value
	done   map[string]property.CustomValue
	bad    map[string]bool // resolved to nothing
	stack  []string        // being resolved
	cyclic map[string]bool
}

// resolveCustom returns the custom properties of an element out of its parent's and its own.
func resolveCustom(parent *property.Custom, names []string, own map[string][]syntax.Value) (*property.Custom, error) {
	if len(own) == 0 {
		return parent, nil
	}
	e := &expander{parent: parent, own: own, done: map[string]property.CustomValue{}, bad: map[string]bool{}, cyclic: map[string]bool{}}
	var removed []string
	for _, name := range names {
		_, ok, err := e.custom(name)
		if err != nil {
			return nil, err
		}
		if !ok {
			removed = append(removed, name)
		}
	}
	return parent.With(e.done, removed), nil
}

// custom returns the value of one.
func (e *expander) custom(name string) (property.CustomValue, bool, error) {
	if v, ok := e.done[name]; ok {
		return v, true, nil
	}
	raw, mine := e.own[name]
	if !mine {
		v, ok := e.parent.Get(name)
		return v, ok, nil
	}
	if e.bad[name] || e.inCycle(name) {
		return property.CustomValue{}, false, nil
	}
	if len(e.stack) >= maxVarDepth {
		return property.CustomValue{}, false, ErrExpansion
	}
	e.stack = append(e.stack, name)
	v, ok, err := e.substitute(raw)
	e.stack = e.stack[:len(e.stack)-1]
	if err != nil {
		return v, false, err
	}
	if !ok || e.cyclic[name] {
		e.bad[name] = true
		return property.CustomValue{}, false, nil
	}
	e.done[name] = v
	return v, true, nil
}

// inCycle notes all properties between two visits of one.
func (e *expander) inCycle(name string) bool {
	for i, s := range e.stack {
		if s == name {
			for _, member := range e.stack[i:] {
				e.cyclic[member] = true
			}
			return true
		}
	}
	return false
}

// substitute replaces var() and env() in values. It reports false when one has neither value nor fallback.
func (e *expander) substitute(values []syntax.Value) (property.CustomValue, bool, error) {
	out := property.CustomValue{Values: make([]syntax.Value, 0, len(values))}
	for _, v := range values {
		part := property.CustomValue{Values: []syntax.Value{v}, Weight: 1}
		var ok bool
		var err error
		switch {
		case v.Kind == syntax.Function && v.Text == "var":
			part, ok, err = e.variable(v)
		case v.Kind == syntax.Function && v.Text == "env":
			part, ok, err = e.environment(v)
		case len(v.Args) > 0:
			part, ok, err = e.substitute(v.Args)
			v.Args = part.Values
			part = property.CustomValue{Values: []syntax.Value{v}, Weight: part.Weight + 1}
		default:
			ok = true
		}
		if err != nil || !ok {
			return out, false, err
		}
		out.Values = append(out.Values, part.Values...)
		if out.Weight += part.Weight; out.Weight > maxExpansion {
			return out, false, ErrExpansion
		}
	}
	return out, true, nil
}

// variable is var(--name, fallback).
func (e *expander) variable(v syntax.Value) (property.CustomValue, bool, error) {
	name, fallback, has := reference(v)
	if !strings.HasPrefix(name, "--") {
		return property.CustomValue{}, false, nil
	}
	found, ok, err := e.custom(name)
	if err != nil || ok {
		return found, ok, err
	}
	if !has || (len(e.stack) > 0 && e.cyclic[e.stack[len(e.stack)-1]]) {
		return found, false, nil
	}
	return e.substitute(fallback)
}

// environment is env(name, fallback): paper has no notch and no keyboard.
func (e *expander) environment(v syntax.Value) (property.CustomValue, bool, error) {
	name, fallback, has := reference(v)
	if strings.HasPrefix(name, "safe-area-") || strings.HasPrefix(name, "keyboard-inset-") {
		return property.CustomValue{Values: []syntax.Value{{Kind: syntax.Dimension, Text: "px"}}, Weight: 1}, true, nil
	}
	if !has {
		return property.CustomValue{}, false, nil
	}
	return e.substitute(fallback)
}

func reference(v syntax.Value) (name string, fallback []syntax.Value, has bool) {
	head := v.Args
	for i := range v.Args {
		if v.Args[i].Is(",") {
			head, fallback, has = v.Args[:i], syntax.Trim(v.Args[i+1:]), true
			break
		}
	}
	if head = syntax.Trim(head); len(head) == 1 && head[0].Kind == syntax.Ident {
		name = head[0].Text
	}
	return name, fallback, has
}
