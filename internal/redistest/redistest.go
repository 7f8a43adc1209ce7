// Package redistest starts a private redis-server for a test: the real program, with the settings that
// production asks for, on a socket and in a folder of its own. There is no in-memory twin of the store.
//
// A server is ready in milliseconds, so each test starts one and shares nothing with its neighbors. The
// program comes from the Debian package redis-server; without it a test fails, because a test that is
// skipped proves nothing. The same program is a Sentinel ([StartSentinel]) and the node of a cluster
// ([StartCluster]), which take seconds.
package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/platen-render/platen/internal/subprocess"
)

// patience bounds the start of a server, the loading of its data and its end.
const patience = 20 * time.Second

// maxSocketPath is the room for a path in sockaddr_un on Linux, without the closing zero (unix(7)).
const maxSocketPath = 107

// Server is a running redis-server that ends with its test. Its methods fail the test on trouble, so they
// belong to the test's own goroutine; the clients may be used from any.
type Server struct {
	// Network and Addr say where it listens: "unix" and a path, or after [TCP] "tcp" and 127.0.0.1:port.
	// They stay the same across [Server.Restart].
	Network, Addr string
	// Dir holds its data, its socket and its log, redis.log.
	Dir string

	tb      testing.TB
	mode    mode
	extra   []string
	socket  string
	bus     string  // port of the cluster bus
	behind  *Server // the master that a restart makes it follow; nil for none
	certs   *certificates
	process *subprocess.Process
}

// mode is what the program is.
type mode int

const (
	standalone mode = iota
	node            // of a cluster
	sentinel
)

func (m mode) args() []string {
	if m == sentinel {
		return []string{"--sentinel"}
	}
	return nil
}

// Option changes how [Start] sets a server up.
type Option func(*Server)

// TCP makes the server listen on a free loopback port too and puts that into Network and Addr.
func TCP() Option { return func(s *Server) { s.Network = "tcp" } }

// Config adds lines of redis.conf, for example "maxmemory 8mb". They win over the settings of this package.
func Config(lines ...string) Option {
	return func(s *Server) { s.extra = append(s.extra, lines...) }
}

// as makes the program something else than a server that stands alone.
func as(m mode) Option { return func(s *Server) { s.mode = m } }

// Start starts a server with an empty store and waits until it answers. It ends with the test.
func Start(tb testing.TB, opts ...Option) *Server {
	tb.Helper()
	//nolint:usetesting // TempDir carries the name of the test, and a socket path has 107 bytes at most.
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		tb.Fatalf("redistest: folder: %v", err)
	}
	s := &Server{Network: "unix", Dir: dir, tb: tb, socket: filepath.Join(dir, "s")}
	tb.Cleanup(s.remove)
	if len(s.socket) > maxSocketPath {
		tb.Fatalf("redistest: %s is too long for a socket: set TMPDIR to a shorter folder", s.socket)
	}
	for _, o := range opts {
		o(s)
	}
	s.start()
	return s
}

// Options returns fresh client options for this server: the settings of production, with a pool that is
// large enough for a test of concurrency.
func (s *Server) Options() *redis.Options {
	o := options(s.Network, s.Addr)
	o.TLSConfig = s.certs.client()
	return o
}

// Client returns a new client, which is closed at the end of the test.
func (s *Server) Client() *redis.Client {
	s.tb.Helper()
	return dial(s.tb, s.Options())
}

// URL is where clients find the server.
func (s *Server) URL() string {
	switch {
	case s.Network == "unix":
		return "unix://" + s.Addr
	case s.certs != nil:
		return "rediss://" + s.Addr
	}
	return "redis://" + s.Addr
}

// Dial returns a client for a server that somebody else started, closed at the end of the test.
func Dial(tb testing.TB, network, addr string) *redis.Client {
	tb.Helper()
	return dial(tb, options(network, addr))
}

func dial(tb testing.TB, o *redis.Options) *redis.Client {
	tb.Helper()
	client := redis.NewClient(o)
	tb.Cleanup(func() {
		if err := client.Close(); err != nil {
			tb.Errorf("redistest: close the client: %v", err)
		}
	})
	return client
}

func options(network, addr string) *redis.Options {
	return &redis.Options{
		Network:                  network,
		Addr:                     addr,
		ContextTimeoutEnabled:    true,
		ReadTimeout:              2 * time.Second,
		MaxRetries:               3,
		PoolSize:                 64,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// config is the redis.conf; a later line wins over an earlier one.
func (s *Server) config() string {
	lines := slices.Concat(s.listening(), s.certs.lines(), s.keeping(), s.extra, s.following())
	return strings.Join(lines, "\n") + "\n"
}

func (s *Server) listening() []string {
	port := "port 0"
	if s.Network == "tcp" {
		port = "port " + portOf(s.Addr)
	}
	if s.certs != nil {
		port = "port 0\ntls-" + port
	}
	return []string{
		"bind 127.0.0.1", port, "unixsocket " + strconv.Quote(s.socket), "unixsocketperm 700", "dir " + strconv.Quote(s.Dir),
	}
}

// keeping is how data is kept; a Sentinel has none.
func (s *Server) keeping() []string {
	if s.mode == sentinel {
		return nil
	}
	lines := []string{
		"appendonly yes", "appendfsync always", "no-appendfsync-on-rewrite no", "maxmemory-policy noeviction", `save ""`,
	}
	if s.mode == node {
		lines = append(lines, "cluster-enabled yes", "cluster-port "+s.bus, "cluster-announce-ip 127.0.0.1")
	}
	return lines
}

func (s *Server) following() []string {
	if s.behind == nil {
		return nil
	}
	return []string{"replicaof 127.0.0.1 " + portOf(s.behind.Addr)}
}

func (s *Server) remove() {
	if s.process != nil {
		s.process.End(syscall.SIGKILL)
	}
	if err := os.RemoveAll(s.Dir); err != nil {
		s.tb.Errorf("redistest: remove the folder: %v", err)
	}
}

// log returns what the server wrote, for the message of a failure.
func (s *Server) log() string {
	text, err := os.ReadFile(filepath.Join(s.Dir, "redis.log"))
	if err != nil {
		return fmt.Sprintf("(no log: %v)", err)
	}
	return string(text)
}
