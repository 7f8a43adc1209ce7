package urlguard_test

import (
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/platen-render/platen/internal/urlguard"
)

// local is a policy that resolves every name to loopback and allows it for the port of server.
func local(tb testing.TB, server *httptest.Server) urlguard.Policy {
	tb.Helper()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	allow := fmt.Sprintf("127.0.0.1:%s, receiver.example:%s, example.com:%s", port, port, port)
	return urlguard.Policy{Allow: rules(tb, allow), Resolver: addrs(tb, "127.0.0.1")}
}

// at is the URL of server under another host name.
func at(tb testing.TB, server *httptest.Server, host string) string {
	tb.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		tb.Fatal(err)
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

func get(tb testing.TB, client *http.Client, target string) (*http.Response, error) {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, target, http.NoBody)
	if err != nil {
		tb.Fatal(err)
	}
	return client.Do(req)
}

func TestARedirectIsReturnedAndNotFollowed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		var hits atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			hits.Add(1)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		resp, err := get(t, local(t, server).Client(urlguard.Options{}), server.URL)
		if err != nil {
			t.Fatalf("%d: %v", status, err)
		}
		resp.Body.Close()
		if resp.StatusCode != status || hits.Load() != 1 {
			t.Errorf("%d: got %d after %d requests", status, resp.StatusCode, hits.Load())
		}
	}
}

func TestAFollowedRedirectIsJudgedAtEachHop(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" {
			t.Errorf("%s: the URL before was told: %s", r.URL, r.Header.Get("Referer"))
		}
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "arrived")
	}))
	t.Cleanup(server.Close)
	client := local(t, server).Client(urlguard.Options{MaxRedirects: 2})

	hop := func(to string) string { return server.URL + "/?to=" + url.QueryEscape(to) }
	resp, err := get(t, client, hop(hop(server.URL+"/icons.svg#logo")))
	if err != nil {
		t.Fatalf("two hops: %v", err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || string(body) != "arrived" {
		t.Fatalf("two hops: %q, %v", body, err)
	}
	for _, to := range []string{
		hop(hop(server.URL)), // the third hop
		"http://169.254.169.254/latest/meta-data/", "https://10.0.0.1/", "http://127.0.0.1:1/", "file:///etc/passwd", "//[::1]/",
		"http://user@" + server.Listener.Addr().String() + "/", "http://localhost/",
	} {
		resp, err := get(t, client, hop(to))
		if err == nil {
			resp.Body.Close()
		}
		if !errors.Is(err, urlguard.ErrDenied) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestARedirectFromHTTPSToHTTPIsRefused(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the plain server was called") }))
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	t.Cleanup(secure.Close)
	policy := local(t, secure)
	policy.Allow = append(policy.Allow, local(t, plain).Allow...)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	resp, err := get(t, policy.Client(urlguard.Options{RootCAs: roots, MaxRedirects: 5}), secure.URL)
	if err == nil {
		resp.Body.Close()
	}
	if !errors.Is(err, urlguard.ErrDenied) {
		t.Fatal(err)
	}
}

func TestAPrivateCAIsTrustedOnlyWhenGiven(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Host)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the client that does not trust it
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())

	resp, err := get(t, local(t, server).Client(urlguard.Options{}), at(t, server, "example.com"))
	if err == nil {
		resp.Body.Close()
		t.Fatal("an unknown CA was trusted")
	}
	resp, err = get(t, local(t, server).Client(urlguard.Options{RootCAs: roots}), at(t, server, "EXAMPLE.com"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	host, err := io.ReadAll(resp.Body)
	if err != nil || !strings.HasPrefix(string(host), "example.com:") {
		t.Errorf("the server saw host %q (%v), not the one that was judged", host, err)
	}
}

func TestNothingIsDecompressed(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("asked for encoding %q", got)
		}
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	}))
	t.Cleanup(server.Close)
	resp, err := get(t, local(t, server).Client(urlguard.Options{}), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Equal(body, packed.Bytes()) {
		t.Errorf("%d bytes (%v), want the %d that were sent", len(body), err, packed.Len())
	}
}

func TestATimeoutCoversABodyThatDrips(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	resp, err := get(t, local(t, server).Client(urlguard.Options{Timeout: 200 * time.Millisecond}), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Fatal("the body ended by itself")
	}
}

func TestARefusedRequestIsClosedAndNotDialed(t *testing.T) {
	t.Parallel()
	var dialed recorder
	client := urlguard.Policy{Resolver: addrs(t, "93.184.215.14")}.WithDial(dialed.dial).Client(urlguard.Options{})
	body := &closed{Reader: strings.NewReader("x")}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://user:pass@example.com/", body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	if !errors.Is(err, urlguard.ErrDenied) || !body.done.Load() || len(dialed.take()) != 0 {
		t.Errorf("%v; body closed %v", err, body.done.Load())
	}
}

type closed struct {
	io.Reader
	done atomic.Bool
}

func (c *closed) Close() error {
	c.done.Store(true)
	return nil
}

// TestTheProxyOfTheEnvironmentIsIgnored uses a name that no proxy library exempts, and asks one that reads the
// environment afresh whether it would go to the proxy.
func TestTheProxyOfTheEnvironmentIsIgnored(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the proxy was asked for %s", r.RequestURI)
	}))
	t.Cleanup(proxy.Close)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	target := at(t, server, "receiver.example")
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	if via, err := httpproxy.FromEnvironment().ProxyFunc()(u); err != nil || via == nil || via.String() != proxy.URL {
		t.Fatalf("the environment does not name the proxy: %v, %v", via, err)
	}
	resp, err := get(t, local(t, server).Client(urlguard.Options{}), target)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("status %d", resp.StatusCode)
	}
}
