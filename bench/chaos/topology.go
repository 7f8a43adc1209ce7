package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/app"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/redistest"
)

// deployment is a Redis of some topology that can be hurt.
type deployment struct {
	// env are the settings with which processes find it.
	env map[string]string
	// past is the same URL past the wire and with all rights.
	past string
	// kill crashes a master and returns once everything is whole again.
	kill func(*rand.Rand)
	// rest is how long it is left alone after that.
	rest time.Duration
	// hinder makes a master unreachable for a while, and returns once everything is whole again. It takes about as long as
	// hindered, and reports whether it did so.
	hinder   func(context.Context, *rand.Rand) bool
	hindered time.Duration
	servers  []*redistest.Server
	// hold is held by whoever hurts it.
	hold sync.Mutex
}

// topologies are all that a deployment can be. They are called within [host.try].
var topologies = map[string]func(h *host, acl string) *deployment{
	"single": func(h *host, _ string) *deployment {
		s := redistest.Start(h)
		return wired(h, s, "unix", filepath.Join(h.dir, "wire.sock"), func(addr string) string { return "unix://" + addr })
	},
	"tcp": func(h *host, acl string) *deployment {
		s := redistest.Start(h, redistest.TCP(), redistest.Config(acl))
		return wired(h, s, "tcp", "127.0.0.1:0", func(addr string) string { return loggedIn("redis://" + addr) })
	},
	"tls": func(h *host, acl string) *deployment {
		s := redistest.Start(h, redistest.TLS(), redistest.Config(acl))
		d := wired(h, s, "tcp", "127.0.0.1:0", func(addr string) string { return loggedIn("rediss://" + addr) })
		d.env["PLATEN_REDIS_CA_FILE"] = s.CAFile()
		return d
	},
	"sentinel": viaSentinel,
	"cluster":  clustered,
}

func topologyNames() []string { return slices.Sorted(maps.Keys(topologies)) }

// wired is one server behind a wire that can be cut.
func wired(h *host, s *redistest.Server, network, addr string, urlOf func(addr string) string) *deployment {
	w, err := newWire(h.ctx, network, addr, s.Network, s.Addr)
	if err != nil {
		h.Fatalf("wire: %w", err)
	}
	h.Cleanup(w.close)
	return &deployment{
		env: map[string]string{"PLATEN_REDIS_URL": urlOf(w.addr()), "PLATEN_PARTITIONS": "1"}, past: s.URL(),
		kill: func(*rand.Rand) { s.Restart() },
		hinder: func(ctx context.Context, random *rand.Rand) bool {
			w.breakFor(ctx, time.Second+time.Duration(random.IntN(4000))*time.Millisecond)
			return true
		},
		hindered: 5 * time.Second, servers: []*redistest.Server{s},
	}
}

// careful are the settings that docs/configuration.md asks of a master whose replica is waited for.
var careful = redistest.Config("min-replicas-to-write 1", "min-replicas-max-lag 10")

// On the topologies with replicas no wire can be cut, since clients get the announced addresses. A master is stopped instead, for
// longer, often, than what makes the others replace it: when it wakes up it still believes to be the master, which is the
// moment in which two would be able to acknowledge different things.
const (
	shortestSleep = 500 * time.Millisecond
	longestSleep  = 4 * time.Second
)

func sleepOf(random *rand.Rand) time.Duration {
	return shortestSleep + time.Duration(random.Int64N(int64(longestSleep-shortestSleep)))
}

func viaSentinel(h *host, acl string) *deployment {
	s := redistest.StartSentinel(h, redistest.Config(acl), careful)
	d := &deployment{
		env:  map[string]string{"PLATEN_REDIS_URL": loggedIn(s.URL()) + "/0", "PLATEN_PARTITIONS": "1", "PLATEN_REDIS_WAIT_REPLICAS": "1"},
		past: s.URL(), servers: []*redistest.Server{s.Master, s.Replica},
		kill: func(*rand.Rand) { s.Failover(); s.Rejoin() },
		// Sentinels begin no second failover within twice their failover-timeout.
		rest: 8 * time.Second,
		// They take up to 20 s to make a replica of a master that wakes up; until then nothing is written.
		hindered: 25 * time.Second,
	}
	d.hinder = d.stopping(h, func(*rand.Rand) *redistest.Server { return s.Master }, s.Settle)
	return d
}

