package redisd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxSocketPath is the room for a path in sockaddr_un without the closing zero (unix(7): 108 on Linux, 104 on
// the BSDs and macOS).
const maxSocketPath = 103

// claimTime is how long the lock of a supervisor must stay held to be believed.
const claimTime = 500 * time.Millisecond

var errHeld = errors.New("lock is held")

// folder is the data folder. Its dir is absolute and free of symbolic links, as Redis reports it.
type folder struct {
	dir    string
	socket string
}

func openFolder(dir string) (folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return folder{}, fmt.Errorf("data folder: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return folder{}, fmt.Errorf("data folder: %w", err)
	}
	home := folder{dir: dir, socket: filepath.Join(dir, "redis.sock")}
	if len(home.socket) <= maxSocketPath {
		return home, nil
	}
	home.socket, err = shortSocket(dir)
	return home, err
}

// shortSocket finds a place for the socket of a folder whose path is too long, always the same one, so that
// the next supervisor finds it too. A relative path would be short as well, but every process that uses the
// socket would have to sit in the same folder. In a place where everybody may write, the folder must be proven
// to be our own.
func shortSocket(dir string) (string, error) {
	sum := sha256.Sum256([]byte(dir))
	short := filepath.Join(os.TempDir(), "platen-"+hex.EncodeToString(sum[:8]))
	if err := os.Mkdir(short, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("folder for the socket: %w", err)
	}
	stat, err := os.Lstat(short)
	if err != nil {
		return "", fmt.Errorf("folder for the socket: %w", err)
	}
	owner, ok := stat.Sys().(*syscall.Stat_t)
	if !ok || stat.Mode() != os.ModeDir|0o700 || int(owner.Uid) != os.Geteuid() {
		return "", ErrForeign.With("The folder %s, which the socket needs, does not belong to this user alone.", short)
	}
	socket := filepath.Join(short, "redis.sock")
	if len(socket) > maxSocketPath {
		return "", fmt.Errorf("%s is too long for a socket: set TMPDIR to a shorter folder", socket)
	}
	return socket, nil
}

func (f folder) file(name string) string { return filepath.Join(f.dir, name) }

// close removes the folder that only the socket needed; with something in it it stays.
func (f folder) close() {
	if short := filepath.Dir(f.socket); short != f.dir {
		_ = os.Remove(short)
	}
}

// claim takes the lock of the supervisor. A process that a supervisor was just forking when it ended holds a copy
// of everything open until its exec, so that the lock may outlive its owner by some milliseconds: only one
// that stays held has an owner who lives.
func (f folder) claim() (*os.File, error) {
	patience := time.After(claimTime)
	for {
		lock, err := tryLock(f.file("lock"))
		if !errors.Is(err, errHeld) {
			return lock, err
		}
		select {
		case <-patience:
			return nil, ErrInUse.With("The data folder %s is in use, most likely by another platen dev.", f.dir)
		case <-time.After(pollEvery):
		}
	}
}

// tryLock takes the lock of a file, which is never deleted: a new file of that name would be another lock. It
// returns errHeld when somebody has it. Closing the file gives it back.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // in the folder of the operator
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close() // nothing was written
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, errHeld
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}
