package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

func submission(text string) jobs.Submission {
	return jobs.Submission{Tenant: jobs.DefaultTenant, Fingerprint: "fp", Spec: jobs.Spec{Kind: jobs.InputHTML, Text: text}}
}

func (r *rig) submit(s jobs.Submission) jobs.Job {
	r.t.Helper()
	got, err := r.Submit(r.t.Context(), s)
	if err != nil || got.Replayed {
		r.t.Fatalf("got %+v, %v", got, err)
	}
	return got.Job
}

// due are the tasks that the reconciler would ring for now.
func (r *rig) due() []jobs.Task {
	r.t.Helper()
	due, err := r.Store.Due(r.t.Context(), 0, jobs.RenderLine, 10)
	if err != nil {
		r.t.Fatal(err)
	}
	return due.Tasks
}

func TestAJobIsAcceptedWhileTheQueueIsAwayAndLeftToTheReconciler(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.ringing.Kill()
	j := r.submit(submission("<p>"))
	if n, err := r.Store.Outstanding(t.Context(), 0, jobs.RenderLine); err != nil || n != 0 {
		t.Errorf("the store knows of %d dispatches, %v", n, err)
	}
	eventually(t, "the job is due", func() bool {
		return slices.Equal(r.due(), []jobs.Task{{Line: jobs.RenderLine, ID: j.ID, Generation: 1}})
	})
}

func TestAJobThatWasRungForIsNotedAsDispatched(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Grace = 0 // the default, which is longer than a busy machine needs
	r.submit(submission("<p>"))
	r.Close()
	if n, err := r.Store.Outstanding(t.Context(), 0, jobs.RenderLine); err != nil || n != 1 {
		t.Errorf("the store knows of %d dispatches, %v", n, err)
	}
	if n, err := r.Queue.Backlog(t.Context(), jobs.RenderLine); err != nil || n != 1 {
		t.Errorf("the queue holds %d, %v", n, err)
	}
}

// taken is a store in which the first ids that are drawn belong to somebody else.
type taken struct {
	jobs.Store
	times int
	drawn []jobs.ID
}

func (s *taken) Accept(ctx context.Context, a jobs.Acceptance) (jobs.Acceptation, error) {
	s.drawn = append(s.drawn, a.Job.ID)
	if len(s.drawn) > s.times {
		return s.Store.Accept(ctx, a)
	}
	other := a
	other.Nonce = "somebody else"
	if _, err := s.Store.Accept(ctx, other); err != nil {
		return jobs.Acceptation{}, err
	}
	return s.Store.Accept(ctx, a)
}

func TestAnIDThatIsTakenIsDrawnAnewAFewTimes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	store := &taken{Store: r.Store, times: 2}
	r.Store = store
	large := strings.Repeat("x", 1<<16)
	j := r.submit(submission(large))
	if len(store.drawn) != 3 || j.ID != store.drawn[2] || store.drawn[0] == store.drawn[1] {
		t.Fatalf("drawn %v, got %s", store.drawn, j.ID)
	}
	stored, err := r.Job(t.Context(), jobs.DefaultTenant, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	if spec, err := jobs.LoadSpec(t.Context(), r.Blobs, stored); err != nil || spec.Text != large {
		t.Errorf("the input of the job has %d bytes, %v", len(spec.Text), err)
	}

	store.drawn, store.times = nil, 3
	if _, err := r.Submit(t.Context(), submission("<p>")); fault.From(err).Kind != fault.Internal || len(store.drawn) != 3 {
		t.Errorf("after %d drawings: %v", len(store.drawn), err)
	}
}

