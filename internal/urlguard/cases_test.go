package urlguard_test

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/urlguard"
)

// ssrfCase is a row of the files in testdata, or of the one that SSRF_CASES names. Its rows assume that http is
// configured and that no rule allows anything. A row without resolves_to is decided before any look-up.
type ssrfCase struct {
	ID             string       `json:"id"`
	URL            string       `json:"url"`
	Verdict        string       `json:"verdict"`
	Reason         string       `json:"reason"`
	ResolvesTo     []netip.Addr `json:"resolves_to"`
	ThenResolvesTo []netip.Addr `json:"then_resolves_to"`
	RedirectsTo    string       `json:"redirects_to"`
	Stage          string       `json:"stage"`
}

func TestCases(t *testing.T) {
	t.Parallel()
	cases := readCases(t)
	internet := newInternet(t)
	agree := 0
	for _, c := range cases {
		got := internet.verdict(t, c)
		if got != c.Verdict {
			t.Errorf("%s: %q: got %s, want %s (%s)", c.ID, c.URL, got, c.Verdict, c.Reason)
			continue
		}
		agree++
	}
	t.Logf("%d of %d cases agree", agree, len(cases))
}

func readCases(tb testing.TB) []ssrfCase {
	tb.Helper()
	names, err := filepath.Glob(cmp.Or(os.Getenv("SSRF_CASES"), "testdata/*.json"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no files with cases: %v", err)
	}
	var all []ssrfCase
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		var cases []ssrfCase
		if err := json.Unmarshal(data, &cases); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		if len(cases) == 0 {
			tb.Fatalf("%s has no cases", name)
		}
		all = append(all, cases...)
	}
	return all
}

// internet is one TLS server that every public address leads to. It answers 204, or the redirect of the current case.
type internet struct {
	server   *httptest.Server
	roots    *x509.CertPool
	location atomic.Value
}

func newInternet(t *testing.T) *internet {
	t.Helper()
	in := &internet{roots: x509.NewCertPool()}
	in.location.Store("")
	in.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if to := in.location.Load().(string); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(in.server.Close)
	in.roots.AddCert(in.server.Certificate())
	return in
}

// verdict submits the URL, and delivers to it when the case is about that; "accept" means that all went well.
func (in *internet) verdict(t *testing.T, c ssrfCase) string {
	t.Helper()
	var lookups atomic.Int32
	policy := urlguard.Policy{AllowHTTP: true, Resolver: resolverFunc(
		func(context.Context, string, string) ([]netip.Addr, error) {
			if lookups.Add(1) > 1 && c.ThenResolvesTo != nil {
				return c.ThenResolvesTo, nil
			}
			return c.ResolvesTo, nil
		})}
	if _, err := policy.Check(t.Context(), c.URL); err != nil {
		mustBeGuardError(t, c, err)
		if c.ResolvesTo == nil && lookups.Load() > 0 {
			t.Errorf("%s: %q was looked up", c.ID, c.URL)
		}
		return "reject"
	}
	if c.Stage != "deliver" {
		return "accept"
	}
	return in.deliver(t, c, policy)
}

// deliver sends the request with a client that follows no redirect and with one that does; the second must be
// stopped by the guard.
func (in *internet) deliver(t *testing.T, c ssrfCase, policy urlguard.Policy) string {
	t.Helper()
	in.location.Store(c.RedirectsTo)
	policy = policy.WithDial(func(ctx context.Context, _ string, addr netip.AddrPort) (net.Conn, error) {
		if !public(addr.Addr()) {
			t.Errorf("%s: %q reached %s", c.ID, c.URL, addr)
		}
		return (&net.Dialer{}).DialContext(ctx, "tcp", in.server.Listener.Addr().String())
	})
	strict := in.send(t, c, policy, 0)
	following := in.send(t, c, policy, 3)
	if strict == nil || following == nil {
		return "accept"
	}
	mustBeGuardError(t, c, following)
	return "reject"
}

// send makes one request and returns nil for a success, which is 2xx and nothing else.
func (in *internet) send(t *testing.T, c ssrfCase, policy urlguard.Policy, redirects int) error {
	t.Helper()
	client := policy.Client(urlguard.Options{RootCAs: in.roots, MaxRedirects: redirects, Timeout: 10 * time.Second})
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL, http.NoBody)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func mustBeGuardError(t *testing.T, c ssrfCase, err error) {
	t.Helper()
	if !errors.Is(err, urlguard.ErrDenied) && !errors.Is(err, urlguard.ErrUnresolved) {
		t.Errorf("%s: %v is neither a refusal nor weather", c.ID, err)
	}
}
