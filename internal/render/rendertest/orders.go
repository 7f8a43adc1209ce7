package rendertest

import (
	"regexp"
	"strconv"
)

// order is one comment by which a page tells [Engine] what to do.
type order struct {
	verb, value string
	times       int // 0 is always
}

var comment = regexp.MustCompile(`<!--\s*rendertest:([a-z_]+)(?:=([^\s*]+))?(?:\*(\d+))?\s*-->`)

func orders(html string) []order {
	var found []order
	for _, m := range comment.FindAllStringSubmatch(html, -1) {
		times, _ := strconv.Atoi(m[3]) // digits or nothing, and nothing is 0
		found = append(found, order{verb: m[1], value: m[2], times: times})
	}
	return found
}

// String gives the order as the page wrote it.
func (o order) String() string { return o.verb + "=" + o.value + "*" + strconv.Itoa(o.times) }
