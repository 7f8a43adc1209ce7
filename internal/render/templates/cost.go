package templates

import (
	"bytes"
	"strings"
	"text/template/parse"
)

// What the contextual escaper of the standard library costs is decided by the template alone, and can be made
// enormous: it works a loop's body twice, so that loops in loops double it; a template that is called may be
// worked twice; in a <script>, <style>, <title> or <textarea> it looks for the end tag again at every quote;
// at every "<" that is only text it copies what follows. It cannot be interrupted. So the cost is estimated
// from above first, in nanoseconds of a slow core, and what is too dear is refused.
const (
	maxActions   = 20_000 // also bounds the stack of every recursive walk
	maxCost      = 3e9
	costPerByte  = 40
	costPerNode  = 5_000
	costPerEntry = 20_000 // of a template, each time it is worked

	costPerCopied     = 4
	costPerSearched   = 1.0 / 32
	costPerEndTagSeen = 10
)

// special says which elements may be open whose content is not HTML. A script is never taken for closed: the
// escaper disregards an end tag inside a JavaScript string.
type special uint8

const (
	inScript special = 1 << iota
	inStyle
	inTitle
	inTextarea
)

var specialTags = []struct {
	name []byte
	bit  special
}{
	{[]byte("script"), inScript},
	{[]byte("style"), inStyle},
	{[]byte("title"), inTitle},
	{[]byte("textarea"), inTextarea},
}

type costKey struct {
	name string
	in   special
}

type costResult struct {
	cost float64
	out  special
}

// estimate adds up costs. The trees have no circles (see [cutRecursion]).
type estimate struct {
	trees  map[string]*parse.Tree
	known  map[costKey]costResult
	failed map[string]float64
}

func checkCost(trees map[string]*parse.Tree, entries []string) error {
	e := estimate{trees, map[costKey]costResult{}, map[string]float64{}}
	total := 0.0
	for _, name := range append([]string{rootName}, entries...) {
		total += e.template(name, 0).cost
	}
	if total > maxCost {
		return source("").invalid(position{}, "The template is too complex to be checked: it has too many loops inside "+
			"loops, templates inside templates, or too long a script or style sheet of its own. Put long ones into files.")
	}
	return nil
}

// template is the cost of working a template, and of working it again after an error inside.
func (e estimate) template(name string, in special) costResult {
	key := costKey{name, in}
	if known, ok := e.known[key]; ok {
		return known
	}
	tree, ok := e.trees[name]
	if !ok {
		return costResult{costPerNode, in}
	}
	cost, out := e.list(tree.Root, in)
	result := costResult{cost + e.entry() + e.afterError(name), out}
	e.known[key] = result
	return result
}

// afterError is the cost of working a template when an error is known: texts and loops are passed over, but
// every template in it is still worked twice.
func (e estimate) afterError(name string) float64 {
	if known, ok := e.failed[name]; ok {
		return known
	}
	tree, ok := e.trees[name]
	if !ok {
		return costPerNode
	}
	cost := e.entry()
	collectCalls(tree.Root, func(call *parse.TemplateNode) { cost += e.afterError(call.Name) })
	e.failed[name] = 2 * cost
	return 2 * cost
}

func (e estimate) entry() float64 { return costPerEntry + costPerNode*float64(len(e.trees)) }

func (e estimate) list(list *parse.ListNode, in special) (cost float64, out special) {
	if list == nil {
		return 0, in
	}
	for _, node := range list.Nodes {
		var c float64
		c, in = e.node(node, in)
		cost += c + costPerNode
	}
	return cost, in
}

func (e estimate) node(node parse.Node, in special) (cost float64, out special) {
	switch node := node.(type) {
	case *parse.TextNode:
		return textCost(node.Text, in)
	case *parse.TemplateNode:
		r := e.template(node.Name, in)
		return r.cost, r.out
	case *parse.RangeNode:
		return e.loop(node, in)
	}
	out = in
	for _, inner := range lists(node) {
		c, o := e.list(inner, in)
		cost, out = cost+c, out|o
	}
	return cost, out
}

func (e estimate) loop(node *parse.RangeNode, in special) (cost float64, out special) {
	first, out := e.list(node.List, in)
	again := first
	if in|out != in {
		again, out = e.list(node.List, in|out)
	}
	other, otherOut := e.list(node.ElseList, in)
	return first + again + other, in | out | otherOut
}

// textCost walks a text from "<" to "<" and sums up what stands in special elements.
func textCost(text []byte, in special) (cost float64, out special) {
	var part specialPart
	for i, c := range text {
		if in != 0 {
			part.add(c)
		}
		if c != '<' {
			continue
		}
		rest := text[i+1:]
		if in&(inTitle|inTextarea) != 0 || !beginsTag(rest) {
			cost += costPerCopied * float64(len(rest))
		}
		part.endTags += bytes.Count(rest[:min(1, len(rest))], []byte("/"))
		before := in
		if in = in.after(rest); in == 0 && before != 0 {
			cost += part.cost()
			part = specialPart{}
		}
	}
	return cost + part.cost() + costPerByte*float64(len(text)), in
}

// specialPart is text inside a special element: at each of its tokens the escaper looks through the rest of it
// for the end tag.
type specialPart struct{ bytes, tokens, endTags int }

func (p *specialPart) add(c byte) {
	p.bytes++
	if strings.IndexByte("\"'`/\\(){}<#-*$\n", c) >= 0 {
		p.tokens++
	}
}

func (p *specialPart) cost() float64 {
	return float64(p.tokens) * (costPerSearched*float64(p.bytes) + costPerEndTagSeen*float64(p.endTags))
}

// beginsTag reports whether what follows a "<" makes it the beginning of a tag.
func beginsTag(rest []byte) bool {
	rest = bytes.TrimPrefix(rest, []byte("/"))
	return len(rest) > 0 && (rest[0]|0x20) >= 'a' && (rest[0]|0x20) <= 'z'
}

// after returns which elements may be open after a "<" that rest follows.
func (s special) after(rest []byte) special {
	end := len(rest) > 0 && rest[0] == '/'
	if end {
		rest = rest[1:]
	}
	for _, tag := range specialTags {
		if len(rest) < len(tag.name) || !bytes.EqualFold(rest[:len(tag.name)], tag.name) {
			continue
		}
		if !end {
			return s | tag.bit
		}
		closed := len(rest) > len(tag.name) && strings.IndexByte("> \t\n\f/", rest[len(tag.name)]) >= 0
		if closed && tag.bit != inScript {
			return s &^ tag.bit
		}
	}
	return s
}
