package templates

import (
	"html/template"
	"text/template/parse"
)

// compiler makes a program of the trees of an escaped set.
type compiler struct {
	set       *template.Template
	functions template.FuncMap
	routines  map[string]*routine
	escapes   map[string]*escape // by the names of the functions
}

// compile makes the program of a set whose functions are those of a run. The error is [errGivenUp] where something is not for a program.
func compile(set *template.Template, r *run) (*program, error) {
	c := compiler{set, r.functions(), map[string]*routine{}, map[string]*escape{}}
	main, err := c.routine(rootName)
	if err != nil {
		return nil, err
	}
	return &program{main: main, machine: machine{run: r}}, nil
}

// routine compiles a template when it is first named: it may call itself.
func (c *compiler) routine(name string) (*routine, error) {
	if known, ok := c.routines[name]; ok {
		return known, nil
	}
	t := c.set.Lookup(name)
	if t == nil || t.Tree == nil {
		return nil, errGivenUp
	}
	r := &routine{}
	c.routines[name] = r
	var err error
	r.body, err = c.list(t.Tree.Root)
	return r, err
}

// list compiles a body; none is an empty one.
func (c *compiler) list(list *parse.ListNode) (statement, error) {
	var statements []statement
	if list != nil {
		for _, node := range list.Nodes {
			s, err := c.statement(node)
			if err != nil {
				return nil, err
			}
			statements = append(statements, s)
		}
	}
	return func(m *machine, dot any) error {
		for _, s := range statements {
			if err := s(m, dot); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (c *compiler) statement(node parse.Node) (statement, error) {
	switch node := node.(type) {
	case *parse.TextNode:
		text := string(node.Text)
		return func(m *machine, _ any) error { return m.write(text) }, nil
	case *parse.ActionNode:
		return c.action(node.Pipe)
	case *parse.IfNode:
		return c.branch(&node.BranchNode, false)
	case *parse.WithNode:
		return c.branch(&node.BranchNode, true)
	case *parse.RangeNode:
		return c.loop(node)
	case *parse.TemplateNode:
		return c.template(node)
	case *parse.BreakNode:
		return func(*machine, any) error { return errBreak }, nil
	case *parse.ContinueNode:
		return func(*machine, any) error { return errContinue }, nil
	}
	return nil, errGivenUp
}

// branch compiles an if or a with, which hands what it has found on as the dot.
func (c *compiler) branch(node *parse.BranchNode, with bool) (statement, error) {
	condition, err := c.pipe(node.Pipe)
	if err != nil {
		return nil, err
	}
	then, err := c.list(node.List)
	if err != nil {
		return nil, err
	}
	otherwise, err := c.list(node.ElseList)
	if err != nil {
		return nil, err
	}
	return scoped(func(m *machine, dot any) error {
		v, err := condition(m, dot)
		if err != nil {
			return err
		}
		holds, err := truth(v)
		switch {
		case err != nil:
			return err
		case !holds:
			return otherwise(m, dot)
		case with:
			return then(m, v)
		}
		return then(m, dot)
	}), nil
}

func (c *compiler) loop(node *parse.RangeNode) (statement, error) {
	if node.Pipe.IsAssign {
		return nil, errGivenUp
	}
	var l loop
	for _, declared := range node.Pipe.Decl {
		l.names = append(l.names, declared.Ident[0])
	}
	var err error
	if l.over, err = c.value(node.Pipe); err != nil {
		return nil, err
	}
	if l.body, err = c.list(node.List); err != nil {
		return nil, err
	}
	if l.none, err = c.list(node.ElseList); err != nil {
		return nil, err
	}
	return scoped(l.run), nil
}

func (c *compiler) template(node *parse.TemplateNode) (statement, error) {
	callee, err := c.routine(node.Name)
	if err != nil {
		return nil, err
	}
	data, err := c.pipe(node.Pipe)
	if err != nil {
		return nil, err
	}
	return func(m *machine, dot any) error {
		v, err := data(m, dot)
		if err != nil {
			return err
		}
		return m.call(callee, v)
	}, nil
}

// action compiles what declares, counts or prints.
func (c *compiler) action(pipe *parse.PipeNode) (statement, error) {
	name := nameOf(pipe.Cmds[0].Args[0])
	switch {
	case len(pipe.Decl) > 0 && pipe.Decl[0].Ident[0] == stepVariable:
		return counting(name)
	case len(pipe.Decl) > 0:
		declare, err := c.pipe(pipe)
		return func(m *machine, dot any) error {
			_, err := declare(m, dot)
			return err
		}, err
	case name == "include":
		return c.include(pipe)
	}
	commands, escapers := cutEscapers(pipe.Cmds)
	value, err := c.commands(commands)
	if err != nil {
		return nil, err
	}
	e, err := c.escape(escapers)
	if err != nil {
		return nil, err
	}
	return func(m *machine, dot any) error {
		v, err := value(m, dot)
		if err != nil {
			return err
		}
		return e.write(m, v)
	}, nil
}

// counting are the actions of [stepNodes].
func counting(name string) (statement, error) {
	switch name {
	case "enter":
		return func(m *machine, _ any) error { _, err := m.run.enter(); return err }, nil
	case "step":
		return func(m *machine, _ any) error { return m.run.spend(1) }, nil
	case "leave":
		return func(m *machine, _ any) error { m.run.leave(); return nil }, nil
	}
	return nil, errGivenUp
}

// include compiles what [cutRecursion] made of a call that leads back. That it stands in HTML text is certain, and so is what it writes.
func (c *compiler) include(pipe *parse.PipeNode) (statement, error) {
	args := pipe.Cmds[0].Args
	name, isName := args[1].(*parse.StringNode)
	if !isName || len(pipe.Cmds) != 2 || nameOf(pipe.Cmds[1].Args[0]) != htmlEscaper {
		return nil, errGivenUp
	}
	callee, err := c.routine(name.Text)
	if err != nil {
		return nil, err
	}
	data, err := c.operand(args[2])
	if err != nil {
		return nil, err
	}
	return func(m *machine, dot any) error {
		v, err := data(m, dot)
		if err != nil {
			return err
		}
		if err := m.run.spend(stepsAnInclude); err != nil {
			return err
		}
		return m.call(callee, v)
	}, nil
}
