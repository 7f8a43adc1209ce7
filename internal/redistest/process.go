package redistest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/platen-render/platen/internal/subprocess"
)

var errMissing = errors.New("redis-server is not installed (Debian package: redis-server)")

// spawn starts redis-server with the given configuration, and arguments behind it; its output goes to redis.log in dir. The configuration is a
// file, because a test binary that dies before it has written a pipe would leave a Redis with the default port.
func spawn(dir, config string, args ...string) (*subprocess.Process, error) {
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

	//nolint:noctx,gosec // The end of the test ends it; the program is the one PATH names.
	cmd := exec.Command(path, append([]string{file}, args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	return subprocess.Start(cmd, syscall.SIGKILL)
}
