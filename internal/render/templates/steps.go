package templates

import (
	"fmt"
	"text/template/parse"
)

// stepVariable takes what the steps return, so that they print nothing and the escaper leaves them alone. A
// template cannot name it.
const stepVariable = "$ step"

// stepNodes are the actions that make every template count: one at its beginning, one at its end, one at the
// beginning of every loop's body and one before everything that is printed.
type stepNodes struct{ enter, step, leave *parse.ActionNode }

// newStepNodes parses the actions rather than building them, because a node must know its tree or the library
// panics when it reports an error there.
func newStepNodes() (stepNodes, error) {
	known := map[string]any{"enter": true, "step": true, "leave": true}
	trees, err := parse.Parse("steps", `{{$s := enter}}{{$s = step}}{{$s = leave}}`, "", "", known)
	if err != nil {
		return stepNodes{}, fmt.Errorf("parse steps: %w", err)
	}
	var actions []*parse.ActionNode
	for _, node := range trees["steps"].Root.Nodes {
		if action, ok := node.(*parse.ActionNode); ok {
			action.Pipe.Decl[0].Ident[0] = stepVariable
			actions = append(actions, action)
		}
	}
	return stepNodes{actions[0], actions[1], actions[2]}, nil
}

// insert puts the actions into a template.
func (s stepNodes) insert(tree *parse.Tree) {
	s.walk(tree.Root)
	nodes := append([]parse.Node{s.enter}, tree.Root.Nodes...)
	tree.Root.Nodes = append(nodes, s.leave)
}

func (s stepNodes) walk(list *parse.ListNode) {
	if list == nil {
		return
	}
	var nodes []parse.Node
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			if len(node.Pipe.Decl) == 0 {
				nodes = append(nodes, s.step)
			}
		case *parse.RangeNode:
			s.walk(node.List)
			s.walk(node.ElseList)
			node.List.Nodes = append([]parse.Node{s.step}, node.List.Nodes...)
		default:
			for _, inner := range lists(node) {
				s.walk(inner)
			}
		}
		nodes = append(nodes, node)
	}
	list.Nodes = nodes
}

// lists returns the bodies of a branch.
func lists(node parse.Node) []*parse.ListNode {
	switch node := node.(type) {
	case *parse.IfNode:
		return []*parse.ListNode{node.List, node.ElseList}
	case *parse.WithNode:
		return []*parse.ListNode{node.List, node.ElseList}
	case *parse.RangeNode:
		return []*parse.ListNode{node.List, node.ElseList}
	}
	return nil
}
