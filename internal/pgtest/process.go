package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner.credential}
	return cmd, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }
