package jobstest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
)

// crowd is how many callers come at once.
const crowd = 100

func testLimits(t *testing.T, open opener) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, opener){
		"they change one by one, and at once":                       testLimitChanges,
		"requests beyond the burst come at the rate":                testRequestRate,
		"whom an earlier job answers is charged nothing":            testReplaysAreFree,
		"a refused request leaves nothing behind":                   testRefusedLeavesNothing,
		"so many jobs are queued, whoever comes at once":            testQueuedJobs,
		"jobs of batches are not among the queued ones":             testBatchesAreNotQueued,
		"a batch is one request, and so is its retry":               testBatchIsOneRequest,
		"a batch that waits is among no queued jobs":                testBatchOfLimited,
		"bytes are counted once, and no more once they are purged":  testStoredBytes,
		"bytes are counted no more once they have ended":            testExpiredBytes,
		"versions of templates and assets are counted":              testStoredVersions,
		"work that is no job is charged for, too":                   testCharge,
		"what one tenant may do is nothing to the others":           testLimitsOfOthers,
		"a request is charged for as soon as it is let pass, only":  testRefusedIsFree,
		"a limit that is taken away refuses nobody any more":        testLimitTakenAway,
		"a rate that changes keeps what was charged under the last": testRateChanges,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, open) })
	}
}

// limits sets limits of a tenant; a negative one is none.
func (b bench) limits(changes map[jobs.Limit]int64) {
	b.Helper()
	if _, err := b.EnsureTenant(b.Context(), b.tenant, []byte("s")); err != nil {
		b.Fatal(err)
	}
	to := map[jobs.Limit]*int64{}
	for name, value := range changes {
		to[name] = &value
		if value < 0 {
			to[name] = nil
		}
	}
	if err := b.SetLimits(b.Context(), b.tenant, to); err != nil {
		b.Fatal(err)
	}
}

func (b bench) limited() jobs.Tenant {
	b.Helper()
	t, err := b.Tenant(b.Context(), b.tenant)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func (b bench) wantUsage(want jobs.Usage) {
	b.Helper()
	if diff := cmp.Diff(want, b.limited().Usage); diff != "" {
		b.Errorf("usage (-want +got):\n%s", diff)
	}
}

// wantLimited submits something new that a limit of so much must refuse.
func (b bench) wantLimited(limit jobs.Limit, value int64, change ...func(*jobs.Acceptance)) *jobs.LimitReached {
	b.Helper()
	got := b.accept(b.request(change...))
	if got.Verdict != jobs.Limited || got.Limit == nil || got.Limit.Limit != limit || got.Limit.Value != value || got.Job != "" {
		b.Fatalf("got %+v (%+v), want %s %d reached", got, got.Limit, limit, value)
	}
	return got.Limit
}

// together accepts many requests at once, and counts how many made a job.
func (b bench) together(change func(i int) func(*jobs.Acceptance)) (created int) {
	b.Helper()
	var made atomic.Int64
	var group sync.WaitGroup
	for i := range crowd {
		group.Go(func() {
			got, err := b.Accept(b.Context(), b.request(change(i)))
			if err != nil {
				b.Error(err)
			}
			if got.Verdict == jobs.Created {
				made.Add(1)
			}
		})
	}
	group.Wait()
	return int(made.Load())
}

// named gives each request an idempotency key of its own.
func named(i int) func(*jobs.Acceptance) { return withIdempotencyKey(fmt.Sprint("own ", i)) }

func testLimitChanges(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	one := int64(1)
	err := b.SetLimits(t.Context(), "nobody", map[jobs.Limit]*int64{jobs.LimitQueued: &one})
	wantCode(t, err, jobs.ErrTenantNotFound)
	b.limits(nil)
	if got := b.limited().Limits; len(got) != 0 {
		t.Errorf("a new tenant has limits: %v", got)
	}
	want := map[jobs.Limit]int64{}
	var group sync.WaitGroup
	for i, bound := range jobs.LimitBounds {
		want[bound.Limit] = bound.Max - int64(i)
		group.Go(func() { b.limits(map[jobs.Limit]int64{bound.Limit: bound.Max - int64(i)}) })
	}
	group.Wait()
	if diff := cmp.Diff(want, b.limited().Limits); diff != "" {
		t.Errorf("after changes at once (-want +got):\n%s", diff)
	}
	b.limits(map[jobs.Limit]int64{jobs.LimitBytes: -1, jobs.LimitQueued: 0})
	delete(want, jobs.LimitBytes)
	want[jobs.LimitQueued] = 0
	if diff := cmp.Diff(want, b.limited().Limits); diff != "" {
		t.Errorf("after one was removed (-want +got):\n%s", diff)
	}
}

func testRequestRate(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 20, jobs.LimitBurst: 7})
	began := time.Now()
	created := b.together(named)
	if most := 7 + int(20*time.Since(began).Seconds()) + 1; created < 7 || created > most {
		t.Errorf("%d of a burst of 7 were let pass, with the rate at most %d", created, most)
	}
	for range 30 {
		got := b.accept(b.request())
		if got.Verdict == jobs.Created {
			continue
		}
		if got.Limit.Limit != jobs.LimitRequests || got.Limit.Value != 20 || got.Limit.After <= 0 || got.Limit.After > 50*time.Millisecond {
			t.Fatalf("got %+v", got.Limit)
		}
		<-time.After(got.Limit.After)
		if got := b.accept(b.request()); got.Verdict != jobs.Created {
			t.Errorf("after the wait it got %s, %+v", got.Verdict, got.Limit)
		}
	}
}

