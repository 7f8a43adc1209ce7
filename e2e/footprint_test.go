package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// footprint is what a process takes of its machine.
type footprint struct {
	resident, highest int64 // bytes of memory: now, and the most since [process.forgetHighest]
	files, goroutines int
}

// footprint looks at a process that serves its metrics at addr.
func (p *process) footprint(addr string) footprint {
	p.Helper()
	status := p.read("status")
	files, err := os.ReadDir(p.proc("fd"))
	if err != nil {
		p.Fatal(err)
	}
	return footprint{
		resident: kibibytes(p.T, status, "VmRSS"), highest: kibibytes(p.T, status, "VmHWM"),
		files: len(files), goroutines: int(metric(p.T, addr, "go_goroutines")),
	}
}

// forgetHighest makes the most memory what it is now; see proc_pid_clear_refs(5).
func (p *process) forgetHighest() {
	p.Helper()
	if err := os.WriteFile(p.proc("clear_refs"), []byte("5"), 0); err != nil {
		p.Fatal(err)
	}
}

func (p *process) proc(name string) string {
	return fmt.Sprintf("/proc/%d/%s", p.cmd.Process.Pid, name)
}

func (p *process) read(name string) string {
	p.Helper()
	text, err := os.ReadFile(p.proc(name))
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

func kibibytes(t *testing.T, status, name string) int64 {
	t.Helper()
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatalf("no %s in %s", name, status)
	return 0
}

// metric is the value of one series, and 0 when there is none.
func metric(t *testing.T, addr, series string) float64 {
	t.Helper()
	res, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(series) + ` (\S+)$`).FindSubmatch(text)
	if found == nil {
		return 0
	}
	value, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
