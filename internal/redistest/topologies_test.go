package redistest_test

import (
	"strings"
	"testing"
	"time"

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

func TestADeadMasterRejoinsAsAReplica(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	dead := s.Master
	s.Failover()
	if err := s.Master.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Rejoin()
	if s.Replica != dead {
		t.Fatal("the one that died is not the replica")
	}
	if got, err := dead.Client().Get(t.Context(), "k").Result(); err != nil || got != "v" {
		t.Fatalf("k = %q, %v", got, err)
	}
}

func TestAMasterThatWasReplacedInItsSleepIsFoundToBeAReplica(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t)
	asleep := c.Masters[2]
	other := c.Replicas[2]
	asleep.Pause()
	eventually(t, "the replica takes over", func() bool {
		info, err := other.Client().Info(t.Context(), "replication").Result()
		return err == nil && strings.Contains(info, "role:master")
	})
	asleep.Resume()
	c.Settle()
	if c.Masters[2] != other || c.Replicas[2] != asleep {
		t.Fatal("the parts did not change")
	}
	c.Failover(2)
	c.Rejoin(2)
	if c.Masters[2] != asleep || c.Replicas[2] != other {
		t.Fatal("the parts did not change back")
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(what)
		}
	}
}