func clustered(h *host, acl string) *deployment {
	c := redistest.StartCluster(h, redistest.Config(acl), careful)
	d := &deployment{
		env:  map[string]string{"PLATEN_REDIS_URL": loggedIn(c.URL()), "PLATEN_PARTITIONS": "16", "PLATEN_REDIS_WAIT_REPLICAS": "1"},
		past: c.URL(), servers: append(c.Masters[:len(c.Masters):len(c.Masters)], c.Replicas[:]...),
		kill: func(random *rand.Rand) {
			shard := random.IntN(len(c.Masters))
			c.Failover(shard)
			c.Rejoin(shard)
		},
		rest: 3 * time.Second, hindered: 10 * time.Second,
	}
	d.hinder = d.stopping(h, func(random *rand.Rand) *redistest.Server { return c.Masters[random.IntN(len(c.Masters))] }, c.Settle)
	return d
}

// stopping makes a hinder that stops a master.
func (d *deployment) stopping(h *host, pick func(*rand.Rand) *redistest.Server, settle func()) func(context.Context, *rand.Rand) bool {
	return func(ctx context.Context, random *rand.Rand) bool {
		d.hold.Lock()
		defer d.hold.Unlock()
		if end, ok := ctx.Deadline(); ok && time.Until(end) < d.hindered {
			return false // it was being hurt for too long
		}
		err := h.try(func() {
			master := pick(random)
			master.Pause()
			pause(ctx, sleepOf(random))
			master.Resume()
			settle()
		})
		return err == nil // the host keeps it
	}
}

const redisPassword = "a/password: of the experiment?"

// loggedIn is a URL with the user platen in it.
func loggedIn(raw string) string {
	return strings.Replace(raw, "://", "://"+url.UserPassword("platen", redisPassword).String()+"@", 1)
}

var errNoACL = errors.New("has no line of an ACL")

// documentedACL is the line for redis.conf that the documentation gives, which the processes must get along with.
func documentedACL(docs string) (string, error) {
	file := filepath.Join(docs, "configuration.md")
	page, err := os.ReadFile(file) //nolint:gosec // the folder that the flag names
	if err != nil {
		return "", err
	}
	for line := range bytes.Lines(page) {
		if bytes.HasPrefix(line, []byte("user platen on ")) {
			return strings.Replace(strings.TrimSpace(string(line)), ">PASSWORD", `">`+redisPassword+`"`, 1), nil
		}
	}
	return "", fmt.Errorf("%s %w", file, errNoACL)
}

// connect makes a client as the processes do, but to another URL of the deployment.
func (d *deployment) connect(rawURL string) (redis.UniversalClient, config.Config, error) {
	cfg, err := config.Load(func(name string) string {
		if name == "PLATEN_REDIS_URL" {
			return rawURL
		}
		return d.env[name]
	})
	if err != nil {
		return nil, cfg, err
	}
	rdb, err := app.NewRedis(cfg, 0)
	return rdb, cfg, err
}

// eachMaster calls f for every master that is there.
func eachMaster(ctx context.Context, rdb redis.UniversalClient, f func(context.Context, *redis.Client) error) error {
	switch c := rdb.(type) {
	case *redis.ClusterClient:
		return c.ForEachMaster(ctx, f)
	case *redis.Client:
		return f(ctx, c)
	}
	return nil
}

// keepLogs copies what the servers wrote to a folder.
func (d *deployment) keepLogs(dir string) error {
	for i, s := range d.servers {
		text, err := os.ReadFile(filepath.Join(s.Dir, "redis.log"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("redis-%d.log", i)), text, 0o600); err != nil { //nolint:gosec // the folder that the flag names
			return err
		}
	}
	return nil
}
