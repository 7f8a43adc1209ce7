package value

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/syntax"
)

// foreign are, beside those of [otherFunctions] and of pictures, the functions that browsers know and that are not followed here.
var foreign = map[string]bool{
	"if": true, "random": true, "color-mix": true, "contrast-color": true, "alpha": true, "light-dark": true,
	"image": true, "type": true, "symbols": true, "target-counter": true, "target-counters": true, "target-text": true,
	"superellipse": true, "shape": true, "path": true, "ray": true, "polygon": true, "inset": true, "xywh": true, "rect": true,
}

// substitutes are the functions in whose place something else stands before a value is read: it may be anything until then (CSS Values 5,
// section 4). A name that begins with two dashes is that of a function of the page.
func substitutes(name string) bool {
	return name == "if" || name == "attr" || strings.HasPrefix(name, "--")
}

// Foreign returns the name of a function that browsers follow and that is not followed here, at any depth of a value; or "". A value that
// cannot be read is dropped by browsers too, unless it has one of these.
func Foreign(values []syntax.Value) string {
	if function := divided(values, ""); function != "" {
		return function
	}
	return first(values, func(name string) bool {
		inside, known := gradients[name]
		return foreign[name] || otherFunctions[name] || known && !inside || substitutes(name)
	})
}

// divided returns the name of a function of arithmetic in which something is divided by what has a unit: browsers cancel units out (CSS
// Values 4, section 10.2); or "".
func divided(values []syntax.Value, inside string) string {
	for i := range values {
		v := &values[i]
		if inside != "" && i > 0 && v.Kind == syntax.Dimension && before(values[:i]).Is("/") {
			return inside
		}
		function := inside
		if v.Kind == syntax.Function {
			function = ""
			if arithmetic[v.Text] {
				function = v.Text
			}
		}
		if function != "" && i > 0 && before(values[:i]).Is("/") && hasUnit(v.Args) {
			return function
		}
		if found := divided(v.Args, function); found != "" {
			return found
		}
	}
	return ""
}

var arithmetic = map[string]bool{"calc": true, "-webkit-calc": true, "min": true, "max": true, "clamp": true}

func before(values []syntax.Value) syntax.Value {
	if values = syntax.Trim(values); len(values) > 0 {
		return values[len(values)-1]
	}
	return syntax.Value{}
}

func hasUnit(values []syntax.Value) bool {
	return slices.ContainsFunc(values, func(v syntax.Value) bool { return v.Kind == syntax.Dimension || hasUnit(v.Args) })
}

// Substituted returns the name of a function at any depth that is replaced before the value is read, other than var() and env(); or "".
func Substituted(values []syntax.Value) string { return first(values, substitutes) }

func first(values []syntax.Value, is func(name string) bool) string {
	for i := range values {
		v := &values[i]
		if v.Kind == syntax.Function && is(v.Text) {
			return v.Text
		}
		if name := first(v.Args, is); name != "" {
			return name
		}
	}
	return ""
}
