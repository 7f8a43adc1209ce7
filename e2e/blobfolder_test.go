package e2e_test

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// ready asks a process how it is.
func ready(t *testing.T, addr string) (status int, body string) {
	t.Helper()
	res, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// A volume that is unmounted leaves nothing, or an empty folder, in its place.
func TestAVolumeThatGoesAwayTurnsReadinessRedAndCostsNoJob(t *testing.T) {
	t.Parallel()
	folder, worker := filepath.Join(t.TempDir(), "blobs"), freeAddr(t)
	s := newStack(t, "PLATEN_BLOB_DIR="+folder, "PLATEN_WORKER_ADDR="+worker)
	first := s.up()
	process := s.start("worker")
	jobstest.Eventually(t, "the worker is ready", func() bool { status, _ := ready(t, worker); return status == http.StatusOK })
	process.stop() // the next jobs wait

	native := api.EngineNative
	page := "<h1>Invoice</h1>" + strings.Repeat("<p>a long page", 5000) // more than a record takes
	submit := func(html string) api.Job {
		t.Helper()
		got, err := s.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &html, Engine: &native}})
		if err != nil {
			t.Fatal(err)
		}
		return got.Job
	}
	waiting := []api.Job{submit(page)}
	away := folder + ".away"
	if err := os.Rename(folder, away); err != nil {
		t.Fatal(err)
	}
	if status, body := ready(t, s.addr); status != http.StatusServiceUnavailable || !strings.Contains(body, "folder") {
		t.Errorf("the API says %d, %s", status, body)
	}
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made again: %v", err)
	}
	once := *s.Client
	once.RetryFor = -1
	if _, err := once.Submit(t.Context(), client.Submission{Request: api.JobRequest{HTML: &page}}); !client.HasCode(err, api.CodeStorageUnavailable) {
		t.Errorf("a large page: %v", err)
	}

	// The worker has begun with the folder, and meets the jobs without it.
	if err := os.Rename(away, folder); err != nil {
		t.Fatal(err)
	}
	s.start("worker")
	gone := submit("<p>a first one")
	if s.await(gone.ID).Status != api.JobSucceeded || s.await(waiting[0].ID).Status != api.JobSucceeded {
		t.Fatal("a job did not succeed")
	}
	if err := errors.Join(os.Rename(folder, away), os.Mkdir(folder, 0o700)); err != nil {
		t.Fatal(err)
	}
	waiting = append(waiting, submit("<p>small"), submit("<p>another"))
	jobstest.Eventually(t, "the worker is not ready", func() bool {
		status, body := ready(t, worker)
		return status == http.StatusServiceUnavailable && strings.Contains(body, "storage_unavailable")
	})
	jobstest.Eventually(t, "a job meets it", func() bool {
		return slices.ContainsFunc(waiting[1:], func(j api.Job) bool {
			got, err := s.Job(t.Context(), j.ID)
			return err == nil && got.Status == api.JobQueued && got.Attempt > 0
		})
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v was put into another folder, %v", left, err)
	}
	if err := errors.Join(os.Remove(folder), os.Rename(away, folder)); err != nil {
		t.Fatal(err)
	}
	for _, j := range waiting {
		if got := s.await(j.ID); got.Status != api.JobSucceeded {
			t.Errorf("%s: %+v", got.Status, got.Error)
		}
	}
	jobstest.Eventually(t, "all are ready", func() bool {
		one, _ := ready(t, s.addr)
		other, _ := ready(t, worker)
		return one == http.StatusOK && other == http.StatusOK
	})

	// A start makes a new folder, and says that there was another one.
	first.stop()
	const said = "the folder of the blobs is new, and documents were issued before"
	start := func() *screen {
		out := &screen{out: t.Output()}
		api := startProcess(t, exec.Command(filepath.Join(bin, "api")), s.env, out)
		jobstest.Eventually(t, "the API starts", func() bool { return strings.Contains(out.String(), "api started") })
		api.stop()
		return out
	}
	if out := start(); strings.Contains(out.String(), said) {
		t.Error("of the folder that was there always")
	}
	if err := os.Rename(folder, away); err != nil {
		t.Fatal(err)
	}
	if out := start(); !strings.Contains(out.String(), said) {
		t.Errorf("nothing was said:\n%s", out)
	}
}

// strictPage names a picture that is not there.
const strictPage = `<p>x<img src="logo.png">`

func TestAStrictJobThatFailsHasItsWarnings(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		t.Helper()
		j := s.ordered(api.JobRequest{HTML: new(strictPage), Engine: &engine, Strict: new(true)})
		if j.Status != api.JobFailed || j.Error.Code != "resource_missing" || !strings.Contains(j.Error.Detail, "logo.png") {
			s.Fatalf("%s: %+v", j.Status, j.Error)
		}
		if !slices.ContainsFunc(j.Warnings, func(w api.Warning) bool {
			return w.Code == "resource_missing" && strings.Contains(w.Detail, "logo.png")
		}) {
			s.Errorf("warnings %+v", j.Warnings)
		}
	})
}
