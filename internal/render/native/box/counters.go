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
	path   []int // the elements around this place, by depth; numbers are given out one after the other
	depth  int
	count  int
}

// counter is one of a name; maker is the element that made it.
type counter struct {
	value, depth, maker int
}

// opening notes in which order counters were made, to close them.
type opening struct {
	name  string
	depth int
}

// list is a list that is open: by how much its items count.
type list struct{ depth, step int }

func newCounters() counters { return counters{of: map[string][]counter{}, path: make([]int, 1)} }

// open goes down to an element.
func (c *counters) open() {
	c.depth++
	c.count++
	c.path = append(c.path[:c.depth], c.count)
}

// close leaves an element: the counters that were made inside of it are gone.
func (c *counters) close() {
	for len(c.opened) > 0 && c.opened[len(c.opened)-1].depth > c.depth {
		name := c.opened[len(c.opened)-1].name
		c.opened = c.opened[:len(c.opened)-1]
		if all := c.of[name]; len(all) > 0 && all[len(all)-1].depth > c.depth {
			c.of[name] = all[:len(all)-1]
		}
	}
	if len(c.lists) > 0 && c.lists[len(c.lists)-1].depth == c.depth {
		c.lists = c.lists[:len(c.lists)-1]
	}
	c.depth--
}

// seen are the counters of a name. One that an earlier sibling made counts only when there is no other around it: the standard
// would keep it, but Blink does not.
func (c *counters) seen(name string) []counter {
	all := c.of[name]
	for len(all) > 1 {
		last := all[len(all)-1]
		if c.path[last.depth] == last.maker {
			break
		}
		all = all[:len(all)-1]
	}
	c.of[name] = all
	return all
}

// enter does what the style of an element says.
func (c *counters) enter(n *dom.Node, s *property.Style) {
	c.resets(s)
	if isList(n) {
		c.list(n)
	}
	c.steps(s)
	if i, ok := itemValue(n); ok && s.Display == "list-item" {
		c.set(listItem, i)
	}
}

// generate does what the style of a pseudo-element says.
func (c *counters) generate(s *property.Style) {
	c.resets(s)
	c.steps(s)
}

func (c *counters) resets(s *property.Style) {
	for _, r := range s.CounterReset {
		c.reset(r.Name, r.Value)
	}
}

// steps increments and then sets. A list item counts by itself unless its style says how.
func (c *counters) steps(s *property.Style) {
	said := false
	for _, i := range s.CounterIncrement {
		said = said || i.Name == listItem
		c.add(i.Name, i.Value)
	}
	if s.Display == "list-item" && !said {
		c.add(listItem, c.step())
	}
	for _, v := range s.CounterSet {
		c.set(v.Name, v.Value)
	}
}

// reset makes a counter, or takes over that of a sibling before.
func (c *counters) reset(name string, value int) {
	if all := c.seen(name); len(all) > 0 && all[len(all)-1].depth == c.depth {
		all[len(all)-1] = counter{value, c.depth, c.path[c.depth]}
		return
	}
	c.of[name] = append(c.of[name], counter{value, c.depth, c.path[c.depth]})
	c.opened = append(c.opened, opening{name, c.depth})
}

// last is the innermost counter of a name, made here if there is none.
func (c *counters) last(name string) *counter {
	if len(c.of[name]) == 0 {
		c.reset(name, 0)
	}
	all := c.seen(name)
	return &all[len(all)-1]
}

func (c *counters) add(name string, by int) {
	x := c.last(name)
	if sum := x.value + by; sum >= math.MinInt32 && sum <= math.MaxInt32 { // section 4.2: otherwise it stays
		x.value = sum
	}
}

func (c *counters) set(name string, value int) { c.last(name).value = value }

// values are all counters of a name, the outermost first; at least one.
func (c *counters) values(name string) []int {
	all := c.seen(name)
	if len(all) == 0 {
		return []int{0}
	}
	out := make([]int, len(all))
	for i, x := range all {
		out[i] = x.value
	}
	return out
}

// value is that of the innermost counter.
func (c *counters) value(name string) int {
	if all := c.seen(name); len(all) > 0 {
		return all[len(all)-1].value
	}
	return 0
}

// isList reports whether items are counted anew in an element, whatever counter-reset says, as in Blink.
func isList(n *dom.Node) bool {
	return n.Namespace == "" && (n.Tag == "ol" || n.Tag == "ul" || n.Tag == "menu" || n.Tag == "dir")
}

// list starts the counting of items. With reversed it goes down to 1, or from start.
func (c *counters) list(n *dom.Node) {
	start, step, said := 1, 1, false
	if v, ok := n.Attr("start"); ok && n.Tag == "ol" {
		if i, ok := integer(v); ok {
			start, said = i, true
		}
	}
	if _, reversed := n.Attr("reversed"); reversed && n.Tag == "ol" {
		step = -1
		if !said {
			start = itemsOf(n)
		}
	}
	c.lists = append(c.lists, list{c.depth, step})
	c.reset(listItem, start-step)
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
