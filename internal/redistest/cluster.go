package redistest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

const (
	shards = 3
	slots  = 16384
)

// Cluster is a Redis Cluster of three masters with one replica each.
type Cluster struct {
	// Masters and Replicas are the servers in the parts that they have now; those of one index belong together.
	Masters, Replicas [shards]*Server

	tb testing.TB
}

// StartCluster starts the servers, with the options for each, and waits until all of them find the cluster whole.
// Everything ends with the test.
func StartCluster(tb testing.TB, opts ...Option) *Cluster {
	tb.Helper()
	c := &Cluster{tb: tb}
	opts = append(opts, as(node), TCP(), Config("repl-diskless-sync-delay 0",
		"repl-ping-replica-period 1", // a replica that has heard nothing is not listed
		// Little, for tests not to wait, and more than a busy machine lets a server wait.
		"cluster-node-timeout 1500"))
	for i := range shards {
		c.Masters[i], c.Replicas[i] = Start(tb, opts...), Start(tb, opts...)
	}
	c.shareSlots()
	c.meet()
	for i, m := range c.Masters {
		id := c.ask(m, "cluster", "myid")
		replica := c.Replicas[i].admin()
		eventually(tb, "a replica knows its master", func(ctx context.Context) bool {
			return replica.Do(ctx, "cluster", "replicate", id).Err() == nil
		})
	}
	for _, r := range c.Replicas {
		r.follows()
	}
	c.settle()
	return c
}

// shareSlots gives each master its part of the slots, and each node an epoch of its own, so that none is drawn twice.
func (c *Cluster) shareSlots() {
	c.tb.Helper()
	for i, m := range c.Masters {
		first, last := i*slots/shards, (i+1)*slots/shards-1
		c.ask(m, "cluster", "addslotsrange", first, last)
		c.ask(m, "cluster", "set-config-epoch", i+1)
	}
}

// meet introduces all nodes to the first one, and waits until each knows all.
func (c *Cluster) meet() {
	c.tb.Helper()
	for _, s := range c.all() {
		if s != c.Masters[0] {
			c.ask(c.Masters[0], "cluster", "meet", "127.0.0.1", portOf(s.Addr), s.bus)
		}
	}
	c.everyone("the nodes know each other", "cluster_known_nodes:"+strconv.Itoa(2*shards))
}

// settle waits until every living node finds that all slots are served, and all name the same masters. It finds out which
// those are: a master that was paused, or starved, may have been replaced meanwhile.
func (c *Cluster) settle() {
	c.tb.Helper()
	c.everyone("all slots are served", "cluster_state:ok")
	living := map[*Server]*redis.Client{}
	for _, s := range c.all() {
		if s.alive() {
			living[s] = s.admin()
		}
	}
	eventually(c.tb, "the masters are known", func(ctx context.Context) bool {
		for i := range shards {
			if master, replica := living[c.Masters[i]], living[c.Replicas[i]]; master != nil && replica != nil &&
				!c.Replicas[i].isBehind(ctx, replica, c.Masters[i]) {
				c.Masters[i], c.Replicas[i] = c.Replicas[i], c.Masters[i]
				return false
			}
		}
		for _, admin := range living {
			if !c.knownTo(ctx, admin) {
				return false
			}
		}
		return true
	})
}

// knownTo reports whether a node names all masters that live, and all replicas that do.
func (c *Cluster) knownTo(ctx context.Context, admin *redis.Client) bool {
	parts, err := admin.ClusterShards(ctx).Result()
	known := map[string]bool{}
	for _, part := range parts {
		for _, n := range part.Nodes {
			known[fmt.Sprintf("%s:%d %s %s", n.IP, n.Port, n.Role, n.Health)] = len(part.Slots) > 0
		}
	}
	for i := range shards {
		if !known[c.Masters[i].Addr+" master online"] || c.Replicas[i].alive() && !known[c.Replicas[i].Addr+" replica online"] {
			return false
		}
	}
	return err == nil
}

// everyone waits until CLUSTER INFO of every living node has a line.
func (c *Cluster) everyone(what, line string) {
	c.tb.Helper()
	for _, s := range c.all() {
		if !s.alive() {
			continue
		}
		admin := s.admin()
		eventually(c.tb, what, func(ctx context.Context) bool {
			info, err := admin.ClusterInfo(ctx).Result()
			return err == nil && strings.Contains(info, line+"\r\n")
		})
	}
}

// URL is where clients find the cluster.
func (c *Cluster) URL() string {
	var addrs []string
	for _, s := range c.all() {
		addrs = append(addrs, s.Addr)
	}
	return "redis+cluster://" + strings.Join(addrs, ",")
}

// Failover kills a master and waits until its replica has taken over, then swaps the two in Masters and Replicas. The new
// replica stays dead until it is restarted.
func (c *Cluster) Failover(shard int) {
	c.tb.Helper()
	c.Masters[shard].Kill()
	c.Masters[shard], c.Replicas[shard] = c.Replicas[shard], c.Masters[shard]
	admin := c.Masters[shard].admin()
	eventually(c.tb, "the replica takes over", func(ctx context.Context) bool {
		return c.Masters[shard].replicates(ctx, admin, "role:master")
	})
	c.settle()
}

func (c *Cluster) all() []*Server { return append(c.Masters[:shards:shards], c.Replicas[:]...) }

// ask runs a command that must work, and returns its answer.
func (c *Cluster) ask(s *Server, args ...any) string {
	c.tb.Helper()
	answer, err := s.admin().Do(c.tb.Context(), args...).Text()
	if err != nil {
		c.tb.Fatalf("redistest: %v: %v", args, err)
	}
	return answer
}

func (s *Server) alive() bool {
	select {
	case <-s.process.Done():
		return false
	default:
		return true
	}
}
