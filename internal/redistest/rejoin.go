package redistest

import (
	"context"
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
	watchers := s.asSentinels()
	clients := map[*Server]*redis.Client{s.Master: s.Master.admin(), s.Replica: s.Replica.admin()}
	within(s.tb, convertTime, "the Sentinels name the master and the replica follows it", func(ctx context.Context) bool {
		if !s.Replica.isBehind(ctx, clients[s.Replica], s.Master) {
			s.Master, s.Replica = s.Replica, s.Master
			return false
		}
		return s.namedBy(ctx, watchers)
	})
}

// Rejoin restarts the replica of a shard that a failover has left dead, and waits until it has its master's data.
func (c *Cluster) Rejoin(shard int) {
	c.tb.Helper()
	c.Replicas[shard].Restart()
	c.settle()
}

// Settle waits until each shard has one master, which the other server follows, and every node knows them; and finds out
// which is which: a master that was paused may have been replaced meanwhile.
func (c *Cluster) Settle() {
	c.tb.Helper()
	c.settle()
}

// isBehind reports whether a server has all data of another one.
func (s *Server) isBehind(ctx context.Context, client *redis.Client, master *Server) bool {
	return s.replicates(ctx, client, "master_port:"+portOf(master.Addr)) &&
		s.replicates(ctx, client, "master_link_status:up")
}
