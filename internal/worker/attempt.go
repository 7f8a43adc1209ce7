package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// publishLeases is for how many leases a document is offered to a store that does not answer, and as long its attempt goes on
// without a beat: the reaper waits for half a lease of answers before it takes an attempt away, and whatever comes too
// late is refused. That an attempt made nothing is offered for two leases only, since the reaper finds out by itself.
const (
	publishLeases = 6
	failLeases    = 2
)

// Shares of a lease: how often it is extended, how soon again after a beat that was not answered, and how long a beat may take. The
// last two together are well below the time after which a reaper trusts a store that is back.
const (
	beatsPerLease = 3
	beatAgain     = 20
	beatTime      = 5
)

// loadTimeout bounds reading what a job was asked.
const loadTimeout = time.Minute

// attempt is one try of a job: claimed, not yet ended.
type attempt struct {
	runner   *Runner
	job      jobs.Job
	logger   *slog.Logger
	progress atomic.Int32
}

// made is what an attempt has put into the blob store.
type made struct {
	result   jobs.Result // without a document, it tells the engine at most
	warnings []render.Warning
}

// make renders the document and stores it under a name of this attempt's own. It ends early when the fence is lost,
// cancellation is requested, the time limit passes or the worker shuts down; the error then says which.
func (a *attempt) make(ctx context.Context) (made, error) {
	alive, giveUp := context.WithCancelCause(ctx)
	beating := a.beat(alive, giveUp)
	defer beating.wait()
	defer giveUp(nil)

	spec, err := a.load(alive)
	if err != nil {
		return made{}, err
	}
	limited, cancel := context.WithTimeoutCause(alive, spec.Timeout, render.ErrTimeout)
	defer cancel()
	m, err := a.produce(limited, spec)
	if cause := context.Cause(limited); err != nil && cause != nil {
		return m, cause
	}
	return m, err
}

func (a *attempt) load(ctx context.Context) (jobs.Spec, error) {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	spec, err := jobs.LoadSpec(ctx, a.runner.Blobs, a.job)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return spec, fmt.Errorf("load spec: %w", err)
	}
	return spec, nil
}

func (a *attempt) produce(ctx context.Context, spec jobs.Spec) (made, error) {
	page, err := a.compose(ctx, spec)
	if err != nil {
		return made{}, fmt.Errorf("compose: %w", err)
	}
	req := page.Request
	req.Output, req.Engine, req.MaxBytes, req.Alone = spec.Output, spec.Engine, a.runner.MaxBytes, a.suspect()
	req.Progress = func(percent int) { a.progress.Store(int32(min(max(percent, 0), 99))) }

	blob := jobs.OutputBlob(a.job, spec.Output.Format)
	report, sum, err := a.render(ctx, blob, req)
	if err != nil {
		return made{result: jobs.Result{Engine: report.Engine, Reason: report.Reason}}, err
	}
	return made{
		warnings: render.MergeWarnings(page.Warnings, report.Warnings),
		result: jobs.Result{
			Blob: blob, SHA256: sum.hex(), Bytes: sum.bytes, Pages: report.Pages, ContentType: report.ContentType,
			Filename: filename(a.job, spec), Engine: report.Engine, Version: report.Version, Reason: report.Reason,
		},
	}, nil
}

// losses of a worker are the page's doing, perhaps: one may be anything, a deployment or a machine that was turned off.
const losses = 2

// suspect reports whether an earlier attempt lost its engine or ran out of time in it, or several have lost their workers, in whose process the
// native engine is. The page may be to blame, and an engine that a page has stopped takes its neighbors with it as surely as one that has died.
func (a *attempt) suspect() bool {
	return a.job.EngineLost > 0 || a.job.Lost >= losses || a.job.Failure != nil && a.job.Failure.Code == render.ErrTimeout.Code
}

// render streams what the engine writes into the blob store, which keeps all of it or nothing.
func (a *attempt) render(ctx context.Context, blob string, req render.Request) (render.Report, *checksum, error) {
	pr, pw := io.Pipe()
	type answer struct {
		report render.Report
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		report, err := a.engine(ctx, pw, req)
		_ = pw.CloseWithError(err) // never fails
		done <- answer{report, err}
	}()
	sum := &checksum{hash: sha256.New()}
	putErr := a.runner.Blobs.Put(ctx, blob, io.TeeReader(pr, sum))
	_ = pr.CloseWithError(errStorage) // an engine still writing stops
	engine := <-done
	if engine.err != nil && !errors.Is(engine.err, errStorage) {
		return engine.report, sum, engine.err
	}
	if putErr != nil {
		return engine.report, sum, fmt.Errorf("store document: %w", putErr)
	}
	return engine.report, sum, engine.err
}

var errStorage = errors.New("storage ended the document")

func (a *attempt) compose(ctx context.Context, spec jobs.Spec) (page Composed, err error) {
	defer caught(&err)
	return a.runner.Compose(ctx, a.job, spec)
}

func (a *attempt) engine(ctx context.Context, w io.Writer, req render.Request) (report render.Report, err error) {
	defer caught(&err)
	return a.runner.Engine.Render(ctx, w, req)
}

