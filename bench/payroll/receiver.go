package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/platen-render/platen/webhook"
)

// receiver takes the callbacks of the run, and counts what they are about.
type receiver struct {
	url    string
	server *http.Server

	mu    sync.Mutex
	ended map[string]int // events by document
	runs  int            // batch.completed
	twice int            // that came again
	known map[string]bool
	bad   int // that did not verify
}

func newReceiver(ctx context.Context) (*receiver, error) {
	sign, err := webhook.ParseSecret(secret)
	if err != nil {
		return nil, err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + ln.Addr().String() + "/", ended: map[string]int{}, known: map[string]bool{}}
	r.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(io.LimitReader(req.Body, webhook.MaxBody))
		if err == nil {
			event, wrong := webhook.Receive([]webhook.Secret{sign}, req.Header, body, webhook.Options{})
			r.take(event, wrong)
		}
		w.WriteHeader(http.StatusNoContent)
	})}
	go func() { _ = r.server.Serve(ln) }() // ends with close
	return r, nil
}

func (r *receiver) take(event webhook.Event, wrong error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case wrong != nil:
		r.bad++
	case r.known[event.ID]:
		r.twice++
	case event.Type == webhook.TypeBatchCompleted:
		r.runs++
	default:
		r.ended[event.Data.DocumentID]++
	}
	r.known[event.ID] = true
}

// heard reports whether as many documents were reported, and the run.
func (r *receiver) heard(documents int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ended) >= documents && r.runs > 0
}

func (r *receiver) close() { _ = r.server.Close() }
