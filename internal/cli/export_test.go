package cli

import (
	"fmt"
	"strings"
	"time"
)

// Compare is what "platen compare" does once it has its engines.
var Compare = compare

// Metered is what a meter writes of four things: one is done, and at once another; after a while there is a message, and then all is done.
func Metered(terminal bool) string {
	var b strings.Builder
	m := &meter{w: &b, terminal: terminal, last: time.Now().Add(-time.Second)}
	sent := m.sent(4)
	sent(1)
	sent(2)
	m.last = m.last.Add(-time.Second)
	sent(3)
	m.leave()
	_, _ = fmt.Fprintln(&b, "the server is away")
	m.end(4, 4, "done")
	return b.String()
}
