package urlguard_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/urlguard"
)

// fuzzRules are what an operator may have allowed. fuzzAllowed says the same again, without the package.
const fuzzRules = "10.1.0.0/16, [fd12::/16]:8443, receiver, *.corp.example:9000, 0.0.0.0/8"

func fuzzAllowed(host string, addr netip.AddrPort) bool {
	a := addr.Addr()
	sealed := a.Is4In6() || a.Zone() != "" || netip.MustParsePrefix("169.254.0.0/16").Contains(a)
	for _, never := range []string{
		"168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42",
	} {
		sealed = sealed || a == netip.MustParseAddr(never)
	}
	if sealed || a.IsLinkLocalUnicast() {
		return false
	}
	if a.Is6() && !a.IsPrivate() && !a.IsLoopback() && !a.IsMulticast() && !public(a) {
		return false // of IPv6 that stands for IPv4, no rule of fuzzRules may admit any
	}
	byAddr := netip.MustParsePrefix("10.1.0.0/16").Contains(a) || netip.MustParsePrefix("0.0.0.0/8").Contains(a) ||
		netip.MustParsePrefix("fd12::/16").Contains(a) && addr.Port() == 8443
	byName := host == "receiver" || strings.HasSuffix(host, ".corp.example") && addr.Port() == 9000
	return byAddr || byName
}

// FuzzNoDialLeavesTheGuard holds that whatever a URL says and whatever a resolver answers, every address that a
// client, a dial or the proxy would connect to is public or allowed.
func FuzzNoDialLeavesTheGuard(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.URL, pack(c.ResolvesTo), pack(c.ThenResolvesTo))
	}
	private := pack(addrs(f, "10.0.0.1", "::ffff:127.0.0.1"))
	for _, raw := range []string{
		"http://receiver:3000/", "http://a.corp.example:9000/", "https://10.1.2.3/", "https://[fd12::1]:8443/", "example.com:443",
	} {
		f.Add(raw, private, []byte(nil))
	}
	allow := rules(f, fuzzRules)

	f.Fuzz(func(t *testing.T, raw string, first, later []byte) {
		var dialed recorder
		asked := ""
		lookups := 0
		policy := urlguard.Policy{AllowHTTP: true, Allow: allow, Resolver: resolverFunc(
			func(_ context.Context, _, host string) ([]netip.Addr, error) {
				asked = strings.TrimSuffix(host, ".")
				lookups++
				if lookups%2 == 0 {
					return unpack(later), nil
				}
				return unpack(first), nil
			})}.WithDial(dialed.dial)

		attempt(t, policy, raw)
		for _, addr := range dialed.take() {
			if !public(addr.Addr()) && !fuzzAllowed(asked, addr) {
				t.Errorf("%q (asked for %q) reached %s", raw, asked, addr)
			}
		}
	})
}

// attempt tries every way to the network that the package offers. The dials fail, so only refusals and errors come
// back, and none of them matters here.
func attempt(t *testing.T, policy urlguard.Policy, raw string) {
	t.Helper()
	if u, err := policy.Check(t.Context(), raw); err == nil {
		again, err := policy.Parse(u.String())
		if len(u.String()) <= 2048 && (err != nil || again.String() != u.String()) {
			t.Errorf("%q: the canonical form %q is not stable: %v, %v", raw, u, again, err)
		}
	}
	if conn, err := policy.DialContext(t.Context(), "tcp", raw); err == nil {
		conn.Close()
	}
	if req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, raw, http.NoBody); err == nil {
		client := policy.Client(urlguard.Options{MaxRedirects: 1})
		if resp, err := client.Do(req); err == nil {
			resp.Body.Close()
		}
		client.CloseIdleConnections()
	}
	proxy := urlguard.NewProxy(policy, urlguard.ProxyOptions{})
	for _, method := range []string{http.MethodConnect, http.MethodGet} {
		req := httptest.NewRequestWithContext(t.Context(), method, "/", http.NoBody)
		req.RequestURI = raw
		proxy.ServeHTTP(httptest.NewRecorder(), req)
	}
}

// pack and unpack put addresses into the bytes that the fuzzer changes: 4 or 16 of them behind their number.
func pack(list []netip.Addr) []byte {
	var b []byte
	for _, addr := range list {
		b = append(append(b, byte(addr.BitLen()/8)), addr.AsSlice()...)
	}
	return b
}

func unpack(b []byte) []netip.Addr {
	var list []netip.Addr
	for len(b) > 0 {
		n := 4
		if b[0]&0x10 != 0 {
			n = 16
		}
		if len(b) < 1+n {
			break
		}
		if addr, ok := netip.AddrFromSlice(b[1 : 1+n]); ok {
			list = append(list, addr)
		}
		b = b[1+n:]
	}
	return list
}
