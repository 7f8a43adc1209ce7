package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
)

// maxReason is how much of an error is kept with an entry, in bytes.
const maxReason = 500

var errAttempts = errors.New("the attempts are used up, and the last one has ended without a word")

// attempt handles a claimed entry once and records how that ended.
func (i *Inbox) attempt(ctx context.Context, claim Claim, claimed time.Time) {
	held, release := i.hold(ctx, claim, claimed)
	err := i.call(held, claim)
	lost := errors.Is(context.Cause(held), ErrLost)
	release()
	o := i.outcome(ctx, claim, err)
	if lost {
		i.log().WarnContext(ctx, "callback lease lost while its function ran", slog.String("event_id", claim.ID))
	}
	i.finish(ctx, claim, o, err, time.Since(claimed))
}

// call runs the function, unless the entry has had all its attempts: then they ended with their processes, which is
// what the event may be the reason for.
func (i *Inbox) call(ctx context.Context, claim Claim) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if claim.Attempt > len(i.waits())+1 {
		return Reject(errAttempts)
	}
	event, err := parseEvent(claim.ID, claim.Body)
	if err != nil {
		return Reject(err)
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return i.Handle(context.WithValue(ctx, claimKey{}, claim), event)
}

// claimKey is where [SQLStore.Once] finds the claim that it completes.
type claimKey struct{}

// outcome decides. ctx is that of Work: an attempt that its end has interrupted does not count.
func (i *Inbox) outcome(ctx context.Context, claim Claim, err error) Outcome {
	if err == nil {
		return Outcome{Status: Completed}
	}
	o := Outcome{Status: Failed, Reason: reason(err)}
	v, _ := errors.AsType[*verdict](err)
	switch waits := i.waits(); {
	case v != nil && v.final:
	case ctx.Err() != nil:
		o.Status, o.Free = Accepted, true
	case claim.Attempt <= len(waits):
		o.Status, o.Wait = Accepted, waits[claim.Attempt-1]
	}
	return o
}

// reason is text that any database takes.
func reason(err error) string {
	text := strings.ReplaceAll(err.Error(), "\x00", "")
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}

// finish records the outcome even when Work has to end, or the entry would wait for its lease to run out.
func (i *Inbox) finish(ctx context.Context, claim Claim, o Outcome, cause error, took time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), i.lease())
	defer cancel()
	err := i.Store.Finish(ctx, claim, o)
	switch {
	case errors.Is(err, ErrLost):
		i.count(func(c *InboxCounts) *int64 { return &c.Lost })
		i.log().WarnContext(ctx, "callback finished too late: the entry was taken over or finished",
			slog.String("event_id", claim.ID), slog.Int("attempt", claim.Attempt), slog.Any("error", cause))
		return
	case err != nil:
		i.storageFailed(ctx, "finish", err)
		return
	}
	i.record(ctx, claim, o, cause, took)
}

// record counts and logs an attempt.
func (i *Inbox) record(ctx context.Context, claim Claim, o Outcome, cause error, took time.Duration) {
	v, _ := errors.AsType[*verdict](cause)
	level, field := slog.LevelWarn, func(c *InboxCounts) *int64 { return &c.Errors }
	switch {
	case o.Status == Completed:
		level, field = slog.LevelInfo, func(c *InboxCounts) *int64 { return &c.Completed }
	case v != nil && !v.final:
		level, field = slog.LevelInfo, func(c *InboxCounts) *int64 { return &c.NotYet }
	}
	if o.Status == Failed {
		level = slog.LevelError
	}
	if !o.Free {
		i.count(field)
	}
	i.log().LogAttrs(ctx, level, "callback attempt", slog.String("event_id", claim.ID), slog.Int("attempt", claim.Attempt),
		slog.String("status", string(o.Status)), slog.Duration("wait", o.Wait), slog.Duration("took", took), slog.Any("error", cause))
}
