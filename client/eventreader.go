package client

import (
	"bufio"
	"errors"
	"strconv"
	"strings"
	"time"
)

const (
	// maxEvent bounds an event of a stream, and each of its lines. A job with 4 KiB of metadata and all its warnings is far below.
	maxEvent = 1 << 20
	// maxPause bounds how long a server may ask to wait for before another connection.
	maxPause = time.Minute
)

var errLongEvent = errors.New("an event of the stream is longer than 1 MiB")

// rawEvent is an event whose data is not decoded.
type rawEvent struct{ id, name, data string }

// eventReader reads server-sent events as the HTML standard says in section 9.2.6, of lines that end in LF or CR LF.
type eventReader struct {
	lines *bufio.Reader
	last  string        // the last id, also of an event without data, which is not dispatched
	pause time.Duration // that the server asks for before another connection
}

// next returns the next event that has data. Alive is told of each line.
func (r *eventReader) next(alive func()) (rawEvent, error) {
	e := rawEvent{id: r.last}
	for {
		line, err := r.line()
		if err != nil {
			return rawEvent{}, err // what has begun is not dispatched
		}
		alive()
		if line == "" {
			r.last = e.id
			if e.data != "" {
				e.data = strings.TrimSuffix(e.data, "\n")
				return e, nil
			}
			e.name = ""
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		if r.take(&e, field, strings.TrimPrefix(value, " ")); len(e.data) > maxEvent {
			return rawEvent{}, errLongEvent
		}
	}
}

func (r *eventReader) take(e *rawEvent, field, value string) {
	switch field {
	case "id":
		if !strings.Contains(value, "\x00") {
			e.id = value
		}
	case "event":
		e.name = value
	case "data":
		e.data += value + "\n"
	case "retry":
		if ms, err := strconv.ParseUint(value, 10, 31); err == nil && ms > 0 {
			r.pause = min(time.Duration(ms)*time.Millisecond, maxPause)
		}
	}
}

// line is the next line, without its end.
func (r *eventReader) line() (string, error) {
	var line []byte
	for {
		part, err := r.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxEvent:
			return "", errLongEvent
		case err == nil:
			return strings.TrimSuffix(string(line[:len(line)-1]), "\r"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}
