package templates

import (
	"html/template"
	"reflect"
	"text/template/parse"
)

// call is a function with its arguments in a list. It keeps nothing of the list.
type call func(args []any) (any, error)

// function compiles a call; final is the argument that comes through the pipeline, or nil.
func (c *compiler) function(name string, nodes []parse.Node, final expression) (expression, error) {
	var args []expression
	for _, node := range nodes {
		arg, err := c.operand(node)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	n := len(args)
	switch {
	case (name == "and" || name == "or") && final == nil && n > 0:
		return untilTruth(name == "or", args), nil
	case final != nil:
		n++
	}
	f, err := c.called(name, n)
	if err != nil {
		return nil, err
	}
	return func(m *machine, dot any) (any, error) {
		base, last := len(m.args), any(nil)
		if final != nil { // it comes last, and is the first to be found
			var err error
			if last, err = final(m, dot); err != nil {
				return nil, err
			}
		}
		for _, arg := range args {
			v, err := arg(m, dot)
			if err != nil {
				return nil, err
			}
			m.args = append(m.args, v)
		}
		if final != nil {
			m.args = append(m.args, last)
		}
		v, err := f(m.args[base:len(m.args):len(m.args)])
		m.args = m.args[:base]
		return v, err
	}, nil
}

// untilTruth is and or or, which look at their arguments until they know.
func untilTruth(end bool, args []expression) expression {
	return func(m *machine, dot any) (v any, err error) {
		for _, arg := range args {
			if v, err = arg(m, dot); err != nil {
				return nil, err
			}
			if holds, err := truth(v); err != nil || holds == end {
				return v, err
			}
		}
		return v, nil
	}
}

// called finds the function of a name that takes n arguments.
func (c *compiler) called(name string, n int) (call, error) {
	if f, ok := c.functions[name]; ok {
		if !takes(reflect.TypeOf(f), n) {
			return nil, errGivenUp
		}
		return spread(f)
	}
	switch {
	case name == "len" && n == 1:
		return length, nil
	case name == "not" && n == 1:
		return func(args []any) (any, error) {
			holds, err := truth(args[0])
			return !holds, err
		}, nil
	case name == "slice" && 1 <= n && n <= 3:
		return cut, nil
	}
	return nil, errGivenUp
}

// takes reports whether a function can be called with n arguments.
func takes(f reflect.Type, n int) bool {
	if f.IsVariadic() {
		return n >= f.NumIn()-1
	}
	return n == f.NumIn()
}

// spread calls a function with the arguments of a list. They are as many as it takes.
func spread(f any) (call, error) {
	switch f := f.(type) {
	case func() string:
		return func([]any) (any, error) { return f(), nil }, nil
	case func(a any) (string, error):
		return func(args []any) (any, error) { return box(f(args[0])) }, nil
	case func(a, b any) (string, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1])) }, nil
	case func(a, b, c any) (string, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1], args[2])) }, nil
	case func(a, b any) (bool, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1])) }, nil
	case func(a any, more ...any) (bool, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1:]...)) }, nil
	case func(a any, more ...any) (any, error):
		return func(args []any) (any, error) { return f(args[0], args[1:]...) }, nil
	case func(a any, more ...any) (string, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1:]...)) }, nil
	case func(a, b any, more ...any) (string, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1], args[2:]...)) }, nil
	case func(all ...any) (string, error):
		return func(args []any) (any, error) { return box(f(args...)) }, nil
	case func(a, b any) any:
		return func(args []any) (any, error) { return f(args[0], args[1]), nil }, nil
	case func(a, b any) (decimal, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1])) }, nil
	case func(all ...any) ([]any, error):
		return func(args []any) (any, error) { return box(f(args...)) }, nil
	case func(all ...any) (map[string]any, error):
		return func(args []any) (any, error) { return box(f(args...)) }, nil
	case func(all ...any) (template.HTML, error):
		return func(args []any) (any, error) { return box(f(args...)) }, nil
	case func(a, b any) (template.HTML, error):
		return func(args []any) (any, error) { return box(f(args[0], args[1])) }, nil
	case func(a any) (template.URL, error):
		return func(args []any) (any, error) { return box(f(args[0])) }, nil
	case func(format string, more ...any) (string, error):
		return func(args []any) (any, error) {
			format, ok := args[0].(string)
			if !ok {
				return nil, errGivenUp
			}
			return box(f(format, args[1:]...))
		}, nil
	}
	return nil, errGivenUp
}

func box[T any](v T, err error) (any, error) { return v, err }

// length is len.
func length(args []any) (any, error) {
	switch v := args[0].(type) {
	case string:
		return len(v), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	}
	return nil, errGivenUp
}

// cut is slice, of a text.
func cut(args []any) (any, error) {
	text, ok := args[0].(string)
	if !ok {
		return nil, errGivenUp
	}
	ends := [2]int{0, len(text)}
	for i, arg := range args[1:] {
		if ends[i], ok = arg.(int); !ok {
			return nil, errGivenUp
		}
	}
	if ends[0] < 0 || ends[0] > ends[1] || ends[1] > len(text) {
		return nil, errGivenUp
	}
	return text[ends[0]:ends[1]], nil
}
