package redisstore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

const (
	// countLook and replayLook are how many deliveries one script looks at.
	countLook  = 1000
	replayLook = 100
	// replaySteps bounds how far replays are carried on at one time.
	replaySteps = 50
	// replayKept is how long the record of a replay is kept after its end.
	replayKept = 90 * 24 * time.Hour
)

// filterArgs are the parts of a filter as scripts take them.
func filterArgs(f jobs.DeliveryFilter) []any {
	low, high := idRange(jobs.KindDelivery, f.CreatedAfter, f.CreatedBefore)
	return []any{f.Tenant, string(f.Status), f.Host, f.Type, bound(f.CreatedAfter), bound(f.CreatedBefore), low, high}
}

// bound is an instant in ms, or "" for none.
func bound(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// CountDeliveries implements [jobs.Replays].
func (s *Store) CountDeliveries(ctx context.Context, f jobs.DeliveryFilter) (int, error) {
	args, total := append(filterArgs(f), countLook), 0
	for {
		v, err := s.list(ctx, s.scripts.countDeliveries, s.partition(f.Tenant), args...)
		if err != nil {
			return 0, err
		}
		n, _ := strconv.Atoi(v[0])
		if total += n; v[1] == "" {
			return total, nil
		}
		args[6] = v[1] // where the range begins
	}
}

// StartReplay implements [jobs.Replays].
func (s *Store) StartReplay(ctx context.Context, r jobs.ReplayOrder) error {
	args := append([]any{string(r.ID)}, filterArgs(r.Filter)...)
	kept := jobs.IDAt(jobs.KindReplay, r.ID.Time().Add(-replayKept))
	v, err := s.word(ctx, s.scripts.startReplay, s.partition(r.Filter.Tenant),
		append(args, r.Rate, string(r.By), string(kept), jobs.MaxReplays)...)
	if err == nil && v == "-1" {
		err = jobs.ErrReplayLimit
	}
	return err
}

// ReplayRun implements [jobs.Replays].
func (s *Store) ReplayRun(ctx context.Context, id jobs.ID) (jobs.ReplayRun, error) {
	f, err := s.rdb.HGetAll(ctx, key(id.Partition(), "replay:", string(id))).Result()
	if err := unavailable(err); err != nil {
		return jobs.ReplayRun{}, err
	}
	if len(f) == 0 {
		return jobs.ReplayRun{}, jobs.ErrReplayNotFound
	}
	return replayFrom(id, f), nil
}

func replayFrom(id jobs.ID, f fields) jobs.ReplayRun {
	return jobs.ReplayRun{
		ReplayOrder: jobs.ReplayOrder{ID: id, Rate: f.int("rate"), By: jobs.ID(f["by"]), Filter: jobs.DeliveryFilter{
			Tenant: f["tenant"], Status: jobs.DeliveryStatus(f["status"]), Host: f["host"], Type: f["type"],
			CreatedAfter: f.time("after"), CreatedBefore: f.time("before"),
		}},
		Replayed: f.int("replayed"), Skipped: f.int("skipped"), Created: f.time("created"), Finished: f.time("finished"),
	}
}

// ReplayRuns implements [jobs.Replays].
func (s *Store) ReplayRuns(ctx context.Context, tenant string, cursor jobs.ID, limit int) (jobs.Page[jobs.ReplayRun], error) {
	name := key(s.partition(tenant), "runs:", tenant)
	return page(ctx, s, name, "-", "+", cursor, limit, s.ReplayRun, func(jobs.ReplayRun) bool { return true })
}

// ContinueReplays implements [jobs.Replays]. What is due again needs room until it has ended, so while new work is refused the
// replays stand still.
func (s *Store) ContinueReplays(ctx context.Context, partition int) error {
	for range replaySteps {
		if err := s.room(ctx, partition); errors.Is(err, jobs.ErrStoreFull) {
			return nil
		} else if err != nil {
			return err
		}
		v, err := s.word(ctx, s.scripts.replayStep, partition, s.opts.DeadRetention.Milliseconds(), replayKept.Milliseconds(), replayLook)
		if err != nil || v == "0" {
			return err
		}
	}
	return nil
}
