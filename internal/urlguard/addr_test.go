package urlguard_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/urlguard"
)

// TestEveryEdgeOfEveryBlockIsJudgedRight asks for the first and the last address of each range, and for their
// neighbors outside it, in plain and in mapped form.
func TestEveryEdgeOfEveryBlockIsJudgedRight(t *testing.T) {
	t.Parallel()
	for _, r := range notPublic {
		first, last := netip.MustParseAddr(r[0]), netip.MustParseAddr(r[1])
		for _, addr := range []netip.Addr{first.Prev(), first, first.Next(), last.Prev(), last, last.Next()} {
			if !addr.IsValid() {
				continue // the edge of the whole space
			}
			checkAgainstOracle(t, addr)
			if addr.Is4() {
				checkAgainstOracle(t, netip.AddrFrom16(addr.As16()))
			}
		}
	}
}

func checkAgainstOracle(t *testing.T, addr netip.Addr) {
	t.Helper()
	err := urlguard.Policy{}.CheckAddr(netip.AddrPortFrom(addr, 443))
	if (err == nil) != public(addr) {
		t.Errorf("%s: %v, want public %v", addr, err, public(addr))
	}
	if err != nil && !errors.Is(err, urlguard.ErrDenied) {
		t.Errorf("%s: %v is not a refusal", addr, err)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allow, addr, reason string // no reason: accepted
	}{
		{"", "93.184.215.14", ""},
		{"", "2606:4700:4700::1111", ""},
		{"", "::ffff:93.184.215.14", ""},
		{"", "10.0.0.1", "private"},
		{"", "::ffff:10.0.0.1", "private"},
		{"", "::1", "loopback"},
		{"", "fd12::1", "unique local"},
		{"", "fd12::1%eth0", "not a plain address"},
		{"", "2606:4700:4700::1111%eth0", "not a plain address"},
		{"", "::ffff:93.184.215.14%eth0", "not a plain address"},
		{"", "4000::1", "outside global unicast"},
		{"", "64:ff9b::808:808", "NAT64"},
		{"", "2606:4700::200:5efe:808:808", "ISATAP"},
		{"10.0.0.0/8", "10.9.8.7", ""},
		{"10.0.0.0/8", "::ffff:10.9.8.7", ""},
		{"10.0.0.0/8", "192.168.0.1", "private"},
		{"10.0.0.0/8:8080", "10.9.8.7", "private"},
		{"10.0.0.0/8:443", "10.9.8.7", ""},
		{"127.0.0.0/8, ::1", "127.0.0.1", ""},
		{"127.0.0.0/8, ::1", "::1", ""},
		{"fc00::/7", "fd12::1", ""},
		{"fc00::/7", "fd12::1%eth0", "not a plain address"},
		{"receiver", "10.9.8.7", "private"},
		{"0.0.0.0/0, ::/0", "10.9.8.7", ""},
		{"0.0.0.0/0, ::/0", "169.254.169.254", "link-local"},
		{"0.0.0.0/0, ::/0", "::ffff:169.254.169.254", "link-local"},
		{"0.0.0.0/0, ::/0", "168.63.129.16", "Azure"},
		{"0.0.0.0/0, ::/0", "100.100.100.200", "Alibaba"},
		{"0.0.0.0/0, ::/0", "192.0.0.192", "Oracle"},
		{"0.0.0.0/0, ::/0", "fe80::a9fe:a9fe", "link-local"},
		{"0.0.0.0/0, ::/0", "fd00:ec2::254", "AWS"},
		{"0.0.0.0/0, ::/0", "fd20:ce::254", "Google"},
		{"0.0.0.0/0, ::/0", "::a9fe:a9fe", "IPv4-compatible"},
		{"0.0.0.0/0, ::/0", "::ffff:0:a9fe:a9fe", "IPv4-translated"},
		{"0.0.0.0/0, ::/0", "64:ff9b::a9fe:a9fe", "NAT64"},
		{"0.0.0.0/0, ::/0", "64:ff9b:1::a9fe:a9fe", "NAT64"},
		{"0.0.0.0/0, ::/0", "2002:a9fe:a9fe::1", "6to4"},
		{"0.0.0.0/0, ::/0", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"},
		{"0.0.0.0/0, ::/0", "fd12::5efe:a9fe:a9fe", "ISATAP"},
	} {
		policy := urlguard.Policy{Allow: rules(t, c.allow)}
		err := policy.CheckAddr(netip.AddrPortFrom(netip.MustParseAddr(c.addr), 443))
		switch {
		case c.reason == "" && err != nil:
			t.Errorf("allow %q: %s: %v", c.allow, c.addr, err)
		case c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)):
			t.Errorf("allow %q: %s: %v, want a refusal for %q", c.allow, c.addr, err, c.reason)
		}
	}
	if err := (urlguard.Policy{}).CheckAddr(netip.AddrPort{}); !errors.Is(err, urlguard.ErrDenied) {
		t.Errorf("no address: %v", err)
	}
}

func TestARefusalTellsItsCallerNothing(t *testing.T) {
	t.Parallel()
	policy := urlguard.Policy{Resolver: addrs(t, "10.0.0.5")}
	for _, raw := range []string{"https://10.0.0.5/", "https://private.example.com/", "https://example.com:22/", "x"} {
		_, err := policy.Check(t.Context(), raw)
		got := fault.From(err)
		if got.Code != "url_denied" || got.Message != "The URL is not allowed." || got.Kind != fault.Invalid || got.Err == nil {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}
