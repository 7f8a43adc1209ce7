package redisstore

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// hostsLook is how many hosts one script looks at.
const hostsLook = 500

// Reporting implements [jobs.Deliveries].
func (s *Store) Reporting(ctx context.Context, partition int) (jobs.Reporting, error) {
	dead, err := s.numbers(ctx, partition, s.scripts.deadLetters, s.opts.DeadRetention.Milliseconds())
	if err != nil {
		return jobs.Reporting{}, err
	}
	r := jobs.Reporting{Dead: dead.int("0"), OldestDead: dead.duration("1")}
	if r.Ended, err = s.ended(ctx, partition); err != nil {
		return jobs.Reporting{}, err
	}
	hosts, err := s.rdb.ZRange(ctx, key(partition, "hosts"), 0, -1).Result()
	if err := unavailable(err); err != nil {
		return jobs.Reporting{}, err
	}
	for len(hosts) > 0 {
		var args []any
		for _, h := range hosts[:min(len(hosts), hostsLook)] {
			args = append(args, h)
		}
		hosts = hosts[len(args):]
		waiting, err := s.numbers(ctx, partition, s.scripts.reporting, args...)
		if err != nil {
			return jobs.Reporting{}, err
		}
		r.Parked += waiting.int("0")
		r.HostsDown += waiting.int("1")
	}
	return r, nil
}

func (s *Store) ended(ctx context.Context, partition int) (map[jobs.Ending]int, error) {
	all, err := s.rdb.HGetAll(ctx, key(partition, "ended")).Result()
	counts := map[jobs.Ending]int{}
	for how := range all {
		counts[jobs.Ending(how)] = fields(all).int(how)
	}
	return counts, unavailable(err)
}

// numbers calls a script that answers a list of numbers, and names them by their places.
func (s *Store) numbers(ctx context.Context, partition int, sc *redis.Script, args ...any) (fields, error) {
	v, err := s.list(ctx, sc, partition, args...)
	f := fields{}
	for i, text := range v {
		f[strconv.Itoa(i)] = text
	}
	return f, err
}
