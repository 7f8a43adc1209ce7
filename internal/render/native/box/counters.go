package box

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// listItem is the counter of list items (CSS Lists 3, section 4.6).
const listItem = "list-item"

// counters are those that can be seen from where the walk is (CSS Lists 3, section 4.4): a counter belongs to the element that
// makes it, to its later siblings, and to what is in all of them.
type counters struct {
	of     map[string][]counter // the innermost last
	opened []opening
	lists  []list
}

// counter is one of a name; depth is that of the element that made it.
type counter struct {
	value int
	depth int32
}

// opening notes in which order counters were made, to close them.
type opening struct {
	name  string
	depth int32
}

// list is an <ol reversed>, or another list, that is open.
type list struct {
	depth int32
	step  int
}

func newCounters() counters { return counters{of: map[string][]counter{}} }

// enter does what the style of an element says.
func (c *counters) enter(n *dom.Node, s *property.Style, depth int32) {
	c.resets(s, depth)
	if isList(n) {
		c.list(n, s, depth)
	}
	c.steps(s, depth)
	if i, ok := itemValue(n); ok && s.Display == "list-item" {
		c.set(listItem, i, depth)
	}
}

// generate does what the style of a pseudo-element says.
func (c *counters) generate(s *property.Style, depth int32) {
	c.resets(s, depth)
	c.steps(s, depth)
}

func (c *counters) resets(s *property.Style, depth int32) {
	for _, r := range s.CounterReset {
		c.reset(r.Name, r.Value, depth)
	}
}

// steps increments and then sets. A list item counts by itself unless its style says how.
func (c *counters) steps(s *property.Style, depth int32) {
	said := false
	for _, i := range s.CounterIncrement {
		said = said || i.Name == listItem
		c.add(i.Name, i.Value, depth)
	}
	if s.Display == "list-item" && !said {
		c.add(listItem, c.step(), depth)
	}
	for _, v := range s.CounterSet {
		c.set(v.Name, v.Value, depth)
	}
}

// leave closes the counters that were made inside of an element of this depth.
func (c *counters) leave(depth int32) {
	for len(c.opened) > 0 && c.opened[len(c.opened)-1].depth > depth {
		name := c.opened[len(c.opened)-1].name
		c.opened = c.opened[:len(c.opened)-1]
		c.of[name] = c.of[name][:len(c.of[name])-1]
	}
	if len(c.lists) > 0 && c.lists[len(c.lists)-1].depth == depth {
		c.lists = c.lists[:len(c.lists)-1]
	}
}

// reset makes a counter, or takes over that of a sibling before.
func (c *counters) reset(name string, value int, depth int32) {
	if all := c.of[name]; len(all) > 0 && all[len(all)-1].depth == depth {
		all[len(all)-1].value = value
		return
	}
	c.of[name] = append(c.of[name], counter{value, depth})
	c.opened = append(c.opened, opening{name, depth})
}

// last is the innermost counter of a name, made here if there is none.
func (c *counters) last(name string, depth int32) *counter {
	if len(c.of[name]) == 0 {
		c.reset(name, 0, depth)
	}
	return &c.of[name][len(c.of[name])-1]
}

func (c *counters) add(name string, by int, depth int32) {
	x := c.last(name, depth)
	if sum := x.value + by; sum >= math.MinInt32 && sum <= math.MaxInt32 { // section 4.2: otherwise it stays
		x.value = sum
	}
}

func (c *counters) set(name string, value int, depth int32) { c.last(name, depth).value = value }

// values are all counters of a name, the outermost first; at least one.
func (c *counters) values(name string) []int {
	all := c.of[name]
	if len(all) == 0 {
		return []int{0}
	}
	out := make([]int, len(all))
	for i, x := range all {
		out[i] = x.value
	}
	return out
}

// isList reports whether items are counted anew in an element, whatever counter-reset says, as in Blink.
func isList(n *dom.Node) bool {
	return n.Namespace == "" && (n.Tag == "ol" || n.Tag == "ul" || n.Tag == "menu" || n.Tag == "dir")
}

// list starts the counting of items. With reversed it goes down to 1, or from start.
func (c *counters) list(n *dom.Node, s *property.Style, depth int32) {
	start, step, ok := 1, 1, false
	if v, has := n.Attr("start"); has && n.Tag == "ol" {
		if start, ok = integer(v); !ok {
			start = 1
		}
	}
	hint := start - 1
	if _, reversed := n.Attr("reversed"); reversed && n.Tag == "ol" {
		step = -1
		if !ok {
			start = itemsOf(n)
		}
	}
	c.lists = append(c.lists, list{depth, step})
	for _, r := range s.CounterReset {
		if r.Name == listItem && r.Value != 0 && r.Value != hint {
			return // the author has said something else than the browser and the attribute
		}
	}
	c.reset(listItem, start-step, depth)
}

// step is by how much an item counts.
func (c *counters) step() int {
	if len(c.lists) == 0 {
		return 1
	}
	return c.lists[len(c.lists)-1].step
}

// itemsOf counts the <li> of a list, not those of lists in it.
func itemsOf(n *dom.Node) int {
	count := 0
	for c := n.First; c != nil; c = c.Next {
		switch {
		case c.Tag == "li" && c.Namespace == "":
			count++
			count += itemsOf(c)
		case c.IsElement() && !isList(c):
			count += itemsOf(c)
		}
	}
	return count
}

// itemValue is the number that an <li> says it has.
func itemValue(n *dom.Node) (int, bool) {
	if n.Tag != "li" || n.Namespace != "" {
		return 0, false
	}
	v, ok := n.Attr("value")
	if !ok {
		return 0, false
	}
	return integer(v)
}