// caught keeps a panic over one page from taking the worker, and the jobs beside it, with it.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = render.ErrPageFailed.Because(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}

// publish makes the document the one, if this attempt still may.
func (a *attempt) publish(ctx context.Context, m made) error {
	r := a.runner
	var answer jobs.Completion
	err := a.insist(ctx, publishLeases, func(ctx context.Context) (err error) {
		answer, err = r.Store.Complete(ctx, a.job.ID, a.job.Fence(), m.result, m.warnings)
		return err
	})
	if err != nil {
		return fmt.Errorf("complete: %w", err)
	}
	switch answer {
	case jobs.Won, jobs.AlreadyWon:
		return nil
	case jobs.EndCanceled:
		a.discard(ctx)
		return errCanceled
	case jobs.LostTheFence:
	}
	a.discard(ctx)
	return errFenceLost
}

// discard removes what this attempt made and nobody points to. What is left the janitor finds.
func (a *attempt) discard(ctx context.Context) {
	if err := a.runner.Blobs.DeletePrefix(context.WithoutCancel(ctx), jobs.AttemptPrefix(a.job)); err != nil {
		a.logger.WarnContext(ctx, "unpublished document not removed", slog.String("error", err.Error()))
	}
}

// fail records why nothing was made, and by which engine.
func (a *attempt) fail(ctx context.Context, by jobs.Result, cause error) {
	if errors.Is(cause, errFenceLost) {
		a.discard(ctx)
		return
	}
	rule := a.rule(ctx, cause)
	failure := jobs.FailureOf(cause)
	failure.Engine, failure.Reason = by.Engine, by.Reason
	var answer jobs.Failing
	err := a.insist(ctx, failLeases, func(ctx context.Context) (err error) {
		answer, err = a.runner.Store.Fail(ctx, a.job.ID, a.job.Fence(), failure, rule)
		return err
	})
	level := slog.LevelInfo
	if err != nil || fault.From(cause).Kind == fault.Internal && !isControl(cause) {
		level = slog.LevelError
	}
	a.logger.LogAttrs(ctx, level, "attempt made nothing", slog.String("cause", cause.Error()),
		slog.String("then", string(answer)), slog.Any("error", err))
}

// rule is what follows from a cause. One that would meet any job makes this worker ill, unless all turns out to be well.
func (a *attempt) rule(ctx context.Context, cause error) jobs.Rule {
	switch {
	case errors.Is(cause, render.ErrNotHere):
		return a.runner.Rules.Unexplained
	case jobs.IsInfrastructure(cause) && !a.runner.Health.Meet(context.WithoutCancel(ctx), cause):
		return a.runner.Rules.Unexplained
	}
	return a.runner.Rules.For(cause)
}

func isControl(err error) bool {
	return errors.Is(err, errCanceled) || errors.Is(err, jobs.ErrShutdown)
}

// insist repeats a call of the store beyond the end of ctx: the outcome is recorded even when the worker stops.
func (a *attempt) insist(ctx context.Context, leases int, call func(context.Context) error) error {
	return retry(context.WithoutCancel(ctx), time.Duration(leases)*a.runner.Lease, call)
}

// filename is the caller's, or made of the document's id.
func filename(j jobs.Job, s jobs.Spec) string {
	if s.Filename != "" {
		return s.Filename
	}
	return string(j.Document) + "." + string(s.Output.Format)
}

// checksum counts and hashes what passes.
type checksum struct {
	hash  hash.Hash
	bytes int64
}

func (c *checksum) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return c.hash.Write(p)
}

func (c *checksum) hex() string { return hex.EncodeToString(c.hash.Sum(nil)) }

// heartbeat is a running beat.
type heartbeat chan struct{}

func (h heartbeat) wait() { <-h }

// beat extends the lease every third of it until ctx ends, and gives the attempt up when it is lost, when cancellation
// is requested, or when the store has not taken a beat for as long as a document would be offered to it.
func (a *attempt) beat(ctx context.Context, giveUp context.CancelCauseFunc) heartbeat {
	done := make(heartbeat)
	lease := a.runner.Lease
	go func() {
		defer close(done)
		timer := time.NewTimer(lease / beatsPerLease)
		defer timer.Stop()
		for last := time.Now(); ; {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			next := lease / beatsPerLease
			pulse, err := a.pulse(ctx)
			switch {
			case err != nil && time.Since(last) > publishLeases*lease:
				giveUp(fmt.Errorf("%w: %w", errFenceLost, err))
			case err != nil:
				next = lease / beatAgain
			case pulse == jobs.PulseLost:
				giveUp(errFenceLost)
			case pulse == jobs.PulseCancel:
				giveUp(errCanceled)
			default:
				last = time.Now()
			}
			timer.Reset(next)
		}
	}()
	return done
}

// pulse is one beat. It has little time: a store that is back after a break must hear of every attempt that lives before the
// reaper trusts it.
func (a *attempt) pulse(ctx context.Context) (jobs.Pulse, error) {
	lease := a.runner.Lease
	ctx, cancel := context.WithTimeout(ctx, lease/beatTime)
	defer cancel()
	return a.runner.Store.Beat(ctx, a.job.ID, a.job.Fence(), lease, int(a.progress.Load()))
}
