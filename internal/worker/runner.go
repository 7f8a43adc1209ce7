package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Cache is what the bytes of earlier documents need of the store.
type Cache interface {
	jobs.Caching
	Document(ctx context.Context, id jobs.ID) (jobs.Document, error)
}

// Runner makes the documents of jobs. All fields are required unless they say otherwise. Safe for concurrent use.
type Runner struct {
	Store  jobs.Lifecycle
	Maker  *Maker
	Cache  Cache
	Health *Health
	Rules  jobs.Rules
	// Lease is how long an attempt lives without a beat; a third of it passes between beats.
	Lease time.Duration
	// Sign makes the receipt of a document that was issued; it is [jobs.Signer.Ensure]. Nil leaves it to whoever reads it first.
	Sign func(ctx context.Context, document jobs.ID) error
	// Aside runs the end of an attempt beside the next one: its document is in the blob store, or was not made, and only the store has to
	// record it. It must begin at once, since nothing beats for the attempt any more: it is false when it does not, and then, or when it
	// is nil, Run does it itself.
	Aside func(end func()) bool
	// Bell is rung when a job was taken and when it has ended: others may be handed out. The zero Bell tells nobody.
	Bell    Bell
	Logger  *slog.Logger
	Metrics *Metrics

	away jobs.Away
}

// Causes for which an attempt is given up without being the job's fault.
var (
	errFenceLost = errors.New("the attempt is no longer ours")
	errCanceled  = errors.New("cancel requested")
)

// Run makes the document of a task, if it is still to be made. It returns an error only when the store did not answer the
// claim; what fails later is recorded in the job.
func (r *Runner) Run(ctx context.Context, t jobs.Task) error {
	job, err := r.claim(ctx, t)
	if err != nil || job == nil {
		return err
	}
	r.Bell.Ring()
	a := &attempt{
		runner: r, job: *job, started: time.Now(),
		logger: r.Logger.With(slog.String("job_id", string(job.ID)), slog.Int("attempt", job.Attempt)),
	}
	made, err := a.make(ctx)
	end := func() { a.end(ctx, made, err) }
	if r.Aside == nil || !r.Aside(func() { a.unharmed(ctx, end) }) {
		end()
	}
	return nil
}

// claim takes the job. A repeated call is the same owner's, so a lost reply costs nothing. Tasks of a partition that is away
// go back to the queue without waiting.
func (r *Runner) claim(ctx context.Context, t jobs.Task) (*jobs.Job, error) {
	owner := rand.Text()
	var c jobs.Claim
	err := r.away.Ask(t.ID.Partition(), r.Lease/2, func() error {
		return retry(ctx, r.Lease/2, func(ctx context.Context) (err error) {
			c, err = r.Store.Claim(ctx, t.ID, t.Generation, owner, r.Lease)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	if c.Answer != jobs.ClaimOK {
		r.Logger.DebugContext(ctx, "task needs no work", slog.String("job_id", string(t.ID)), slog.String("answer", string(c.Answer)))
		return nil, nil //nolint:nilnil // nothing to do is not an error
	}
	return &c.Job, nil
}

// outcomeOf is a short, bounded word for logs and metrics.
func outcomeOf(err error) string {
	switch {
	case err == nil:
		return "succeeded"
	case errors.Is(err, errCanceled):
		return "canceled"
	case errors.Is(err, errFenceLost):
		return "fence_lost"
	case errors.Is(err, jobs.ErrShutdown):
		return "handed_back"
	}
	return fault.From(err).Code
}

// retry repeats a call of the store while it does not answer, for at most limit.
func retry(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := call(ctx)
		if err == nil || !fault.Retryable(err) {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}
