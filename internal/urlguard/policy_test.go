package urlguard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/urlguard"
)

func TestWhatARuleAdmits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allow, url, resolvesTo string
		accept                 bool
	}{
		{"", "http://example.com/", "93.184.215.14", false},
		{"", "https://example.com:8080/", "93.184.215.14", false},
		{"", "https://receiver/", "10.0.0.1", false},

		{"receiver", "http://receiver:3000/hook", "10.0.0.1", true},
		{"receiver", "https://receiver/hook", "fd12::1", true},
		{"receiver", "http://RECEIVER./hook", "127.0.0.1", true},
		{"receiver", "http://receiver2/", "10.0.0.1", false},
		{"receiver", "http://receiver/", "169.254.169.254", false},
		{"receiver", "http://receiver/", "64:ff9b::a9fe:a9fe", false},
		{"receiver", "ftp://receiver/", "10.0.0.1", false},
		{"receiver", "http://user@receiver/", "10.0.0.1", false},
		{"receiver", "http://receiver/#x", "10.0.0.1", false},
		{"receiver:3000", "http://receiver:3000/", "10.0.0.1", true},
		{"receiver:3000", "http://receiver/", "10.0.0.1", false},
		{"localhost", "http://localhost:3000/", "127.0.0.1", true},
		{"example.com:9000", "http://example.com:9000/", "93.184.215.14", true},
		{"example.com:9000", "http://example.com/", "93.184.215.14", false},
		{"example.com:9000", "https://example.com/", "93.184.215.14", true},

		{"*.corp.example", "http://a.b.corp.example:3000/", "10.0.0.1", true},
		{"*.corp.example", "http://corp.example:3000/", "10.0.0.1", false},
		{"*.corp.example", "http://evilcorp.example:3000/", "10.0.0.1", false},
		{"*.svc.cluster.local", "http://hooks.pay.svc.cluster.local/", "10.96.0.1", true},

		{"10.1.0.0/16", "http://10.1.2.3:3000/", "", true},
		{"10.1.0.0/16", "http://10.2.2.3:3000/", "", false},
		{"10.1.0.0/16:3000", "http://10.1.2.3:3000/", "", true},
		{"10.1.0.0/16:3000", "https://10.1.2.3/", "", false},
		{"10.1.0.0/16", "http://0x0a010203:3000/", "10.1.2.3", false},
		{"10.1.0.0/16", "http://[::ffff:10.1.2.3]:3000/", "", false},
		{"[::1]:8080", "http://[::1]:8080/", "", true},
		{"[::1]:8080", "http://[::1]:8081/", "", false},
		{"10.1.0.0/16", "https://hooks.example.com/", "10.1.2.3", true},
		{"10.1.0.0/16", "https://hooks.example.com/", "10.2.2.3", false},
		{"10.1.0.0/16", "http://hooks.example.com/", "10.1.2.3", false},
		{"10.1.0.0/16", "https://hooks.example.com:3000/", "10.1.2.3", false},
		{"10.1.0.0/16", "https://receiver/", "10.1.2.3", false},
		{"10.1.0.0/16:8443", "https://hooks.example.com/", "10.1.2.3", false},
		{"10.1.0.0/16:8443", "https://hooks.example.com:8443/", "10.1.2.3", true},
	} {
		var resolver answers
		if c.resolvesTo != "" {
			resolver = addrs(t, c.resolvesTo)
		}
		policy := urlguard.Policy{Allow: rules(t, c.allow), Resolver: resolver}
		_, err := policy.Check(t.Context(), c.url)
		if (err == nil) != c.accept {
			t.Errorf("allow %q: %s -> %s: %v, want accepted %v", c.allow, c.url, c.resolvesTo, err, c.accept)
		}
	}
}

func TestPortsAreAddedToTheList(t *testing.T) {
	t.Parallel()
	policy := urlguard.Policy{Ports: []uint16{9443}}
	for raw, accept := range map[string]bool{
		"https://example.com/":      true,
		"https://example.com:8443/": true,
		"https://example.com:9443/": true,
		"https://example.com:80/":   false,
		"https://example.com:9444/": false,
	} {
		if _, err := policy.Parse(raw); (err == nil) != accept {
			t.Errorf("%s: %v, want accepted %v", raw, err, accept)
		}
	}
}

