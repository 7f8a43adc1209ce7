package native_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processor is the time that this process has had on all cores, in what it does itself and what the system does for it.
func processor(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// processors is the time that this process and all below it have had: those of the browser, and those that ended and were waited for.
func processors(tb testing.TB) time.Duration {
	tb.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		tb.Fatal(err)
	}
	parents, spent := map[int]int{}, map[int]time.Duration{}
	for _, stat := range stats {
		if p, ok := readStat(stat); ok {
			parents[p.id], spent[p.id] = p.parent, p.spent
		}
	}
	self, sum := os.Getpid(), processor(tb)
	for id, took := range spent {
		for up := parents[id]; up > 1; up = parents[up] {
			if up == self {
				sum += took
				break
			}
		}
	}
	return sum
}

// process is a line of the system's table of processes.
type process struct {
	id, parent int
	spent      time.Duration // its own, and that of its children that ended
}

// readStat reads /proc/ID/stat (proc(5)); a process may be gone by then.
func readStat(path string) (p process, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return process{}, false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 15 {
		return process{}, false
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs
	for _, field := range fields[11:15] {
		var ticks int64
		if _, err := fmt.Sscan(field, &ticks); err != nil {
			return process{}, false
		}
		p.spent += time.Duration(ticks) * tick
	}
	_, errID := fmt.Sscan(filepath.Base(filepath.Dir(path)), &p.id)
	_, errParent := fmt.Sscan(fields[1], &p.parent)
	return p, errID == nil && errParent == nil
}
