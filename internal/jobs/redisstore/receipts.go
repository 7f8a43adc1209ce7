package redisstore

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// PutReceipt implements [jobs.Receipts].
func (s *Store) PutReceipt(ctx context.Context, d jobs.Document, receipt []byte) ([]byte, error) {
	if d.Result == nil {
		return nil, jobs.ErrNotIssued
	}
	v, err := s.word(ctx, s.scripts.putReceipt, d.ID.Partition(), string(d.ID), pack(string(receipt)), hashed(d.Result.SHA256))
	switch {
	case err != nil:
		return nil, about(err, "document_id", string(d.ID))
	case v == "gone":
		return nil, jobs.ErrDocumentNotFound
	case v == "pending":
		return nil, jobs.ErrNotIssued
	}
	return []byte(unpack(v)), nil
}

// DocumentsByHash implements [jobs.Receipts].
func (s *Store) DocumentsByHash(ctx context.Context, tenant, sha256 string, limit int) ([]jobs.Document, error) {
	found, err := s.list(ctx, s.scripts.byHash, s.partition(tenant), tenant, hashed(sha256), limit)
	if err != nil {
		return nil, err
	}
	documents := make([]jobs.Document, 0, len(found))
	for _, id := range ids(found) {
		d, err := s.Document(ctx, id)
		switch {
		case err == nil:
			documents = append(documents, d)
		case !isMissing(err): // one whose record was removed by hand is missing in the numbers
			return nil, err
		}
	}
	return documents, nil
}

// numbersPerHash is how many issue numbers share a hash, which Redis keeps compact up to 128 entries; prelude_jobs.lua agrees.
const numbersPerHash = 100

// Numbers implements [jobs.Receipts]. The last number is read first: all up to it have their documents.
func (s *Store) Numbers(ctx context.Context, tenant string, after int64, limit int) (jobs.Numbers, error) {
	p := s.partition(tenant)
	last, err := s.rdb.Get(ctx, key(p, "seq:", tenant)).Int64()
	if err := unavailable(err); err != nil {
		return jobs.Numbers{}, err
	}
	numbers := jobs.Numbers{Items: []jobs.Numbered{}, Last: last}
	for n := after; n < last && len(numbers.Items) < limit; n++ {
		numbers.Items = append(numbers.Items, jobs.Numbered{Number: n + 1})
	}
	if len(numbers.Items) == 0 {
		return numbers, nil
	}
	if err := s.nameNumbered(ctx, p, tenant, numbers.Items); err != nil {
		return numbers, err
	}
	return numbers, s.findNumbered(ctx, p, numbers.Items)
}

// nameNumbered looks up which documents the numbers were given to.
func (s *Store) nameNumbered(ctx context.Context, partition int, tenant string, items []jobs.Numbered) error {
	replies := make([]*redis.StringCmd, len(items))
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, item := range items {
			bucket := strconv.FormatInt(item.Number/numbersPerHash, 10)
			replies[i] = p.HGet(ctx, key(partition, "nums:", tenant, bucket), strconv.FormatInt(item.Number, 10))
		}
		return nil
	})
	for i, reply := range replies {
		items[i].Document = jobs.ID(reply.Val())
	}
	return unavailable(err)
}

// findNumbered reads the documents. One whose record says another number is not the one.
func (s *Store) findNumbered(ctx context.Context, partition int, items []jobs.Numbered) error {
	replies := make([]*redis.MapStringStringCmd, len(items))
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, item := range items {
			replies[i] = p.HGetAll(ctx, key(partition, "document:", string(item.Document)))
		}
		return nil
	})
	if err := unavailable(err); err != nil {
		return err
	}
	for i, reply := range replies {
		f := fields(reply.Val())
		if d := documentFrom(items[i].Document, f); len(f) > 0 && d.Number == items[i].Number {
			items[i].Found = &d
		}
	}
	return nil
}