func TestTheURLComesBackInCanonicalForm(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"HTTPS://EXAMPLE.com":                           "https://example.com",
		"https://bücher.example.com/ü?q=%zz&x=a%20b":    "https://xn--bcher-kva.example.com/%C3%BC?q=%zz&x=a%20b",
		"https://ｅｘａｍｐｌｅ.com:443/a%2Fb":                 "https://example.com:443/a%2Fb",
		"https://example.com./x":                        "https://example.com./x",
		"https://[2606:4700:4700:0:0:0:0:1111]:8443/?":  "https://[2606:4700:4700::1111]:8443/?",
		"https://r3---sn-x.example.com/@127.0.0.1":      "https://r3---sn-x.example.com/@127.0.0.1",
		"https://1.1.1.1?next=https://user@10.0.0.1:22": "https://1.1.1.1?next=https://user@10.0.0.1:22",
	} {
		u, err := urlguard.Policy{}.Parse(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if diff := cmp.Diff(want, u.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
		again, err := urlguard.Policy{}.Parse(u.String())
		if err != nil || again.String() != u.String() {
			t.Errorf("%s: not stable: %v, %v", raw, again, err)
		}
	}
}

func TestShapesThatNoCaseOfTheFileHas(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"https://example.com:/", "https://example.com:0443/", "https://8.8.8.8./", "https://8。8。8。8/", "https://home.arpa/",
		"https://example.com../", "https://example.com/#", "https://ex\u00adample.com/", "https://exam\u200bple.com/",
		"https://℀.example.com/", "https://a＠b.example.com/", "https://[::1]]/", "https://[]/", "https://a-.example.com/",
		"https://example.com/\u2028", "https://example.com/\u202e", "https://example.com/\u0085", "https://example.com/\xff",
		"https://[2606:4700:4700::1111%25eth0]/", "https://[8.8.8.8]/", "https://xn--.example.com/", "https:///example.com/",
	} {
		if u, err := (urlguard.Policy{}).Parse(raw); !errors.Is(err, urlguard.ErrDenied) {
			t.Errorf("%q: %v, %v", raw, u, err)
		}
	}
}

func TestTheShapeOfAURLIsToldFromWhereItLeads(t *testing.T) {
	t.Parallel()
	policy := urlguard.Policy{Allow: rules(t, "plain.example.com:80,10.1.0.0/16")}
	for raw, shape := range map[string]bool{
		"example.com/hook": true, "/hook": true, "": true, "ftp://example.com/": true, "https://": true, "https:///hook": true, "https://:443/": true,
		"http://example.com/": true, "http://10.0.0.1/": true, "http://localhost/": true,
		"https://user@example.com/": true, "https://user:secret@10.0.0.1/": true, "https://@example.com/": true, "https://example.com/#top": true,
		"https://example.com:/": true, "https://example.com:0443/": true, "https://example.com:65536/": true, "https://example.com:x/": true,
		" https://example.com/": true, "https://example.com/a b": true, "https://example.com/\n": true, `https://example.com\`: true,
		"https://example.com/" + strings.Repeat("x", 2048): true, "https://[::1": true, "https://[::1]x/": true,

		"https://10.0.0.1/": false, "https://localhost/": false, "https://example.com:22/": false, "https://127.1/": false, "https://example/": false,
		"https://[fe80::1%25eth0]/": false, "https://-a.example.com/": false, "https://0x7f.1/": false, "http://169.254.169.254/": true,
	} {
		_, err := policy.Parse(raw)
		if !errors.Is(err, urlguard.ErrDenied) || errors.Is(err, urlguard.ErrShape) != shape {
			t.Errorf("%q: shape is %v: %v", raw, errors.Is(err, urlguard.ErrShape), err)
		}
	}
	// What a rule admits by http keeps doing so.
	for _, raw := range []string{"http://plain.example.com/", "http://10.1.2.3:9000/"} {
		if _, err := policy.Parse(raw); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestALookUpThatFailsIsWeather(t *testing.T) {
	t.Parallel()
	gone := &net.DNSError{Err: "no such host", Name: "hooks.example.com", IsNotFound: true}
	for name, policy := range map[string]urlguard.Policy{
		"error": {Resolver: resolverFunc(func(context.Context, string, string) ([]netip.Addr, error) { return nil, gone })},
		"empty": {Resolver: answers{}},
	} {
		_, err := policy.Check(t.Context(), "https://hooks.example.com/")
		if !errors.Is(err, urlguard.ErrUnresolved) || !fault.Retryable(err) || fault.From(err).Code != "host_unresolved" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyANamedHostIsLookedUpThroughTheSearchList(t *testing.T) {
	t.Parallel()
	asked := ""
	policy := urlguard.Policy{
		Allow: rules(t, "hooks.pay"),
		Resolver: resolverFunc(func(_ context.Context, _, host string) ([]netip.Addr, error) {
			asked = host
			return addrs(t, "93.184.215.14"), nil
		}),
	}
	for raw, want := range map[string]string{
		"https://hooks.example.com/":  "hooks.example.com.",
		"https://hooks.example.com./": "hooks.example.com.",
		"https://hooks.pay/":          "hooks.pay",
		"https://hooks.pay./":         "hooks.pay.",
	} {
		if _, err := policy.Check(t.Context(), raw); err != nil || asked != want {
			t.Errorf("%s: asked for %q (%v), want %q", raw, asked, err, want)
		}
	}
}

func TestTheReasonHoldsNoPathAndNoQuery(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"https://example.com/secret/%zz?secret", "https://10.0.0.1/secret", "https://secret@example.com/secret", "https://example.com:1/secret",
		"https://example.com/secret#secret", "https://example.com/secret\n",
	} {
		if _, err := (urlguard.Policy{}).Parse(raw); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", raw, err)
		}
	}
}
