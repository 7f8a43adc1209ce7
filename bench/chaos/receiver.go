package main

import (
	"context"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/platen-render/platen/webhook"
)

// failShare is how often the receiver answers 500, whatever it is sent.
const failShare = 0.2

// receiver takes callbacks, fails a share of them, and remembers the rest.
type receiver struct {
	url    string
	server *http.Server

	mu     sync.Mutex
	random *rand.Rand
	events map[string]*seen // by webhook-id
	bad    int              // that did not verify
}

// seen is an event as it arrived.
type seen struct {
	webhook.Event
	digest [sha256.Size]byte
	times  int  // that were answered 2xx
	differ bool // arrived with another body
}

func newReceiver(ctx context.Context, secrets []string, random *rand.Rand) (*receiver, error) {
	keys := make([]webhook.Secret, len(secrets))
	for i, secret := range secrets {
		var err error
		if keys[i], err = webhook.ParseSecret(secret); err != nil {
			return nil, err
		}
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + ln.Addr().String() + "/", events: map[string]*seen{}, random: random}
	r.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: r.handler(keys)}
	go func() { _ = r.server.Serve(ln) }() // ends with close
	return r, nil
}

func (r *receiver) close() { _ = r.server.Close() }

func (r *receiver) handler(secrets []webhook.Secret) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(io.LimitReader(req.Body, webhook.MaxBody+1))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		event, err := webhook.Receive(secrets, req.Header, body, webhook.Options{})
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case err != nil:
			r.bad++
			w.WriteHeader(http.StatusUnauthorized)
		case r.random.Float64() < failShare:
			w.WriteHeader(http.StatusInternalServerError)
		default:
			r.keep(event, sha256.Sum256(body))
			w.WriteHeader(http.StatusNoContent)
		}
	})
}

func (r *receiver) keep(event webhook.Event, digest [sha256.Size]byte) {
	s, ok := r.events[event.ID]
	if !ok {
		s = &seen{Event: event, digest: digest}
		r.events[event.ID] = s
	}
	s.times++
	s.differ = s.differ || s.digest != digest
}
