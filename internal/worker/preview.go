package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// Previewer renders what somebody waits for: the same bytes that a job would have, and nothing else of a job. All fields are
// required. Safe for concurrent use.
type Previewer struct {
	Store  jobs.Previews
	Maker  *Maker
	Health *Health
	Logger *slog.Logger
}

const (
	// previewStoreTime bounds claim and answer: whoever waits has no more time than a store that does not answer takes.
	previewStoreTime = 5 * time.Second
	// previewLook is how often a worker looks whether anybody still waits.
	previewLook = time.Second
)

// errUnwanted is why a preview is given up that nobody waits for.
var errUnwanted = errors.New("nobody waits for the preview any more")

// errBlobMissing matches what [jobs.Blobs] answers when there is no such blob.
var errBlobMissing = fault.New(fault.NotFound, "blob_not_found", "There is no such blob.")

// Run renders the preview of a task, if it is still wanted and nobody has tried. It never asks for another try: whoever waits may
// ask again.
func (p *Previewer) Run(ctx context.Context, t jobs.Task) error {
	owner := rand.Text()
	logger := p.Logger.With(slog.String("preview_id", string(t.ID)))
	var claim jobs.PreviewClaim
	err := retry(ctx, previewStoreTime, func(ctx context.Context) (err error) {
		claim, err = p.Store.ClaimPreview(ctx, t.ID, owner)
		return err
	})
	if err != nil || !claim.OK {
		logger.LogAttrs(ctx, slog.LevelDebug, "preview needs no work", slog.Any("error", err))
		return nil
	}
	started := time.Now()
	order, made, err := p.make(ctx, t.ID, claim)
	kept, answerErr := p.answer(ctx, t.ID, owner, made, err)
	if !kept && answerErr == nil {
		p.discard(ctx, order.Tenant, t.ID, logger)
	}
	logger.LogAttrs(ctx, slog.LevelInfo, "preview ended", slog.Int64("duration_ms", time.Since(started).Milliseconds()), slog.String("outcome", previewOutcome(err)),
		slog.String("engine", made.Result.Engine), slog.Bool("wanted", kept), slog.Any("error", errors.Join(err, answerErr)))
	return nil
}

// make renders it in the time that is left. The error is why it could not.
func (p *Previewer) make(ctx context.Context, id jobs.ID, claim jobs.PreviewClaim) (order jobs.PreviewOrder, made Made, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, claim.Left, errUnwanted)
	defer cancel()
	wanted, giveUp := context.WithCancelCause(ctx)
	looking := p.look(wanted, id, giveUp)
	defer func() { giveUp(nil); <-looking }()

	if order, err = jobs.LoadPreview(wanted, p.Maker.Blobs, claim.Request); err != nil {
		return order, made, err
	}
	limited, stop := context.WithTimeoutCause(wanted, order.Spec.Timeout, render.ErrTimeout)
	defer stop()
	made, err = p.maker(order).Make(limited, order.AsJob(), order.Spec, Making{Blob: jobs.PreviewBlob(order.Tenant, id, order.Spec.Output.Format)})
	if cause := context.Cause(limited); err != nil && cause != nil {
		err = cause
	}
	return order, made, p.judge(ctx, err)
}

// maker makes no more than was asked for.
func (p *Previewer) maker(order jobs.PreviewOrder) *Maker {
	m := *p.Maker
	if order.MaxBytes > 0 && (m.MaxBytes == 0 || order.MaxBytes < m.MaxBytes) {
		m.MaxBytes = order.MaxBytes
	}
	return &m
}

// judge says what an error means for whoever waits, and makes this worker ill when it would meet everybody.
func (p *Previewer) judge(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jobs.ErrShutdown):
		return jobs.ErrPreviewTimeout.With("The worker was stopped before the page was rendered. Ask again.").Because(err)
	case errors.Is(err, errBlobMissing): // deleted since, or the storage's trouble with it alone: whoever waits can tell
	case jobs.IsInfrastructure(err) && !errors.Is(err, render.ErrNotHere):
		p.Health.Meet(context.WithoutCancel(ctx), err)
	}
	return err
}

// look cancels what nobody waits for any more. The channel is closed when it has ended, as it does with ctx.
func (p *Previewer) look(ctx context.Context, id jobs.ID, giveUp context.CancelCauseFunc) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(previewLook)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if state, err := p.Store.PreviewState(ctx, id); err == nil && !state.Wanted {
				giveUp(errUnwanted)
				return
			}
		}
	}()
	return done
}

// answer tells whoever waits, and reports whether anybody may.
func (p *Previewer) answer(ctx context.Context, id jobs.ID, owner string, made Made, cause error) (kept bool, err error) {
	if errors.Is(cause, errUnwanted) {
		return false, nil
	}
	a := jobs.PreviewAnswer{Result: &made.Result, Made: made.Result.Made, Warnings: made.Warnings}
	if cause != nil {
		failure := jobs.FailureOf(cause)
		failure.Engine, failure.Reason = made.Result.Engine, made.Result.Reason
		a = jobs.PreviewAnswer{Failure: &failure}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return false, fmt.Errorf("encode answer: %w", err)
	}
	err = retry(context.WithoutCancel(ctx), previewStoreTime, func(ctx context.Context) (err error) {
		kept, err = p.Store.AnswerPreview(ctx, id, owner, raw)
		return err
	})
	return kept, err
}

// discard removes bytes that nobody fetches. What a crash leaves the janitor finds.
func (p *Previewer) discard(ctx context.Context, tenant string, id jobs.ID, logger *slog.Logger) {
	if tenant == "" {
		return // the order was not read
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), previewStoreTime)
	defer cancel()
	if err := p.Maker.Blobs.DeletePrefix(ctx, jobs.PreviewPrefix(tenant, id)); err != nil {
		logger.WarnContext(ctx, "remains of a preview not removed", slog.String("error", err.Error()))
	}
}

func previewOutcome(err error) string {
	if errors.Is(err, errUnwanted) {
		return "unwanted"
	}
	return outcomeOf(err)
}
