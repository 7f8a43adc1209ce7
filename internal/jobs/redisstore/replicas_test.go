package redisstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

const lease = time.Minute

// scene is a store that waits for its replica, and one on the same master that does not.
type scene struct {
	*testing.T
	waiting, hasty *redisstore.Store
}

// newJob is an acceptance with new ids.
func newJob() jobs.Acceptance {
	return jobs.Acceptance{Nonce: rand.Text(), Job: jobs.Job{
		ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Tenant: jobs.DefaultTenant, Class: "render",
		Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0), Spec: []byte("{}"),
		Callback: &jobs.CallbackState{Host: "receiver.example"}, Sealed: []byte("sealed"),
	}}
}

// queued is a job that the replica may lack.
func (s scene) queued() jobs.Job {
	s.Helper()
	a := newJob()
	if _, err := s.hasty.Accept(s.Context(), a); err != nil {
		s.Fatal(err)
	}
	return a.Job
}

func (s scene) running() jobs.Job {
	s.Helper()
	c, err := s.hasty.Claim(s.Context(), s.queued().ID, 1, rand.Text(), lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		s.Fatalf("claim: %+v, %v", c, err)
	}
	return c.Job
}

func (s scene) issued() jobs.Job {
	s.Helper()
	j := s.running()
	if got, err := s.hasty.Complete(s.Context(), j.ID, j.Fence(), jobs.Result{Blob: "b"}, nil); err != nil || got != jobs.Won {
		s.Fatalf("complete: %s, %v", got, err)
	}
	return j
}

func (s scene) canceled() jobs.Job {
	s.Helper()
	j := s.queued()
	if _, err := s.hasty.Cancel(s.Context(), j.ID); err != nil {
		s.Fatal(err)
	}
	return j
}

// promise is a call whose answer others will count on.
type promise struct {
	name string
	call func(context.Context) error
	ref  string // the record that a refusal names: "job_id" or "document_id"
	id   jobs.ID
}

// promises are one of each kind, all about records that the replica may lack.
func (s scene) promises() []promise {
	s.Helper()
	accepted, retried := newJob(), newJob()
	retried.RetryOf = s.canceled().ID
	running, queued, purged, delivered, read := s.running(), s.queued(), s.issued(), s.issued(), s.issued()
	completions := []jobs.Completion{jobs.Won, jobs.AlreadyWon}
	if _, err := s.hasty.EnsureTenant(s.Context(), jobs.DefaultTenant, []byte("sealed")); err != nil {
		s.Fatal(err)
	}
	return []promise{
		{"accept", func(ctx context.Context) error { _, err := s.waiting.Accept(ctx, accepted); return err }, "job_id", accepted.Job.ID},
		{"retry", func(ctx context.Context) error { _, err := s.waiting.Accept(ctx, retried); return err }, "job_id", retried.Job.ID},
		{"complete", func(ctx context.Context) error {
			got, err := s.waiting.Complete(ctx, running.ID, running.Fence(), jobs.Result{Blob: "b"}, nil)
			if err == nil && got != completions[1] {
				err = errors.New("the repeated call was answered " + string(got))
			}
			return err
		}, "job_id", running.ID},
		{"cancel", func(ctx context.Context) error { _, err := s.waiting.Cancel(ctx, queued.ID); return err }, "job_id", queued.ID},
		{"purge", func(ctx context.Context) error { _, err := s.waiting.Purge(ctx, purged.Document); return err }, "document_id", purged.Document},
		{"claim of a delivery", func(ctx context.Context) error {
			// Another owner each time: a claim that was refused must not have been made.
			c, err := s.waiting.ClaimDelivery(ctx, delivered.Delivery, 1, rand.Text(), lease)
			if err == nil && (c.Answer != jobs.ClaimOK || c.Delivery.Attempt != 1) {
				err = errors.New("the attempt was used up: " + string(c.Answer))
			}
			return err
		}, "", ""},
		{"signing key", func(ctx context.Context) error {
			_, err := s.waiting.SwapTenant(ctx, jobs.DefaultTenant, jobs.TenantSigning, nil, []byte("sealed"))
			return err
		}, "", ""},
		{"job that has ended", func(ctx context.Context) error { _, err := s.waiting.Job(ctx, read.ID); return err }, "job_id", read.ID},
		{"document with a result", func(ctx context.Context) error { _, err := s.waiting.Document(ctx, read.Document); return err }, "document_id", read.Document},
		{"list of jobs that have ended", func(ctx context.Context) error {
			p, err := s.waiting.Jobs(ctx, jobs.JobFilter{Tenant: jobs.DefaultTenant, Document: read.Document, Limit: 9})
			if err == nil && (len(p.Items) != 1 || p.Items[0].Status != jobs.Succeeded) {
				err = errors.New("the list lacks a job")
			}
			return err
		}, "", ""},
	}
}

