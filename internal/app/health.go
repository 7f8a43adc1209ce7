package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/platen-render/platen/internal/fault"
)

// off is the address at which nothing listens.
const off = "off"

// serveHealth serves /livez, /readyz and /metrics of a worker until ctx ends.
func (p *parts) serveHealth(ctx context.Context, ill func() error) error {
	if p.cfg.WorkerAddr == off {
		<-ctx.Done()
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		say(w, errors.Join(ill(), p.store.Ping(r.Context()), p.blobs.Probe(r.Context())))
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.registry, promhttp.HandlerOpts{}))
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.cfg.WorkerAddr)
	if err != nil {
		return fmt.Errorf("PLATEN_WORKER_ADDR: %w", err)
	}
	return serve(ctx, ln, mux)
}

// errStopping turns readiness red before anything else of a process stops.
var errStopping = fault.New(fault.Unavailable, "stopping", "The process is about to end.")

func stopping(ctx context.Context) error {
	if ctx.Err() != nil {
		return errStopping
	}
	return nil
}

func say(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, err.Error()+"\n")
		return
	}
	_, _ = io.WriteString(w, "ok\n")
}

// Time limits of the servers.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	drainTimeout  = 35 * time.Second // longer than the longest wait that a request may ask for
)

// serve serves until ctx ends and running requests have, or the drain time is over.
func serve(ctx context.Context, ln net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
	done := make(chan error, 1)
	go func() {
		<-ctx.Done()
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		done <- server.Shutdown(drain)
	}()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return <-done
}
