package jobs

import (
	"context"

	"github.com/platen-render/platen/internal/fault"
)

// Deliveries returns the deliveries of a job: none or one.
func (s *Service) Deliveries(ctx context.Context, tenant string, id ID) ([]Delivery, error) {
	j, err := s.Job(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	d, err := s.Store.Delivery(ctx, j.Delivery)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return []Delivery{}, nil
	}
	return []Delivery{d}, err
}

// Delivery returns a delivery of a tenant. Another tenant's is [ErrDeliveryNotFound].
func (s *Service) Delivery(ctx context.Context, tenant string, id ID) (Delivery, error) {
	d, err := s.Store.Delivery(ctx, id)
	if err == nil && d.Tenant != tenant {
		return Delivery{}, ErrDeliveryNotFound
	}
	return d, err
}

// Replay makes a dead or delivered delivery due again, as a key asks for. [ErrDeliveryNotFound], [ErrDeliveryGone],
// [ErrURLGone], [ErrStoreFull].
func (s *Service) Replay(ctx context.Context, tenant string, id, by ID) (Delivery, error) {
	if _, err := s.Delivery(ctx, tenant, id); err != nil {
		return Delivery{}, err
	}
	if err := s.Store.Room(ctx, tenant); err != nil {
		return Delivery{}, err
	}
	if err := s.Store.Replay(ctx, id, by); err != nil {
		return Delivery{}, err
	}
	d, err := s.Store.Delivery(ctx, id)
	if err == nil {
		s.ring(ctx, Task{Line: CallbackLine, ID: id, Generation: d.Generation})
	}
	return d, err
}

// MaxReplays is how many replays of many a tenant may have under way: those of a partition take turns, and each takes part of the
// turns of others.
const MaxReplays = 10

// ErrReplayLimit refuses one more.
var ErrReplayLimit = fault.New(fault.Conflict, "replay_limit",
	"%d replays of this tenant go on already. Wait until one has finished.", MaxReplays).ForNow()

// ReplayMany begins a replay of all deliveries that a filter selects now. The reconcilers carry it out. [ErrStoreFull],
// [ErrReplayLimit].
func (s *Service) ReplayMany(ctx context.Context, f DeliveryFilter, rate int, by ID) (ReplayRun, error) {
	if err := s.Store.Room(ctx, f.Tenant); err != nil {
		return ReplayRun{}, err
	}
	order := ReplayOrder{ID: NewID(KindReplay, PartitionOf(f.Tenant, s.Partitions)), Filter: f, Rate: rate, By: by}
	if err := s.Store.StartReplay(ctx, order); err != nil {
		return ReplayRun{}, err
	}
	return s.Store.ReplayRun(ctx, order.ID)
}

// ReplayRun returns a replay of a tenant. Another tenant's is [ErrReplayNotFound].
func (s *Service) ReplayRun(ctx context.Context, tenant string, id ID) (ReplayRun, error) {
	r, err := s.Store.ReplayRun(ctx, id)
	if err == nil && r.Filter.Tenant != tenant {
		return ReplayRun{}, ErrReplayNotFound
	}
	return r, err
}
