package redisstore

import (
	"context"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// Claim implements [jobs.Lifecycle].
func (s *Store) Claim(ctx context.Context, id jobs.ID, generation int, owner string, lease time.Duration) (jobs.Claim, error) {
	v, err := s.run(ctx, s.scripts.claim, id.Partition(), string(id), generation, owner, lease.Milliseconds())
	if err != nil {
		return jobs.Claim{}, err
	}
	c := jobs.Claim{Answer: jobs.ClaimAnswer(text(item(v, 0)))}
	if c.Answer == jobs.ClaimOK {
		c.Job = jobFrom(id, hash(item(v, 1)))
	}
	return c, nil
}

// Beat implements [jobs.Lifecycle].
func (s *Store) Beat(ctx context.Context, id jobs.ID, f jobs.Fence, lease time.Duration, progress int) (jobs.Pulse, error) {
	v, err := s.word(ctx, s.scripts.beat, id.Partition(), string(id), f.Attempt, f.Owner, lease.Milliseconds(), progress)
	return jobs.Pulse(v), err
}

// Complete implements [jobs.Lifecycle].
func (s *Store) Complete(ctx context.Context, id jobs.ID, f jobs.Fence, r jobs.Result, warnings []render.Warning) (jobs.Completion, error) {
	made := ""
	if r.Made != nil {
		made = pack(encode(r.Made.Digested()))
	}
	v, err := s.word(ctx, s.scripts.complete, id.Partition(), string(id), f.Attempt, f.Owner, encode(r), encode(warnings), made, hashed(r.SHA256), r.Bytes)
	return jobs.Completion(v), about(err, "job_id", string(id))
}

// Fail implements [jobs.Lifecycle].
func (s *Store) Fail(ctx context.Context, id jobs.ID, f jobs.Fence, why jobs.Failure, rule jobs.Rule) (jobs.Failing, error) {
	args := []any{string(id), f.Attempt, f.Owner, encode(why), rule.Counter, rule.Limit, flag(rule.OnlyOverdue)}
	v, err := s.word(ctx, s.scripts.fail, id.Partition(), append(args, millis(rule.Delays)...)...)
	return jobs.Failing(v), err
}

// Overdue implements [jobs.Lifecycle].
func (s *Store) Overdue(ctx context.Context, partition, limit int) ([]jobs.Overdue, error) {
	var all []jobs.Overdue
	v, err := s.list(ctx, s.scripts.overdue, partition, limit)
	for i := 0; i+2 < len(v); i += 3 {
		f := fields{"att": v[i+1]}
		all = append(all, jobs.Overdue{ID: jobs.ID(v[i]), Fence: jobs.Fence{Attempt: f.int("att"), Owner: v[i+2]}})
	}
	return all, err
}

func millis(ds []time.Duration) []any {
	out := make([]any, len(ds))
	for i, d := range ds {
		out[i] = d.Milliseconds()
	}
	return out
}
