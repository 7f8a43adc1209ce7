package chromium

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	homePrefix = "platen-chromium-"
	homeLock   = "lock"
)

// home is the folder of all browsers of an engine. It holds a lock that ends with the process, so that the next one can tell
// what a killed one has left. It is this process' own, and what is in it is read by the browsers; own is a folder in it that is theirs, and
// in which this process follows no link.
type home struct {
	dir, own string
	lock     *os.File
}

// newHome makes a folder under dir, or under that for temporary files, and removes those of engines that are dead.
func newHome(dir string, user *User, logger *slog.Logger) (*home, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	sweepHomes(dir, logger)
	path, err := os.MkdirTemp(dir, homePrefix)
	if err != nil {
		return nil, fmt.Errorf("make a home for the browser: %w", err)
	}
	h := &home{dir: path, own: filepath.Join(path, "home")}
	if err := h.prepare(user); err != nil {
		return nil, errors.Join(fmt.Errorf("give the browser its home: %w", err), h.remove())
	}
	return h, nil
}

// prepare locks the folder and gives it to the user of the browser. The lock gets its name when it is held: one that
// can be taken belongs to a dead process.
func (h *home) prepare(user *User) error {
	f, err := os.OpenFile(filepath.Join(h.dir, homeLock+".new"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	h.lock = f
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(h.dir, homeLock)); err != nil {
		return err
	}
	if err := os.Mkdir(h.own, 0o700); err != nil || user == nil {
		return err
	}
	if err := os.Chmod(h.dir, 0o711); err != nil { //nolint:gosec // the browser's user passes through, and sees no names
		return err
	}
	return os.Lchown(h.own, int(user.UID), int(user.GID))
}

// there reports whether the folder is still there: what cleans temporary files up may have taken it for an old one.
func (h *home) there() bool {
	_, err := os.Stat(h.own)
	return err == nil
}

// remove removes the folder, and then the lock.
func (h *home) remove() error {
	err := os.RemoveAll(h.dir)
	if h.lock != nil {
		err = errors.Join(err, h.lock.Close())
	}
	return err
}

// sweepHomes removes what killed engines have left. What cannot be told or removed stays: it is only in the way of the disk.
func sweepHomes(dir string, logger *slog.Logger) {
	paths, _ := filepath.Glob(filepath.Join(dir, homePrefix+"*")) // the pattern is well formed
	for _, path := range paths {
		lock, err := os.OpenFile(filepath.Join(path, homeLock), os.O_RDWR|unix.O_NOFOLLOW, 0) //nolint:gosec // a name of ours
		if err != nil {
			continue
		}
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			err = os.RemoveAll(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			logger.Warn("left-over folder of a browser not removed", slog.String("error", err.Error()))
		}
		_ = lock.Close() // nothing was written
	}
}
