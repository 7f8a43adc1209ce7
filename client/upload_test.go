package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// many is more than fits into the buffers between a client and a server.
const many = 20_000

// counted gives many items and counts how often it began, how many it gave, and whether two goings ever overlapped.
type counted struct {
	begun, given, going atomic.Int64
	overlap             atomic.Bool
}

func (c *counted) items() iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		c.begun.Add(1)
		if c.going.Add(1) > 1 {
			c.overlap.Store(true)
		}
		defer c.going.Add(-1)
		pad := strings.Repeat("x", 200)
		for i := range many {
			c.given.Add(1)
			if !yield(fmt.Appendf(nil, `{"html":"%s","document_key":"k:%d"}`, pad, i), nil) {
				return
			}
		}
	}
}

// listen is a server over a socket; each request is told its number, from 1.
func listen(t *testing.T, answer func(n int64, w http.ResponseWriter, r *http.Request)) *client.Client {
	t.Helper()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(n.Add(1), w, r) }))
	t.Cleanup(server.Close)
	return &client.Client{BaseURL: server.URL, Key: "plt_x_y"}
}

// take reads so many lines.
func take(t *testing.T, r io.Reader, most int) int {
	t.Helper()
	lines, n := bufio.NewScanner(r), 0
	for n < most && lines.Scan() {
		n++
	}
	return n
}

func TestAnUploadThatIsCutThriceIsOneBatch(t *testing.T) {
	t.Parallel()
	keys := map[string]int{}
	var source counted
	var whole int
	c := listen(t, func(n int64, w http.ResponseWriter, r *http.Request) {
		keys[r.Header.Get("Idempotency-Key")]++
		if n <= 3 {
			take(t, r.Body, many/2)
			cut(w, r)
		}
		whole = take(t, r.Body, 2*many)
		acceptedBatch(batch(api.BatchRunning, api.BatchCounts{Waiting: many}))(w, r)
	})
	sent, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: source.items})
	if err != nil || sent.Batch.Items != many {
		t.Fatalf("submit: %+v, %v", sent, err)
	}
	if whole != many+1 || len(keys) != 1 || keys[sent.IdempotencyKey] != 4 {
		t.Errorf("%d lines arrived, under the keys %v", whole, keys)
	}
	if source.begun.Load() != 4 || source.going.Load() != 0 || source.overlap.Load() {
		t.Errorf("the items were gone through %d times, %d goings are left, overlap is %v", source.begun.Load(), source.going.Load(), source.overlap.Load())
	}
}

func TestItemsAreMadeAsTheyAreSent(t *testing.T) {
	t.Parallel()
	var source counted
	c := listen(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		take(t, r.Body, many/10)
		if n := source.given.Load(); n == many {
			t.Errorf("%d items were made before a tenth was read", n)
		}
		take(t, r.Body, 2*many)
		acceptedBatch(batch(api.BatchRunning, api.BatchCounts{Waiting: many}))(w, r)
	})
	if _, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: source.items}); err != nil {
		t.Error(err)
	}
}

func TestARefusalIsHeardBeforeTheEndOfAnUpload(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]int{"by the header of the request": 0, "by the first item": 2, "half-way": many / 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var source counted
			c := listen(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
				take(t, r.Body, read)
				problem(http.StatusUnprocessableEntity, api.CodeBatchRefused)(w, r)
			})
			_, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: source.items})
			if !client.HasCode(err, api.CodeBatchRefused) {
				t.Errorf("the error is %v", err)
			}
			if source.going.Load() != 0 || read == 0 && source.given.Load() > 0 {
				t.Errorf("%d goings are left, %d items were made", source.going.Load(), source.given.Load())
			}
		})
	}
}

func TestItemsThatFailEndAnUploadAtOnce(t *testing.T) {
	t.Parallel()
	gone := errors.New("the table is gone")
	begun := 0
	c := listen(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		if n, err := io.Copy(io.Discard, r.Body); err == nil {
			t.Errorf("the server saw a whole body of %d bytes", n)
		}
	})
	_, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: func() iter.Seq2[json.RawMessage, error] {
		begun++
		return func(yield func(json.RawMessage, error) bool) {
			_ = yield(json.RawMessage(`{"html":"a"}`), nil) && yield(nil, gone)
		}
	}})
	if !errors.Is(err, gone) || begun != 1 || err.Error() != "item 1: the table is gone" {
		t.Errorf("after %d goings the error is %v", begun, err)
	}
}

func TestTheContextEndsAnUpload(t *testing.T) {
	t.Parallel()
	var source counted
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	released := make(chan struct{})
	c := listen(t, func(_ int64, _ http.ResponseWriter, r *http.Request) {
		take(t, r.Body, 10)
		cancel(enough)
		<-released
	})
	_, err := c.SubmitBatch(ctx, client.BatchSubmission{Items: source.items})
	close(released)
	if !errors.Is(err, enough) || source.going.Load() != 0 {
		t.Errorf("the error is %v, %d goings are left", err, source.going.Load())
	}
}

func TestRepeatedUploadsAreBoundedByTheirPauses(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	c := listen(t, func(n int64, w http.ResponseWriter, r *http.Request) {
		requests.Store(n)
		cut(w, r)
	})
	c.RetryFor = 500 * time.Millisecond
	if _, err := c.SubmitBatch(t.Context(), client.BatchSubmission{Items: keyed("a")}); err == nil || requests.Load() < 2 || requests.Load() > 4 {
		t.Errorf("after %d requests: %v", requests.Load(), err)
	}
}
