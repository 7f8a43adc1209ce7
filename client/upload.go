package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
)

const ndjson = "application/x-ndjson"

// Items gives the items of a batch, each in JSON. It is called again whenever the upload begins anew, so that each call
// gives the same ones from the first; what it went through before has ended by then. An error ends the upload for good.
type Items func() iter.Seq2[json.RawMessage, error]

// Requests makes items of requests, which are gone through once for each time that they are sent. Text that is not
// UTF-8 is an [ErrArgument].
func Requests(requests iter.Seq[api.JobRequest]) Items {
	return func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			for request := range requests {
				item, err := encode(Submission{Request: request})
				if !yield(item.bytes, err) || err != nil {
					return
				}
			}
		}
	}
}

// listed makes items of what is at hand.
func listed(items []json.RawMessage) Items {
	return func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// upload sends a header line and items as NDJSON until they are answered, each time from the start, and decodes the
// answer into out. RetryFor bounds the pauses between the sendings alone, because one may take long.
func (c *Client) upload(ctx context.Context, req request, header []byte, items Items, out any) (answer, error) {
	req.header["Content-Type"] = ndjson
	// What is refused by its header alone need not be sent.
	req.header["Expect"] = "100-continue"
	var got answer
	var paused time.Duration
	err := c.repeatWhile(ctx, false, func() error {
		var err error
		got, err = c.stream(ctx, req, header, items)
		return err
	}, func(pause time.Duration) bool {
		paused += pause
		return paused <= c.retryFor()
	})
	if err != nil {
		return answer{}, err
	}
	return got, req.decode(got, out)
}

// stream sends the lines once and reads the whole answer. It may take as long as it likes, as long as it moves.
func (c *Client) stream(ctx context.Context, req request, header []byte, items Items) (answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(patience, func() { cancel(errPatience) })
	defer stall.Stop()
	body := newLines(header, items, stall)
	defer body.end()
	req.stream = body
	res, err := c.send(ctx, req)
	body.end()
	if err != nil && body.own() {
		return answer{}, body.err
	}
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := readAnswer(ctx, res)
	return answer{res.StatusCode, res.Header, text}, err
}

var errEnded = errors.New("the upload has ended")

// lines is a body of NDJSON, made while it is read. A transport may read it still when its answer is there, so it is
// ended by whoever opened it.
type lines struct {
	stall *time.Timer // runs while the other side is to move

	mu    sync.Mutex
	next  func() (json.RawMessage, error, bool)
	stop  func()
	index int
	line  bytes.Buffer
	rest  []byte // of line, still to be read
	err   error  // why there are no more lines
}

func newLines(header []byte, items Items, stall *time.Timer) *lines {
	l := &lines{rest: header, stall: stall}
	l.next, l.stop = iter.Pull2(items())
	return l
}

// Read gives the next bytes. While it waits for an item, the clock of the exchange stands still.
func (l *lines) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stall.Stop()
	for len(l.rest) == 0 && l.err == nil {
		l.err = l.fill()
	}
	if len(l.rest) == 0 {
		l.resume()
		return 0, l.err
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	l.resume()
	return n, nil
}

// resume lets the clock run, unless the exchange is over.
func (l *lines) resume() {
	if !errors.Is(l.err, errEnded) {
		l.stall.Reset(patience)
	}
}

// fill makes the next line.
func (l *lines) fill() error {
	item, err, more := l.next()
	switch {
	case !more:
		return io.EOF
	case err != nil:
		return fmt.Errorf("item %d: %w", l.index, err)
	case !utf8.Valid(item):
		return argument("item %d is not UTF-8", l.index)
	}
	l.line.Reset()
	if err := json.Compact(&l.line, item); err != nil {
		return argument("item %d: %w", l.index, err)
	}
	l.line.WriteByte('\n')
	l.rest = l.line.Bytes()
	l.index++
	return nil
}

// end lets go of the items. Whoever reads afterwards reads nothing.
func (l *lines) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
	l.rest = nil
	if l.err == nil {
		l.err = errEnded
	}
}

// own reports whether the items themselves ended it all, with an error.
func (l *lines) own() bool { return !errors.Is(l.err, errEnded) && !errors.Is(l.err, io.EOF) }
