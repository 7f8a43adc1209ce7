package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Type is what the values of a column are in JSON.
type Type string

// The types of columns. An empty value of any but Text is left out.
const (
	Text   Type = "text"
	Number Type = "number" // as it is written: 1.10 stays 1.10
	Bool   Type = "bool"   // true or false
	JSON   Type = "json"   // any value
)

// ParseTypes reads "amount=number,active=bool".
func ParseTypes(list string) (map[string]Type, error) {
	types := map[string]Type{}
	for one := range strings.SplitSeq(list, ",") {
		name, kind, ok := strings.Cut(one, "=")
		switch {
		case !ok || name == "":
			return nil, fmt.Errorf("%q is not like amount=number", one)
		case !slices.Contains([]Type{Text, Number, Bool, JSON}, Type(kind)):
			return nil, fmt.Errorf("%q is none of text, number, bool and json", kind)
		}
		types[name] = Type(kind)
	}
	return types, nil
}

// shape is where the values of a row go.
type shape struct {
	root    *node
	columns int
	omit    bool
}

// node is an object, a list, or the value of a column.
type node struct {
	name     string // in the object or list that it is part of
	full     string // from the root, as in the heading
	column   int    // -1 for an object or a list
	kind     Type
	list     bool
	children []*node
}

func newShape(names []string, types map[string]Type, omit bool) (*shape, error) {
	s := &shape{root: &node{column: -1}, columns: len(names), omit: omit}
	if err := valid(names); err != nil {
		return nil, err
	}
	for i, name := range names {
		kind, typed := types[name]
		if !typed {
			kind = Text
		}
		if err := s.root.add(strings.Split(name, "."), &node{full: name, column: i, kind: kind}); err != nil {
			return nil, fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	for name := range types {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no column %q, for which there is a type", name)
		}
	}
	return s, s.root.arrange()
}

// add puts a column where its name says.
func (n *node) add(path []string, column *node) error {
	name := path[0]
	if name == "" {
		return fmt.Errorf("%q has an empty name", column.full)
	}
	i := slices.IndexFunc(n.children, func(c *node) bool { return c.name == name })
	switch {
	case i >= 0 && (len(path) == 1 || n.children[i].column >= 0):
		return fmt.Errorf("%q is there already", column.full)
	case len(path) == 1:
		column.name = name
		n.children = append(n.children, column)
		return nil
	case i < 0:
		i = len(n.children)
		full := strings.TrimSuffix(column.full, "."+strings.Join(path[1:], "."))
		n.children = append(n.children, &node{name: name, full: full, column: -1})
	}
	return n.children[i].add(path[1:], column)
}

// arrange finds the lists: what has members that are called 0, 1, 2, and so on.
func (n *node) arrange() error {
	slices.SortStableFunc(n.children, func(a, b *node) int { return position(a.name) - position(b.name) })
	numbered := 0
	for i, child := range n.children {
		if position(child.name) == i {
			numbered++
		}
		if err := child.arrange(); err != nil {
			return err
		}
	}
	if n.full == "" { // a row is an object
		return nil
	}
	n.list = len(n.children) > 0 && numbered == len(n.children)
	if !n.list && slices.ContainsFunc(n.children, func(c *node) bool { return position(c.name) < named }) {
		return fmt.Errorf("the numbers in %q are not those of a list: 0, 1, 2 and so on, and nothing else", n.full+".…")
	}
	return nil
}

// named is the position of what has a name, behind all that has a number.
const named = 1 << 20

func position(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil || n < 0 || n >= named || strconv.Itoa(n) != name {
		return named
	}
	return n
}

// object makes the JSON of a row.
func (s *shape) object(record []string) (json.RawMessage, error) {
	if err := counted(record, s.columns); err != nil {
		return nil, err
	}
	if err := valid(record); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	wrote, err := s.write(&out, s.root, record)
	if !wrote {
		out.WriteString("{}")
	}
	return out.Bytes(), err
}

// write writes a node, and reports whether there was anything to write.
func (s *shape) write(out *bytes.Buffer, n *node, record []string) (bool, error) {
	if n.column >= 0 {
		return s.value(out, n, record[n.column])
	}
	open, end := byte('{'), byte('}')
	if n.list {
		open, end = '[', ']'
	}
	began, wrote := out.Len(), false
	out.WriteByte(open)
	for _, child := range n.children {
		before := out.Len()
		if wrote {
			out.WriteByte(',')
		}
		if !n.list {
			writeText(out, child.name)
			out.WriteByte(':')
		}
		some, err := s.write(out, child, record)
		if err != nil {
			return false, err
		}
		if !some {
			out.Truncate(before)
		}
		wrote = wrote || some
	}
	if !wrote && s.omit {
		out.Truncate(began)
		return false, nil
	}
	out.WriteByte(end)
	return true, nil
}

// value writes the value of a column.
func (s *shape) value(out *bytes.Buffer, n *node, text string) (bool, error) {
	if text == "" && (s.omit || n.kind != Text) {
		return false, nil
	}
	switch n.kind {
	case Number:
		if !isNumber(text) {
			return false, fmt.Errorf("%s: %q is no number as JSON writes it, like -1234.50", n.full, text)
		}
		out.WriteString(text)
	case Bool:
		if text != "true" && text != "false" {
			return false, fmt.Errorf("%s: %q is neither true nor false", n.full, text)
		}
		out.WriteString(text)
	case JSON:
		if err := json.Compact(out, []byte(text)); err != nil {
			return false, fmt.Errorf("%s: it is no JSON: %w", n.full, err)
		}
	case Text:
		writeText(out, text)
	}
	return true, nil
}

// isNumber reports whether a text is a number of JSON (RFC 8259, section 6).
func isNumber(text string) bool {
	first := text[0]
	return (first == '-' || '0' <= first && first <= '9') && !strings.ContainsAny(text, " \t\r\n") && json.Valid([]byte(text))
}

// writeText writes a string as JSON, without escapes for HTML.
func writeText(out *bytes.Buffer, text string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)    // a string, into memory
	out.Truncate(out.Len() - 1) // the encoder ends with a line feed
}
