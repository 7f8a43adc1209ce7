package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/jobstest"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/internal/worker"
)

const receiver = "https://receiver.example/hook"

// batchRig is a rig with reconcilers that make jobs of batches, anew too.
type batchRig struct {
	*rig
	key *seal.Key
}

func newBatchRig(t *testing.T) batchRig {
	t.Helper()
	r := newIdleBatchRig(t)
	for range 2 {
		rec := &worker.Reconciler{
			Store: r.store, Queue: r.queue, Rules: rules(), Lease: lease, Tick: 30 * time.Millisecond, Logger: r.logger,
			Remaker: jobs.NewRemaker(r.store, r.blobs, r.key, r.logger),
		}
		r.start(rec.Run)
	}
	return r
}

// newIdleBatchRig is one whose reconcilers are still to be started.
func newIdleBatchRig(t *testing.T) batchRig {
	t.Helper()
	key, err := seal.ParseKey(seal.GenerateKey())
	if err != nil {
		t.Fatal(err)
	}
	return batchRig{newRig(t), key}
}

// upload seals a batch of pages that reports its end and its failures. A large page lies in the storage.
func (r batchRig) upload(pages ...string) jobs.ID {
	r.Helper()
	o := jobs.BatchOrder{
		ID: jobs.NewID(jobs.KindBatch, 0), Tenant: jobs.DefaultTenant, Request: "fp", Event: jobs.NewID(jobs.KindEvent, 0),
		Delivery: jobs.NewID(jobs.KindDelivery, 0), Host: "receiver.example", Target: jobs.Target(receiver),
		Events: []string{jobs.EventBatchCompleted, "job.failed"},
	}
	o.Sealed = jobs.Callback{URL: receiver}.Seal(r.key, o.Delivery)
	if _, err := r.store.BeginBatch(r.Context(), o); err != nil {
		r.Fatal(err)
	}
	var items []jobs.StagedItem
	for i, page := range pages {
		j := newJob(jobs.DefaultTenant, 0).Job
		j.Class, j.Batch, j.Reports, j.Fingerprint = jobs.ClassBatch, o.ID, []string{"job.failed"}, jobs.Fingerprint(page[:3])
		j.Callback, j.Target = &jobs.CallbackState{Host: "receiver.example"}, jobs.Target(receiver)
		j.Sealed = jobs.Callback{URL: receiver}.Seal(r.key, j.Delivery)
		j.Spec = r.spec(page)
		if len(j.Spec) > 1000 {
			j.SpecBlob = jobs.SpecBlob(j.Tenant, j.ID)
			if err := r.blobs.Put(r.Context(), j.SpecBlob, strings.NewReader(string(j.Spec))); err != nil {
				r.Fatal(err)
			}
			j.Spec = nil
		}
		items = append(items, jobs.StagedItem{Index: i, Job: j})
	}
	if _, err := r.store.StageItems(r.Context(), o.ID, items); err != nil {
		r.Fatal(err)
	}
	if got, err := r.store.SealBatch(r.Context(), o.ID, len(items), "digest"); err != nil || got != jobs.SealDone {
		r.Fatal(got, err)
	}
	return o.ID
}

// ended waits for the end of an epoch.
func (r batchRig) ended(id jobs.ID, epoch int) jobs.Batch {
	r.Helper()
	var b jobs.Batch
	jobstest.Eventually(r, "the batch ends", func() bool {
		var err error
		b, err = r.store.Batch(r.Context(), id)
		if err != nil {
			r.Fatal(err)
		}
		return b.Status.Final() && b.Epoch == epoch
	})
	return b
}

func (r batchRig) items(id jobs.ID) []jobs.BatchItem {
	r.Helper()
	items, _, err := r.store.BatchItems(r.Context(), jobs.ItemFilter{Batch: id, Limit: 100})
	if err != nil {
		r.Fatal(err)
	}
	return items
}

// retry tries again what has failed.
func (r batchRig) retry(b jobs.Batch) {
	r.Helper()
	order := jobs.BatchRetry{Batch: b.ID, Key: "k", Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0)}
	order.Sealed = jobs.Callback{URL: receiver}.Seal(r.key, order.Delivery)
	if got, err := r.store.RetryBatch(r.Context(), order); err != nil || got != jobs.RetryBegun {
		r.Fatal(got, err)
	}
}

func TestFailedItemsOfABatchAreMadeAgainFromTheirOldInputs(t *testing.T) {
	t.Parallel()
	r := newBatchRig(t)
	r.work(jobstest.Patience)
	id := r.upload("<p>good", "<p><!-- rendertest:fail=page_failed*1 -->", "<p><!-- rendertest:fail=page_failed -->"+strings.Repeat(" large", 500), "<p>good too")
	first := r.ended(id, 1)
	if first.Counts[jobs.ItemFailed] != 2 || first.Counts[jobs.ItemSucceeded] != 2 {
		t.Fatalf("counts %v", first.Counts)
	}
	before := r.items(id)
	r.retry(first)
	second := r.ended(id, 2)
	if second.Counts[jobs.ItemFailed] != 1 || second.Counts[jobs.ItemSucceeded] != 3 {
		t.Errorf("counts %v", second.Counts)
	}
	for i, item := range r.items(id) {
		again := i == 1 || i == 2
		if item.Document != before[i].Document || (item.Job != before[i].Job) != again {
			t.Errorf("item %+v, before %+v", item, before[i])
		}
		if again {
			r.checkRemade(r.job(before[i].Job), r.job(item.Job))
		}
	}
	for _, b := range []jobs.Batch{first, second} {
		if d, err := r.store.Delivery(t.Context(), b.Delivery); err != nil || d.Batch != id {
			t.Errorf("delivery %+v, %v", d, err)
		}
	}
}

