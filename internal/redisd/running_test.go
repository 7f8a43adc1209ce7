package redisd_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/redisd"
	"github.com/platen-render/platen/internal/redistest"
)

// running is a supervisor whose server is ready.
type running struct {
	t      *testing.T
	dir    string
	socket string
	calls  *atomic.Int32
	cancel context.CancelFunc
	ended  chan error
}

func supervisor(t *testing.T, dir string) *redisd.Supervisor {
	t.Helper()
	return &redisd.Supervisor{Dir: dir, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
}

// run starts a supervisor, waits until it is ready, and stops it at the end of the test at the latest.
func run(t *testing.T, dir string) *running {
	t.Helper()
	return runOf(t, supervisor(t, dir))
}

func runOf(t *testing.T, s *redisd.Supervisor) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	r := &running{t: t, calls: new(atomic.Int32), cancel: cancel, ended: make(chan error, 1)}
	ready := make(chan string, 16)
	go func() { r.ended <- s.Run(ctx, func(socket string) { r.calls.Add(1); ready <- socket }) }()
	t.Cleanup(r.stop)
	select {
	case r.socket = <-ready:
	case err := <-r.ended:
		r.ended <- nil // for the cleanup
		t.Fatalf("run: %v", err)
	case <-time.After(30 * time.Second):
		t.Fatal("the server was not ready in time")
	}
	var err error
	if r.dir, err = filepath.EvalSymlinks(s.Dir); err != nil {
		t.Fatal(err)
	}
	return r
}

// refusedRun runs a supervisor that must not become ready, and returns why.
func refusedRun(t *testing.T, s *redisd.Supervisor) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err := s.Run(ctx, func(string) { t.Error("ready was called"); cancel() })
	if err == nil {
		t.Error("run gave no error")
	}
	return err
}

func (r *running) stop() {
	r.cancel()
	select {
	case err, open := <-r.ended:
		if open && err != nil {
			r.t.Errorf("run: %v", err)
		}
		if open {
			close(r.ended)
		}
	case <-time.After(30 * time.Second):
		r.t.Error("the supervisor did not end in time")
	}
}

func (r *running) announced() int32 { return r.calls.Load() }

func (r *running) pid() int {
	r.t.Helper()
	pid, err := askPID(r.t, r.socket)
	if err != nil {
		r.t.Fatal(err)
	}
	return pid
}

// write keeps a value, and wantWritten looks whether it is there.
func (r *running) write() {
	r.t.Helper()
	if err := redistest.Dial(r.t, "unix", r.socket).Set(r.t.Context(), "k", "v", 0).Err(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *running) wantWritten() {
	r.t.Helper()
	got, err := redistest.Dial(r.t, "unix", r.socket).Get(r.t.Context(), "k").Result()
	if err != nil || got != "v" {
		r.t.Errorf("the value is %q, %v", got, err)
	}
}

// askPID asks on a bare connection: a client would wait and try again, and some callers expect a refusal.
func askPID(t *testing.T, socket string) (int, error) {
	t.Helper()
	conn, err := net.DialTimeout("unix", socket, time.Second)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(conn, "INFO server\r\nQUIT\r\n"); err != nil {
		return 0, err
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		return 0, err
	}
	_, after, found := strings.Cut(string(answer), "process_id:")
	if !found {
		return 0, fmt.Errorf("no process id in %q", answer)
	}
	digits, _, _ := strings.Cut(after, "\r")
	return strconv.Atoi(digits)
}

// serversIn finds the processes that work in dir: redis-server changes to its data folder. Only Linux has /proc.
func serversIn(t *testing.T, dir string) []int {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil || len(links) == 0 {
		t.Fatalf("this test needs /proc: %v", err)
	}
	var pids []int
	for _, link := range links {
		if cwd, err := os.Readlink(link); err == nil && cwd == dir {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}
