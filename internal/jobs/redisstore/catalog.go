package redisstore

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// on is how keys name an item.
func on(i jobs.Item) string { return string(i.Shelf) + ":" + i.Name }

// StoreVersion implements [jobs.Catalog].
func (s *Store) StoreVersion(ctx context.Context, v jobs.Stored) (jobs.Stored, error) {
	answer, err := s.run(ctx, s.scripts.storeVersion, s.partition(v.Tenant), v.Tenant, on(v.Item), string(v.Shelf), v.Name,
		v.SHA256, v.Blob, v.Size, v.ContentType)
	return storedFrom(v.Item, answer, err)
}

// Version implements [jobs.Catalog].
func (s *Store) Version(ctx context.Context, i jobs.Item, version int) (jobs.Stored, error) {
	which := "current"
	if version != 0 {
		which = strconv.Itoa(version)
	}
	return s.version(ctx, i, which)
}

// VersionOf implements [jobs.Catalog].
func (s *Store) VersionOf(ctx context.Context, i jobs.Item, sha256 string) (jobs.Stored, error) {
	return s.version(ctx, i, sha256)
}

// KnowsItem implements [jobs.Catalog].
func (s *Store) KnowsItem(ctx context.Context, i jobs.Item) (bool, error) {
	n, err := s.rdb.Exists(ctx, key(s.partition(i.Tenant), "cat:", i.Tenant, on(i))).Result()
	return n > 0, unavailable(err)
}

func (s *Store) version(ctx context.Context, i jobs.Item, which string) (jobs.Stored, error) {
	answer, err := s.run(ctx, s.scripts.version, s.partition(i.Tenant), i.Tenant, on(i), which)
	return storedFrom(i, answer, err)
}

// storedFrom reads the answer of the script version.
func storedFrom(i jobs.Item, answer any, err error) (jobs.Stored, error) {
	if err != nil {
		return jobs.Stored{}, err
	}
	if reached := limitReached(texts(answer)); reached != nil {
		return jobs.Stored{}, reached.Fault()
	}
	if item(answer, 0) == nil {
		return jobs.Stored{}, jobs.ErrNotStored(i.Shelf)
	}
	number, current, f := text(item(answer, 0)), text(item(answer, 1)), hash(item(answer, 2))
	version, _ := strconv.Atoi(number)
	return jobs.Stored{
		Item: i, Version: version, SHA256: f["sha256"], Size: f.int64("size"), ContentType: f["type"], Blob: f["blob"],
		Created: f.time("created"), Current: number == current, Uses: f.int("uses"),
	}, nil
}

// Items implements [jobs.Catalog].
func (s *Store) Items(ctx context.Context, tenant string, shelf jobs.Shelf, cursor string, limit int) (jobs.Page[jobs.Stored], error) {
	low := "-"
	if cursor != "" {
		low = "(" + cursor
	}
	by := redis.ZRangeArgs{Key: key(s.partition(tenant), "names:", tenant, string(shelf)), Start: low, Stop: "+", ByLex: true}
	return s.shelved(ctx, by, limit, func(name string) (jobs.Stored, error) {
		return s.Version(ctx, jobs.Item{Tenant: tenant, Shelf: shelf, Name: name}, 0)
	})
}

// Versions implements [jobs.Catalog].
func (s *Store) Versions(ctx context.Context, i jobs.Item, cursor, limit int) (jobs.Page[jobs.Stored], error) {
	if _, err := s.Version(ctx, i, 0); err != nil {
		return jobs.Page[jobs.Stored]{}, err
	}
	high := "+inf"
	if cursor != 0 {
		high = "(" + strconv.Itoa(cursor)
	}
	by := redis.ZRangeArgs{Key: key(s.partition(i.Tenant), "vers:", i.Tenant, on(i)), Start: high, Stop: "-inf", ByScore: true, Rev: true}
	return s.shelved(ctx, by, limit, func(number string) (jobs.Stored, error) { return s.version(ctx, i, number) })
}

// shelved loads a page of what a range names. What vanished meanwhile is left out.
func (s *Store) shelved(ctx context.Context, by redis.ZRangeArgs, limit int, load func(string) (jobs.Stored, error)) (jobs.Page[jobs.Stored], error) {
	result := jobs.Page[jobs.Stored]{Items: []jobs.Stored{}}
	by.Count = int64(limit + 1)
	found, err := s.rdb.ZRangeArgs(ctx, by).Result()
	if err := unavailable(err); err != nil {
		return result, err
	}
	for _, member := range found[:min(len(found), limit)] {
		switch v, err := load(member); {
		case err == nil:
			result.Items = append(result.Items, v)
		case !isMissing(err):
			return result, err
		}
	}
	if len(found) > limit {
		result.Next = jobs.ID(found[limit-1])
	}
	return result, nil
}

// RemoveVersion implements [jobs.Catalog].
func (s *Store) RemoveVersion(ctx context.Context, i jobs.Item, version int) ([]string, error) {
	v, err := s.list(ctx, s.scripts.removeVersion, s.partition(i.Tenant), i.Tenant, on(i), string(i.Shelf), i.Name, version)
	if len(v) == 0 {
		return nil, err
	}
	switch v[0] {
	case "gone":
		return nil, jobs.ErrNotStored(i.Shelf)
	case "used":
		return nil, jobs.ErrUsed(i.Shelf).With("Jobs that have not ended use version %s of %s.", v[1], i.Name)
	}
	return v[1:], err
}
