package chromium_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// process is what /proc says about one (proc(5)).
type process struct {
	pid, parent, group int
	state, name        string
	uid                int
	args               []string
}

// dataDir makes a directory that the browser's user can reach, unlike t.TempDir.
func dataDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "platen-test-") //nolint:usetesting // the parent of t.TempDir is closed to other users
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// processes returns all that /proc knows now.
func processes(tb testing.TB) []process {
	tb.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		tb.Fatal(err)
	}
	var found []process
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			if p, ok := readProcess(pid); ok {
				found = append(found, p)
			}
		}
	}
	return found
}

func readProcess(pid int) (process, bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, false // it ended meanwhile
	}
	open, end := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
	fields := strings.Fields(string(stat[end+1:]))
	p := process{pid: pid, name: string(stat[open+1 : end]), state: fields[0], uid: -1}
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	if args, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil {
		p.args = strings.Split(strings.TrimSuffix(string(args), "\x00"), "\x00")
	}
	status, _ := os.ReadFile(filepath.Join(dir, "status"))
	for line := range strings.Lines(string(status)) {
		if uids, ok := strings.CutPrefix(line, "Uid:"); ok {
			p.uid, _ = strconv.Atoi(strings.Fields(uids)[0])
		}
	}
	return p, true
}

// leaders returns the browsers whose profiles lie below a directory.
func leaders(tb testing.TB, dataDir string) []process {
	tb.Helper()
	var found []process
	for _, p := range processes(tb) {
		if p.pid == p.group && strings.Contains(strings.Join(p.args, " "), "--user-data-dir="+dataDir) {
			found = append(found, p)
		}
	}
	return found
}

// members returns the processes of a group, zombies included.
func members(tb testing.TB, group int) []process {
	tb.Helper()
	var found []process
	for _, p := range processes(tb) {
		if p.group == group {
			found = append(found, p)
		}
	}
	return found
}

// renderers returns the processes of a group that hold pages.
func renderers(tb testing.TB, group int) []process {
	tb.Helper()
	return slices.DeleteFunc(members(tb, group), func(p process) bool {
		return !strings.Contains(strings.Join(p.args, " "), "--type=renderer")
	})
}

// eventually polls until a condition holds.
func eventually(tb testing.TB, what string, limit time.Duration, holds func() bool) {
	tb.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(limit)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			tb.Fatalf("not within %s: %s", limit, what)
		}
	}
}