func TestNothingIsAcknowledgedThatTheReplicaLacks(t *testing.T) {
	t.Parallel()
	master, replica := redistest.StartReplicated(t)
	s := scene{
		t, redisstore.New(master.Client(), redisstore.Options{WaitReplicas: 1}), redisstore.New(master.Client(), redisstore.Options{}),
	}
	replica.Pause()
	var group sync.WaitGroup
	promises := append(s.promises(), s.batchPromises()...)
	for _, p := range promises {
		group.Go(func() {
			f := fault.From(p.call(t.Context()))
			if !errors.Is(f, jobs.ErrNotReplicated) || !f.Kind.Retryable() || f.Refs[p.ref] != string(p.id) {
				t.Errorf("%s: %v about %v, want not_replicated about %s", p.name, f, f.Refs, p.id)
			}
		})
	}
	if j, err := s.waiting.Job(t.Context(), s.queued().ID); err != nil || j.Status != jobs.Queued {
		t.Errorf("a job that waits promises nothing: %v, %v", j.Status, err)
	}
	group.Wait()
	replica.Resume()
	for _, p := range promises {
		if err := p.call(t.Context()); err != nil {
			t.Errorf("%s, with the replica back: %v", p.name, err)
		}
	}
}

func TestAMasterThatMayNotWriteAloneIsNotReplicated(t *testing.T) {
	t.Parallel()
	rdb := redistest.Start(t, redistest.Config("min-replicas-to-write 1")).Client()
	_, err := redisstore.New(rdb, redisstore.Options{}).Accept(t.Context(), newJob())
	if f := fault.From(err); !errors.Is(err, jobs.ErrNotReplicated) || f.Refs["job_id"] != "" {
		t.Errorf("got %v about %v; no job was made", err, f.Refs)
	}
}

func TestReplicasThatNobodyWaitsForAreWarnedOf(t *testing.T) {
	t.Parallel()
	master, _ := redistest.StartReplicated(t)
	alone := redistest.Start(t)
	for _, c := range []struct {
		server *redistest.Server
		wait   int
		want   string
	}{
		{master, 0, "nobody waits for them"},
		{master, 1, ""},
		{alone, 0, ""},
		{alone, 1, "0 replicas are connected and 1 are waited for"},
	} {
		warnings, err := redisstore.New(c.server.Client(), redisstore.Options{WaitReplicas: c.wait}).Check(t.Context())
		if said := strings.Join(warnings, "\n"); err != nil || !strings.Contains(said, c.want) || (c.want == "") != (said == "") {
			t.Errorf("waiting for %d: %q, %v; want %q", c.wait, said, err, c.want)
		}
	}
}

// What is lost without waiting depends on how much the kernel had taken for the paused replica, so it is only reported.
func TestAPromotedReplicaHasAllThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]int{"waiting for the replica": 1, "waiting for nobody": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			master, replica := redistest.StartReplicated(t)
			store := redisstore.New(master.Client(), redisstore.Options{WaitReplicas: wait})
			var acknowledged sync.Map
			var refused atomic.Int32
			submit := func(each int) {
				var group sync.WaitGroup
				for range 8 {
					group.Go(func() {
						for range each {
							a := newJob()
							a.Job.Spec = make([]byte, 32<<10)
							if _, err := store.Accept(t.Context(), a); err == nil {
								acknowledged.Store(a.Job.ID, true)
							} else {
								refused.Add(1)
							}
						}
					})
				}
				group.Wait()
			}
			submit(20)
			replica.Pause() // it falls behind, as on a bad network
			submit(map[int]int{1: 2, 0: 100}[wait])
			master.Kill()
			replica.Resume()
			replica.Promote()
			count, lost := missing(t, replica.Client(), &acknowledged)
			t.Logf("%d acknowledged, %d refused, %d lost", count, refused.Load(), lost)
			if wait > 0 && (lost > 0 || count < 160 || refused.Load() != 16) {
				t.Error("want none lost, all of the first and none of the last acknowledged")
			}
		})
	}
}

// missing counts the acknowledged jobs, and those of them that a server does not know.
func missing(t *testing.T, rdb *redis.Client, acknowledged *sync.Map) (count, lost int) {
	t.Helper()
	store := redisstore.New(rdb, redisstore.Options{})
	jobstest.Eventually(t, "the promoted server answers", func() bool { return store.Ping(t.Context()) == nil })
	acknowledged.Range(func(id, _ any) bool {
		count++
		if _, err := store.Job(t.Context(), id.(jobs.ID)); errors.Is(err, jobs.ErrJobNotFound) {
			lost++
		} else if err != nil {
			t.Error(err)
		}
		return true
	})
	return count, lost
}
