package chromium

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Rules of this file:
//   - A browser is a tree of processes. It gets a process group of its own, and the group dies as a whole.
//   - This process is a subreaper (prctl(2)), so children that outlive the browser become ours. They are waited
//     for by the number of the group: never those of anybody else, and none is left as a zombie.
//   - The number of a group is ours while its leader has not been waited for. So the leader is watched with
//     WNOWAIT, the group is killed while the leader still holds the number, and only then all are collected.
//   - The parent-death signal follows the thread that forked. That thread is held for as long as the group lives.

// group is a process group that this process started.
type group struct {
	pgid   int
	reaped chan struct{} // closed when no process of the group is left, not even a zombie

	mu      sync.Mutex
	reaping bool
}

// startGroup starts a program as the leader of a new process group. A nil user keeps the present one.
func startGroup(path string, args, env []string, dir string, user *User, files []*os.File) (*group, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("become a subreaper: %w", err)
	}
	attr := &os.ProcAttr{Dir: dir, Env: env, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}}
	if user != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: user.UID, Gid: user.GID}
	}
	g := &group{reaped: make(chan struct{})}
	started := make(chan error)
	go g.supervise(path, append([]string{path}, args...), attr, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return g, nil
}

func (g *group) supervise(path string, args []string, attr *os.ProcAttr, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process, err := os.StartProcess(path, args, attr)
	if err != nil {
		started <- err
		return
	}
	g.pgid = process.Pid
	_ = process.Release() // it is waited for below, as one of its group
	started <- nil

	g.awaitLeader()
	g.reap()
	close(g.reaped)
}

func (g *group) awaitLeader() {
	for {
		err := unix.Waitid(unix.P_PID, g.pgid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// reap kills what is left and collects all. A parent's children become ours before the parent can be waited
// for, so "no child" is true only when nobody is left.
func (g *group) reap() {
	g.kill()
	g.mu.Lock()
	g.reaping = true
	g.mu.Unlock()
	for {
		_, err := unix.Wait4(-g.pgid, nil, 0, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// kill ends the whole group at once. It may be called at any time, and more than once.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.reaping {
		_ = unix.Kill(-g.pgid, unix.SIGKILL) // ESRCH: they are dead already
	}
}
