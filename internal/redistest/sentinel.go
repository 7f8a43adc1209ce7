package redistest

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// MasterName is what the Sentinels call the master.
const MasterName = "mymaster"

// Sentinel is a master with one replica, watched by three Sentinels.
type Sentinel struct {
	// Master and Replica are the servers in the parts that they have now.
	Master, Replica *Server

	tb       testing.TB
	watchers []*Server
}

// StartSentinel starts them and waits until every Sentinel knows of the replica and of the other Sentinels. The options
// are for the two servers. Everything ends with the test.
func StartSentinel(tb testing.TB, opts ...Option) *Sentinel {
	tb.Helper()
	s := &Sentinel{tb: tb}
	s.Master, s.Replica = StartReplicated(tb, opts...)
	for range 3 {
		s.watchers = append(s.watchers, Start(tb, as(sentinel), TCP(), Config(
			"sentinel monitor "+MasterName+" 127.0.0.1 "+portOf(s.Master.Addr)+" 2",
			// Little, for tests not to wait, and more than a busy machine lets a server wait.
			"sentinel down-after-milliseconds "+MasterName+" 1500",
			"sentinel failover-timeout "+MasterName+" 5000",
		)))
	}
	for _, w := range s.watchers {
		client := w.asSentinel()
		eventually(tb, "the Sentinels know each other", func(ctx context.Context) bool {
			state, err := client.Master(ctx, MasterName).Result()
			return err == nil && state["num-other-sentinels"] == "2" && state["num-slaves"] == "1"
		})
	}
	return s
}

// URL is where clients find the master, whoever it is.
func (s *Sentinel) URL() string {
	addrs := make([]string, len(s.watchers))
	for i, w := range s.watchers {
		addrs[i] = w.Addr
	}
	return "redis+sentinel://" + strings.Join(addrs, ",") + "/" + MasterName
}

// Failover kills the master, waits until the Sentinels agree that the replica is the master, and swaps Master and
// Replica. The new Replica stays dead until it is restarted; then the Sentinels make it one.
func (s *Sentinel) Failover() {
	s.tb.Helper()
	s.Master.Kill()
	s.Master, s.Replica = s.Replica, s.Master
	watchers := s.asSentinels()
	eventually(s.tb, "the Sentinels name the promoted replica", func(ctx context.Context) bool { return s.namedBy(ctx, watchers) })
	admin := s.Master.admin()
	eventually(s.tb, "the replica is promoted", func(ctx context.Context) bool {
		return s.Master.replicates(ctx, admin, "role:master")
	})
}

func (s *Sentinel) asSentinels() []*redis.SentinelClient {
	s.tb.Helper()
	clients := make([]*redis.SentinelClient, len(s.watchers))
	for i, w := range s.watchers {
		clients[i] = w.asSentinel()
	}
	return clients
}

// namedBy reports whether all Sentinels name the master.
func (s *Sentinel) namedBy(ctx context.Context, watchers []*redis.SentinelClient) bool {
	for _, w := range watchers {
		addr, err := w.GetMasterAddrByName(ctx, MasterName).Result()
		if err != nil || net.JoinHostPort(addr[0], addr[1]) != s.Master.Addr {
			return false
		}
	}
	return true
}

func (s *Server) asSentinel() *redis.SentinelClient {
	s.tb.Helper()
	client := redis.NewSentinelClient(options("unix", s.socket))
	s.tb.Cleanup(func() { _ = client.Close() })
	return client
}
