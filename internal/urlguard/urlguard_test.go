package urlguard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/urlguard"
)

// answers is a resolver that says the same of every name.
type answers []netip.Addr

func (a answers) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return a, nil }

// resolverFunc is a resolver made of one function.
type resolverFunc func(ctx context.Context, network, host string) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	return f(ctx, network, host)
}

func addrs(tb testing.TB, texts ...string) answers {
	tb.Helper()
	list := make(answers, 0, len(texts))
	for _, text := range texts {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, addr)
	}
	return list
}

func rules(tb testing.TB, list string) []urlguard.Rule {
	tb.Helper()
	parsed, err := urlguard.ParseRules(list)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed
}

var errRecorded = errors.New("recorded, not connected")

// recorder stands in for the socket: it remembers where a dial would have gone.
type recorder struct {
	mu    sync.Mutex
	addrs []netip.AddrPort
}

func (r *recorder) dial(_ context.Context, _ string, addr netip.AddrPort) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addrs = append(r.addrs, addr)
	return nil, errRecorded
}

func (r *recorder) take() []netip.AddrPort {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.addrs
	r.addrs = nil
	return taken
}