func testReplaysAreFree(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: 3 + crowd})
	began := time.Now()
	for _, same := range []func(*jobs.Acceptance){withIdempotencyKey("k"), withDocumentKey("d")} {
		if n := b.together(func(int) func(*jobs.Acceptance) { return same }); n != 1 {
			t.Errorf("%d jobs of one key", n)
		}
	}
	again := b.request()
	for range crowd {
		if got := b.accept(again); got.Verdict != jobs.Created {
			t.Fatalf("the same call again got %s", got.Verdict)
		}
		if got := b.accept(b.request(named(0), asProbe)); got.Verdict != jobs.Absent {
			t.Fatalf("a probe got %s", got.Verdict)
		}
		b.accept(b.request(withIdempotencyKey("k"), withPayload("another")))
		b.accept(b.request(withDocumentKey("d"), withPayload("another")))
	}
	// Three were new. Had anything else been charged, not all of these would be let pass.
	if n := b.together(named); n != crowd {
		t.Errorf("only %d of %d were left", n, crowd)
	}
	most := int(time.Since(began).Seconds()) + 1
	if n := b.together(func(i int) func(*jobs.Acceptance) { return named(crowd + i) }); n > most+1 {
		t.Errorf("%d more than there may be were let pass", n)
	}
}

func testRefusedLeavesNothing(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: 0})
	b.keep("logo", "aa")
	a := b.request(withIdempotencyKey("k"), withDocumentKey("d"), using(use("logo", 1)))
	if got := b.accept(a); got.Verdict != jobs.Limited {
		t.Fatalf("got %+v", got)
	}
	b.wantUses(0, "logo", 1)
	_, err := b.Job(t.Context(), a.Job.ID)
	wantCode(t, err, jobs.ErrJobNotFound)
	_, err = b.DocumentByKey(t.Context(), b.tenant, "d")
	wantCode(t, err, jobs.ErrDocumentNotFound)
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: -1})
	if got := b.accept(b.request(withIdempotencyKey("k"), withPayload("another"))); got.Verdict != jobs.Created {
		t.Errorf("its key is bound: %+v", got)
	}
	a.IdempotencyKey = ""
	if got := b.accept(a); got.Verdict != jobs.Created || got.Job != a.Job.ID {
		t.Errorf("the same request again: %+v", got)
	}
}