func TestAPollerIsAskedToWaitAsLongAsTheWorkWill(t *testing.T) {
	t.Parallel()
	// took notes how many milliseconds recent renders took.
	took := func(r *rig, ms ...any) {
		if err := r.store.Client().RPush(t.Context(), "pl:{p0}:took:render", ms...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		prepare func(*rig)
		want    time.Duration
	}{
		"nothing is known":            {func(*rig) {}, time.Second},
		"2 jobs of 1.6 s, rounded up": {func(r *rig) { took(r, 100, 1600, 9000) }, 4 * time.Second},
		"a long line":                 {func(r *rig) { took(r, 60_000) }, 30 * time.Second},
		"the queue is away":           {func(r *rig) { r.ringing.Kill() }, 30 * time.Second},
		"the store is away":           {func(r *rig) { r.store.Kill() }, 30 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.submit(submission("<p>"))
			r.submit(submission("<p>"))
			r.Close()
			test.prepare(r)
			if got := r.RetryAfter(t.Context(), jobs.ClassNormal); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestAnInstalledKeyOpensWhatItShould(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := strings.TrimPrefix(string(jobs.NewID(jobs.KindKey, 0)), "key_")
	for _, bad := range []string{"", "plt_", "secret", "plt_" + id, "plt_" + id + "_short", id + "_0123456789abcdef", "plt_x_0123456789abcdef"} {
		if err := r.InstallKey(t.Context(), jobs.DefaultTenant, bad); !errors.Is(err, jobs.ErrKeyText) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	text := "plt_" + id + "_0123456789abcdef"
	for range 2 { // at each start
		if err := r.InstallKey(t.Context(), jobs.DefaultTenant, text); err != nil {
			t.Fatal(err)
		}
	}
	k, err := r.Authenticate(t.Context(), text)
	if err != nil || k.Tenant != jobs.DefaultTenant || string(k.ID) != "key_"+id || !slices.Equal(k.Scopes, jobs.Scopes) {
		t.Errorf("got %+v, %v", k, err)
	}
	if page, err := r.Store.Keys(t.Context(), "", 10); err != nil || len(page.Items) != 1 {
		t.Errorf("%d keys, %v", len(page.Items), err)
	}
}

func TestANewCallbackSecretIsTheOnlyOneAndSealedForItsTenant(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, secret := range []string{"the first secret", "the second secret"} {
		if err := r.SetCallbackSecrets(t.Context(), "acme", secret); err != nil {
			t.Fatal(err)
		}
	}
	tenant, err := r.Store.Tenant(t.Context(), "acme")
	sealed := tenant.Secrets
	if err != nil || bytes.Contains(sealed, []byte("secret")) {
		t.Fatalf("stored is %q, %v", sealed, err)
	}
	got, err := jobs.OpenSecrets(r.Key, "acme", sealed)
	if diff := cmp.Diff([]jobs.Secret{{Text: "the second secret"}}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := jobs.OpenSecrets(r.Key, "other", sealed); err == nil {
		t.Error("another tenant's record opens it")
	}
}

func TestASealedCallbackIsForItsDeliveryOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := jobs.Callback{URL: "https://shop.example/", Secret: "sixteen letters!", Headers: map[string]string{"X-A": "b"}}
	sealed := c.Seal(r.Key, "dlv_1")
	if got, err := jobs.OpenCallback(r.Key, "dlv_1", sealed); err != nil || !cmp.Equal(c, got) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := jobs.OpenCallback(r.Key, "dlv_2", sealed); err == nil {
		t.Error("another delivery opens it")
	}
}

func TestWaitingEndsWhenTheProcessStops(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stopping := make(chan struct{})
	r.Stopping = stopping
	r.Watcher = silent{}
	j := r.submit(submission("<p>"))
	time.AfterFunc(50*time.Millisecond, func() { close(stopping) })
	got, err := r.Await(t.Context(), "default", j.ID, func(jobs.Job) bool { return false })
	if err != nil || got.Status != jobs.Queued {
		t.Errorf("got %s, %v", got.Status, err)
	}
}

// silent tells nobody of anything.
type silent struct{}

func (silent) Watch(jobs.ID) (<-chan struct{}, func()) { return nil, func() {} }
