package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/platen-render/platen/client"
)

const (
	barWidth = 24
	// lineEvery is how often a meter writes where lines stay.
	lineEvery = 5 * time.Second
	// barEvery is how often it draws on a terminal.
	barEvery = 100 * time.Millisecond
)

// meter shows how something goes on: on a terminal as a bar that is drawn over itself, elsewhere as a line every now and then.
type meter struct {
	w        io.Writer
	terminal bool
	last     time.Time
	drawn    bool
}

// meterOf begins one on standard error. When the client has something to say there, it is on a line of its own.
func (env Env) meterOf(c *client.Client) *meter {
	m := &meter{w: env.Stderr, terminal: isTerminal(env.Stderr), last: time.Now()}
	say := c.Retrying
	c.Retrying = func(cause error, pause time.Duration) {
		m.leave()
		say(cause, pause)
	}
	return m
}

// sent returns what shows that so many of all items were sent.
func (m *meter) sent(all int) func(int) {
	return func(n int) { m.show(n, all, fmt.Sprintf("sent %d of %d", n, all)) }
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show tells how far it is, done of all, unless that was told just now.
func (m *meter) show(done, all int, text string) {
	every := lineEvery
	if m.terminal {
		every = barEvery
	}
	if now := time.Now(); now.Sub(m.last) >= every {
		m.last = now
		m.draw(done, all, text)
	}
}

// end tells the last of it, in any case.
func (m *meter) end(done, all int, text string) {
	m.draw(done, all, text)
	m.leave()
}

// leave goes to a new line, so that something else can be written.
func (m *meter) leave() {
	if m.drawn {
		_, _ = fmt.Fprintln(m.w)
		m.drawn = false
	}
}

func (m *meter) draw(done, all int, text string) {
	if !m.terminal {
		_, _ = fmt.Fprintln(m.w, text)
		return
	}
	full := barWidth * done / max(all, 1)
	// The rest of an earlier, longer line is erased (ECMA-48, EL).
	_, _ = fmt.Fprintf(m.w, "\r[%s%s] %s\x1b[K", strings.Repeat("#", full), strings.Repeat("-", barWidth-full), text)
	m.drawn = true
}
