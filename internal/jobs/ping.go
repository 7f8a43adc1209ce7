package jobs

import (
	"context"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// TestCallback sends an event that is about no job, once, and returns the delivery on its way. Without a callback it goes to
// the tenant's default URL; a tenant that has none is an Invalid fault at /callback_url.
func (s *Service) TestCallback(ctx context.Context, tenant string, c *Callback) (Delivery, error) {
	if err := s.Store.Room(ctx, tenant); err != nil {
		return Delivery{}, err
	}
	c, err := s.guarded(ctx, tenant, c)
	if err != nil {
		return Delivery{}, err
	}
	if c == nil {
		return Delivery{}, fault.At("/callback_url", "field_missing", "callback_url is required: the tenant has no default.")
	}
	p := PartitionOf(tenant, s.Partitions)
	ping := Ping{
		Event: NewID(KindEvent, p), Delivery: NewID(KindDelivery, p), Tenant: tenant, Host: hostOf(c.URL), Target: Target(c.URL),
	}
	ping.Sealed = c.Seal(s.Key, ping.Delivery)
	if err := s.Store.Test(ctx, ping); err != nil {
		return Delivery{}, err
	}
	d, err := s.Store.Delivery(ctx, ping.Delivery)
	if err == nil && d.Status == DeliveryPending {
		s.ring(ctx, Task{Line: CallbackLine, ID: d.ID, Generation: d.Generation})
	}
	return d, err
}

// lookAgain is how often a waiting request looks at a delivery, of which no change is told.
const lookAgain = 100 * time.Millisecond

// AwaitDelivery returns a delivery as soon as it is not pending, and at the latest when ctx ends or the service is stopping:
// then as it is by then.
func (s *Service) AwaitDelivery(ctx context.Context, tenant string, id ID) (Delivery, error) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		d, err := s.Delivery(context.WithoutCancel(ctx), tenant, id)
		if err != nil || d.Status != DeliveryPending || ctx.Err() != nil {
			return d, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		case <-s.Stopping:
			return d, nil
		}
	}
}
