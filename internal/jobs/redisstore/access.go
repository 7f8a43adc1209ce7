package redisstore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// EnsureTenant implements [jobs.Access].
func (s *Store) EnsureTenant(ctx context.Context, name string, secrets []byte) (bool, error) {
	v, err := s.word(ctx, s.scripts.ensureTenant, s.partition(name), name, string(secrets))
	return v == "1", err
}

// Tenant implements [jobs.Access].
func (s *Store) Tenant(ctx context.Context, name string) (jobs.Tenant, error) {
	v, err := s.list(ctx, s.scripts.tenant, s.partition(name), append([]any{name}, limitNames()...)...)
	if err != nil {
		return jobs.Tenant{}, err
	}
	if v[0] == "" {
		return jobs.Tenant{}, jobs.ErrTenantNotFound
	}
	t := jobs.Tenant{Name: name, Secrets: []byte(v[1]), Now: fields{"now": v[3]}.time("now")}
	t.Callback, t.Signing = bytesOf(v[2]), bytesOf(v[4])
	t.Usage = jobs.Usage{Bytes: number(v[5]), Versions: number(v[6]), Queued: number(v[7]), Renders: number(v[8])}
	t.Limits = limitsOf(v[9:])
	return t, nil
}

// Tenants implements [jobs.Access].
func (s *Store) Tenants(ctx context.Context) ([]string, error) {
	all := []string{}
	for p := range s.opts.Partitions {
		names, err := s.rdb.ZRange(ctx, key(p, "tenants"), 0, -1).Result()
		if err := unavailable(err); err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return all, nil
}

// SwapTenant implements [jobs.Access].
func (s *Store) SwapTenant(ctx context.Context, name string, field jobs.TenantField, old, replacement []byte) (bool, error) {
	v, err := s.word(ctx, s.scripts.swapTenant, s.partition(name), name, string(field), string(old), string(replacement))
	if err == nil && v == "gone" {
		err = jobs.ErrTenantNotFound
	}
	return v == "swapped", err
}

// PutKey implements [jobs.Access]. The key comes before its index: one that is listed can be used.
func (s *Store) PutKey(ctx context.Context, hash string, k jobs.APIKey) error {
	scopes := make([]string, len(k.Scopes))
	for i, scope := range k.Scopes {
		scopes[i] = string(scope)
	}
	err := s.scripts.putKey.Run(ctx, s.rdb, []string{keyPrefix + hash}, k.Lifetime.Milliseconds(),
		"id", string(k.ID), "tenant", k.Tenant, "name", k.Name, "scopes", strings.Join(scopes, " ")).Err()
	if err != nil {
		return unavailable(err)
	}
	if err := s.rdb.Set(ctx, keyIDPrefix+string(k.ID), hash, 0).Err(); err != nil {
		return unavailable(err)
	}
	return unavailable(s.rdb.ZAdd(ctx, keyIndex, redis.Z{Member: string(k.ID)}).Err())
}

// KeyByHash implements [jobs.Access].
func (s *Store) KeyByHash(ctx context.Context, hashText string) (jobs.APIKey, error) {
	v, err := s.scripts.getKey.Run(ctx, s.rdb, []string{keyPrefix + hashText}).Result()
	if err := unavailable(err); err != nil {
		return jobs.APIKey{}, err
	}
	f := hash(item(v, 0))
	if len(f) == 0 {
		return jobs.APIKey{}, jobs.ErrKeyNotFound
	}
	now := fields{"now": text(item(v, 1))}
	return keyFrom(f, now.int64("now")), nil
}

// Keys implements [jobs.Access].
func (s *Store) Keys(ctx context.Context, cursor jobs.ID, limit int) (jobs.Page[jobs.APIKey], error) {
	return page(ctx, s, keyIndex, "-", "+", cursor, limit, s.keyByID, func(jobs.APIKey) bool { return true })
}

func (s *Store) keyByID(ctx context.Context, id jobs.ID) (jobs.APIKey, error) {
	hash, err := s.rdb.Get(ctx, keyIDPrefix+string(id)).Result()
	if err := unavailable(err); err != nil {
		return jobs.APIKey{}, err
	}
	return s.KeyByHash(ctx, hash)
}

// DeleteKey implements [jobs.Access]. The key itself goes first: from then on it opens nothing.
func (s *Store) DeleteKey(ctx context.Context, id jobs.ID) error {
	hash, err := s.rdb.Get(ctx, keyIDPrefix+string(id)).Result()
	if errors.Is(err, redis.Nil) {
		return jobs.ErrKeyNotFound
	}
	if err := unavailable(err); err != nil {
		return err
	}
	if err := s.rdb.Del(ctx, keyPrefix+hash).Err(); err != nil {
		return unavailable(err)
	}
	if err := s.rdb.ZRem(ctx, keyIndex, string(id)).Err(); err != nil {
		return unavailable(err)
	}
	return unavailable(s.rdb.Del(ctx, keyIDPrefix+string(id)).Err())
}

// isMissing reports whether a record is not there.
func isMissing(err error) bool { return fault.From(err).Kind == fault.NotFound }
