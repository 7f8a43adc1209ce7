package redisstore

import (
	"context"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/jobs"
)

// GoneURLs implements [jobs.Deliveries].
func (s *Store) GoneURLs(ctx context.Context, tenant string) ([]jobs.GoneURL, error) {
	all, err := s.rdb.HGetAll(ctx, key(s.partition(tenant), "gone:", tenant)).Result()
	if err := unavailable(err); err != nil {
		return nil, err
	}
	urls := []jobs.GoneURL{}
	for id, text := range all {
		since, rest, _ := strings.Cut(text, " ")
		delivery, host, _ := strings.Cut(rest, " ")
		urls = append(urls, jobs.GoneURL{ID: id, Host: host, Since: fields{"at": since}.time("at"), Delivery: jobs.ID(delivery)})
	}
	slices.SortFunc(urls, func(a, b jobs.GoneURL) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return urls, nil
}

// LiftGoneURL implements [jobs.Deliveries].
func (s *Store) LiftGoneURL(ctx context.Context, tenant, id string) error {
	n, err := s.rdb.HDel(ctx, key(s.partition(tenant), "gone:", tenant), id).Result()
	if err := unavailable(err); err != nil {
		return err
	}
	if n == 0 {
		return jobs.ErrGoneURLNotFound
	}
	return nil
}
