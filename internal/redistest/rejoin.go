package redistest

import (
	"context"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

// convertTime is what Sentinels may take to make a replica of a master that wakes up after it was replaced: they look every
// 10 s, and act on what they have seen for 8 s.
const convertTime = 40 * time.Second

// Rejoin restarts the Replica that a failover has left dead, as one of the new Master, and waits until it has its data.
func (s *Sentinel) Rejoin() {
	s.tb.Helper()
	s.Master.behind, s.Replica.behind = nil, s.Master
	s.Replica.Restart()
	s.Settle()
}

// Settle waits until all Sentinels name one master and the other server follows it, and finds out which is which: a master
// that was paused may have been replaced meanwhile. Both servers must run.
func (s *Sentinel) Settle() {
	s.tb.Helper()
	watchers := make([]*redis.SentinelClient, len(s.watchers))
	for i, w := range s.watchers {
		watchers[i] = w.asSentinel()
	}
	named := func(ctx context.Context) bool {
		for _, w := range watchers {
			addr, err := w.GetMasterAddrByName(ctx, MasterName).Result()
			if err != nil || net.JoinHostPort(addr[0], addr[1]) != s.Master.Addr {
				return false
			}
		}
		return true
	}
	settle(&s.Master, &s.Replica, named)
}

// Rejoin restarts the replica of a shard that a failover has left dead, and waits until it has its master's data.
func (c *Cluster) Rejoin(shard int) {
	c.tb.Helper()
	c.Replicas[shard].Restart()
	c.Settle()
}

// Settle waits until each shard has one master, which the other server follows, and every node knows them; and finds out
// which is which: a master that was paused may have been replaced meanwhile. All servers must run.
func (c *Cluster) Settle() {
	c.tb.Helper()
	for i := range shards {
		settle(&c.Masters[i], &c.Replicas[i], func(context.Context) bool { return true })
	}
	c.settle()
}

// settle waits until one of two servers follows the other, and more holds, and swaps them if it is not the second.
func settle(master, replica **Server, holds func(context.Context) bool) {
	tb := (*master).tb
	tb.Helper()
	clients := map[*Server]*redis.Client{*master: (*master).admin(), *replica: (*replica).admin()}
	within(tb, convertTime, "one server follows the other", func(ctx context.Context) bool {
		if !(*replica).isBehind(ctx, clients[*replica], *master) {
			*master, *replica = *replica, *master
		}
		return (*replica).isBehind(ctx, clients[*replica], *master) &&
			(*master).says(ctx, clients[*master], "replication", "role:master") && holds(ctx)
	})
}

// isBehind reports whether a server has all data of another one.
func (s *Server) isBehind(ctx context.Context, client *redis.Client, master *Server) bool {
	return s.says(ctx, client, "replication", "master_port:"+portOf(master.Addr)) &&
		s.says(ctx, client, "replication", "master_link_status:up")
}
