package templates

import (
	"fmt"
	"html/template"
	"strings"
	"text/template/parse"
)

const htmlEscaper = "_html_template_htmlescaper"

// untouched are the functions of the contextual escaper that leave a text alone which has none of these characters. All of them are ASCII.
var untouched = map[string]string{
	htmlEscaper:                    "\x00\"&'+<>",
	"_html_template_attrescaper":   "\x00\"&'+<>",
	"_html_template_rcdataescaper": "\x00\"&'+<>",
	"_html_template_cssescaper":    "\x00\t\n\f\r\"&'()+/:;<>\\{}",
}

// escape is what the contextual escaper does to a value at a kind of place.
type escape struct {
	touches [256]bool // bytes that a text must not have to stay as it is
	always  bool      // there is no such text
	asHTML  bool      // HTML stays as it is
	none    bool
	library *template.Template // prints its dot as it is printed there
}

// cutEscapers cuts a pipeline where the contextual escaper goes on.
func cutEscapers(commands []*parse.CommandNode) (own, escapers []*parse.CommandNode) {
	n := len(commands)
	for n > 0 && isEscaper(nameOf(commands[n-1].Args[0])) {
		n--
	}
	return commands[:n], commands[n:]
}

func isEscaper(name string) bool {
	return strings.HasPrefix(name, "_html_template_") || name == "_eval_args_"
}

// escape is what a few functions of the escaper do together.
func (c *compiler) escape(escapers []*parse.CommandNode) (*escape, error) {
	var names []string
	for _, command := range escapers {
		names = append(names, nameOf(command.Args[0]))
	}
	key := strings.Join(names, " ")
	if known, ok := c.escapes[key]; ok {
		return known, nil
	}
	e := &escape{asHTML: key == htmlEscaper, none: len(names) == 0}
	for _, name := range names {
		touched, known := untouched[name]
		e.always = e.always || !known
		for i := range len(touched) {
			e.touches[touched[i]] = true
		}
	}
	var err error
	if e.library, err = printer(escapers); err != nil {
		return nil, err
	}
	c.escapes[key] = e
	return e, nil
}

// printer is a template that prints its dot through functions of the escaper. They have no other names than those that it gives them, and it
// knows them once it has escaped something.
func printer(escapers []*parse.CommandNode) (*template.Template, error) {
	t, err := template.New("value").Parse("{{.}}")
	if err != nil {
		return nil, fmt.Errorf("parse printer: %w", err)
	}
	if err := t.Execute(&strings.Builder{}, ""); err != nil {
		return nil, fmt.Errorf("escape printer: %w", err)
	}
	action, ok := t.Tree.Root.Nodes[0].(*parse.ActionNode)
	if !ok {
		return nil, errGivenUp
	}
	action.Pipe.Cmds = append(action.Pipe.Cmds[:1:1], escapers...)
	return t, nil
}

// write prints a value.
func (e *escape) write(m *machine, v any) error {
	switch v := v.(type) {
	case string:
		if e.leaves(v) {
			return m.write(v)
		}
	case number:
		if e.leaves(v.token) {
			return m.write(v.token)
		}
	case template.HTML:
		if e.asHTML {
			return m.write(string(v))
		}
	}
	if e.none {
		return errGivenUp
	}
	return e.library.Execute(m, v)
}

// leaves reports whether a text stays as it is.
func (e *escape) leaves(text string) bool {
	if e.always {
		return false
	}
	for i := range len(text) {
		if e.touches[text[i]] {
			return false
		}
	}
	return true
}
