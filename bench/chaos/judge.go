package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/platen-render/platen/internal/jobs"
)

// ledger is what has been seen issued so far.
type ledger struct {
	numbers map[string]map[int64]jobs.ID // tenant → issue number → document
	issued  map[jobs.ID]jobs.ID          // document → job
}

// judge compares what clients were told with the store, the blobs and the receiver.
func (in *installation) judge(ctx context.Context) error {
	r := in.report
	if err := in.judgeBatches(ctx); err != nil {
		return err
	}
	r.Accepted = len(in.told.jobs)
	for _, b := range in.told.broken {
		r.broken(&r.PublishedTwice, "%s", b)
	}
	l := ledger{map[string]map[int64]jobs.ID{}, map[jobs.ID]jobs.ID{}}
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
		if err := in.judgeJob(ctx, j, l); err != nil {
			return err
		}
	}
	r.AttemptsPerJob = float64(attempts) / float64(max(1, r.Accepted))
	if err := in.judgeNumbers(ctx, l); err != nil {
		return err
	}
	if err := in.judgeReceipts(ctx, l); err != nil {
		return err
	}
	if err := in.judgeTemplates(ctx); err != nil {
		return err
	}
	return in.judgeBlobs(ctx)
}

func (in *installation) judgeJob(ctx context.Context, j jobs.Job, l ledger) error {
	if !j.Status.Final() {
		in.report.broken(&in.report.Stuck, "job %s is %s, attempt %d, failure %+v", j.ID, j.Status, j.Attempt, j.Failure)
		return nil
	}
	if ended := j.Finished.Sub(in.report.calm).Seconds(); ended > 0 {
		in.report.Backlog++
		in.report.JobsEnded = max(in.report.JobsEnded, ended)
	}
	in.judgeFailure(j)
	in.judgeEvents(j)
	if j.Status != jobs.Succeeded {
		return nil
	}
	return in.judgeDocument(ctx, j, l)
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
func (in *installation) judgeDocument(ctx context.Context, j jobs.Job, l ledger) error {
	r := in.report
	d, err := in.store.Document(ctx, j.Document)
	if err != nil {
		return err
	}
	if other, ok := l.issued[d.ID]; ok && other != j.ID {
		r.broken(&r.PublishedTwice, "document %s was issued by job %s and by job %s", d.ID, other, j.ID)
	}
	l.issued[d.ID] = j.ID
	if d.Status != jobs.Issued || d.Job != j.ID || *d.Result != *j.Result {
		r.broken(&r.PublishedTwice, "document %s is %s by job %s, and job %s succeeded too", d.ID, d.Status, d.Job, j.ID)
	}
	if l.numbers[d.Tenant] == nil {
		l.numbers[d.Tenant] = map[int64]jobs.ID{}
	}
	if other, ok := l.numbers[d.Tenant][d.Number]; ok && other != d.ID {
		r.broken(&r.PublishedTwice, "number %d was given to %s and to %s", d.Number, other, d.ID)
	}
	l.numbers[d.Tenant][d.Number] = d.ID
	body, err := in.read(ctx, d.Result.Blob)
	sum := sha256.Sum256(body)
	if err != nil || hex.EncodeToString(sum[:]) != d.Result.SHA256 {
		r.broken(&r.Lost, "bytes of document %s: %v", d.ID, err)
		return nil
	}
	in.judgeBytes(ctx, j, body)
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

// judgeNumbers checks that no issue number was left out.
func (in *installation) judgeNumbers(ctx context.Context, l ledger) error {
	for tenant, numbers := range l.numbers {
		last := int64(0)
		for n := range numbers {
			last = max(last, n)
		}
		if last == int64(len(numbers)) {
			continue
		}
		// A gap may belong to a job whose client was never told of it; then somebody else has the number.
		given, err := in.numbersGiven(ctx, tenant)
		if err != nil {
			return err
		}
		for n := int64(1); n <= last; n++ {
			if !given[n] {
				in.report.broken(&in.report.Lost, "issue number %d of %s was given to nobody", n, tenant)
			}
		}
	}
	return nil
}

// numbersGiven are those of all documents of a tenant.
func (in *installation) numbersGiven(ctx context.Context, tenant string) (map[int64]bool, error) {
	given := map[int64]bool{}
	filter := jobs.JobFilter{Tenant: tenant, Status: jobs.Succeeded, Limit: 200}
	for {
		page, err := in.store.Jobs(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, j := range page.Items {
			d, err := in.store.Document(ctx, j.Document)
			if err != nil {
				return nil, err
			}
			given[d.Number] = true
		}
		if page.Next == "" {
			return given, nil
		}
		filter.Cursor = page.Next
	}
}
