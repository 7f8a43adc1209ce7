package callbacks

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/seal"
	"github.com/platen-render/platen/webhook"
)

// Store is what a [Deliverer] needs of the system of record.
type Store interface {
	ClaimDelivery(ctx context.Context, id jobs.ID, generation int, owner string, lease time.Duration) (jobs.DeliveryClaim, error)
	FinishDelivery(ctx context.Context, id jobs.ID, f jobs.Fence, end jobs.DeliveryEnd) (jobs.DeliveryAfter, error)
}

// Deliverer makes the attempts that the queue rings for, one at each ring. All fields are required, but that Metrics may be
// nil. Safe for concurrent use.
type Deliverer struct {
	Store    Store
	Sender   *Sender
	Schedule Schedule
	Key      *seal.Key
	Logger   *slog.Logger
	Metrics  *Metrics

	away jobs.Away
}

// storePatience is how long the outcome of an attempt is offered to a store that does not answer, in leases.
const storePatience = 3

// turn is how long a slot goes on with deliveries to one host before others have theirs.
const turn = time.Second

// Deliver makes one attempt to deliver, if one is due, and goes on for a while with those that waited for a place of the same
// host: the queue between two of them would take longer than most receivers do. What it leaves is due, and the reconciler
// rings for it. It returns an error only when the store did not answer the first claim. A failure of the receiver is an
// outcome, which the store records together with what follows from it.
func (d *Deliverer) Deliver(ctx context.Context, t jobs.Task) error {
	began := time.Now()
	waiting, err := d.deliver(ctx, t)
	for err == nil && len(waiting) > 0 && time.Since(began) < turn && ctx.Err() == nil {
		next := waiting[0]
		more, err := d.deliver(ctx, next)
		if err != nil {
			return nil //nolint:nilerr // this task has ended; the store knows that the next one is due
		}
		waiting = append(waiting[1:], more...)
	}
	return err
}

// deliver makes one attempt and returns the deliveries that it made way for.
func (d *Deliverer) deliver(ctx context.Context, t jobs.Task) ([]jobs.Task, error) {
	claim, clock, err := d.claim(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("claim delivery: %w", err)
	}
	if claim.Answer != jobs.ClaimOK {
		return nil, nil
	}
	attempt, err := d.attempt(ctx, claim, clock)
	if err != nil {
		attempt = Attempt{Started: clock.Now(), Verdict: notSent, Err: err}
		d.Logger.ErrorContext(ctx, "attempt to deliver not made", slog.String("delivery_id", string(t.ID)), slog.String("error", err.Error()))
	}
	after, err := d.record(ctx, claim, attempt)
	d.Metrics.observe(attempt)
	d.Logger.LogAttrs(ctx, slog.LevelInfo, "delivery attempted",
		slog.String("delivery_id", string(t.ID)), slog.String("event_id", string(claim.Delivery.Event)),
		slog.String("job_id", string(claim.Delivery.Job)), slog.String("batch_id", string(claim.Delivery.Batch)), slog.String("url_host", claim.Delivery.Host),
		slog.Int("number", claim.Delivery.Attempt), slog.Any("attempt", attempt),
		slog.String("then", string(after.Status)), slog.Any("error", err))
	return after.Released, nil
}

// claim takes the delivery, and the time from the store. A repeated call is the same owner's, so a lost reply costs nothing.
// Tasks of a partition that is away go back to the queue without waiting.
func (d *Deliverer) claim(ctx context.Context, t jobs.Task) (claim jobs.DeliveryClaim, clock Clock, err error) {
	owner := rand.Text()
	patience := d.Sender.Lease() - d.Sender.deadline()
	err = d.away.Ask(t.ID.Partition(), patience, func() error {
		return insist(ctx, patience, func(ctx context.Context) (err error) {
			claim, err = d.Store.ClaimDelivery(ctx, t.ID, t.Generation, owner, d.Sender.Lease())
			return err
		})
	})
	return claim, ClockAt(claim.Now), err // late by the way of the answer, and never early
}