func testQueuedJobs(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: 3})
	if n := b.together(named); n != 3 {
		t.Fatalf("%d were queued", n)
	}
	b.wantUsage(jobs.Usage{Queued: 3})
	b.wantLimited(jobs.LimitQueued, 3)
	all, err := b.Jobs(t.Context(), jobs.JobFilter{Tenant: b.tenant, Limit: 10})
	if err != nil || len(all.Items) != 3 {
		t.Fatalf("%d jobs, %v", len(all.Items), err)
	}
	first := all.Items[0].ID
	fence := b.start(first, lease)
	b.wantUsage(jobs.Usage{Queued: 2, Renders: 1})
	b.submit()
	b.wantLimited(jobs.LimitQueued, 3)
	if got := b.fail(first, fence, jobs.Rule{}); got != jobs.WillRetry { // it was taken, and is never refused again
		t.Fatal(got)
	}
	b.wantUsage(jobs.Usage{Queued: 4})
	for _, j := range all.Items[:2] {
		if _, err := b.Cancel(t.Context(), j.ID); err != nil {
			t.Fatal(err)
		}
	}
	b.wantUsage(jobs.Usage{Queued: 2})
	// A retry is a new job, and limited as such.
	retry := func(a *jobs.Acceptance) { a.RetryOf = first }
	b.submit()
	b.wantLimited(jobs.LimitQueued, 3, retry)
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: 4})
	b.submit(retry)
	b.wantUsage(jobs.Usage{Queued: 4})
}

func testBatchesAreNotQueued(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: 1})
	ofBatch := func(a *jobs.Acceptance) { a.Job.Class = jobs.ClassBatch }
	one, two := b.submit(ofBatch), b.submit(ofBatch)
	b.wantUsage(jobs.Usage{})
	b.submit()
	b.wantUsage(jobs.Usage{Queued: 1})
	fence := b.start(one.ID, lease)
	b.wantUsage(jobs.Usage{Queued: 1, Renders: 1})
	b.fail(one.ID, fence, jobs.Rule{})
	b.issue(one.ID)
	if _, err := b.Cancel(t.Context(), two.ID); err != nil {
		t.Fatal(err)
	}
	b.wantUsage(jobs.Usage{Queued: 1, Bytes: result.Bytes})
	b.wantLimited(jobs.LimitQueued, 1)
}

// issueBytes issues a document of so many bytes.
func (b bench) issueBytes(id jobs.ID, bytes int64) {
	b.Helper()
	fence, r := b.start(id, lease), result
	r.Bytes = bytes
	for _, want := range []jobs.Completion{jobs.Won, jobs.AlreadyWon} { // a queue may give a task twice
		if got, err := b.Complete(b.Context(), id, fence, r, nil); err != nil || got != want && got != jobs.AlreadyWon {
			b.Fatalf("complete gave %s, %v", got, err)
		}
	}
	fence.Owner = "somebody else"
	if got, err := b.Complete(b.Context(), id, fence, r, nil); err != nil || got != jobs.LostTheFence {
		b.Fatalf("complete gave %s, %v", got, err)
	}
}

func testStoredBytes(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitBytes: 1000})
	one, two, late := b.submit(), b.submit(), b.submit()
	b.issueBytes(one.ID, 600)
	b.wantUsage(jobs.Usage{Queued: 2, Bytes: 600})
	b.issueBytes(two.ID, 700) // it was accepted when there was room
	b.wantUsage(jobs.Usage{Queued: 1, Bytes: 1300})
	b.wantLimited(jobs.LimitBytes, 1000)
	b.wantLimited(jobs.LimitBytes, 1000, withIdempotencyKey("k"))
	for range 2 {
		if _, err := b.Purge(t.Context(), one.Document); err != nil {
			t.Fatal(err)
		}
		b.wantUsage(jobs.Usage{Queued: 1, Bytes: 700})
	}
	b.submit()
	b.end(late.ID)
	if _, err := b.Purge(t.Context(), late.Document); err != nil { // of which nothing was ever stored
		t.Fatal(err)
	}
	b.wantUsage(jobs.Usage{Queued: 1, Bytes: 700})
}

