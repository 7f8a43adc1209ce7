package redisd_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/platen-render/platen/internal/redisd"
	"github.com/platen-render/platen/internal/redistest"
)

// childDir tells the test binary to be a supervisor that a test will kill.
const childDir = "PLATEN_TEST_REDISD_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		s := redisd.Supervisor{Dir: dir, Logger: slog.New(slog.DiscardHandler)}
		fmt.Println(s.Run(context.Background(), func(socket string) { fmt.Println("ready", socket) }))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestTheServerOfAKilledSupervisorIsAdopted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	child := startChild(t, dir)
	line, err := child.out.ReadString('\n')
	socket, isReady := strings.CutPrefix(strings.TrimSpace(line), "ready ")
	if err != nil || !isReady {
		t.Fatalf("the child said %q, %v", line, err)
	}
	if err := refusedRun(t, supervisor(t, dir)); !errors.Is(err, redisd.ErrInUse) {
		t.Errorf("beside a live one: %v", err)
	}
	pid, err := askPID(t, socket)
	if err != nil {
		t.Fatal(err)
	}
	if err := redistest.Dial(t, "unix", socket).Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	child.kill()

	r := run(t, dir)
	if r.socket != socket || r.pid() != pid {
		t.Errorf("process %d at %s was not adopted: now %d at %s", pid, socket, r.pid(), r.socket)
	}
	r.wantWritten()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a successor of the adopted server", func() bool { now, err := askPID(t, socket); return err == nil && now != pid })
	r.wantWritten()
}

func TestAnAdoptedServerIsStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	child := startChild(t, dir)
	if _, err := child.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	child.kill()
	r := run(t, dir)
	r.stop()
	wantNoServer(t, dir)
}

// A supervisor killed between the start of the server and its first answer is where a second server on the
// same data would come from.
func TestAKillAtAnyMomentLeavesOneServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begun := 0
	for round := range 12 {
		child := startChild(t, dir)
		log := filepath.Join(dir, "redis.log") // made just before the server is started
		if err := os.Remove(log); err != nil && round > 0 {
			t.Fatal(err)
		}
		eventually(t, "the start", func() bool { _, err := os.Stat(log); return err == nil })
		<-time.After(time.Duration(round) * time.Millisecond)
		child.kill()
		begun += len(serversIn(t, dir))

		r := run(t, dir)
		if pids := serversIn(t, r.dir); len(pids) != 1 || pids[0] != r.pid() {
			t.Errorf("round %d: servers %v", round, pids)
		}
		r.stop()
		wantNoServer(t, dir)
	}
	if begun == 0 {
		t.Error("no kill left a server behind: this test proved nothing")
	}
}

func TestAForeignServerIsNotTouched(t *testing.T) {
	t.Parallel()
	foreign := redistest.Start(t)
	dir := t.TempDir()
	if err := os.Symlink(foreign.Addr, filepath.Join(dir, "redis.sock")); err != nil {
		t.Fatal(err)
	}
	if err := refusedRun(t, supervisor(t, dir)); !errors.Is(err, redisd.ErrForeign) {
		t.Errorf("with nobody at the data: %v", err)
	}
	holdServerLock(t, dir)
	if err := refusedRun(t, supervisor(t, dir)); !errors.Is(err, redisd.ErrForeign) {
		t.Errorf("with somebody else at the data: %v", err)
	}
	if err := foreign.Client().Ping(t.Context()).Err(); err != nil {
		t.Errorf("the foreign server: %v", err)
	}
}

func TestASilentServerIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	child := startChild(t, dir)
	if _, err := child.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	child.kill()
	pids := serversIn(t, dir)
	if len(pids) != 1 {
		t.Fatalf("servers %v", pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	err := refusedRun(t, supervisor(t, dir).WithSilence(300*time.Millisecond))
	if !errors.Is(err, redisd.ErrSilent) {
		t.Errorf("got %v", err)
	}
	if now := serversIn(t, dir); len(now) != 1 || now[0] != pids[0] {
		t.Errorf("servers %v, want %v", now, pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	run(t, dir).stop()
	wantNoServer(t, dir)
}

func holdServerLock(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "server.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		t.Fatal(err)
	}
}

// wantNoServer waits a moment for process 1 to reap an orphan; a zombie works nowhere.
func wantNoServer(t *testing.T, dir string) {
	t.Helper()
	eventually(t, "the end of all servers", func() bool { return len(serversIn(t, dir)) == 0 })
}

type child struct {
	cmd *exec.Cmd
	out *bufio.Reader
}

// startChild runs a supervisor in a process of its own.
func startChild(t *testing.T, dir string) *child {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		c.kill()
		for _, pid := range serversIn(t, dir) { // only after a failure
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return c
}

// kill ends the supervisor as a crash does.
func (c *child) kill() {
	_ = c.cmd.Process.Kill() // it may be dead
	_ = c.cmd.Wait()
}
