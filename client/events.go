package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

// StreamEvent is one event of a stream. Of the last five members one is set, but with [api.StreamReset], and with an event that this
// version does not know.
type StreamEvent struct {
	// ID names the event: another stream can go on behind it. A reset has none.
	ID   string
	Name api.StreamEvent

	Job    *api.Job            // of a snapshot of [Client.JobEvents]
	Batch  *api.Batch          // of a snapshot of [Client.BatchEvents]
	Tenant *api.TenantSnapshot // of a snapshot of [Client.Events]

	JobChange   *api.JobChange
	BatchChange *api.BatchChange
}

// JobEvents goes through what happens to a job: how it stands, each change, until it has ended. It goes on behind the event that after
// names, "" for none. When the connection is lost it comes back and goes on, without a gap and without an event twice; a server that kept
// too little for that says [api.StreamReset], and how the job stands then. After an error it ends: that of ctx, or of a server that gives
// no answer for RetryFor. Error: [api.CodeJobNotFound].
func (c *Client) JobEvents(ctx context.Context, id, after string) iter.Seq2[StreamEvent, error] {
	path, err := segment("/jobs/", id, "/events")
	return c.events(ctx, path, after, err, kindOfStream{
		subject: func(e *StreamEvent) any { e.Job = new(api.Job); return e.Job },
		ends: func(e StreamEvent) bool {
			return e.Job != nil && Terminal(e.Job.Status) || e.JobChange != nil && Terminal(e.JobChange.Status)
		},
	})
}

// BatchEvents goes through what happens to a batch and the jobs that it makes, until each item has ended, in the way of
// [Client.JobEvents]. Error: [api.CodeBatchNotFound].
func (c *Client) BatchEvents(ctx context.Context, id, after string) iter.Seq2[StreamEvent, error] {
	path, err := segment("/batches/", id, "/events")
	return c.events(ctx, path, after, err, kindOfStream{
		subject: func(e *StreamEvent) any { e.Batch = new(api.Batch); return e.Batch },
		ends: func(e StreamEvent) bool {
			return e.Batch != nil && BatchTerminal(e.Batch.Status) || e.BatchChange != nil && BatchTerminal(e.BatchChange.Status)
		},
	})
}

// Events goes through what happens to all jobs and batches of the tenant, in the way of [Client.JobEvents], until ctx ends.
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[StreamEvent, error] {
	return c.events(ctx, "/events", after, nil, kindOfStream{
		subject: func(e *StreamEvent) any { e.Tenant = new(api.TenantSnapshot); return e.Tenant },
		ends:    func(StreamEvent) bool { return false },
	})
}

// silence is how long a stream may give no sign of life before it is taken for lost. The server gives one each 15 seconds.
const silence = 45 * time.Second

// kindOfStream is what streams differ in.
type kindOfStream struct {
	subject func(*StreamEvent) any // makes the member for a snapshot
	ends    func(StreamEvent) bool // whether nothing comes after an event
}

// follower reads one stream over as many connections as it takes.
type follower struct {
	kindOfStream

	client *Client
	path   string
	last   string        // the id to go on from
	pause  time.Duration // before the next connection
}

func (c *Client) events(ctx context.Context, path, after string, wrong error, kind kindOfStream) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		f := &follower{kindOfStream: kind, client: c, path: path, last: after, pause: firstPause}
		err := wrong
		for more := true; more && err == nil; {
			if more, err = f.connect(ctx, yield); more && err == nil {
				err = sleep(ctx, f.pause-rand.N(f.pause/2+1)) //nolint:gosec // only spreads load
			}
		}
		if err != nil {
			yield(StreamEvent{}, err)
		}
	}
}

// connect reads from one connection. More says that another one is needed.
func (f *follower) connect(ctx context.Context, yield func(StreamEvent, error) bool) (more bool, err error) {
	var conn *connection
	err = f.client.repeat(ctx, false, func() (err error) {
		conn, err = f.open(ctx)
		return err
	})
	if err != nil {
		return false, err
	}
	defer conn.close()
	if conn.res.StatusCode == http.StatusNoContent {
		return false, nil
	}
	if got := conn.res.Header.Get("Content-Type"); !strings.HasPrefix(got, api.StreamType) {
		return false, fmt.Errorf("GET %s: the answer is %q and no stream", f.path, got)
	}
	return f.read(conn, yield)
}

// connection is an answer that goes on. It breaks off when it was silent for too long.
type connection struct {
	res   *http.Response
	alive *time.Timer
	stop  context.CancelCauseFunc
}

func (c *connection) close() {
	c.alive.Stop()
	c.stop(nil)
	_ = c.res.Body.Close() // what was read is used
}

func (f *follower) open(ctx context.Context) (*connection, error) {
	req := request{method: http.MethodGet, path: f.path, header: map[string]string{"Accept": api.StreamType + ", " + api.ProblemType}}
	if f.last != "" {
		req.header["Last-Event-ID"] = f.last
	}
	ctx, stop := context.WithCancelCause(ctx)
	alive := time.AfterFunc(patience, func() { stop(errPatience) })
	res, err := f.client.send(ctx, req) //nolint:bodyclose // by the connection
	if err != nil {
		alive.Stop()
		stop(nil)
		return nil, err
	}
	return &connection{res, alive, stop}, nil
}

// read hands events on until the connection breaks off, the stream is over, or nobody wants more.
func (f *follower) read(conn *connection, yield func(StreamEvent, error) bool) (more bool, err error) {
	conn.alive.Reset(silence)
	in := &eventReader{lines: bufio.NewReader(conn.res.Body), last: f.last, pause: f.pause}
	for {
		raw, err := in.next(func() { conn.alive.Reset(silence) })
		f.last, f.pause = in.last, in.pause
		if errors.Is(err, errLongEvent) {
			return false, err
		}
		if err != nil {
			return true, nil //nolint:nilerr // it broke off: another connection goes on
		}
		event, err := f.decode(raw)
		if err != nil {
			return false, err
		}
		if !yield(event, nil) || f.ends(event) {
			return false, nil
		}
	}
}

// decode reads the data of an event.
func (f *follower) decode(raw rawEvent) (StreamEvent, error) {
	e := StreamEvent{ID: raw.id, Name: api.StreamEvent(raw.name)}
	var data any
	switch e.Name {
	case api.StreamSnapshot:
		data = f.subject(&e)
	case api.StreamJob:
		e.JobChange = new(api.JobChange)
		data = e.JobChange
	case api.StreamBatch:
		e.BatchChange = new(api.BatchChange)
		data = e.BatchChange
	case api.StreamReset:
		e.ID = ""
		return e, nil
	default:
		return e, nil
	}
	if err := json.Unmarshal([]byte(raw.data), data); err != nil {
		return StreamEvent{}, fmt.Errorf("GET %s: decode the event %s: %w", f.path, raw.name, err)
	}
	dropNulls(data)
	return e, nil
}
