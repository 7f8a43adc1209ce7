package worker

import (
	"context"
	"errors"
	"fmt"
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
	started  time.Time
	progress atomic.Int32
	blob     string // where the bytes go; "" when it has not come to that
	cacheKey string // under which the bytes that were made are noted; "" for not at all
}

// make renders the document and stores it under a name of this attempt's own. It ends early when the fence is lost,
// cancellation is requested, the time limit passes or the worker shuts down; the error then says which.
func (a *attempt) make(ctx context.Context) (Made, error) {
	alive, giveUp := context.WithCancelCause(ctx)
	beating := a.beat(alive, giveUp)
	defer beating.wait()
	defer giveUp(nil)

	spec, err := a.load(alive)
	if err != nil {
		return Made{}, err
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
	spec, err := jobs.LoadSpec(ctx, a.runner.Maker.Blobs, a.job)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return spec, fmt.Errorf("load spec: %w", err)
	}
	return spec, nil
}

// produce makes the bytes, or takes those of an equal document where the job allows it.
func (a *attempt) produce(ctx context.Context, spec jobs.Spec) (Made, error) {
	maker := a.runner.Maker
	a.blob = jobs.OutputBlob(a.job, spec.Output.Format)
	page, err := maker.page(ctx, a.job, spec)
	if err != nil {
		return Made{}, err
	}
	cache, err := maker.consider(ctx, a.job, spec, page)
	if err != nil {
		a.logger.WarnContext(ctx, "cache not asked", slog.String("error", err.Error()))
	}
	if m, found := a.again(ctx, spec, page, cache.key); found {
		a.runner.Metrics.cache("hit")
		return m, nil
	}
	m, err := maker.bytes(ctx, a.job, spec, page, Making{
		Blob: a.blob, Alone: a.suspect(),
		Progress: func(percent int) { a.progress.Store(int32(min(max(percent, 0), 99))) },
	})
	a.cacheKey = cache.key
	switch {
	case cache.bypassed != nil:
		m.Warnings = append(m.Warnings, *cache.bypassed)
		a.runner.Metrics.cache("bypassed")
	case cache.key != "":
		a.runner.Metrics.cache("miss")
	}
	return m, err
}

// losses of a worker are the page's doing, perhaps: one may be anything, a deployment or a machine that was turned off.
const losses = 2

// suspect reports whether an earlier attempt lost its engine or ran out of time in it, or several have lost their workers, in whose process the
// native engine is. The page may be to blame, and an engine that a page has stopped takes its neighbors with it as surely as one that has died.
func (a *attempt) suspect() bool {
	return a.job.EngineLost > 0 || a.job.Lost >= losses || a.job.Failure != nil && a.job.Failure.Code == render.ErrTimeout.Code
}

// end records what came of the attempt.
func (a *attempt) end(ctx context.Context, m Made, err error) {
	if err == nil {
		defer a.runner.Bell.Ended()
		err = a.publish(ctx, m)
	} else {
		defer a.runner.Bell.Ring() // it may be ready again
		a.fail(ctx, m, err)
	}
	took := time.Since(a.started)
	a.runner.Metrics.observe(err, took, m)
	a.logger.LogAttrs(ctx, slog.LevelInfo, "attempt ended", slog.Int64("duration_ms", took.Milliseconds()),
		slog.Float64("render_ms", float64(m.Rendering.Microseconds())/1000),
		slog.String("outcome", outcomeOf(err)), slog.String("engine", m.Result.Engine), slog.String("engine_reason", m.Result.Reason), slog.Any("error", err))
}

// unharmed keeps a panic from taking the process with it: beside the queue nobody else does. Without its end the attempt is lost.
func (a *attempt) unharmed(ctx context.Context, end func()) {
	defer func() {
		if p := recover(); p != nil {
			a.logger.ErrorContext(ctx, "attempt not ended", slog.String("error", fmt.Sprintf("panic: %v\n%s", p, debug.Stack())))
		}
	}()
	end()
}

// publish makes the document the one, if this attempt still may.
func (a *attempt) publish(ctx context.Context, m Made) error {
	r := a.runner
	var answer jobs.Completion
	err := a.insist(ctx, publishLeases, func(ctx context.Context) (err error) {
		answer, err = r.Store.Complete(ctx, a.job.ID, a.job.Fence(), m.Result, m.Warnings)
		return err
	})
	if err != nil {
		return fmt.Errorf("complete: %w", err)
	}
	switch answer {
	case jobs.Won, jobs.AlreadyWon:
		a.remember(ctx, m)
		a.sign(ctx)
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
	if a.blob == "" {
		return
	}
	if err := a.runner.Maker.Blobs.Delete(context.WithoutCancel(ctx), a.blob); err != nil {
		a.logger.WarnContext(ctx, "unpublished document not removed", slog.String("error", err.Error()))
	}
}

// fail records why nothing was made, by which engine, and what was noticed meanwhile.
func (a *attempt) fail(ctx context.Context, m Made, cause error) {
	if errors.Is(cause, errFenceLost) {
		a.discard(ctx)
		return
	}
	rule := a.rule(ctx, cause)
	failure := jobs.FailureOf(cause)
	failure.Engine, failure.Reason, failure.Warnings = m.Result.Engine, m.Result.Reason, m.Warnings
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
	case jobs.IsInfrastructure(cause) && !a.meet(context.WithoutCancel(ctx), cause):
		return a.runner.Rules.Unexplained
	}
	return a.runner.Rules.For(cause)
}

// meet tells of a wall, and reports whether it is there. That may take longer than a lease, so the attempt goes on living: one that is taken
// for lost would be counted. What a beat hears the store says again when the end is recorded.
func (a *attempt) meet(ctx context.Context, wall error) bool {
	alive, stop := context.WithCancel(ctx)
	beating := a.beat(alive, func(error) {})
	defer beating.wait()
	defer stop()
	return a.runner.Health.Meet(ctx, wall)
}

func isControl(err error) bool {
	return errors.Is(err, errCanceled) || errors.Is(err, jobs.ErrShutdown)
}

// insist repeats a call of the store beyond the end of ctx: the outcome is recorded even when the worker stops.
func (a *attempt) insist(ctx context.Context, leases int, call func(context.Context) error) error {
	return retry(context.WithoutCancel(ctx), time.Duration(leases)*a.runner.Lease, call)
}

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
