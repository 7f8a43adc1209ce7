package redistest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// StartReplicated starts a master and a replica that has all of its data. Both listen on TCP and end with the test.
func StartReplicated(tb testing.TB, opts ...Option) (master, replica *Server) {
	tb.Helper()
	opts = append(opts, TCP(), Config("repl-diskless-sync-delay 0"))
	master = Start(tb, opts...)
	replica = Start(tb, append(opts, Config("replicaof 127.0.0.1 "+portOf(master.Addr)))...)
	replica.follows()
	master.streams()
	return master, replica
}

// streams waits until the replica has confirmed something: before that, up to a second after its copy is complete, the
// master sends it nothing. What is published goes to replicas and leaves no key.
func (s *Server) streams() {
	s.tb.Helper()
	conn := s.admin().Conn()
	defer conn.Close()
	if err := conn.Publish(s.tb.Context(), "redistest", "").Err(); err != nil {
		s.tb.Fatalf("redistest: publish: %v", err)
	}
	eventually(s.tb, "the replica confirms", func(ctx context.Context) bool {
		n, err := conn.Wait(ctx, 1, time.Second).Result()
		return err == nil && n == 1
	})
}

// Promote makes a replica a master, as an operator would.
func (s *Server) Promote() {
	s.tb.Helper()
	if err := s.admin().Do(s.tb.Context(), "replicaof", "no", "one").Err(); err != nil {
		s.tb.Fatalf("redistest: promote: %v", err)
	}
}

// follows waits until a replica has all data of its master.
func (s *Server) follows() {
	s.tb.Helper()
	admin := s.admin()
	eventually(s.tb, "the replica has its master's data", func(ctx context.Context) bool {
		return s.replicates(ctx, admin, "master_link_status:up")
	})
}

// replicates reports whether INFO has a line about replication.
func (s *Server) replicates(ctx context.Context, c *redis.Client, line string) bool {
	info, err := c.Info(ctx, "replication").Result()
	return err == nil && strings.Contains(info, line+"\r\n")
}

// admin is a client over the socket in Dir, whatever else the server listens on.
func (s *Server) admin() *redis.Client {
	s.tb.Helper()
	return Dial(s.tb, "unix", s.socket)
}

// eventually polls until ok, or fails the test.
func eventually(tb testing.TB, what string, ok func(context.Context) bool) {
	tb.Helper()
	within(tb, patience, what, ok)
}

// within is eventually with a time of its own.
func within(tb testing.TB, limit time.Duration, what string, ok func(context.Context) bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok(ctx) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("redistest: not within %v: %s", limit, what)
		}
	}
}
