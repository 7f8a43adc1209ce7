package redisd_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/redisd"
	"github.com/platen-render/platen/internal/redistest"
)

func TestDataSurvivesARestartOfTheSupervisor(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "on demand ü")
	first := run(t, dir)
	first.write()
	first.stop()
	second := run(t, dir)
	second.wantWritten()
}

func TestTheServerIsPrivateAndDurable(t *testing.T) {
	t.Parallel()
	r := run(t, t.TempDir())
	got, err := redistest.Dial(t, "unix", r.socket).ConfigGet(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"port": "0", "appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": "", "dir": r.dir,
	} {
		if got[name] != want {
			t.Errorf("%s = %q, want %q", name, got[name], want)
		}
	}
	stat, err := os.Stat(r.socket)
	if err != nil || stat.Mode().Perm() != 0o700 {
		t.Errorf("the socket: %v, %v", stat.Mode(), err)
	}
	if pgid, err := syscall.Getpgid(r.pid()); err != nil || pgid != r.pid() {
		t.Errorf("process group %d, %v", pgid, err)
	}
}

func TestTheEndOfTheContextEndsTheServer(t *testing.T) {
	t.Parallel()
	r := run(t, t.TempDir())
	pid := r.pid()
	r.stop()
	wantGone(t, pid)
	if _, err := os.Stat(r.socket); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestASecondSupervisorIsRefused(t *testing.T) {
	t.Parallel()
	first := run(t, t.TempDir())
	link := filepath.Join(t.TempDir(), "link") // another spelling of the same folder
	if err := os.Symlink(first.dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{first.dir, link} {
		err := refusedRun(t, supervisor(t, dir))
		if !errors.Is(err, redisd.ErrInUse) || !strings.Contains(err.Error(), first.dir) {
			t.Errorf("got %v", err)
		}
	}
	first.write()
	first.wantWritten()
}

func TestAKilledServerIsStartedAgainWithItsData(t *testing.T) {
	t.Parallel()
	r := run(t, t.TempDir())
	r.write()
	for range 3 {
		pid := r.pid()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "another server", func() bool { now, err := askPID(t, r.socket); return err == nil && now != pid })
		r.wantWritten()
	}
	if r.announced() != 1 {
		t.Errorf("ready was called %d times", r.announced())
	}
}

func TestAMissingProgramIsNamed(t *testing.T) {
	t.Setenv("PATH", "")
	for _, path := range []string{"", "/nonexistent/redis-server"} {
		s := supervisor(t, t.TempDir())
		s.Path = path
		err := refusedRun(t, s)
		if !errors.Is(err, redisd.ErrMissing) || !strings.Contains(err.Error(), "apt-get install redis-server") {
			t.Errorf("path %q: %v", path, err)
		}
	}
}

func TestAServerThatCannotStartIsAnErrorThatNamesTheLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "appendonlydir"), []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := refusedRun(t, supervisor(t, dir))
	if !errors.Is(err, redisd.ErrStart) || !strings.Contains(err.Error(), "redis.log") {
		t.Errorf("got %v", err)
	}
}

func TestALongPathGetsASocketElsewhere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 30))
	first := run(t, dir)
	first.write()
	short := filepath.Dir(first.socket)
	if strings.HasPrefix(first.socket, dir) || len(first.socket) > 103 {
		t.Errorf("the socket is %s", first.socket)
	}
	first.stop()
	if _, err := os.Stat(short); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there: %v", short, err)
	}

	if err := os.Mkdir(short, 0o755); err != nil { // somebody made it first, and others may enter
		t.Fatal(err)
	}
	if err := refusedRun(t, supervisor(t, dir)); !errors.Is(err, redisd.ErrForeign) {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(short); err != nil {
		t.Fatal(err)
	}
	second := run(t, dir)
	second.wantWritten()
	if second.socket != first.socket {
		t.Errorf("the socket moved from %s to %s", first.socket, second.socket)
	}
}

func TestAContextThatEndedStartsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := supervisor(t, dir).Run(ctx, func(string) { t.Error("ready was called") })
	if err != nil {
		t.Error(err)
	}
	for _, pid := range serversIn(t, dir) {
		t.Errorf("process %d runs", pid)
	}
}

func wantGone(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there: %v", pid, err)
	}
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-deadline:
			t.Fatalf("%s did not come in time", what)
		case <-tick.C:
		}
	}
}
