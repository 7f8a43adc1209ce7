package client

import (
	"bufio"
	"errors"
	"strconv"
	"strings"
	"time"
)

// maxLine bounds a line of a stream. A job with 4 KiB of metadata and all its warnings is far below.
const maxLine = 1 << 20

var errLongLine = errors.New("a line of the stream is longer than 1 MiB")

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
		r.take(&e, field, strings.TrimPrefix(value, " "))
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
			r.pause = time.Duration(ms) * time.Millisecond
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
		case len(line) > maxLine:
			return "", errLongLine
		case err == nil:
			return strings.TrimSuffix(string(line[:len(line)-1]), "\r"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}
