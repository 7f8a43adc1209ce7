package redisd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// pollEvery is how often a question is repeated whose answer nobody announces.
const pollEvery = 5 * time.Millisecond

var errEnded = errors.New("redis-server ended")

// server is a running redis-server. done is closed when it is dead.
type server struct {
	process *os.Process
	adopted bool
	done    chan struct{}
}

// start runs the program. The server inherits lock; a process group of its own keeps a Ctrl-C at the terminal
// away from it, so that API and workers can still finish, and nothing ends it together with a supervisor
// that is killed.
func (s *Supervisor) start(ctx context.Context, home folder, lock *os.File) (*server, error) {
	defer lock.Close() // the server's copy keeps it locked
	if _, err := ask(ctx, home.socket, "PING"); err == nil || refused(err) {
		return nil, ErrForeign.With("A Redis that Platen did not start answers at %s.", home.socket)
	}
	path, err := exec.LookPath(cmp.Or(s.Path, "redis-server"))
	if err != nil {
		return nil, ErrMissing.Because(err)
	}
	if err := os.WriteFile(home.file("redis.conf"), []byte(config(home)), 0o600); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(home.file("redis.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()

	//nolint:gosec // The program and the folder are the operator's.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, home.file("redis.conf"))
	cmd.Dir = home.dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{lock}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, ErrStart.Because(err)
	}
	srv := &server{process: cmd.Process, done: make(chan struct{})}
	go func() {
		defer close(srv.done)
		_ = cmd.Wait() // that it ended is the news, however it did
	}()
	return srv, nil
}

// stop ends the server as it wants to be ended, or after the grace by force. A dead server is fine.
func (srv *server) stop() {
	_ = srv.process.Signal(syscall.SIGTERM) // it may have ended by itself
	select {
	case <-srv.done:
		return
	case <-time.After(grace):
	}
	_ = srv.process.Kill()
	<-srv.done
}

// config is the redis.conf. It is a file, complete before the program starts, and not its standard input: a
// supervisor killed before it has written would leave a Redis with the default settings, which listens
// on port 6379 of every address. "always" is what makes an answered write safe; noeviction keeps Redis from
// forgetting records when memory is short.
func config(home folder) string {
	return strings.Join([]string{
		"port 0",
		"unixsocket " + quote(home.socket),
		"unixsocketperm 700",
		"dir " + quote(home.dir),
		"appendonly yes",
		"appendfsync always",
		"no-appendfsync-on-rewrite no",
		"maxmemory-policy noeviction",
		`save ""`,
	}, "\n") + "\n"
}

// quote writes a value so that redis.conf takes every byte of it.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c == '"' || c == '\\' || c < ' ' || c > '~' {
			fmt.Fprintf(&b, `\x%02x`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}
