// Package jobstest is the contract of [jobs.Store], executable: whatever store passes it, on whatever topology, the
// rest of Platen can stand on. Only tests import it.
package jobstest

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Settings shortens the times of a store for a test. A zero field is the store's own default.
type Settings struct {
	JobRetention, DeadRetention, OrphanAfter, HostPatience, HostPause, UploadTime, MaxQueueAge time.Duration

	HostLimit int
}

// Open makes an empty store, and removes it when the test ends.
type Open func(t *testing.T, s Settings) jobs.Store

// opener is an [Open] for so many partitions.
type opener struct {
	open       Open
	partitions int
}

// TestStore runs the whole contract on stores of so many partitions. With more than one, each test has a tenant of its
// own, so that many partitions take part.
func TestStore(t *testing.T, partitions int, open Open) {
	t.Helper()
	for _, part := range []struct {
		name string
		test func(*testing.T, opener)
	}{
		{"Identity", testIdentity},
		{"Lifecycle", testLifecycle},
		{"Failures", testFailures},
		{"Cancel", testCancel},
		{"Documents", testDocuments},
		{"Lists", testLists},
		{"Outbox", testOutbox},
		{"Turns", testTurns},
		{"Deliveries", testDeliveries},
		{"Places", testPlaces},
		{"DeadHosts", testDeadHosts},
		{"Gone", testGone},
		{"Pings", testPings},
		{"Replays", testReplays},
		{"Previews", testPreviews},
		{"Retention", testRetention},
		{"Caching", testCaching},
		{"Receipts", testReceipts},
		{"IssueNumbers", testIssueNumbers},
		{"InputRetention", testInputRetention},
		{"Access", testAccess},
		{"Catalog", testCatalog},
		{"Batches", testBatches},
		{"BatchIdentity", testBatchIdentity},
		{"BatchEnds", testBatchEnds},
		{"BatchCancel", testBatchCancel},
		{"BatchRetry", testBatchRetry},
		{"BatchRetention", testBatchRetention},
		{"Limits", testLimits},
		{"QueueAge", testQueueAge},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, opener{open, partitions}) })
	}
}

// Patience is how long a test waits for what must happen.
const Patience = 20 * time.Second

// Eventually polls until ok, or fails the test.
func Eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(Patience); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			tb.Fatalf("%s: not within %v", what, Patience)
		}
	}
}

// bench is one store with short ways to use it.
type bench struct {
	*testing.T
	jobs.Store
	partitions int
	tenant     string
}

func newBench(t *testing.T, o opener, s Settings) bench {
	t.Helper()
	b := bench{t, o.open(t, s), o.partitions, tenant}
	if o.partitions > 1 {
		name := fnv.New32a()
		_, _ = name.Write([]byte(t.Name()))
		b.tenant = fmt.Sprintf("tenant-%d", name.Sum32())
	}
	return b
}

const (
	lease   = 30 * time.Second // longer than any test
	tenant  = "default"
	payload = jobs.Fingerprint("fp-1")
)

// request is an acceptance that a test changes as it likes, with new ids.
func (b bench) request(change ...func(*jobs.Acceptance)) jobs.Acceptance {
	a := jobs.Acceptance{
		Job: jobs.Job{
			Tenant: b.tenant, Fingerprint: payload, Class: "render", Spec: []byte(`{"Kind":"html"}`), Metadata: json.RawMessage(`{"n":1.10}`),
			Callback: &jobs.CallbackState{Host: "receiver.example"}, Sealed: []byte("sealed\x00bytes"),
		},
		Request: payload, Nonce: rand.Text(), Grace: time.Minute,
	}
	for _, c := range change {
		c(&a)
	}
	p := jobs.PartitionOf(a.Job.Tenant, b.partitions)
	a.Job.ID, a.Job.Document = jobs.NewID(jobs.KindJob, p), jobs.NewID(jobs.KindDocument, p)
	a.Job.Event, a.Job.Delivery = jobs.NewID(jobs.KindEvent, p), jobs.NewID(jobs.KindDelivery, p)
	return a
}

func withTenant(name string) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.Job.Tenant = name }
}

func withIdempotencyKey(key string) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.IdempotencyKey = key }
}

func withDocumentKey(key string) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.Job.DocumentKey = key }
}

func withPayload(fp jobs.Fingerprint) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.Job.Fingerprint, a.Request = fp, fp }
}

func asProbe(a *jobs.Acceptance) { a.Probe = true }

