package chromium_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// leaveHome makes what an engine leaves that was killed, or, when it is held, one that lives in another process.
func leaveHome(tb testing.TB, dir, name string, held bool) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Join(path, "home", "profile-1", "Default"), 0o700); err != nil {
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
	if _, err := os.Stat(filepath.Join(alive, "home", "profile-1", "Default")); err != nil {
		t.Errorf("a living engine has lost its folder: %v", err)
	}
	if homes, _ := filepath.Glob(filepath.Join(dir, "platen-chromium-*", "lock")); len(homes) != 3 {
		t.Errorf("%d folders, want that of the living engine and two of ours: %v", len(homes), homes)
	}
}

func TestABrowserCannotChangeWhatItsEngineWritesToItsFolder(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	newEngine(t, chromium.Options{DataDir: dir})
	homes, _ := filepath.Glob(filepath.Join(dir, "platen-chromium-*"))
	if len(homes) != 1 {
		t.Fatalf("folders %v", homes)
	}
	for name, want := range map[string]fs.FileMode{"": 0o711, "fonts": 0o755, "fonts.conf": 0o644, "fonts/NotoSans-Regular.ttf": 0o644, "home": 0o700} {
		var stat unix.Stat_t
		if err := unix.Stat(filepath.Join(homes[0], name), &stat); err != nil {
			t.Fatal(err)
		}
		if ours := int(stat.Uid) == os.Geteuid(); os.Geteuid() == 0 && ours == (name == "home") {
			t.Errorf("%q belongs to user %d", name, stat.Uid)
		}
		if mode := fs.FileMode(stat.Mode).Perm(); os.Geteuid() == 0 && mode != want || mode&0o022 != 0 {
			t.Errorf("%q has mode %o, want %o", name, mode, want)
		}
	}
}

func TestAFolderThatWasCleanedAwayIsMadeAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir})
	homes, _ := filepath.Glob(filepath.Join(dir, "platen-chromium-*"))
	if len(homes) != 1 || os.Rename(homes[0], filepath.Join(dir, "taken")) != nil { // the browser that is there still writes
		t.Fatalf("folders %v", homes)
	}
	req := rendertest.Page("<p>still here")
	req.Alone = true // in a browser that is yet to start
	if _, pdf := rendertest.Render(t, e, req); !strings.Contains(rendertest.PageTexts(t, pdf)[0], "still here") {
		t.Error("the text is not in the document")
	}
}

func TestAFontDirectoryThatTheBrowserMayNotReadIsTold(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Log("the browser has the same user, who can read what the engine can")
		return
	}
	for mode, told := range map[fs.FileMode]bool{0o700: true, 0o755: false} {
		fonts := filepath.Join(dataDir(t), "fonts")
		if err := os.Mkdir(fonts, mode); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		e := newEngine(t, chromium.Options{FontDir: fonts, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if strings.Contains(log.String(), "font directory") != told {
			t.Errorf("mode %o: log %q", mode, &log)
		}
	}
}
