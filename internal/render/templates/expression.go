package templates

import (
	"regexp"
	"strconv"
	"text/template/parse"
)

// pipe compiles a pipeline with what it declares or sets. None is null.
func (c *compiler) pipe(pipe *parse.PipeNode) (expression, error) {
	if pipe == nil {
		return constant(nil), nil
	}
	value, err := c.value(pipe)
	if err != nil || len(pipe.Decl) == 0 {
		return value, err
	}
	if len(pipe.Decl) > 1 {
		return nil, errGivenUp
	}
	name := pipe.Decl[0].Ident[0]
	return func(m *machine, dot any) (any, error) {
		v, err := value(m, dot)
		if err != nil {
			return nil, err
		}
		if !pipe.IsAssign {
			m.vars = append(m.vars, variable{name, v})
			return v, nil
		}
		known, err := m.variable(name)
		if err == nil {
			known.value = v
		}
		return v, err
	}, nil
}

// value compiles a pipeline without what it declares.
func (c *compiler) value(pipe *parse.PipeNode) (expression, error) { return c.commands(pipe.Cmds) }

func (c *compiler) commands(commands []*parse.CommandNode) (value expression, err error) {
	for _, command := range commands {
		first := command.Args[0]
		if name := nameOf(first); name != "" {
			value, err = c.function(name, command.Args[1:], value)
		} else if _, isNil := first.(*parse.NilNode); isNil || len(command.Args) > 1 || value != nil {
			return nil, errGivenUp
		} else {
			value, err = c.operand(first)
		}
		if err != nil {
			return nil, err
		}
	}
	if value == nil {
		return nil, errGivenUp
	}
	return value, nil
}

// nameOf is the name of a function, or "".
func nameOf(node parse.Node) string {
	if name, ok := node.(*parse.IdentifierNode); ok {
		return name.Ident
	}
	return ""
}

// operand compiles what may be an argument.
func (c *compiler) operand(node parse.Node) (expression, error) {
	switch node := node.(type) {
	case *parse.DotNode:
		return func(_ *machine, dot any) (any, error) { return dot, nil }, nil
	case *parse.FieldNode:
		return path(func(_ *machine, dot any) (any, error) { return dot, nil }, node.Ident), nil
	case *parse.VariableNode:
		name := node.Ident[0]
		return path(func(m *machine, _ any) (any, error) {
			v, err := m.variable(name)
			if err != nil {
				return nil, err
			}
			return v.value, nil
		}, node.Ident[1:]), nil
	case *parse.PipeNode:
		return c.pipe(node)
	case *parse.ChainNode:
		pipe, ok := node.Node.(*parse.PipeNode)
		if !ok {
			return nil, errGivenUp
		}
		base, err := c.pipe(pipe)
		return path(base, node.Field), err
	case *parse.IdentifierNode:
		return c.function(node.Ident, nil, nil)
	}
	return literal(node)
}

// path compiles base.name.name….
func path(base expression, names []string) expression {
	if len(names) == 0 {
		return base
	}
	return func(m *machine, dot any) (any, error) {
		v, err := base(m, dot)
		for _, name := range names {
			if err != nil {
				return nil, err
			}
			v, err = member(v, name)
		}
		return v, err
	}
}

func constant(v any) expression { return func(*machine, any) (any, error) { return v, nil } }

// Numbers whose type is beyond doubt: an int, and a float64.
var (
	plainInteger  = regexp.MustCompile(`^-?(?:0|[1-9][0-9]{0,8})$`)
	plainFraction = regexp.MustCompile(`^-?[0-9]{1,15}\.[0-9]{1,15}$`)
)

func literal(node parse.Node) (expression, error) {
	switch node := node.(type) {
	case *parse.StringNode:
		return constant(node.Text), nil
	case *parse.BoolNode:
		return constant(node.True), nil
	case *parse.NilNode:
		return constant(nil), nil
	case *parse.NumberNode:
		if n, err := strconv.Atoi(node.Text); err == nil && plainInteger.MatchString(node.Text) {
			return constant(n), nil
		}
		if plainFraction.MatchString(node.Text) {
			return constant(node.Float64), nil
		}
	}
	return nil, errGivenUp
}