// notSent is the verdict on an attempt that ended before the network: a secret that cannot be read, mostly.
var notSent = Verdict{Retry, "not_sent", "The request could not be prepared."}

func (d *Deliverer) attempt(ctx context.Context, claim jobs.DeliveryClaim, clock Clock) (Attempt, error) {
	callback, err := jobs.OpenCallback(d.Key, claim.Delivery.ID, claim.Sealed)
	if err != nil {
		return Attempt{}, err
	}
	secrets, err := d.secrets(claim, callback.Secret)
	if err != nil {
		return Attempt{}, err
	}
	// A worker that stops lets the attempt end by its own deadline: cut short, it would have to be counted as unknown.
	return d.Sender.Send(context.WithoutCancel(ctx), Message{
		URL: callback.URL, ID: string(claim.Delivery.Event), Body: claim.Body, Secrets: secrets, Headers: callback.Headers,
		Clock: clock,
	}), nil
}

// secrets are those of the job, or else of its tenant.
func (d *Deliverer) secrets(claim jobs.DeliveryClaim, own string) ([]webhook.Secret, error) {
	tenant, texts := claim.Delivery.Tenant, []string{own}
	if own == "" {
		if claim.Secrets == nil {
			return nil, jobs.ErrTenantNotFound
		}
		all, err := jobs.OpenSecrets(d.Key, tenant, claim.Secrets)
		if err != nil {
			return nil, err
		}
		texts = jobs.ActiveSecrets(all, claim.Now)
	}
	var secrets []webhook.Secret
	for _, text := range texts {
		s, err := webhook.ParseSecret(text)
		if err != nil {
			return nil, fmt.Errorf("secret of tenant %s: %w", tenant, err)
		}
		secrets = append(secrets, s)
	}
	return secrets, nil
}

// record tells the store of the attempt.
func (d *Deliverer) record(ctx context.Context, claim jobs.DeliveryClaim, a Attempt) (after jobs.DeliveryAfter, err error) {
	end := jobs.DeliveryEnd{
		Outcome: outcomes[a.Outcome], Health: a.Health(), Attempt: logged(a), Schedule: d.jittered(), Wait: a.RetryAfter,
	}
	if a.Gone() {
		end.Outcome = jobs.OutcomeGone
	}
	err = insist(context.WithoutCancel(ctx), storePatience*d.Sender.Lease(), func(ctx context.Context) (err error) {
		after, err = d.Store.FinishDelivery(ctx, claim.Delivery.ID, claim.Delivery.Fence(), end)
		return err
	})
	return after, err
}

// insist repeats a call of the store while it does not answer, for at most limit.
func insist(ctx context.Context, limit time.Duration, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := call(ctx)
		if err == nil || !fault.Retryable(err) {
			return err
		}
		select {
		case <-time.After(storePause):
		case <-ctx.Done():
			return err
		}
	}
}

const storePause = 200 * time.Millisecond

// outcomes spells an outcome as the store does.
var outcomes = map[Outcome]string{Delivered: jobs.OutcomeDelivered, Retry: jobs.OutcomeRetry, Dead: jobs.OutcomeDead}

// logged is what the tenant may see of an attempt.
func logged(a Attempt) jobs.DeliveryAttempt {
	outcome := jobs.OutcomeFailed
	if a.Outcome == Delivered {
		outcome = jobs.OutcomeDelivered
	}
	return jobs.DeliveryAttempt{
		Outcome: outcome, Status: a.Status, Latency: a.Latency, Error: a.Code, Detail: a.Detail, Response: a.Response,
	}
}

// jittered is the schedule for one attempt; the store picks the wait that is due.
func (d *Deliverer) jittered() []time.Duration {
	waits := make([]time.Duration, len(d.Schedule))
	for i := range waits {
		waits[i], _ = d.Schedule.Jittered(i+1, mathrand.Float64)
	}
	return waits
}
