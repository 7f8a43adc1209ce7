package redisstore

import (
	"context"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// Delivery implements [jobs.Deliveries].
func (s *Store) Delivery(ctx context.Context, id jobs.ID) (jobs.Delivery, error) {
	f, err := s.rdb.HGetAll(ctx, key(id.Partition(), "dlv:", string(id))).Result()
	if err := unavailable(err); err != nil {
		return jobs.Delivery{}, err
	}
	if len(f) == 0 {
		return jobs.Delivery{}, jobs.ErrDeliveryNotFound
	}
	return deliveryFrom(id, f), nil
}

// DeliveryPage implements [jobs.Deliveries].
func (s *Store) DeliveryPage(ctx context.Context, f jobs.DeliveryFilter, cursor jobs.ID, limit int) (jobs.Page[jobs.Delivery], error) {
	name := key(s.partition(f.Tenant), "dlvs:", f.Tenant, string(f.Status))
	low, high := idRange(jobs.KindDelivery, f.CreatedAfter, f.CreatedBefore)
	return page(ctx, s, name, low, high, cursor, limit, s.Delivery, func(d jobs.Delivery) bool {
		return d.Status == f.Status && (f.Host == "" || d.Host == f.Host) && (f.Type == "" || d.EventType == f.Type) &&
			(f.CreatedAfter.IsZero() || d.Accepted.After(f.CreatedAfter)) &&
			(f.CreatedBefore.IsZero() || d.Accepted.Before(f.CreatedBefore))
	})
}

// ClaimDelivery implements [jobs.Deliveries].
func (s *Store) ClaimDelivery(ctx context.Context, id jobs.ID, generation int, owner string, lease time.Duration) (jobs.DeliveryClaim, error) {
	if err := s.inSync(ctx, id.Partition()); err != nil {
		return jobs.DeliveryClaim{}, err
	}
	v, err := s.run(ctx, s.scripts.claimDelivery, id.Partition(), string(id), generation, owner, lease.Milliseconds())
	if err != nil {
		return jobs.DeliveryClaim{}, err
	}
	c := jobs.DeliveryClaim{Answer: jobs.ClaimAnswer(text(item(v, 0)))}
	if c.Answer == jobs.ClaimOK {
		f := hash(item(v, 1))
		c.Delivery, c.Sealed, c.Body = deliveryFrom(id, f), []byte(f["sealed"]), []byte(text(item(v, 2)))
		c.Now, c.Secrets = fields{"now": text(item(v, 3))}.time("now"), bytesOf(text(item(v, 4)))
	}
	return c, nil
}

// FinishDelivery implements [jobs.Deliveries].
func (s *Store) FinishDelivery(ctx context.Context, id jobs.ID, f jobs.Fence, end jobs.DeliveryEnd) (jobs.DeliveryAfter, error) {
	args := []any{
		string(id), f.Attempt, f.Owner, end.Outcome, encode(end.Attempt), end.Wait.Milliseconds(), flag(end.OnlyOverdue), string(end.Health),
	}
	v, err := s.list(ctx, s.scripts.finishDelivery, id.Partition(), append(args, millis(end.Schedule)...)...)
	if err != nil {
		return jobs.DeliveryAfter{}, err
	}
	after := jobs.DeliveryAfter{Status: jobs.DeliveryStatus(v[0])}
	for i := 1; i+1 < len(v); i += 2 {
		generation := fields{"gen": v[i+1]}.int("gen")
		after.Released = append(after.Released, jobs.Task{Line: jobs.CallbackLine, ID: jobs.ID(v[i]), Generation: generation})
	}
	return after, nil
}

// refusals say why a delivery is not replayed, by the answers of the script.
var refusals = map[string]error{
	"gone":     jobs.ErrDeliveryNotFound,
	"expired":  jobs.ErrDeliveryGone,
	"url_gone": jobs.ErrURLGone,
	"test":     jobs.ErrDeliveryGone.With("A test is not replayed. Make another one."),
}

// Replay implements [jobs.Deliveries].
func (s *Store) Replay(ctx context.Context, id, by jobs.ID) error {
	v, err := s.word(ctx, s.scripts.replay, id.Partition(), string(id), s.opts.DeadRetention.Milliseconds(), string(by))
	if err != nil {
		return err
	}
	return refusals[v]
}

// Test implements [jobs.Deliveries].
func (s *Store) Test(ctx context.Context, p jobs.Ping) error {
	_, err := s.word(ctx, s.scripts.test, p.Delivery.Partition(), string(p.Event), string(p.Delivery), p.Tenant, p.Host, p.Target, string(p.Sealed))
	return err
}
