package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/seal"
)

func TestWhoIsStoppedWhileWaitingForRedisEndsInPeace(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"api", "worker"} {
		out := &screen{out: t.Output()}
		env := []string{
			"PLATEN_REDIS_URL=unix://" + filepath.Join(t.TempDir(), "none"), "PLATEN_BLOB_DIR=" + t.TempDir(), "PLATEN_SECRET_KEY=" + seal.GenerateKey(),
		}
		p := startProcess(t, exec.Command(filepath.Join(bin, name)), env, out)
		jobstest.Eventually(t, "it waits", func() bool { return strings.Contains(out.String(), "waiting for redis") })
		if !p.stop() || !p.cmd.ProcessState.Success() || strings.Contains(out.String(), "canceled") {
			t.Errorf("%s ended with %v:\n%s", name, p.cmd.ProcessState, out)
		}
	}
}

func TestAPIAndWorkerSayWhereTheirSettingsAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"api", "worker"} {
		out, err := exec.Command(filepath.Join(bin, name), "--help").Output()
		if err != nil || !strings.HasPrefix(string(out), "Usage: "+name+"\n") || !strings.Contains(string(out), "docs/configuration.md") {
			t.Errorf("%s --help: %v, %s", name, err, out)
		}
		cmd := exec.Command(filepath.Join(bin, name), "--port", "80")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), `"--port"`) {
			t.Errorf("%s --port: %v, %s", name, cmd.ProcessState, out)
		}
	}
}
