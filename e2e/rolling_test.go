package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/jobs/jobstest"
)

// A client that asks one server, and once more the other one when that gave no answer or a 5xx, never hears of a restart.
func TestARollingRestartIsNotNoticed(t *testing.T) {
	t.Parallel()
	s, m := newStack(t), newMailbox(t, 0)
	addrs := []string{s.addr, freeAddr(t)}
	env := append(s.env, "PLATEN_ADDR="+addrs[1])
	api0 := func() *process { return s.start("api") }
	api1 := func() *process { return startProcess(t, exec.Command(filepath.Join(bin, "api")), env, s.Output()) }
	work := func() *process { return s.start("worker") }
	starts := []func() *process{api0, api1, work, work}
	running := make([]*process, len(starts))
	for i, start := range starts {
		running[i] = start()
	}
	ready := func() {
		for _, addr := range addrs {
			jobstest.Eventually(t, addr+" is ready", func() bool { return readyAt(addr) })
		}
	}
	ready()

	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var ids []string
	group.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			id, err := submitTwice(context.WithoutCancel(ctx), addrs, m.url, fmt.Sprint("k", n))
			if err != nil {
				t.Errorf("submit %d: %v", n, err)
				return
			}
			ids = append(ids, id)
		}
	})
	for i, start := range starts {
		if !running[i].stop() {
			t.Errorf("process %d did not stop by itself", i)
		}
		running[i] = start()
		ready()
	}
	cancel()
	group.Wait()
	if len(ids) < 10 {
		t.Fatalf("only %d jobs were submitted", len(ids))
	}
	t.Logf("%d jobs during the restart", len(ids))
	for _, id := range ids {
		if j := s.await(id); j.Status != api.JobSucceeded {
			t.Errorf("job %s is %s: %+v", id, j.Status, j.Error)
		}
	}
}

func readyAt(addr string) bool {
	res, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// submitTwice submits to one server, and once to the other.
func submitTwice(ctx context.Context, addrs []string, url, key string) (string, error) {
	page := "<p>" + key + "</p>"
	var errs []error
	for _, addr := range addrs {
		c := client.Client{BaseURL: "http://" + addr, Key: devKey, RetryFor: -1}
		got, err := c.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page, CallbackURL: &url}, IdempotencyKey: key})
		if err == nil {
			return got.Job.ID, nil
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
}
