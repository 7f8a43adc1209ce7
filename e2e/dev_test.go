package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func example(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// screen is what a program prints, to be read while it runs.
type screen struct {
	mu  sync.Mutex
	buf bytes.Buffer
	out io.Writer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf.Write(p)
	return s.out.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// platenDev starts platen dev in the repository's folder, where its user would.
func platenDev(t *testing.T, env ...string) (*process, *screen) {
	t.Helper()
	s := &screen{out: t.Output()}
	cmd := exec.Command(filepath.Join(bin, "platen"), "dev")
	cmd.Dir = ".."
	return startProcess(t, cmd, append(os.Environ(), env...), s), s
}

func TestPlatenDevDoesTheMainJobInTheOpen(t *testing.T) {
	t.Parallel()
	addr, dir := freeAddr(t), t.TempDir()
	env := []string{"PLATEN_ADDR=" + addr, "PLATEN_DATA_DIR=" + dir, "PLATEN_DEV_KEY=" + devKey, "PLATEN_REDIS_WAIT_REPLICAS=1"}
	p, out := platenDev(t, env...)
	jobstest.Eventually(t, "the demo is over", func() bool { return strings.Contains(out.String(), "stop      Ctrl-C") })
	for _, want := range []string{"202 Accepted", "Retry-After ", "succeeded, 100 %", "callback evt_", "verified: job.succeeded", devKey} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the screen does not show %q:\n%s", want, out)
		}
	}
	pdf, err := os.ReadFile(filepath.Join(dir, "demo", "invoice.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if text := rendertest.Text(t, pdf); !strings.Contains(text, "INV-2026-00417") || rendertest.Pages(t, pdf) != 1 {
		t.Errorf("the saved document says %s", text)
	}

	printedCurlWorks(t, out)
	printedFetchWorks(t, out, pdf)
	refused(t, dir, "PLATEN_ADDR="+freeAddr(t), "PLATEN_DATA_DIR="+dir) // a second one on the same folder
	refused(t, "PLATEN_ADDR", "PLATEN_ADDR="+addr, "PLATEN_DATA_DIR="+t.TempDir())

	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-p.done
	if !p.cmd.ProcessState.Success() {
		t.Errorf("Ctrl-C: ended with %v", p.cmd.ProcessState)
	}
	if left := processesWith(t, dir); len(left) > 0 {
		t.Errorf("still running after Ctrl-C: %v", left)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("something still listens after Ctrl-C")
	}
}

// printedCurlWorks runs the line as it stands on the screen.
func printedCurlWorks(t *testing.T, out *screen) {
	t.Helper()
	line := regexp.MustCompile(`(?m)^try\s+(curl .*)$`).FindStringSubmatch(out.String())
	if line == nil {
		t.Fatal("no curl line")
	}
	cmd := exec.Command("sh", "-c", line[1])
	cmd.Dir = ".."
	raw, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v (the Debian package is curl)\n%s", err, raw)
	}
	var j api.Job
	if err := json.Unmarshal(raw, &j); err != nil || j.Status != api.JobSucceeded || j.Result.Pages != 1 {
		t.Fatalf("%v: %s", err, raw)
	}
}

// printedFetchWorks runs the second line, which fetches the document of the demo.
func printedFetchWorks(t *testing.T, out *screen, want []byte) {
	t.Helper()
	line := regexp.MustCompile(`(?m)^fetch\s+(curl .*)$`).FindStringSubmatch(out.String())
	if line == nil {
		t.Fatal("no second curl line")
	}
	cmd := exec.Command("sh", "-c", line[1])
	cmd.Dir = t.TempDir()
	if raw, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	if got, err := os.ReadFile(filepath.Join(cmd.Dir, "invoice.pdf")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("fetched %d bytes, %v, want the %d of the demo", len(got), err, len(want))
	}
}

// refused starts platen dev where it cannot run, and expects an error that says why.
func refused(t *testing.T, why string, env ...string) {
	t.Helper()
	p, out := platenDev(t, env...)
	<-p.done
	if p.cmd.ProcessState.Success() || !strings.Contains(out.String(), why) {
		t.Errorf("not refused with %q: %s", why, out)
	}
}

// processesWith lists the running programs whose environment or arguments name a folder.
func processesWith(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, proc := range procs {
		env, _ := os.ReadFile(filepath.Join(proc, "environ"))
		args, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
		if bytes.Contains(env, []byte(dir)) || bytes.Contains(args, []byte(dir)) {
			found = append(found, proc+" "+string(bytes.ReplaceAll(args, []byte{0}, []byte{' '})))
		}
	}
	return found
}

func TestAKilledPlatenDevIsTakenUpByTheNext(t *testing.T) {
	t.Parallel()
	addr, dir := freeAddr(t), t.TempDir()
	env := []string{"PLATEN_ADDR=" + addr, "PLATEN_DATA_DIR=" + dir, "PLATEN_DEV_KEY=" + devKey, "DEMO=0"}
	first, out := platenDev(t, env...)
	ready := func(s *screen) func() bool {
		return func() bool { return strings.Contains(s.String(), "stop      Ctrl-C") }
	}
	jobstest.Eventually(t, "the first serves", ready(out))
	c := &client.Client{BaseURL: "http://" + addr, Key: devKey}
	page := slowPage(0)
	sent, err := c.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &page}})
	if err != nil {
		t.Fatal(err)
	}
	first.kill()
	// Its children end with it; its Redis stays and is adopted.
	jobstest.Eventually(t, "the port is free", func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	second, out := platenDev(t, env...)
	jobstest.Eventually(t, "the second serves", ready(out))
	j, err := c.Wait(t.Context(), sent.Job.ID, nil)
	if err != nil || j.Status != api.JobSucceeded {
		t.Errorf("job %+v, %v", j, err)
	}
	if !second.stop() {
		t.Error("the second did not stop")
	}
	if left := processesWith(t, dir); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
}
