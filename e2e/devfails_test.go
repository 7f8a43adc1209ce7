package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

func TestPlatenDevRefusesWhatItsProcessesWould(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"PLATEN_DEV_KEY=plt_x", "PLATEN_CALLBACK_SECRET=short", "PLATEN_CHROMIUM=/no/browser"} {
		dir := t.TempDir()
		name, _, _ := strings.Cut(wrong, "=")
		refused(t, "platen: "+name+": ", wrong, "PLATEN_ADDR=127.0.0.1:0", "PLATEN_DATA_DIR="+dir)
		if kept, err := os.ReadDir(dir); err != nil || len(kept) != 0 {
			t.Errorf("%s: %v are left, %v", name, kept, err)
		}
	}
}

func TestPlatenDevGivesUpAProcessThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dev.json"), []byte(`{"key":"plt_by_hand"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, out := platenDev(t, "PLATEN_ADDR=127.0.0.1:0", "PLATEN_DATA_DIR="+dir)
	<-p.done
	if p.cmd.ProcessState.ExitCode() != 1 || !regexp.MustCompile(`platen: (api|worker) does not start: exit status 1; .*\.log ends with\n  (api|worker): PLATEN_DEV_KEY: `).MatchString(out.String()) {
		t.Errorf("%v:\n%s", p.cmd.ProcessState, out)
	}
	if left := processesWith(t, dir); len(left) > 0 {
		t.Errorf("still running: %v", left)
	}
}

func TestABrowserThatDoesNotStartIsOnTheScreenAndTheDemoDoesNotWaitForIt(t *testing.T) {
	t.Parallel()
	began := time.Now()
	p, out := platenDev(t, "PLATEN_CHROMIUM=/bin/false", "PLATEN_ADDR=127.0.0.1:0", "PLATEN_DATA_DIR="+t.TempDir())
	jobstest.Eventually(t, "the demo is over", func() bool { return strings.Contains(out.String(), "stop      Ctrl-C") })
	// The demo's page needs no browser: it is rendered, unless the worker knew before that it was ill.
	for _, want := range []string{"worker    takes no work: ", "cannot be started", "demo      "} {
		jobstest.Eventually(t, "the screen shows "+want, func() bool { return strings.Contains(out.String(), want) })
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	// Port 0 was a free one, and the screen names it.
	if regexp.MustCompile(`serving on http://127\.0\.0\.1:[1-9]\d*,`).FindString(out.String()) == "" {
		t.Errorf("no address on the screen:\n%s", out)
	}
	if !p.stop() {
		t.Error("it did not stop")
	}
}

func TestASecondCtrlCDoesNotWaitForRunningJobs(t *testing.T) {
	t.Parallel()
	addr, dir := freeAddr(t), t.TempDir()
	p, out := platenDev(t, "PLATEN_ADDR="+addr, "PLATEN_DATA_DIR="+dir, "PLATEN_DEV_KEY="+devKey, "DEMO=0", "PLATEN_SHUTDOWN_TIMEOUT=5m")
	jobstest.Eventually(t, "it serves", func() bool { return strings.Contains(out.String(), "stop      Ctrl-C") })
	c := &client.Client{BaseURL: "http://" + addr, Key: devKey}
	page := `<script>for (;;);</script>`
	sent, err := c.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &page}})
	if err != nil {
		t.Fatal(err)
	}
	jobstest.Eventually(t, "the job runs", func() bool {
		j, err := c.Job(t.Context(), sent.Job.ID)
		return err == nil && j.Status == api.JobRunning
	})
	interrupt := func() {
		if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	interrupt()
	interrupt() // an echo: a program between the terminal and us may pass on what we have got ourselves
	jobstest.Eventually(t, "it says what it does", func() bool {
		return strings.Contains(out.String(), "stopping; running jobs have up to 5m0s, Ctrl-C again ends now")
	})
	select {
	case <-p.done:
		t.Fatalf("it did not wait for the job:\n%s", out)
	case <-time.After(2 * time.Second):
	}
	interrupt()
	began := time.Now()
	<-p.done
	if took := time.Since(began); took > 20*time.Second || !p.cmd.ProcessState.Success() {
		t.Errorf("it ended with %v after %v", p.cmd.ProcessState, took)
	}
	jobstest.Eventually(t, "nothing is left", func() bool { return len(processesWith(t, dir)) == 0 })
}
