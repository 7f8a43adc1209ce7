package redisstore

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// SealedJobs implements [jobs.Sealings].
func (s *Store) SealedJobs(ctx context.Context, tenant string, after jobs.ID, limit int) ([]jobs.SealedJob, error) {
	p := s.partition(tenant)
	sealed, n, err := s.sealedBatches(ctx, p, tenant, after, limit)
	if err != nil {
		return nil, err
	}
	found, err := s.behind(ctx, key(p, "idx:", tenant), after, limit-n)
	if err != nil {
		return nil, err
	}
	err = s.eachHash(ctx, p, "job:", len(found), func(i int) string { return found[i] }, []string{"dlv", "sealed"}, func(i int, v []string) {
		sealed = append(sealed, jobs.SealedJob{Job: jobs.ID(found[i]), Delivery: jobs.ID(v[0]), Sealed: bytesOf(v[1])})
	})
	if err != nil {
		return nil, err
	}
	err = s.eachHash(ctx, p, "dlv:", len(sealed), func(i int) string { return string(sealed[i].Delivery) }, []string{"sealed"}, func(i int, v []string) {
		sealed[i].DeliverySealed = bytesOf(v[0])
	})
	return sealed, err
}

// sealedBatches lists the batches, whose ids come before those of jobs, and how many there are: each once for each of its epochs, the
// current one first.
func (s *Store) sealedBatches(ctx context.Context, partition int, tenant string, after jobs.ID, limit int) (sealed []jobs.SealedJob, n int, err error) {
	found, err := s.behind(ctx, key(partition, "batches:", tenant), after, limit)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range found {
		all, err := s.rdb.HGetAll(ctx, key(partition, "batch:", id)).Result()
		if err := unavailable(err); err != nil {
			return nil, 0, err
		}
		f := fields(all)
		sealed = append(sealed, jobs.SealedJob{Job: jobs.ID(id), Delivery: jobs.ID(f["dlv"]), Sealed: bytesOf(f["sealed"])})
		for epoch := 1; epoch < f.int("epoch"); epoch++ {
			_, delivery, _ := strings.Cut(f["past:"+strconv.Itoa(epoch)], " ")
			sealed = append(sealed, jobs.SealedJob{Job: jobs.ID(id), Delivery: jobs.ID(delivery)})
		}
	}
	return sealed, len(found), nil
}

// behind lists ids of an index that come after one, "" for the beginning.
func (s *Store) behind(ctx context.Context, index string, after jobs.ID, limit int) ([]string, error) {
	if limit <= 0 {
		return nil, nil
	}
	from := "-"
	if after != "" {
		from = "(" + string(after)
	}
	found, err := s.rdb.ZRangeArgs(ctx, redis.ZRangeArgs{Key: index, Start: from, Stop: "+", ByLex: true, Count: int64(limit)}).Result()
	return found, unavailable(err)
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
	kind := "job:"
	if _, err := jobs.ParseID(jobs.KindBatch, string(old.Job)); err == nil {
		kind = "batch:"
	}
	records := []string{key(p, kind, string(old.Job)), key(p, "dlv:", string(old.Delivery))}
	swapped, err := bare("reseal").Run(ctx, s.rdb, records,
		string(old.Sealed), string(replacement.Sealed), string(old.DeliverySealed), string(replacement.DeliverySealed)).Bool()
	return swapped, unavailable(err)
}
