package e2e_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// killBrowser ends the browser of a worker, and nothing else of it, as the kernel does when memory is short.
func (p *process) killBrowser() {
	p.Helper()
	browsers := p.browsers()
	if len(browsers) != 1 {
		p.Fatalf("the worker has the browsers %v", browsers)
	}
	if err := syscall.Kill(browsers[0], syscall.SIGKILL); err != nil {
		p.Fatal(err)
	}
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
