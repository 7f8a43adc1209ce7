package redistest_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/redistest"
)

func TestAServerHasTheSettingsOfProduction(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	want := map[string]string{
		"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": "",
		"no-appendfsync-on-rewrite": "no",
	}
	for name, value := range want {
		got, err := client.ConfigGet(t.Context(), name).Result()
		if err != nil || got[name] != value {
			t.Errorf("%s = %q, %v; want %q", name, got[name], err, value)
		}
	}
}

func TestServersShareNothing(t *testing.T) {
	t.Parallel()
	a, b := redistest.Start(t), redistest.Start(t, redistest.TCP())
	if a.Network != "unix" || b.Network != "tcp" || !strings.HasPrefix(b.Addr, "127.0.0.1:") {
		t.Fatalf("listening on %s %s and %s %s", a.Network, a.Addr, b.Network, b.Addr)
	}
	if err := a.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Client().DBSize(t.Context()).Result(); err != nil || n != 0 {
		t.Fatalf("the second server has %d keys, %v", n, err)
	}
}

func TestAnAcknowledgedWriteSurvivesAKill(t *testing.T) {
	t.Parallel()
	for _, opts := range [][]redistest.Option{nil, {redistest.TCP()}} {
		s := redistest.Start(t, opts...)
		client, addr, pid := s.Client(), s.Addr, s.PID()
		if err := client.Set(t.Context(), "k", "v", 0).Err(); err != nil {
			t.Fatal(err)
		}
		s.Kill()
		s.Kill() // of a dead one: fine
		if err := client.Ping(t.Context()).Err(); err == nil {
			t.Fatal("a killed server answers")
		}
		s.Restart()
		if got, err := client.Get(t.Context(), "k").Result(); err != nil || got != "v" {
			t.Fatalf("after the restart k = %q, %v", got, err)
		}
		if s.Addr != addr || s.PID() == pid {
			t.Fatalf("restart moved from %s to %s, pid %d to %d", addr, s.Addr, pid, s.PID())
		}
	}
}

func TestAPausedServerAnswersAfterResume(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	client := s.Client()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	s.Pause()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := client.Ping(ctx).Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a paused server gave %v", err)
	}
	s.Resume()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatalf("after resume: %v", err)
	}
}

func TestExtraConfigurationWins(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t, redistest.Config("maxmemory 8mb", "appendfsync everysec")).Client()
	got, err := client.ConfigGet(t.Context(), "*").Result()
	if err != nil || got["maxmemory"] != "8388608" || got["appendfsync"] != "everysec" {
		t.Fatalf("maxmemory %q, appendfsync %q, %v", got["maxmemory"], got["appendfsync"], err)
	}
}

//nolint:tparallel // The inner test must have ended before the outer one looks.
func TestTheEndOfATestLeavesNothing(t *testing.T) {
	t.Parallel()
	var s *redistest.Server
	t.Run("inner", func(t *testing.T) {
		s = redistest.Start(t)
		s.Pause() // a stopped process must go too
	})
	if err := syscall.Kill(s.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d: %v", s.PID(), err)
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("folder %s: %v", s.Dir, err)
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		redistest.Start(b).Kill()
	}
}
