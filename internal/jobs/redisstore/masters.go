package redisstore

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// A key leads to its server by itself. What has no key, and is about one server, asks here.

// master is the server that holds a partition.
func (s *Store) master(ctx context.Context, partition int) (redis.UniversalClient, error) {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		return s.rdb, nil
	}
	node, err := cluster.MasterForKey(ctx, prefix(partition))
	if err != nil {
		return nil, unavailable(err)
	}
	return node, nil
}

// masters are all servers that hold data.
func (s *Store) masters(ctx context.Context) ([]redis.UniversalClient, error) {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		return []redis.UniversalClient{s.rdb}, nil
	}
	var mu sync.Mutex
	var all []redis.UniversalClient
	err := cluster.ForEachMaster(ctx, func(_ context.Context, node *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, node)
		return nil
	})
	return all, unavailable(err)
}

// moved makes a client that was sent to another node look where everything is, and reports whether trying again helps.
func (s *Store) moved(ctx context.Context, err error) bool {
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok || err == nil {
		return false
	}
	cluster.ReloadState(ctx) // whatever the error is: a dead node may have been replaced
	_, elsewhere := redis.IsMovedError(err)
	return elsewhere
}
