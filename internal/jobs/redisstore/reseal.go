package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// SealedJobs implements [jobs.Sealings].
func (s *Store) SealedJobs(ctx context.Context, tenant string, after jobs.ID, limit int) ([]jobs.SealedJob, error) {
	p := s.partition(tenant)
	from := "-"
	if after != "" {
		from = "(" + string(after)
	}
	ids, err := s.rdb.ZRangeArgs(ctx, redis.ZRangeArgs{
		Key: key(p, "idx:", tenant), Start: from, Stop: "+", ByLex: true, Count: int64(limit),
	}).Result()
	if err := unavailable(err); err != nil {
		return nil, err
	}
	sealed := make([]jobs.SealedJob, len(ids))
	err = s.eachHash(ctx, p, "job:", len(ids), func(i int) string { return ids[i] }, []string{"dlv", "sealed"}, func(i int, v []string) {
		sealed[i] = jobs.SealedJob{Job: jobs.ID(ids[i]), Delivery: jobs.ID(v[0]), Sealed: bytesOf(v[1])}
	})
	if err != nil {
		return nil, err
	}
	err = s.eachHash(ctx, p, "dlv:", len(ids), func(i int) string { return string(sealed[i].Delivery) }, []string{"sealed"}, func(i int, v []string) {
		sealed[i].DeliverySealed = bytesOf(v[0])
	})
	return sealed, err
}

// eachHash reads fields of n records with one round trip. A field that is not there is "".
func (s *Store) eachHash(ctx context.Context, partition int, name string, n int, id func(int) string, fields []string, take func(int, []string)) error {
	if n == 0 {
		return nil
	}
	replies := make([]*redis.SliceCmd, n)
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range n {
			replies[i] = p.HMGet(ctx, key(partition, name, id(i)), fields...)
		}
		return nil
	})
	if err := unavailable(err); err != nil {
		return err
	}
	for i, reply := range replies {
		take(i, texts(reply.Val()))
	}
	return nil
}

// bytesOf is nil for a field that is not there.
func bytesOf(v string) []byte {
	if v == "" {
		return nil
	}
	return []byte(v)
}

// SwapSealed implements [jobs.Sealings].
func (s *Store) SwapSealed(ctx context.Context, old, replacement jobs.SealedJob) (bool, error) {
	p := old.Job.Partition()
	records := []string{key(p, "job:", string(old.Job)), key(p, "dlv:", string(old.Delivery))}
	swapped, err := bare("reseal").Run(ctx, s.rdb, records,
		string(old.Sealed), string(replacement.Sealed), string(old.DeliverySealed), string(replacement.DeliverySealed)).Bool()
	return swapped, unavailable(err)
}
