package redisstore

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Accept implements [jobs.Intake].
func (s *Store) Accept(ctx context.Context, a jobs.Acceptance) (jobs.Acceptation, error) {
	j := a.Job
	args := []any{
		flag(a.Probe), string(j.ID), string(j.Document), j.Tenant,
		hashed(a.IdempotencyKey), string(a.Request), hashed(j.DocumentKey), string(j.Fingerprint),
		a.Nonce, string(a.RetryOf), a.Grace.Milliseconds(), owedBytes(j), spaced(a.Uses),
		a.Most, string(j.Class),
	}
	v, err := s.list(ctx, s.scripts.accept, s.partition(j.Tenant), append(args, newJobFields(a, s.opts)...)...)
	if err != nil {
		if len(v) > 1 {
			err = about(err, "job_id", v[1])
		}
		return jobs.Acceptation{}, err
	}
	if jobs.Verdict(v[0]) == jobs.InputGone {
		return jobs.Acceptation{Verdict: jobs.InputGone, Gone: v[1]}, nil
	}
	if err := refusal(v); err != nil {
		return jobs.Acceptation{}, err
	}
	if reached := limitReached(v); reached != nil {
		return jobs.Acceptation{Verdict: jobs.Limited, Limit: reached}, nil
	}
	got := jobs.Acceptation{Verdict: jobs.Verdict(v[0]), Job: jobs.ID(v[1]), Document: jobs.ID(v[2])}
	switch {
	case got.Verdict == jobs.Created:
		got.Created, got.Held = fields{"created": v[3]}.time("created"), v[5] == "1"
		s.memory[s.partition(j.Tenant)].added.Add(queuedBytes(j) + owedBytes(j) + useBytes*int64(len(a.Uses)))
	case len(v) > 4:
		got.Batch = jobs.ID(v[4])
	}
	return got, nil
}

// Job implements [jobs.Intake].
func (s *Store) Job(ctx context.Context, id jobs.ID) (jobs.Job, error) {
	j, err := s.readJob(ctx, id)
	if err != nil || s.opts.WaitReplicas == 0 || !promisesJob(j) {
		return j, err
	}
	v, err := s.confirmed(ctx, s.scripts.job, id.Partition(), string(id))
	if err != nil {
		return jobs.Job{}, about(err, "job_id", string(id))
	}
	if item(v, 0) == nil {
		return jobs.Job{}, jobs.ErrJobNotFound
	}
	return jobOf(id, v), nil
}

func (s *Store) readJob(ctx context.Context, id jobs.ID) (jobs.Job, error) {
	if id.Partition() >= s.opts.Partitions {
		return jobs.Job{}, jobs.ErrJobNotFound
	}
	v, err := s.run(ctx, s.scripts.job, id.Partition(), string(id))
	if err != nil {
		return jobs.Job{}, err
	}
	if item(v, 0) == nil {
		return jobs.Job{}, jobs.ErrJobNotFound
	}
	return jobOf(id, v), nil
}

// jobOf reads the answer of the script job: the record, and how its delivery stands.
func jobOf(id jobs.ID, v any) jobs.Job {
	j := jobFrom(id, hash(item(v, 0)))
	status := text(item(v, 1))
	if status == "" || j.Callback == nil {
		return j
	}
	j.Callback.Status = jobs.DeliveryStatus(status)
	j.Callback.Attempts, _ = strconv.Atoi(text(item(v, 2)))
	next, _ := strconv.ParseInt(text(item(v, 3)), 10, 64)
	if j.Callback.Status == jobs.DeliveryPending {
		j.Callback.NextAttempt = instant(next)
	}
	return j
}

