package rendertest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// outlineNode is an entry as qpdf tells it.
type outlineNode struct {
	Title string        `json:"title"`
	Page  int           `json:"destpageposfrom1"`
	Kids  []outlineNode `json:"kids"`
}

// Outline returns the outline of a document in reading order (qpdf), as "2 Part of a chapter on 17": level, title and page, from 1.
func Outline(tb testing.TB, pdf []byte) []string {
	tb.Helper()
	var told struct {
		Outlines []outlineNode `json:"outlines"`
	}
	if err := json.Unmarshal(tool(tb, "qpdf", "qpdf", "--json=2", "--json-key=outlines", file(tb, pdf)), &told); err != nil {
		tb.Fatalf("qpdf tells an outline that cannot be read: %v", err)
	}
	var all []string
	var walk func(nodes []outlineNode, level int)
	walk = func(nodes []outlineNode, level int) {
		for _, n := range nodes {
			all = append(all, fmt.Sprintf("%d %s on %d", level, n.Title, n.Page))
			walk(n.Kids, level+1)
		}
	}
	walk(told.Outlines, 1)
	return all
}
