package redistest

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	errExited   = errors.New("redis-server exited")
	errNotReady = errors.New("redis-server did not answer in time")
)

// PID returns the process id of the running server.
func (s *Server) PID() int { return s.process.PID() }

// Kill ends the server as a crash does, with SIGKILL, and returns when it is gone. Killing a dead server
// is fine.
func (s *Server) Kill() { s.process.End(syscall.SIGKILL) }

// Restart starts the server again on the same data and address and waits until its data is loaded. A
// server that still runs is killed first.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	s.start()
}

// Pause stops the server with SIGSTOP: connections stay open and nothing answers.
func (s *Server) Pause() { s.tb.Helper(); s.signal(syscall.SIGSTOP) }

// Resume lets a paused server go on.
func (s *Server) Resume() { s.tb.Helper(); s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.tb.Helper()
	if err := s.process.Signal(sig); err != nil {
		s.tb.Fatalf("redistest: send %v: %v", sig, err)
	}
}

// start launches the program until it is ready. A loopback port can be lost to another process between
// the moment it was found free and the moment Redis binds it; a first start then takes another one, and a
// restart, which must keep its port, tries again until the deadline.
func (s *Server) start() {
	s.tb.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.tb.Context()), patience)
	defer cancel()
	first := s.Addr == ""
	for {
		if first {
			s.Addr, s.bus = s.freeAddr(ctx), s.freeBus(ctx)
		}
		err := s.launch(ctx)
		if err == nil {
			return
		}
		if s.Network != "tcp" || !errors.Is(err, errExited) || ctx.Err() != nil {
			s.tb.Fatalf("redistest: %v\n%s", err, s.log())
		}
	}
}

func (s *Server) launch(ctx context.Context) error {
	p, err := spawn(s.Dir, s.config(), s.mode.args()...)
	if err != nil {
		return err
	}
	s.process = p
	return s.ready(ctx)
}

// ready asks over the socket in Dir, which no other server can hold, until PING is answered with PONG. While
// data is being loaded the answer is LOADING, an error. It speaks the protocol itself because a client of
// go-redis waits 100 ms after each refused connection, four times what the whole start takes.
func (s *Server) ready(ctx context.Context) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !s.pong(ctx) {
		select {
		case <-s.process.Done():
			return errExited
		case <-ctx.Done():
			return errNotReady
		case <-tick.C:
		}
	}
	return nil
}

func (s *Server) pong(ctx context.Context) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", s.socket)
	if err != nil {
		return false
	}
	defer conn.Close()
	const answer = "+PONG\r\n"
	got := make([]byte, len(answer))
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.WriteString(conn, "PING\r\n"); err != nil {
		return false
	}
	_, err = io.ReadFull(conn, got)
	return err == nil && string(got) == answer
}

func (s *Server) freeAddr(ctx context.Context) string {
	s.tb.Helper()
	if s.Network == "unix" {
		return s.socket
	}
	return freePort(ctx, s.tb)
}

// freeBus is where the nodes of a cluster talk: by default 10,000 above the port, which may be no port at all.
func (s *Server) freeBus(ctx context.Context) string {
	s.tb.Helper()
	if s.mode != node {
		return ""
	}
	return portOf(freePort(ctx, s.tb))
}

func freePort(ctx context.Context, tb testing.TB) string {
	tb.Helper()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("redistest: find a free port: %v", err)
	}
	defer l.Close()
	return l.Addr().String()
}

func portOf(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }
