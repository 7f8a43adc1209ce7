package chromium

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// maxMessage bounds what the browser says at once. The largest answers are pictures; a page can make events as large as its memory.
const maxMessage = 192 << 20

// numbered is how an answer begins.
var numbered = regexp.MustCompile(`^\{"id":(\d+),`)

// messages passes the messages of a browser on, each of which ends with a zero byte. Of those that are longer than max an event is dropped,
// and an answer is an error. Not safe for concurrent use, but for Close.
type messages struct {
	io.Closer

	from  *bufio.Reader
	max   int
	whole []byte // a message
	ready []byte // what is left to pass on of it
}

func newMessages(from io.ReadCloser, limit int) *messages {
	return &messages{Closer: from, from: bufio.NewReaderSize(from, 64<<10), max: limit}
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.ready) == 0 {
		if err := m.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.ready)
	m.ready = m.ready[n:]
	return n, nil
}

// next reads one message, and nothing of one that is too long.
func (m *messages) next() error {
	const kept = 1 << 20
	if cap(m.whole) > kept {
		m.whole = nil
	}
	m.whole = m.whole[:0]
	instead, long := "", false
	for {
		part, err := m.from.ReadSlice(0)
		if !long {
			m.whole = append(m.whole, part...)
		}
		if !long && len(m.whole) > m.max {
			long, instead = true, m.tooLong()
			m.whole = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return err
		}
		m.ready = append(m.whole, instead...)
		return nil
	}
}

// tooLong is what takes the place of a message that began as this one did.
func (m *messages) tooLong() string {
	answer := numbered.FindSubmatch(m.whole)
	if answer == nil {
		return ""
	}
	return fmt.Sprintf(`{"id":%s,"error":{"code":-32000,"message":"the answer is longer than %d bytes"}}`+"\x00", answer[1], m.max)
}
