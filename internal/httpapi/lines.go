package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// errLongLine is the error for a line beyond the bound, which was skipped.
var errLongLine = errors.New("the line is too long")

// lines reads a body line by line, however large it is. Memory is bounded by the longest line that is taken.
type lines struct {
	call    *call
	r       *bufio.Reader
	timeout time.Duration // of one line
	whole   time.Duration // of all of them
	end     time.Time     // of that
	until   time.Time     // the deadline that is set
}

func newLines(c *call, timeout, whole time.Duration) *lines {
	return &lines{call: c, r: bufio.NewReaderSize(c.Request().Body, 64<<10), timeout: timeout, whole: whole, end: time.Now().Add(whole)}
}

// next returns the next line that is not blank, without its end; of more than most bytes it is [errLongLine], and the next one follows. The
// error is io.EOF after the last line. A line is the caller's.
func (l *lines) next(most int64) ([]byte, error) {
	for {
		l.extend()
		line, err := l.read(most)
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if errors.Is(err, io.EOF) {
			l.rest()
		}
		return line, err
	}
}

// read takes the bytes up to the next line feed, or to the end.
func (l *lines) read(most int64) ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := l.r.ReadSlice('\n')
		long = long || int64(len(line)+len(part)) > most+1 // the line feed does not count
		if !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) == 0 && !long:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimSuffix(line, []byte{'\n'}), nil
	}
}

// patience is how long the body had to arrive, or a part of it that did not.
func (l *lines) patience() time.Duration {
	if l.until.Equal(l.end) {
		return l.whole
	}
	return l.timeout
}

// extend gives the next line its time, of what is left for all of them. Blank lines are some, too: nobody holds a connection with them for
// ever.
func (l *lines) extend() {
	now := time.Now()
	if l.until.Sub(now) > l.timeout-time.Second && l.timeout > time.Second { // not for each line
		return
	}
	if l.until = now.Add(l.timeout); l.until.After(l.end) {
		l.until = l.end
	}
	_ = http.NewResponseController(l.call.Response()).SetReadDeadline(l.until) // a connection of a test has none
}

// rest takes the deadline away: it would end the request while it waits.
func (l *lines) rest() {
	_ = http.NewResponseController(l.call.Response()).SetReadDeadline(time.Time{})
}

// leave gives the rest of the body up, so that the client sees the answer.
func (l *lines) leave() {
	l.call.Response().Header().Set(echo.HeaderConnection, "close")
	readOn(l.call)
}
