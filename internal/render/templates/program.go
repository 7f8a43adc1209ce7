package templates

import (
	"errors"
	"html/template"
	"maps"
	"slices"
)

// program is an escaped set, put so that it runs without reflection, which is most of the time that the standard library takes to fill a
// template in. It does what that does, with the values that JSON has and the functions of this package, as long as all goes well. Whatever else
// there is, an error most of all, it gives up: then the library does everything from the beginning, so that an error is the library's own.
type program struct {
	main    *routine
	machine machine
}

// errGivenUp says that the library has to do it.
var errGivenUp = errors.New("not for a program")

// Ends of a pass through a loop.
var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// machine is what a program works with while it runs.
type machine struct {
	run  *run
	out  []byte
	most int64
	vars []variable
	base int   // of the variables of the routine that runs; the first is $
	args []any // of the calls that are being made
}

type variable struct {
	name  string
	value any
}

// keptOutput is how much room for output is kept for the next run.
const keptOutput = 256 << 10

// statement writes, and expression is worth something, both with a dot.
type (
	statement  func(m *machine, dot any) error
	expression func(m *machine, dot any) (any, error)
)

// routine is a template of a program.
type routine struct{ body statement }

// fill returns the filled-in template, valid until the next call. Any error means that the library has to do it.
func (p *program) fill(root any, most int64) (out []byte, err error) {
	m := &p.machine
	defer func() {
		clear(m.vars[:cap(m.vars)]) // it keeps nothing of this run
		clear(m.args[:cap(m.args)])
		if cap(m.out) > keptOutput {
			m.out = nil
		}
		if recover() != nil { // the library tells of a panic
			err = errGivenUp
		}
	}()
	m.out, m.most, m.vars, m.args, m.base = m.out[:0], most, m.vars[:0], m.args[:0], 0
	err = m.call(p.main, root)
	return m.out, err
}

// Write implements io.Writer for what the library writes.
func (m *machine) Write(p []byte) (int, error) { return len(p), m.write(string(p)) }

func (m *machine) write(text string) error {
	if int64(len(m.out)+len(text)) > m.most {
		return errGivenUp
	}
	m.out = append(m.out, text...)
	return nil
}

// call runs a routine, whose variables are its own.
func (m *machine) call(r *routine, dot any) error {
	base, top := m.base, len(m.vars)
	m.base = top
	m.vars = append(m.vars, variable{"$", dot})
	err := r.body(m, dot)
	m.vars, m.base = m.vars[:top], base
	return err
}

// variable finds the one that was declared last.
func (m *machine) variable(name string) (*variable, error) {
	for i := len(m.vars) - 1; i >= m.base; i-- {
		if m.vars[i].name == name {
			return &m.vars[i], nil
		}
	}
	return nil, errGivenUp
}

// scoped forgets afterwards the variables that are declared inside.
func scoped(inside statement) statement {
	return func(m *machine, dot any) error {
		top := len(m.vars)
		err := inside(m, dot)
		m.vars = m.vars[:top]
		return err
	}
}

// loop is a range. It declares as many variables as it names: the element, or the key and the element.
type loop struct {
	over       expression
	names      []string
	body, none statement
}

// run ends with a break anywhere in it, its else included.
func (l loop) run(m *machine, dot any) error {
	if err := l.passes(m, dot); !errors.Is(err, errBreak) {
		return err
	}
	return nil
}

func (l loop) passes(m *machine, dot any) error {
	over, err := l.over(m, dot)
	if err != nil {
		return err
	}
	for _, name := range l.names {
		m.vars = append(m.vars, variable{name, over})
	}
	switch over := over.(type) {
	case []any:
		return l.list(m, dot, over)
	case map[string]any:
		return l.object(m, dot, over)
	case nil:
		return l.none(m, dot)
	}
	return errGivenUp
}

func (l loop) list(m *machine, dot any, list []any) error {
	if len(list) == 0 {
		return l.none(m, dot)
	}
	for i, element := range list {
		if more, err := l.pass(m, i, element); !more {
			return err
		}
	}
	return nil
}

func (l loop) object(m *machine, dot any, object map[string]any) error {
	if len(object) == 0 {
		return l.none(m, dot)
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if more, err := l.pass(m, name, object[name]); !more {
			return err
		}
	}
	return nil
}

func (l loop) pass(m *machine, key, element any) (more bool, err error) {
	top := len(m.vars)
	if len(l.names) > 0 {
		m.vars[top-1].value = element
	}
	if len(l.names) > 1 {
		m.vars[top-2].value = key
	}
	err = l.body(m, element)
	m.vars = m.vars[:top]
	if err == nil || errors.Is(err, errContinue) {
		return true, nil
	}
	return false, err
}

// truth is what {{if}} takes a value for.
func truth(v any) (bool, error) {
	switch v := v.(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	case string:
		return v != "", nil
	case template.HTML:
		return v != "", nil
	case template.URL:
		return v != "", nil
	case []any:
		return len(v) > 0, nil
	case map[string]any:
		return len(v) > 0, nil
	case number:
		return true, nil
	case zero:
		return false, nil
	case int:
		return v != 0, nil
	}
	return false, errGivenUp
}

// member is object.name.
func member(object any, name string) (any, error) {
	if members, ok := object.(map[string]any); ok {
		if v, there := members[name]; there {
			return v, nil
		}
	}
	return nil, errGivenUp
}