// Jobs implements [jobs.Intake]. The index is ordered by id, whose time is that of the process that drew it; the
// bounds of a filter are those of the record, so the range is taken wider by clockSlack and filtered.
func (s *Store) Jobs(ctx context.Context, f jobs.JobFilter) (jobs.Page[jobs.Job], error) {
	p := s.partition(f.Tenant)
	name := key(p, "idx:", f.Tenant)
	switch {
	case f.Unacknowledged:
		name = key(p, "unack:", f.Tenant)
	case f.Document != "":
		name = key(p, "djobs:", string(f.Document))
	case f.Status != "":
		name = key(p, "idx:", f.Tenant, string(f.Status))
	}
	low, high := idRange(jobs.KindJob, f.CreatedAfter, f.CreatedBefore)
	found, err := page(ctx, s, name, low, high, f.Cursor, f.Limit, s.readJob, func(j jobs.Job) bool {
		return j.Tenant == f.Tenant && (f.Status == "" || j.Status == f.Status) && (f.Document == "" || j.Document == f.Document) &&
			(f.CreatedAfter.IsZero() || j.Created.After(f.CreatedAfter)) &&
			(f.CreatedBefore.IsZero() || j.Created.Before(f.CreatedBefore))
	})
	if err == nil && s.opts.WaitReplicas > 0 && slices.ContainsFunc(found.Items, promisesJob) {
		found.Items, err = s.confirmJobs(ctx, p, found.Items)
	}
	return found, err
}

// clockSlack is how far the clocks of processes may be apart for a list to be complete.
const clockSlack = 15 * time.Minute

// idRange are the bounds, for a range by id, of what was made between two instants; a zero one is open.
func idRange(kind jobs.Kind, after, before time.Time) (low, high string) {
	low, high = "-", "+"
	if !after.IsZero() {
		low = "[" + string(jobs.IDAt(kind, after.Add(-clockSlack)))
	}
	if !before.IsZero() {
		high = "(" + string(jobs.IDAt(kind, before.Add(clockSlack)))
	}
	return low, high
}

// page collects limit records that keep accepts, newest id first. A record that vanished meanwhile is left out.
func page[T any](ctx context.Context, s *Store, name, low, high string, cursor jobs.ID, limit int,
	load func(context.Context, jobs.ID) (T, error), keep func(T) bool,
) (jobs.Page[T], error) {
	if cursor != "" {
		high = "(" + string(cursor)
	}
	result := jobs.Page[T]{Items: []T{}}
	for {
		ids, err := s.rdb.ZRangeArgs(ctx, redis.ZRangeArgs{
			Key: name, Start: high, Stop: low, ByLex: true, Rev: true, Count: int64(limit + 1),
		}).Result()
		if err := unavailable(err); err != nil {
			return result, err
		}
		for i, id := range ids {
			if len(result.Items) == limit {
				result.Next = jobs.ID(high[1:])
				return result, nil
			}
			record, err := load(ctx, jobs.ID(id))
			switch {
			case err == nil && keep(record):
				result.Items = append(result.Items, record)
			case err != nil && !isMissing(err):
				return result, err
			}
			high = "(" + ids[i]
		}
		if len(ids) <= limit {
			return result, nil
		}
	}
}

// Document implements [jobs.Intake].
func (s *Store) Document(ctx context.Context, id jobs.ID) (jobs.Document, error) {
	name := key(id.Partition(), "document:", string(id))
	d, err := readDocument(id, s.rdb.HGetAll(ctx, name))
	if err != nil || s.opts.WaitReplicas == 0 || !promisesDocument(d) {
		return d, err
	}
	var again *redis.MapStringStringCmd
	err = s.confirm(ctx, id.Partition(), func(p redis.Pipeliner, _ caller) { again = p.HGetAll(ctx, name) })
	if err != nil {
		return jobs.Document{}, about(err, "document_id", string(id))
	}
	return readDocument(id, again)
}

// Documents implements [jobs.Intake]: one pipeline.
func (s *Store) Documents(ctx context.Context, ids []jobs.ID) ([]jobs.Document, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	answers := make([]*redis.MapStringStringCmd, len(ids))
	read := func(p redis.Pipeliner, _ caller) {
		for i, id := range ids {
			answers[i] = p.HGetAll(ctx, key(id.Partition(), "document:", string(id)))
		}
	}
	var err error
	if s.opts.WaitReplicas > 0 {
		err = s.confirm(ctx, ids[0].Partition(), read)
	} else {
		_, err = s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
			read(p, nil)
			return nil
		})
		err = unavailable(err)
	}
	if err != nil {
		return nil, err
	}
	documents := make([]jobs.Document, len(ids))
	for i, id := range ids {
		if documents[i], err = readDocument(id, answers[i]); err != nil {
			return nil, about(err, "document_id", string(id))
		}
	}
	return documents, nil
}