// checkRemade compares a job with the one that it was made from: it has an input and a callback of its own.
func (r batchRig) checkRemade(old, remade jobs.Job) {
	r.Helper()
	var was, is jobs.Spec
	for j, spec := range map[*jobs.Job]*jobs.Spec{&old: &was, &remade: &is} {
		got, err := jobs.LoadSpec(r.Context(), r.blobs, *j)
		if err != nil {
			r.Fatal(err)
		}
		*spec = got
	}
	a, _ := json.Marshal(was)
	b, _ := json.Marshal(is)
	if string(a) != string(b) || old.Fingerprint != remade.Fingerprint || remade.SpecBlob != "" && remade.SpecBlob == old.SpecBlob {
		r.Errorf("the input is %s in %q, and was %s in %q", b, remade.SpecBlob, a, old.SpecBlob)
	}
	callback, err := jobs.OpenCallback(r.key, remade.Delivery, remade.Sealed)
	if err != nil || callback.URL != receiver || remade.Delivery == old.Delivery || remade.Batch != old.Batch {
		r.Errorf("callback %+v, %v", callback, err)
	}
	d, err := r.store.Delivery(r.Context(), remade.Delivery)
	if reported := remade.Status == jobs.Failed; (err == nil) != reported || reported && d.Job != remade.ID {
		r.Errorf("delivery %+v of a job that has %s, %v", d, remade.Status, err)
	}
}

func TestAnItemWhoseInputIsGoneFailsAndHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	r := newBatchRig(t)
	stop := r.work(jobstest.Patience)
	broken := "<p><!-- rendertest:fail=page_failed -->"
	id := r.upload(broken+strings.Repeat(" large", 500), broken)
	first := r.ended(id, 1)
	stop()
	if err := r.blobs.DeletePrefix(t.Context(), jobs.InputPrefix(jobs.DefaultTenant, r.items(id)[0].Job)); err != nil {
		t.Fatal(err)
	}
	r.retry(first)
	var items []jobs.BatchItem
	jobstest.Eventually(t, "the items are made again", func() bool {
		items = r.items(id)
		return items[0].Status == jobs.ItemFailed && items[1].Status == jobs.ItemQueued
	})
	if f := items[0].Failure; f == nil || f.Code != jobs.ErrMissing.Code {
		t.Errorf("item %+v", items[0])
	}
}

// slowBlobs are blobs of which each takes a while to be written.
type slowBlobs struct {
	jobs.Blobs
	takes time.Duration
}

func (s slowBlobs) Put(ctx context.Context, name string, r io.Reader) error {
	select {
	case <-time.After(s.takes):
		return s.Blobs.Put(ctx, name, r)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestASlowStorageMakesItemsAgainSlowly(t *testing.T) {
	t.Parallel()
	r := newIdleBatchRig(t)
	stopWork, stopReconciling := r.work(jobstest.Patience), r.reconcile()
	page := "<p><!-- rendertest:fail=page_failed -->" + strings.Repeat(" large", 10000)
	first := r.ended(r.upload(page, page, page, page, page, page), 1)
	stopWork()
	stopReconciling()
	remaker := jobs.NewRemaker(r.store, slowBlobs{r.blobs, 100 * time.Millisecond}, r.key, r.logger)
	r.retry(first)
	for more := true; more; {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond) // not enough for all
		var err error
		if more, err = remaker.Remake(ctx, 0); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	for _, item := range r.items(first.ID) {
		if item.Status != jobs.ItemWaiting || r.job(item.Job).Status != jobs.Failed {
			t.Errorf("item %+v", item)
		}
	}
	if items, err := r.store.Again(t.Context(), 0, 10); err != nil || len(items) > 0 {
		t.Errorf("to be made again: %+v, %v", items, err)
	}
}

// brokenBlobs are blobs of which some cannot be read: a bad sector, a file of another owner.
type brokenBlobs struct {
	jobs.Blobs
	broken string // prefix
}

func (b brokenBlobs) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	if strings.HasPrefix(name, b.broken) {
		return nil, fault.New(fault.Unavailable, "storage_unavailable", "The storage cannot be used at the moment.").Because(errors.New("input/output error"))
	}
	return b.Blobs.Open(ctx, name)
}

func TestAnInputThatCannotBeReadHoldsUpNoOtherItem(t *testing.T) {
	t.Parallel()
	r := newIdleBatchRig(t)
	stopWork, stopReconciling := r.work(jobstest.Patience), r.reconcile()
	page := "<p><!-- rendertest:fail=page_failed -->" + strings.Repeat(" large", 500)
	first, second := r.ended(r.upload(page, page, page), 1), r.ended(r.upload(page), 1)
	stopWork()
	stopReconciling()
	unreadable := jobs.InputPrefix(jobs.DefaultTenant, r.items(first.ID)[0].Job)
	remaker := jobs.NewRemaker(r.store, brokenBlobs{r.blobs, unreadable}, r.key, r.logger)
	r.retry(first)
	r.retry(second)
	jobstest.Eventually(t, "the others are made again", func() bool {
		_, err := remaker.Remake(t.Context(), 0)
		if err != nil {
			t.Log(err)
		}
		for more := true; more; {
			if more, err = r.store.Promote(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
		}
		a, b := r.batch(first.ID), r.batch(second.ID)
		return a.Counts[jobs.ItemQueued] == 2 && a.Counts[jobs.ItemWaiting] == 1 && b.Counts[jobs.ItemQueued] == 1
	})
}

func (r batchRig) batch(id jobs.ID) jobs.Batch {
	r.Helper()
	b, err := r.store.Batch(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return b
}
