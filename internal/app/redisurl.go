package app

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/config"
)

// topology is how the Redis behind a URL is made up.
type topology int

const (
	single topology = iota
	viaSentinel
	clustered
)

// topologies are the schemes behind "redis+" and "rediss+", with the port that a host has which names none.
var topologies = map[string]struct {
	topology topology
	port     string
}{"sentinel": {viaSentinel, "26379"}, "cluster": {clustered, "6379"}}

// redisAddress is what PLATEN_REDIS_URL says. Options holds user, password, database and TLS, and for one server all.
type redisAddress struct {
	*redis.Options
	topology topology
	addrs    []string
	master   string

	sentinelUser, sentinelPassword string
}

// Errors do not show the URL, which has a password in it.
var (
	errRedisURL     = errors.New("want redis://, rediss://, unix://, redis+sentinel://hosts/master or redis+cluster://hosts")
	errNoMaster     = errors.New("redis+sentinel:// needs the name of the master after the hosts: redis+sentinel://h1,h2,h3/mymaster")
	errClusterDB    = errors.New("a cluster has no databases")
	errRedisOptions = errors.New("only sentinel_username and sentinel_password may follow, for redis+sentinel://")
	errNoTLS        = errors.New("PLATEN_REDIS_URL does not ask for TLS (rediss://)")
	errNoPEM        = errors.New("no PEM certificate in it")
)

// parseRedisURL reads the URLs that go-redis knows, and those of several hosts, which no standard describes:
// redis+sentinel://user:password@host:port,host:port/master/database and redis+cluster://user:password@host:port,host:port.
func parseRedisURL(raw string) (redisAddress, error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	base, kind, several := strings.Cut(scheme, "+")
	if !several {
		o, err := parseSingle(raw)
		return redisAddress{Options: o}, err
	}
	t, known := topologies[kind]
	if !known {
		return redisAddress{}, errRedisURL
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@') + 1
	a := redisAddress{topology: t.topology, addrs: hosts(authority[at:], t.port)}
	if len(a.addrs) == 0 {
		return a, errRedisURL
	}
	if err := a.readSentinel(&path, query); err != nil {
		return a, err
	}
	var err error
	if a.Options, err = parseSingle(base + "://" + authority[:at] + a.addrs[0] + "/" + path); err != nil {
		return a, err
	}
	if a.topology == clustered && a.DB != 0 {
		return a, errClusterDB
	}
	if a.TLSConfig != nil {
		a.TLSConfig.ServerName = "" // each host has its own
	}
	return a, nil
}

// readSentinel takes the name of the master from the path, and the Sentinels' own user from the query.
func (a *redisAddress) readSentinel(path *string, query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errRedisOptions
	}
	if a.topology == viaSentinel {
		a.sentinelUser, a.sentinelPassword = values.Get("sentinel_username"), values.Get("sentinel_password")
		values.Del("sentinel_username")
		values.Del("sentinel_password")
		if a.master, *path, _ = strings.Cut(*path, "/"); a.master == "" {
			return errNoMaster
		}
	}
	if len(values) > 0 {
		return errRedisOptions
	}
	return nil
}

// parseSingle is redis.ParseURL without the URL in its error.
func parseSingle(raw string) (*redis.Options, error) {
	o, err := redis.ParseURL(raw)
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, errRedisURL
	}
	return o, err
}

// hosts splits a list of hosts and gives a port to those without.
func hosts(list, port string) []string {
	var addrs []string
	for h := range strings.SplitSeq(list, ",") {
		if h = strings.TrimSpace(h); h == "" {
			continue
		}
		if _, _, err := net.SplitHostPort(h); err != nil {
			h = net.JoinHostPort(strings.Trim(h, "[]"), port)
		}
		addrs = append(addrs, h)
	}
	return addrs
}

// trust makes the certificates in the file that the operator names the only ones that Redis is verified with.
func (a redisAddress) trust(cfg config.Config) error {
	if cfg.RedisCAFile == "" {
		return nil
	}
	if a.TLSConfig == nil {
		return errNoTLS
	}
	text, err := os.ReadFile(cfg.RedisCAFile)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return errNoPEM
	}
	a.TLSConfig.RootCAs, a.TLSConfig.MinVersion = roots, tls.VersionTLS12
	return nil
}
