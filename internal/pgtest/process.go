package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
)

// superuser is the only role of a server. The folder of the socket lets nobody else in, so it needs no password.
const superuser = "tester"

// initialize makes the data folder.
func (s *Server) initialize(ctx context.Context, initdb string) error {
	//nolint:gosec // the program that findPrograms found
	cmd := exec.CommandContext(ctx, initdb, "--pgdata="+s.data(), "--username="+superuser, "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner.credential}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// command is the server, on a socket in our folder and on no port.
func (s *Server) command(postgres string) (*exec.Cmd, error) {
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return nil, err
	}
	//nolint:noctx,gosec // The end of the test ends it, by pid; the program is the one that findPrograms found.
	cmd := exec.Command(postgres, "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-F",
		"-c", "max_connections=200", "-c", "shared_buffers=32MB", "-c", "autovacuum=off")
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	cmd.SysProcAttr = dieWithParent()
	cmd.SysProcAttr.Credential = s.owner.credential
	return cmd, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// process is a running server. done is closed when it has ended and been waited for.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// spawn starts the command on a locked thread that stays until the command has ended: the kernel ends a child that asked
// for it together with the thread that made it (prctl(2), PR_SET_PDEATHSIG), so a test binary that dies leaves no server.
func spawn(cmd *exec.Cmd, err error) (*process, error) {
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // told to is how it ends
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	return p, nil
}

// end asks for an immediate shutdown, which takes the server's own children along.
func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // it may have ended by itself
	<-p.done
}
