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

// DeadDeliveries implements [jobs.Deliveries].
func (s *Store) DeadDeliveries(ctx context.Context, tenant string, cursor jobs.ID, limit int) (jobs.Page[jobs.Delivery], error) {
	name := key(s.partition(tenant), "dead:", tenant)
	return page(ctx, s, name, "-", "+", cursor, limit, s.Delivery, func(d jobs.Delivery) bool {
		return d.Status == jobs.DeliveryDead
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
		c.Now = fields{"now": text(item(v, 3))}.time("now")
	}
	return c, nil
}

// FinishDelivery implements [jobs.Deliveries].
func (s *Store) FinishDelivery(ctx context.Context, id jobs.ID, f jobs.Fence, end jobs.DeliveryEnd) (jobs.DeliveryStatus, error) {
	args := []any{string(id), f.Attempt, f.Owner, end.Outcome, encode(end.Attempt), end.Wait.Milliseconds(), flag(end.OnlyOverdue)}
	v, err := s.word(ctx, s.scripts.finishDelivery, id.Partition(), append(args, millis(end.Schedule)...)...)
	return jobs.DeliveryStatus(v), err
}

// Replay implements [jobs.Deliveries].
func (s *Store) Replay(ctx context.Context, id jobs.ID) error {
	v, err := s.word(ctx, s.scripts.replay, id.Partition(), string(id), s.opts.DeadRetention.Milliseconds())
	switch {
	case err != nil:
		return err
	case v == "gone":
		return jobs.ErrDeliveryNotFound
	case v == "expired":
		return jobs.ErrDeliveryGone
	}
	return nil
}
