package templates

import (
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// The contextual escaper follows every {{template}} and cannot cope with a hostile one that leads back to
// itself: inside a JavaScript template literal it recurses until the process dies, and elsewhere its time can
// double with every template of a circle. So a call that leads back becomes a call of a function, which runs
// the callee on its own: a template that calls itself is a piece of HTML text, as a tree of list items is.

// cutRecursion replaces the calls that lead back and returns the names of their callees, in order.
func cutRecursion(trees map[string]*parse.Tree) []string {
	calls := map[string][]*parse.TemplateNode{}
	for name, tree := range trees {
		collectCalls(tree.Root, func(call *parse.TemplateNode) { calls[name] = append(calls[name], call) })
	}
	circles := findCircles(calls)
	entries := map[string]bool{}
	for name, tree := range trees {
		replaceCalls(tree.Root, func(call *parse.TemplateNode) parse.Node {
			id, ok := circles[call.Name]
			if _, defined := trees[call.Name]; !ok || !defined || id != circles[name] {
				return call
			}
			entries[call.Name] = true
			return includeNode(call)
		})
	}
	return slices.Sorted(maps.Keys(entries))
}

func collectCalls(list *parse.ListNode, found func(*parse.TemplateNode)) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		if call, ok := node.(*parse.TemplateNode); ok {
			found(call)
		}
		for _, inner := range lists(node) {
			collectCalls(inner, found)
		}
	}
}

func replaceCalls(list *parse.ListNode, replace func(*parse.TemplateNode) parse.Node) {
	if list == nil {
		return
	}
	for i, node := range list.Nodes {
		if call, ok := node.(*parse.TemplateNode); ok {
			list.Nodes[i] = replace(call)
		}
		for _, inner := range lists(node) {
			replaceCalls(inner, replace)
		}
	}
}

// findCircles numbers the templates by the circle of calls they are part of (Tarjan's strongly connected
// components). A template in no circle has a number of its own, which no call inside it shares.
func findCircles(calls map[string][]*parse.TemplateNode) map[string]int {
	type mark struct {
		index, low int
		onStack    bool
	}
	marks, circles := map[string]*mark{}, map[string]int{}
	var stack []string
	var visit func(name string) *mark
	visit = func(name string) *mark {
		m := &mark{index: len(marks), low: len(marks), onStack: true}
		marks[name] = m
		stack = append(stack, name)
		for _, call := range calls[name] {
			if other := marks[call.Name]; other == nil {
				m.low = min(m.low, visit(call.Name).low)
			} else if other.onStack {
				m.low = min(m.low, other.index)
			}
		}
		for m.low == m.index && m.onStack {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			marks[last].onStack = false
			circles[last] = m.index
		}
		return m
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if marks[name] == nil {
			visit(name)
		}
	}
	return circles
}

// includeNode is {{include "name" pipe}} instead of {{template "name" pipe}}.
func includeNode(call *parse.TemplateNode) parse.Node {
	text := "{{include " + strconv.Quote(call.Name) + " nil}}"
	trees, err := parse.Parse("include", text, "", "", map[string]any{"include": true})
	if err != nil {
		return call // not reached: a quoted string is always a good argument
	}
	action := trees["include"].Root.Nodes[0].(*parse.ActionNode)
	if call.Pipe != nil {
		action.Pipe.Cmds[0].Args[2] = call.Pipe
	}
	return action
}

// checkIncludes refuses a template that calls itself anywhere but in HTML text. It looks at an escaped set:
// there the escaper has named what follows a value, and has renamed the callees that do not begin as text.
func (s source) checkIncludes(set *template.Template) error {
	including := map[string]bool{}
	for _, t := range set.Templates() {
		text := true
		walkIncludes(t.Tree.Root, func(pipe *parse.PipeNode) {
			including[t.Name()] = true
			text = text && len(pipe.Cmds) == 2 && pipe.Cmds[1].String() == "_html_template_htmlescaper"
		})
		if !text {
			return s.invalid(position{}, "The template %q calls itself where there is no HTML text.", shorten(t.Name()))
		}
	}
	for _, t := range set.Templates() {
		var bad string
		collectCalls(t.Tree.Root, func(call *parse.TemplateNode) {
			if name, _, renamed := strings.Cut(call.Name, "$htmltemplate_"); renamed && reaches(set, name, including, map[string]bool{}) {
				bad = name
			}
		})
		if bad != "" {
			return s.invalid(position{}, "The template %q leads to one that calls itself, and is called where there is no HTML text.", shorten(bad))
		}
	}
	return nil
}

func walkIncludes(list *parse.ListNode, found func(*parse.PipeNode)) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		if action, ok := node.(*parse.ActionNode); ok {
			if name, ok := action.Pipe.Cmds[0].Args[0].(*parse.IdentifierNode); ok && name.Ident == "include" {
				found(action.Pipe)
			}
		}
		for _, inner := range lists(node) {
			walkIncludes(inner, found)
		}
	}
}

// reaches reports whether a call of name leads to one of the targets.
func reaches(set *template.Template, name string, targets, seen map[string]bool) bool {
	if targets[name] || seen[name] {
		return targets[name]
	}
	seen[name] = true
	t := set.Lookup(name)
	if t == nil {
		return false
	}
	found := false
	collectCalls(t.Tree.Root, func(call *parse.TemplateNode) {
		callee, _, _ := strings.Cut(call.Name, "$htmltemplate_")
		found = found || reaches(set, callee, targets, seen)
	})
	return found
}
