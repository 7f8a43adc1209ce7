package redistest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
)

var errMissing = errors.New("redis-server is not installed (Debian package: redis-server)")

// process is one run of redis-server. done is closed when it has ended and been waited for.
type process struct {
	pid  int
	cmd  *exec.Cmd
	done chan struct{}
}

// spawn starts redis-server with the given configuration, and arguments behind it; its output goes to redis.log in dir. The configuration is a
// file, because a test binary that dies before it has written a pipe would leave a Redis with the default port.
func spawn(dir, config string, args ...string) (*process, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errMissing
	}
	file := filepath.Join(dir, "redis.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	//nolint:gosec // The folder is the one that Start made.
	log, err := os.OpenFile(filepath.Join(dir, "redis.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()

	p := &process{done: make(chan struct{})}
	//nolint:noctx,gosec // The end of the test ends it, by pid; the program is the one PATH names.
	p.cmd = exec.Command(path, append([]string{file}, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = dieWithParent()

	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	return p, nil
}

// run starts the program and waits for it on one locked thread: the kernel ends a child that asked for it
// when the thread that made it ends, not the process (prctl(2), PR_SET_PDEATHSIG). So a test binary that is
// killed, or that dies of its own timeout, leaves no server behind.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	err := p.cmd.Start()
	if err == nil {
		p.pid = p.cmd.Process.Pid
	}
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // killed is how it ends
	}
}

func (p *process) signal(sig syscall.Signal) error { return p.cmd.Process.Signal(sig) }

func (p *process) kill() {
	_ = p.signal(syscall.SIGKILL) // it may have ended by itself
	<-p.done
}
