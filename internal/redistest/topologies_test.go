package redistest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/redistest"
)

func TestATLSServerTakesOnlyVerifiedTLS(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.TLS())
	if err := s.Client().Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*redis.Options){
		func(o *redis.Options) { o.TLSConfig = nil },
		func(o *redis.Options) { o.TLSConfig.RootCAs = nil }, // the system's, which do not know ours
	} {
		o := s.Options()
		o.MaxRetries = -1
		change(o)
		client := redis.NewClient(o)
		if err := client.Ping(t.Context()).Err(); err == nil {
			t.Error("a client without the authority was served")
		}
		_ = client.Close()
	}
}

func TestSentinelsPromoteTheReplica(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	if err := s.Master.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Master.Client().Wait(t.Context(), 1, 0).Result(); err != nil || n != 1 {
		t.Fatalf("%d replicas have it, %v", n, err)
	}
	before := s.Replica
	s.Failover()
	if s.Master != before {
		t.Fatal("the parts did not change")
	}
	client := s.Master.Client()
	if got, err := client.Get(t.Context(), "k").Result(); err != nil || got != "v" {
		t.Fatalf("k = %q, %v", got, err)
	}
	if err := client.Set(t.Context(), "k", "w", 0).Err(); err != nil {
		t.Fatal(err)
	}
}

func TestAClusterGoesOnWithoutAMaster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t)
	var addrs []string
	for _, m := range c.Masters {
		addrs = append(addrs, m.Addr)
	}
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs})
	t.Cleanup(func() { _ = client.Close() })
	keys := []string{"a", "b", "c", "d", "e", "f"} // on all three
	for _, k := range keys {
		if err := client.Set(t.Context(), k, "v", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	c.Failover(1)
	client.ReloadState(t.Context())
	for _, k := range keys {
		if err := client.Set(t.Context(), k, "w", 0).Err(); err != nil {
			t.Errorf("%s: %v", k, err)
		}
	}
}
