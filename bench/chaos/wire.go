package main

import (
	"context"
	"io"
	"net"
	"sync"
	"time"
)

// wire is the connection between the processes and Redis, which can be cut: Redis is there and cannot be reached.
type wire struct {
	ln              net.Listener
	network, target string

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
	group sync.WaitGroup
}

// newWire listens at one address and passes on to another.
func newWire(ctx context.Context, network, addr, toNetwork, to string) (*wire, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	w := &wire{ln: ln, network: toNetwork, target: to, conns: map[net.Conn]bool{}}
	w.group.Go(w.accept)
	return w, nil
}

// addr is where it listens.
func (w *wire) addr() string { return w.ln.Addr().String() }

func (w *wire) accept() {
	for {
		conn, err := w.ln.Accept()
		if err != nil {
			return
		}
		if !w.add(conn) {
			_ = conn.Close()
			continue
		}
		w.group.Go(func() { w.pass(conn) })
	}
}

func (w *wire) add(conn net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return false
	}
	w.conns[conn] = true
	return true
}

func (w *wire) remove(conn net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, conn)
	_ = conn.Close()
}

func (w *wire) pass(client net.Conn) {
	defer w.remove(client)
	server, err := net.Dial(w.network, w.target) //nolint:noctx // what is local answers or fails at once
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
	_ = client.Close()
	<-done
}

// breakFor cuts all connections and lets no new one through for d.
func (w *wire) breakFor(ctx context.Context, d time.Duration) {
	w.mu.Lock()
	w.cut = true
	for conn := range w.conns {
		_ = conn.Close()
	}
	w.mu.Unlock()
	pause(ctx, d)
	w.mu.Lock()
	w.cut = false
	w.mu.Unlock()
}

func (w *wire) close() {
	_ = w.ln.Close()
	w.mu.Lock()
	for conn := range w.conns {
		_ = conn.Close()
	}
	w.mu.Unlock()
	w.group.Wait()
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
