package templates

import (
	"strconv"
	"text/template/parse"
)

// Data that is not there is an error, and it is one before any function could see it. So where default takes a path, the path is
// asked for as index does: {{.a.b | default "-"}} becomes {{index . "a" "b" | default "-"}}.

// tolerate rewrites the pipelines of a template.
func tolerate(tree *parse.Tree) { tolerateList(tree.Root, tree) }

func tolerateList(list *parse.ListNode, tree *parse.Tree) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		toleratePipe(pipeOf(node), tree)
		for _, inner := range lists(node) {
			tolerateList(inner, tree)
		}
	}
}

// pipeOf returns the pipeline of a node, or nil.
func pipeOf(node parse.Node) *parse.PipeNode {
	switch node := node.(type) {
	case *parse.ActionNode:
		return node.Pipe
	case *parse.TemplateNode:
		return node.Pipe
	case *parse.IfNode:
		return node.Pipe
	case *parse.WithNode:
		return node.Pipe
	case *parse.RangeNode:
		return node.Pipe
	}
	return nil
}

func toleratePipe(pipe *parse.PipeNode, tree *parse.Tree) {
	if pipe == nil {
		return
	}
	for i, command := range pipe.Cmds {
		for _, arg := range command.Args {
			inner, isPipe := arg.(*parse.PipeNode)
			if chain, isChain := arg.(*parse.ChainNode); isChain {
				inner, isPipe = chain.Node.(*parse.PipeNode)
			}
			if isPipe {
				toleratePipe(inner, tree)
			}
		}
		if !isDefault(command) {
			continue
		}
		if len(command.Args) == 3 {
			command.Args[2] = soft(command.Args[2], tree)
		}
		if i > 0 {
			tolerateBefore(pipe.Cmds[i-1], tree)
		}
	}
}

// tolerateBefore softens what is piped into default: a path, or the fallback of another default.
func tolerateBefore(command *parse.CommandNode, tree *parse.Tree) {
	switch {
	case len(command.Args) == 1:
		command.Args[0] = soft(command.Args[0], tree)
	case isDefault(command):
		command.Args[1] = soft(command.Args[1], tree)
	}
}

func isDefault(command *parse.CommandNode) bool {
	name, ok := command.Args[0].(*parse.IdentifierNode)
	return ok && name.Ident == "default" && len(command.Args) > 1
}

// soft returns a path as a call of index, and anything else as it is.
func soft(node parse.Node, tree *parse.Tree) parse.Node {
	pos := node.Position()
	switch node := node.(type) {
	case *parse.FieldNode:
		return indexNode(&parse.DotNode{NodeType: parse.NodeDot, Pos: pos}, node.Ident, pos, tree)
	case *parse.VariableNode:
		if len(node.Ident) > 1 {
			variable := &parse.VariableNode{NodeType: parse.NodeVariable, Pos: pos, Ident: node.Ident[:1]}
			return indexNode(variable, node.Ident[1:], pos, tree)
		}
	case *parse.ChainNode:
		return indexNode(soft(node.Node, tree), node.Field, pos, tree)
	case *parse.PipeNode:
		if len(node.Decl) == 0 && len(node.Cmds) == 1 && len(node.Cmds[0].Args) == 1 {
			node.Cmds[0].Args[0] = soft(node.Cmds[0].Args[0], tree)
		}
	}
	return node
}

// indexNode is (index base "name" "name"…), at the position of the path, so that errors name it.
func indexNode(base parse.Node, names []string, pos parse.Pos, tree *parse.Tree) parse.Node {
	args := []parse.Node{parse.NewIdentifier("index").SetPos(pos).SetTree(tree), base}
	for _, name := range names {
		args = append(args, &parse.StringNode{NodeType: parse.NodeString, Pos: pos, Quoted: strconv.Quote(name), Text: name})
	}
	command := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: args}
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: pos, Cmds: []*parse.CommandNode{command}}
}
