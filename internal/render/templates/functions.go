package templates

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

// builtins are the functions of text/template that are safe as they are. "call" is not there: no data of ours
// can be called.
var builtins = []string{"and", "or", "not", "len", "slice"}

// functions returns what a template may call, and the three that only the nodes of [stepNodes] and
// [cutRecursion] can: the parser is not told of them, so a template that names them is refused.
func (r *run) functions() template.FuncMap {
	functions := r.public()
	functions["enter"] = r.enter
	functions["step"] = r.step
	functions["leave"] = r.leave
	functions["include"] = func(name string, data any) (template.HTML, error) {
		if r.dry {
			return "", errDryRun
		}
		return r.include(name, data)
	}
	return functions
}

func (r *run) public() template.FuncMap {
	functions := r.general()
	maps.Copy(functions, r.localized())
	return functions
}

func (r *run) general() template.FuncMap {
	return template.FuncMap{
		"documentID":  func() string { return r.own(r.env.Identity.DocumentID) },
		"documentKey": func() string { return r.own(r.env.Identity.DocumentKey) },
		"jobID":       func() string { return r.own(r.env.Identity.JobID) },
		"verifyURL":   func() string { return r.own(r.env.Identity.VerifyURL) },

		"add":   func(a, b any) (decimal, error) { return r.calculate("add", exact.add, a, b) },
		"sub":   func(a, b any) (decimal, error) { return r.calculate("sub", exact.sub, a, b) },
		"mul":   func(a, b any) (decimal, error) { return r.calculate("mul", exact.mul, a, b) },
		"fixed": r.fixed,

		"eq": func(a any, others ...any) (bool, error) { return r.equal(a, others) },
		"ne": func(a, b any) (bool, error) { equal, err := r.equal(a, []any{b}); return !equal, err },
		"lt": func(a, b any) (bool, error) { c, err := r.order(a, b); return c < 0, err },
		"le": func(a, b any) (bool, error) { c, err := r.order(a, b); return c <= 0, err },
		"gt": func(a, b any) (bool, error) { c, err := r.order(a, b); return c > 0, err },
		"ge": func(a, b any) (bool, error) { c, err := r.order(a, b); return c >= 0, err },

		"default": fallBack,
		"dict":    r.dict,
		"list":    r.list,

		"asset":   r.asset,
		"qr":      r.qr,
		"barcode": r.barcode,

		"index":    index,
		"printf":   r.printf,
		"print":    r.text(func(args ...any) string { return fmt.Sprint(args...) }),
		"println":  r.text(func(args ...any) string { return fmt.Sprintln(args...) }),
		"html":     r.text(template.HTMLEscaper),
		"js":       r.text(template.JSEscaper),
		"urlquery": r.text(template.URLQueryEscaper),
	}
}

// own notes that a part of the identity was asked for.
func (r *run) own(part string) string {
	r.report.OwnIdentity = true
	return part
}

// callable is what the parser lets a template name.
func callable() map[string]any {
	names := slices.Concat(slices.Collect(maps.Keys((&run{}).public())), builtins)
	known := make(map[string]any, len(names))
	for _, name := range names {
		known[name] = true
	}
	return known
}

// text bounds a function that makes text. Null prints as nothing, as it does outside of functions.
func (r *run) text(f func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		if err := r.charge(args...); err != nil {
			return "", err
		}
		return f(slices.DeleteFunc(slices.Clone(args), func(arg any) bool { return arg == nil })...), nil
	}
}

// index is data[key][key]…; what is missing, null included, is null.
func index(data any, keys ...any) (any, error) {
	for _, key := range keys {
		var err error
		if data, err = indexOne(data, key); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func indexOne(data, key any) (any, error) {
	if data == nil {
		return nil, nil
	}
	if object, ok := data.(map[string]any); ok {
		name, ok := key.(string)
		if !ok {
			return nil, ErrFailed.With("index: an object has names, not %s.", describe(key))
		}
		return object[name], nil
	}
	list, ok := data.([]any)
	if !ok {
		return nil, ErrFailed.With("index: %s has no parts.", describe(data))
	}
	x, isNumber, err := toExact(key)
	if err != nil {
		return nil, err
	}
	if !isNumber {
		return nil, ErrFailed.With("index: a list has numbers, not %s.", describe(key))
	}
	i, isWhole := x.whole()
	if !isWhole || !i.IsInt64() {
		return nil, ErrFailed.With("index: %s is not a place in a list.", shorten(x.String()))
	}
	if n := i.Int64(); n >= 0 && n < int64(len(list)) {
		return list[n], nil
	}
	return nil, nil
}

// describe names a value in a message, never its content when that is long.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("the text %q", shorten(v))
	default:
		return shorten(strings.TrimSpace(fmt.Sprint(v)))
	}
}
