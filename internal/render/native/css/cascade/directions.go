package cascade

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/fonts/bidi"
)

// isolateHints are what the text of a <bdi> says of it: its direction is that of its first strong character, unless it has a valid dir
// (HTML standard, section 3.2.6.4).
func isolateHints(n *dom.Node) string {
	if directed(n) {
		return ""
	}
	if firstStrong(n) == bidi.RTL {
		return "direction:rtl;"
	}
	return "direction:ltr;"
}

// directed reports whether an element says its direction itself.
func directed(n *dom.Node) bool {
	v, ok := n.Attr("dir")
	v = strings.ToLower(v)
	return ok && (v == "ltr" || v == "rtl" || v == "auto")
}

// firstStrong is the direction of the first strong character in an element, without what has a direction of its own.
func firstStrong(n *dom.Node) bidi.Direction {
	for c := n.First; c != nil; c = c.Next {
		found := bidi.First(c.Text)
		if c.IsElement() && !is(c, "bdi script style textarea") && !directed(c) {
			found = firstStrong(c)
		}
		if found != bidi.Auto {
			return found
		}
	}
	return bidi.Auto
}