func testExpiredBytes(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(nil)
	j := b.submit(withoutCallback, func(a *jobs.Acceptance) { a.Job.Retention = 300 * time.Millisecond })
	b.issueBytes(j.ID, 600)
	Eventually(t, "the bytes end", func() bool {
		for p := range b.Partitions() {
			if _, err := b.Clean(t.Context(), p, 10); err != nil {
				t.Fatal(err)
			}
		}
		return b.document(j.Document).Status == jobs.Purged
	})
	b.wantUsage(jobs.Usage{})
	if _, err := b.Purge(t.Context(), j.Document); err != nil {
		t.Fatal(err)
	}
	b.wantUsage(jobs.Usage{})
}

func testStoredVersions(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitVersions: 2})
	b.keep("logo", "a")
	b.keep("logo", "bbb")
	b.keep("logo", "a")
	b.wantUsage(jobs.Usage{Versions: 2, Bytes: 4})
	for _, blob := range []string{"", "b"} { // asked before the bytes are written, and after
		_, err := b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("other"), SHA256: "c", Blob: blob, Size: 1})
		wantCode(t, err, jobs.ErrLimitReached)
	}
	if known, err := b.KnowsItem(t.Context(), b.item("other")); err != nil || known {
		t.Errorf("a refused item is known: %v, %v", known, err)
	}
	if _, err := b.RemoveVersion(t.Context(), b.item("logo"), 0); err != nil {
		t.Fatal(err)
	}
	b.wantUsage(jobs.Usage{})
	b.limits(map[jobs.Limit]int64{jobs.LimitVersions: -1, jobs.LimitBytes: 5})
	b.keep("logo", "a longer text")
	b.wantUsage(jobs.Usage{Versions: 1, Bytes: 13})
	_, err := b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("other"), SHA256: "c", Blob: "b", Size: 1})
	wantCode(t, err, jobs.ErrLimitReached)
	b.wantLimited(jobs.LimitBytes, 5)
}

func testCharge(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	if err := b.Charge(t.Context(), b.tenant); err != nil {
		t.Fatal(err)
	}
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: crowd})
	began := time.Now()
	var passed atomic.Int64
	var group sync.WaitGroup
	for range crowd + 10 {
		group.Go(func() {
			err := b.Charge(t.Context(), b.tenant)
			if err == nil {
				passed.Add(1)
			} else if !errors.Is(err, jobs.ErrLimitReached) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got, most := int(passed.Load()), crowd+int(time.Since(began).Seconds())+1; got < crowd || got > most {
		t.Errorf("%d were let pass, want %d to %d", got, crowd, most)
	}
}

func testLimitsOfOthers(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	other := b
	other.tenant = "other"
	other.limits(map[jobs.Limit]int64{jobs.LimitQueued: 0, jobs.LimitRequests: 1})
	b.limits(nil)
	b.submit()
	b.submit()
	other.wantLimited(jobs.LimitQueued, 0)
	other.wantUsage(jobs.Usage{})
}

func testRefusedIsFree(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: crowd, jobs.LimitQueued: 0})
	if n := b.together(named); n != 0 {
		t.Fatalf("%d were queued", n)
	}
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: -1})
	if n := b.together(named); n != crowd {
		t.Errorf("only %d of %d were left", n, crowd)
	}
	got := b.accept(b.request())
	for range 3 { // who is refused does not wait longer for having asked
		next := b.accept(b.request())
		if next.Verdict == jobs.Limited && got.Verdict == jobs.Limited && next.Limit.After > got.Limit.After {
			t.Errorf("the wait has grown from %v to %v", got.Limit.After, next.Limit.After)
		}
		got = next
	}
}