func withoutCallback(a *jobs.Acceptance) { a.Job.Callback, a.Job.Sealed = nil, nil }

func dueNow(a *jobs.Acceptance) { a.Grace = 0 }

// repeats is how often a request is made again that a replica did not confirm in time, as one on a busy machine may not.
const repeats = 5

func (b bench) accept(a jobs.Acceptance) jobs.Acceptation {
	b.Helper()
	got, err := b.Accept(b.Context(), a)
	for n := 0; n < repeats && errors.Is(err, jobs.ErrNotReplicated); n++ {
		got, err = b.Accept(b.Context(), a)
	}
	if err != nil {
		b.Fatalf("accept: %v", err)
	}
	return got
}

// submit accepts a new job and returns it.
func (b bench) submit(change ...func(*jobs.Acceptance)) jobs.Job {
	b.Helper()
	got := b.accept(b.request(change...))
	if got.Verdict != jobs.Created {
		b.Fatalf("accept gave %s, want created", got.Verdict)
	}
	return b.job(got.Job)
}

func (b bench) job(id jobs.ID) jobs.Job {
	b.Helper()
	j, err := b.Job(b.Context(), id)
	if err != nil {
		b.Fatalf("job: %v", err)
	}
	return j
}

func (b bench) document(id jobs.ID) jobs.Document {
	b.Helper()
	d, err := b.Document(b.Context(), id)
	if err != nil {
		b.Fatalf("document: %v", err)
	}
	return d
}

func (b bench) delivery(id jobs.ID) jobs.Delivery {
	b.Helper()
	d, err := b.Delivery(b.Context(), id)
	if err != nil {
		b.Fatalf("delivery: %v", err)
	}
	return d
}

// start claims a job for a new owner.
func (b bench) start(id jobs.ID, lease time.Duration) jobs.Fence {
	b.Helper()
	c, err := b.Claim(b.Context(), id, b.job(id).Generation, rand.Text(), lease)
	if err != nil || c.Answer != jobs.ClaimOK {
		b.Fatalf("claim gave %s, %v", c.Answer, err)
	}
	return c.Job.Fence()
}

var result = jobs.Result{Blob: "b", SHA256: "abc", Bytes: 7, Pages: 2, ContentType: "application/pdf", Filename: "f.pdf", Engine: "test", Version: "1"}

func (b bench) complete(id jobs.ID, f jobs.Fence) jobs.Completion {
	b.Helper()
	got, err := b.Complete(b.Context(), id, f, result, nil)
	if err != nil {
		b.Fatalf("complete: %v", err)
	}
	return got
}

func (b bench) fail(id jobs.ID, f jobs.Fence, rule jobs.Rule) jobs.Failing {
	b.Helper()
	got, err := b.Fail(b.Context(), id, f, jobs.Failure{Code: "page_failed", Detail: "Broken."}, rule)
	if err != nil {
		b.Fatalf("fail: %v", err)
	}
	return got
}

// issue takes a job from queued to succeeded.
func (b bench) issue(id jobs.ID) {
	b.Helper()
	got := b.complete(id, b.start(id, lease))
	if got != jobs.Won && got != jobs.AlreadyWon { // the client asks again when a busy machine is late with an answer
		b.Fatalf("complete gave %s, want won", got)
	}
}

// end takes a job from queued to failed.
func (b bench) end(id jobs.ID) {
	b.Helper()
	if got := b.fail(id, b.start(id, lease), jobs.DefaultRules().Permanent); got != jobs.HasFailed {
		b.Fatalf("fail gave %s, want failed", got)
	}
}

// due is what the reconciler finds to do. What is ready is handed out, and taken to the queue by nobody.
func (b bench) due(line jobs.Line) jobs.Due {
	b.Helper()
	var all jobs.Due
	for p := range b.Partitions() {
		if _, err := b.Due(b.Context(), p, line, 100); err != nil {
			b.Fatalf("due: %v", err)
		}
		if line == jobs.RenderLine {
			b.handOut(p, 1000, 0)
		}
		d, err := b.Due(b.Context(), p, line, 100)
		if err != nil {
			b.Fatalf("due: %v", err)
		}
		all.Tasks, all.Overdue = append(all.Tasks, d.Tasks...), append(all.Overdue, d.Overdue...)
	}
	return all
}

func wantCode(t *testing.T, err error, want *fault.Error) {
	t.Helper()
	if got := fault.From(err); got == nil || got.Code != want.Code {
		t.Fatalf("got error %v, want %s", err, want.Code)
	}
}
