package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// killBrowser ends a browser of a worker, and nothing else of it, as the kernel does when memory is short.
func (p *process) killBrowser(pid int) {
	p.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		p.Fatal(err)
	}
}

// browserOf is the only browser in which a page waits for an answer, and it holds at least so many pages by now.
func (p *process) browserOf(pages int) (pid int) {
	p.Helper()
	jobstest.Eventually(p, "one browser has a page that waits for an answer", func() bool {
		waiting := slices.DeleteFunc(p.browsers(), func(pid int) bool { return !isConnected(p, pid) })
		if len(waiting) != 1 {
			return false
		}
		pid = waiting[0]
		return renderers(p, pid) >= pages
	})
	return pid
}

// hasOneBrowserAndNoZombie checks that the worker has cleaned up behind the browsers it lost.
func (p *process) hasOneBrowserAndNoZombie() {
	p.Helper()
	jobstest.Eventually(p, "the worker has one browser and no other child", func() bool {
		return len(p.browsers()) == 1 && len(children(p, p.cmd.Process.Pid)) == 1
	})
}

// browsers are the main processes of a worker's browsers.
func (p *process) browsers() (pids []int) {
	p.Helper()
	for _, pid := range children(p, p.cmd.Process.Pid) {
		args, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if strings.Contains(string(args), "--user-data-dir=") && !strings.Contains(string(args), "--type=") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// isConnected reports whether a browser has a TCP connection. Those that it had for a page end with it.
func isConnected(tb testing.TB, group int) bool {
	tb.Helper()
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		tb.Fatal(err)
	}
	for _, pid := range members(tb, group) {
		files, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
		for _, file := range files {
			target, _ := os.Readlink(file)
			inode, isSocket := strings.CutPrefix(target, "socket:[")
			if isSocket && strings.Contains(string(table), " "+strings.TrimSuffix(inode, "]")+" ") {
				return true
			}
		}
	}
	return false
}

// renderers is how many processes of a browser hold pages.
func renderers(tb testing.TB, group int) (n int) {
	tb.Helper()
	for _, pid := range members(tb, group) {
		args, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if strings.Contains(string(args), "--type=renderer") {
			n++
		}
	}
	return n
}

// members are the processes of a group.
func members(tb testing.TB, group int) (pids []int) {
	tb.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		tb.Fatal(err)
	}
	for _, dir := range all {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if of, err := syscall.Getpgid(pid); err == nil && of == group {
			pids = append(pids, pid)
		}
	}
	return pids
}

// children are the processes whose parent is pid, zombies included.
func children(tb testing.TB, pid int) (pids []int) {
	tb.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range stats {
		if _, parent, ok := readStat(file); ok && parent == pid {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, child)
		}
	}
	return pids
}

// isAlive reports whether a process runs; a zombie does not.
func isAlive(pid int) bool {
	state, _, ok := readStat(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return ok && state != "Z"
}

// readStat reads state and parent (proc(5)); not ok when the process has ended meanwhile.
func readStat(file string) (state string, parent int, ok bool) {
	stat, err := os.ReadFile(file)
	if err != nil {
		return "", 0, false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	parent, err = strconv.Atoi(fields[1])
	return fields[0], parent, err == nil
}
