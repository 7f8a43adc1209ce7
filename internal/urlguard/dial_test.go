package urlguard_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/urlguard"
)

func TestANameThatMovedSinceTheCheckIsNotDialed(t *testing.T) {
	t.Parallel()
	for _, later := range [][]string{
		{"127.0.0.1"}, {"0.0.0.0"}, {"169.254.169.254"}, {"::ffff:127.0.0.1"}, {"93.184.215.14", "10.0.0.1"}, {"fd12::1"},
	} {
		var dialed recorder
		lookups := 0
		policy := urlguard.Policy{Resolver: resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) {
			lookups++
			if lookups == 1 {
				return addrs(t, "93.184.215.14"), nil
			}
			return addrs(t, later...), nil
		})}.WithDial(dialed.dial)

		if _, err := policy.Check(t.Context(), "https://rebind.example.com/"); err != nil {
			t.Fatalf("%v: check: %v", later, err)
		}
		_, err := policy.DialContext(t.Context(), "tcp", "rebind.example.com:443")
		if !errors.Is(err, urlguard.ErrDenied) {
			t.Errorf("%v: dial: %v", later, err)
		}
		if got := dialed.take(); len(got) != 0 {
			t.Errorf("%v: dialed %v", later, got)
		}
	}
}

func TestEveryJudgedAddressIsTriedInItsOrder(t *testing.T) {
	t.Parallel()
	var dialed recorder
	policy := urlguard.Policy{Resolver: addrs(t, "2606:4700:4700::1111", "::ffff:1.1.1.1", "8.8.8.8")}.WithDial(dialed.dial)
	_, err := policy.DialContext(t.Context(), "tcp", "many.example.com:443")
	if !errors.Is(err, errRecorded) {
		t.Fatalf("dial: %v", err)
	}
	want := []netip.AddrPort{
		netip.MustParseAddrPort("[2606:4700:4700::1111]:443"), netip.MustParseAddrPort("1.1.1.1:443"), netip.MustParseAddrPort("8.8.8.8:443"),
	}
	if diff := cmp.Diff(want, dialed.take(), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Fatalf("dialed (-want +got):\n%s", diff)
	}
}

func TestADialIsJudgedWhateverItsSpelling(t *testing.T) {
	t.Parallel()
	var dialed recorder
	policy := urlguard.Policy{AllowHTTP: true, Resolver: addrs(t, "93.184.215.14")}.WithDial(dialed.dial)
	for _, addr := range []string{
		"127.0.0.1:443", "127.1:443", "2130706433:443", "0x7f000001:443", "0177.0.0.1:443", "[::1]:443", "::1:443", "[::ffff:8.8.8.8]:443",
		"[fe80::1%eth0]:443", "localhost:443", "receiver:443", "example.com:22", "example.com", "example.com:", ":443", "", "１２７.0.0.1:443",
		"user@example.com:443", "example.com/:443", "example.com:443/", "8.8.8.8.:443", "loc%61lhost:443",
	} {
		if _, err := policy.DialContext(t.Context(), "tcp", addr); !errors.Is(err, urlguard.ErrDenied) {
			t.Errorf("%q: %v", addr, err)
		}
	}
	if _, err := policy.DialContext(t.Context(), "udp", "example.com:443"); !errors.Is(err, urlguard.ErrDenied) {
		t.Errorf("udp: %v", err)
	}
	if got := dialed.take(); len(got) != 0 {
		t.Errorf("dialed %v", got)
	}
}

func TestTheControlHookStopsASocketThatGotPastEverything(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	addr := netip.MustParseAddrPort(ln.Addr().String())
	conn, err := urlguard.Policy{}.DialSocket(t.Context(), addr)
	if !errors.Is(err, urlguard.ErrDenied) {
		t.Fatalf("strict policy: %v, %v", conn, err)
	}
	conn, err = urlguard.Policy{Allow: rules(t, addr.String())}.DialSocket(t.Context(), addr)
	if err != nil {
		t.Fatalf("allowed by a rule: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestARealDialReachesWhatARuleAllows(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	// The first address refuses connections: nothing listens at that port of 127.0.0.2.
	policy := urlguard.Policy{Allow: rules(t, "receiver"), Resolver: addrs(t, "127.0.0.2", "127.0.0.1")}
	conn, err := policy.DialContext(t.Context(), "tcp", "receiver:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.RemoteAddr().String(); got != ln.Addr().String() {
		t.Errorf("connected to %s, want %s", got, ln.Addr())
	}
}

func listen(tb testing.TB) net.Listener {
	tb.Helper()
	ln, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { ln.Close() })
	return ln
}

// net/http lets a dial go on when its request has ended, so the dial has an end of its own: who names a host decides how many
// dead addresses it has.
func TestANameWithManyDeadAddressesIsGivenUpWithItsRequest(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	tries := 0 // by one goroutine, and read when it is over
	policy := urlguard.Policy{Resolver: addrs(t, "1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4")}.WithDial(
		func(ctx context.Context, _ string, _ netip.AddrPort) (net.Conn, error) {
			if tries++; tries == 1 {
				context.AfterFunc(ctx, func() { close(over) })
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
	client := policy.Client(urlguard.Options{Timeout: 50 * time.Millisecond})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://many.example.com/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := client.Do(req); err == nil {
		_ = res.Body.Close()
		t.Fatal("nobody answered, and yet there is an answer")
	}
	select {
	case <-over:
	case <-time.After(20 * time.Second):
		t.Fatal("the dial goes on")
	}
	if tries != 1 {
		t.Errorf("%d addresses were tried after the end of the request", tries)
	}
}
