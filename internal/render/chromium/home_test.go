package chromium_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/platen-render/platen/internal/render/chromium"
)

// leaveHome makes what an engine leaves that was killed, or, when it is held, one that lives in another process.
func leaveHome(tb testing.TB, dir, name string, held bool) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Join(path, "profile-1", "Default"), 0o700); err != nil {
		tb.Fatal(err)
	}
	lock, err := os.Create(filepath.Join(path, "lock"))
	if err != nil {
		tb.Fatal(err)
	}
	if !held {
		_ = lock.Close()
		return path
	}
	tb.Cleanup(func() { _ = lock.Close() })
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestWhatAKilledEngineLeftIsRemovedAndWhatALivingOneHasIsNot(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	dead, alive := leaveHome(t, dir, "platen-chromium-1", false), leaveHome(t, dir, "platen-chromium-2", true)
	engines := []*chromium.Engine{newEngine(t, chromium.Options{DataDir: dir}), newEngine(t, chromium.Options{DataDir: dir})}
	for range 2 { // neither takes the other's
		for _, e := range engines {
			if err := e.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed engine left is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(alive, "profile-1", "Default")); err != nil {
		t.Errorf("a living engine has lost its folder: %v", err)
	}
	if homes, _ := filepath.Glob(filepath.Join(dir, "platen-chromium-*", "lock")); len(homes) != 3 {
		t.Errorf("%d folders, want that of the living engine and two of ours: %v", len(homes), homes)
	}
}