func readDocument(id jobs.ID, record *redis.MapStringStringCmd) (jobs.Document, error) {
	f, err := record.Result()
	if err := unavailable(err); err != nil {
		return jobs.Document{}, err
	}
	if len(f) == 0 {
		return jobs.Document{}, jobs.ErrDocumentNotFound
	}
	return documentFrom(id, f), nil
}

// DocumentByKey implements [jobs.Intake].
func (s *Store) DocumentByKey(ctx context.Context, tenant, documentKey string) (jobs.Document, error) {
	id, err := s.rdb.Get(ctx, key(s.partition(tenant), "doc:", tenant, hashed(documentKey))).Result()
	if err := unavailable(err); err != nil {
		return jobs.Document{}, err
	}
	if id == "" {
		return jobs.Document{}, jobs.ErrDocumentNotFound
	}
	return s.Document(ctx, jobs.ID(id))
}

// Cancel implements [jobs.Intake].
func (s *Store) Cancel(ctx context.Context, id jobs.ID) (jobs.Status, error) {
	status, err := s.word(ctx, s.scripts.cancel, id.Partition(), string(id))
	if err == nil && status == "" {
		err = jobs.ErrJobNotFound
	}
	return jobs.Status(status), about(err, "job_id", string(id))
}

// Purge implements [jobs.Intake].
func (s *Store) Purge(ctx context.Context, id jobs.ID) ([]jobs.ID, error) {
	v, err := s.list(ctx, s.scripts.purge, id.Partition(), string(id))
	if err != nil {
		return nil, about(err, "document_id", string(id))
	}
	switch v[0] {
	case "gone":
		return nil, jobs.ErrDocumentNotFound
	case "pending":
		return nil, jobs.ErrDocumentPending
	}
	return ids(v[1:]), nil
}

// Load implements [jobs.Intake].
func (s *Store) Load(ctx context.Context, class jobs.Class) (jobs.Load, error) {
	ctx, cancel := context.WithTimeout(ctx, loadPatience)
	defer cancel()
	n := s.opts.Partitions
	parts, took, errs := make([]jobs.Load, n), make([][]int, n), make([]error, n)
	var group sync.WaitGroup
	for p := range n {
		group.Go(func() { parts[p], took[p], errs[p] = s.load(ctx, p, class) })
	}
	group.Wait()
	var load jobs.Load
	for _, part := range parts {
		load.Waiting += part.Waiting
		load.Running += part.Running
	}
	if all := slices.Sorted(slices.Values(slices.Concat(took...))); len(all) > 0 {
		load.Median = time.Duration(all[len(all)/2]) * time.Millisecond
	}
	return load, errors.Join(errs...)
}

// loadPatience bounds how long a request waits for an estimate when a part of the store does not answer.
const loadPatience = 500 * time.Millisecond

// load counts what waits and runs in a partition, with the durations in ms of what has run lately.
func (s *Store) load(ctx context.Context, partition int, class jobs.Class) (load jobs.Load, took []int, err error) {
	var ready *redis.StringCmd
	var handed, running *redis.IntCmd
	var recent *redis.StringSliceCmd
	line := string(class.Line())
	_, err = s.rdb.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		ready, handed = pipe.HGet(ctx, key(partition, "depth"), line), pipe.ZCard(ctx, key(partition, "handed:", line))
		running = pipe.ZCard(ctx, key(partition, "run"))
		recent = pipe.LRange(ctx, key(partition, "took:", string(class)), 0, -1)
		return nil
	})
	if err := unavailable(err); err != nil {
		return load, nil, err
	}
	n, _ := ready.Int()
	load.Waiting, load.Running = n+int(handed.Val()), int(running.Val())
	for _, ms := range recent.Val() {
		n, _ := strconv.Atoi(ms)
		took = append(took, n)
	}
	return load, took, nil
}

// spaced lists what a job needs with blanks between.
func spaced(uses []jobs.Use) string {
	names := make([]string, len(uses))
	for i, u := range uses {
		names[i] = u.String()
	}
	return strings.Join(names, " ")
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func ids(texts []string) []jobs.ID {
	out := make([]jobs.ID, len(texts))
	for i, t := range texts {
		out[i] = jobs.ID(t)
	}
	return out
}
