package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/worker"
)

// settle waits until every job that a client was told of has ended and has reported it, or the time is up.
func (in *installation) settle(ctx context.Context) error {
	deadline := time.Now().Add(settleTimeout)
	for id := range in.told.jobs {
		for {
			done, err := in.settled(ctx, jobs.ID(id))
			if done || time.Now().After(deadline) {
				break
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_ = err // Redis may still be loading; the next look will tell
			pause(ctx, 50*time.Millisecond)
		}
	}
	return nil
}

func (in *installation) settled(ctx context.Context, id jobs.ID) (bool, error) {
	j, err := in.store.Job(ctx, id)
	if errors.Is(err, jobs.ErrJobNotFound) {
		return true, nil // lost: the judge will say so
	}
	if err != nil || !j.Status.Final() {
		return false, err
	}
	d, err := in.store.Delivery(ctx, j.Delivery)
	return err == nil && d.Status != jobs.DeliveryPending, err
}

// judge compares what clients were told with the store, the blobs and the receiver.
func (in *installation) judge(ctx context.Context) error {
	r := in.report
	r.Accepted = len(in.told.jobs)
	for _, b := range in.told.broken {
		r.broken(&r.PublishedTwice, "%s", b)
	}
	numbers := map[int64]string{}
	issued := map[jobs.ID]jobs.ID{} // document → job
	attempts := 0
	for id := range in.told.jobs {
		j, err := in.store.Job(ctx, jobs.ID(id))
		if errors.Is(err, jobs.ErrJobNotFound) {
			r.broken(&r.Lost, "job %s is not known", id)
			continue
		}
		if err != nil {
			return err
		}
		attempts += j.Attempt
		if !j.Status.Final() {
			r.broken(&r.Stuck, "job %s is %s, attempt %d, failure %+v", id, j.Status, j.Attempt, j.Failure)
			continue
		}
		in.judgeFailure(j)
		if err := in.judgeDocument(ctx, j, numbers, issued); err != nil {
			return err
		}
		in.judgeEvents(j)
	}
	r.AttemptsPerJob = float64(attempts) / float64(max(1, r.Accepted))
	for n := int64(1); n <= int64(len(numbers)); n++ {
		if numbers[n] == "" {
			// A gap may belong to a job whose client was never told of it; then somebody else has the number.
			if found, err := in.numberGiven(ctx, n); err != nil || !found {
				r.broken(&r.Lost, "issue number %d was given to nobody (%v)", n, err)
			}
		}
	}
	return in.judgeBlobs(ctx)
}

// judgeFailure checks that a job failed only for what its page asked for.
func (in *installation) judgeFailure(j jobs.Job) {
	if j.Status == jobs.Failed && j.Failure.Code != "page_failed" {
		in.report.broken(&in.report.RetriesUsedUp, "job %s failed with %+v after %d attempts", j.ID, j.Failure, j.Attempt)
	}
	if in.told.canceled[string(j.ID)] && j.Status != jobs.Canceled {
		in.report.broken(&in.report.Lost, "job %s was canceled and is %s", j.ID, j.Status)
	}
}

// judgeDocument checks that a succeeded job is the one winner of its document, with a number of its own and the bytes that
// the record names.
func (in *installation) judgeDocument(ctx context.Context, j jobs.Job, numbers map[int64]string, issued map[jobs.ID]jobs.ID) error {
	r := in.report
	if j.Status != jobs.Succeeded {
		return nil
	}
	d, err := in.store.Document(ctx, j.Document)
	if err != nil {
		return err
	}
	if other, ok := issued[d.ID]; ok && other != j.ID {
		r.broken(&r.PublishedTwice, "document %s was issued by job %s and by job %s", d.ID, other, j.ID)
	}
	issued[d.ID] = j.ID
	if d.Status != jobs.Issued || d.Job != j.ID || *d.Result != *j.Result {
		r.broken(&r.PublishedTwice, "document %s is %s by job %s, and job %s succeeded too", d.ID, d.Status, d.Job, j.ID)
	}
	if other := numbers[d.Number]; other != "" && other != string(d.ID) {
		r.broken(&r.PublishedTwice, "number %d was given to %s and to %s", d.Number, other, d.ID)
	}
	numbers[d.Number] = string(d.ID)
	body, err := in.read(ctx, d.Result.Blob)
	sum := sha256.Sum256(body)
	if err != nil || hex.EncodeToString(sum[:]) != d.Result.SHA256 {
		r.broken(&r.Lost, "bytes of document %s: %v", d.ID, err)
	}
	return nil
}

func (in *installation) read(ctx context.Context, name string) ([]byte, error) {
	f, _, err := in.blobs.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return io.ReadAll(f)
}

// judgeEvents checks that the receiver has exactly one terminal event of a job, which says what the store says.
func (in *installation) judgeEvents(j jobs.Job) {
	r := in.report
	in.receiver.mu.Lock()
	defer in.receiver.mu.Unlock()
	s, ok := in.receiver.events[string(j.Event)]
	if !ok {
		r.broken(&r.EventsMissing, "event %s of job %s (%s) did not arrive", j.Event, j.ID, j.Status)
		return
	}
	if s.differ || s.Type != "job."+string(j.Status) || s.Data.JobID != string(j.ID) || s.Data.DocumentID != string(j.Document) {
		r.broken(&r.EventsConflicting, "event %s says %s of job %s, which is %s", s.ID, s.Type, j.ID, j.Status)
	}
	r.WebhooksSeenTwice += s.times - 1
}

// numberGiven looks for a number among all documents of the tenant.
func (in *installation) numberGiven(ctx context.Context, n int64) (bool, error) {
	filter := jobs.JobFilter{Tenant: jobs.DefaultTenant, Status: jobs.Succeeded, Limit: 200}
	for {
		page, err := in.store.Jobs(ctx, filter)
		if err != nil {
			return false, err
		}
		for _, j := range page.Items {
			d, err := in.store.Document(ctx, j.Document)
			if err != nil {
				return false, err
			}
			if d.Number == n {
				return true, nil
			}
		}
		if page.Next == "" {
			return false, nil
		}
		filter.Cursor = page.Next
	}
}

// judgeBlobs lets the janitor pass once, and counts what is left that belongs to nothing.
func (in *installation) judgeBlobs(ctx context.Context) error {
	store := walkable{in.blobs}
	janitor := &worker.Janitor{Store: in.store, Blobs: store, Logger: slog.New(slog.DiscardHandler), Grace: time.Nanosecond}
	if _, err := janitor.WalkBlobs(ctx); err != nil {
		return err
	}
	return in.blobs.Walk(ctx, "", func(i blobs.Info) error {
		place, ok := jobs.ParsePlace(i.Name)
		if !ok {
			in.report.broken(&in.report.OrphanBlobs, "%s is of no kind", i.Name)
			return nil
		}
		if place.Document == "" {
			return nil // an input, which lives as long as its job
		}
		d, err := in.store.Document(ctx, place.Document)
		if err != nil {
			return fmt.Errorf("document of %s: %w", i.Name, err)
		}
		if d.Result == nil || d.Result.Blob != i.Name {
			in.report.broken(&in.report.OrphanBlobs, "%s is nobody's", i.Name)
		}
		return nil
	})
}

// walkable is a file store as the janitor wants it.
type walkable struct{ blobs.FileStore }

func (w walkable) Put(ctx context.Context, name string, r io.Reader) error {
	_, err := w.FileStore.Put(ctx, name, r)
	return err
}

func (w walkable) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	f, _, err := w.FileStore.Open(ctx, name)
	return f, err
}

func (w walkable) Walk(ctx context.Context, prefix string, visit func(string, time.Time) error) error {
	return w.FileStore.Walk(ctx, prefix, func(i blobs.Info) error { return visit(i.Name, i.ModTime) })
}

func (w walkable) Sweep(ctx context.Context) error {
	_, err := w.FileStore.Sweep(ctx)
	return err
}