func testLimitTakenAway(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1})
	for b.accept(b.request()).Verdict != jobs.Limited {
	}
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: -1})
	for range 5 {
		b.submit()
	}
}

func testRateChanges(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: crowd})
	if n := b.together(named); n != crowd {
		t.Fatalf("%d of a burst of %d", n, crowd)
	}
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 10, jobs.LimitBurst: 10})
	// A hundred are charged and ten may be; all but nine of the rest drain first, at ten a second.
	if got := b.wantLimited(jobs.LimitRequests, 10); got.After < 5*time.Second || got.After > 9100*time.Millisecond {
		t.Errorf("to wait for %v", got.After)
	}
}

// spend lets requests of a tenant pass until one is refused, and returns how many were.
func (b bench) spend() (passed int) {
	b.Helper()
	for {
		err := b.Charge(b.Context(), b.tenant)
		if errors.Is(err, jobs.ErrLimitReached) {
			return passed
		}
		if err != nil {
			b.Fatal(err)
		}
		passed++
	}
}

func testBatchIsOneRequest(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	const burst = 50
	b.limits(map[jobs.Limit]int64{jobs.LimitRequests: 1, jobs.LimitBurst: burst})
	began := time.Now()
	o := b.order("k")
	id := b.begin(o).Batch
	for range burst {
		b.begin(o)            // a lost reply
		b.begin(b.order("k")) // an upload that was cut
	}
	b.fill(id, "a", "b", "c")
	for range burst {
		if got := b.begin(b.order("k")); got.Verdict != jobs.Replayed {
			t.Fatalf("got %+v", got)
		}
	}
	b.promote()
	failed, _ := b.DocumentByKey(t.Context(), b.tenant, "a")
	b.end(failed.Job)
	for _, key := range []string{"b", "c"} {
		d, err := b.DocumentByKey(t.Context(), b.tenant, key)
		if err != nil {
			t.Fatal(err)
		}
		b.issue(d.Job)
	}
	retry := jobs.BatchRetry{Batch: id, Key: "again", Event: jobs.NewID(jobs.KindEvent, id.Partition()), Delivery: jobs.NewID(jobs.KindDelivery, id.Partition())}
	for range burst {
		if _, err := b.RetryBatch(t.Context(), retry); err != nil {
			t.Fatal(err)
		}
	}
	if left, drained := b.spend(), int(time.Since(began).Seconds())+1; left < burst-2 || left > burst-2+drained {
		t.Errorf("%d of %d were left after two requests", left, burst)
	}
	_, err := b.BeginBatch(t.Context(), b.order("other"))
	wantCode(t, err, jobs.ErrLimitReached)
	if got := b.begin(b.order("k")); got.Verdict != jobs.Replayed {
		t.Errorf("a replay got %+v", got)
	}
}

func testBatchOfLimited(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.limits(map[jobs.Limit]int64{jobs.LimitQueued: 1, jobs.LimitRequests: 1, jobs.LimitBurst: 3})
	id := b.upload("a", "b", "c", "d", "e")
	b.promote()
	b.counts(id, map[jobs.ItemStatus]int{jobs.ItemQueued: 5})
	b.wantUsage(jobs.Usage{})
	b.submit()
	b.wantUsage(jobs.Usage{Queued: 1})
	b.wantLimited(jobs.LimitQueued, 1)
	d, err := b.DocumentByKey(t.Context(), b.tenant, "a")
	if err != nil {
		t.Fatal(err)
	}
	b.issue(d.Job)
	b.wantUsage(jobs.Usage{Queued: 1, Bytes: result.Bytes})
	b.limits(map[jobs.Limit]int64{jobs.LimitBytes: 1})
	_, err = b.BeginBatch(t.Context(), b.order(""))
	wantCode(t, err, jobs.ErrLimitReached)
}
