package urlguard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Limits of every client. A connection is judged when it is made, so an idle one is not kept for long.
const (
	defaultTimeout    = 30 * time.Second
	tlsTimeout        = 10 * time.Second
	idleTimeout       = 30 * time.Second
	maxIdle           = 64
	maxIdlePerHost    = 4
	maxResponseHeader = 64 << 10
)

// Options shape a [Policy.Client]. The zero value follows no redirect and trusts the system's roots.
type Options struct {
	// Timeout bounds a whole exchange, the redirects and the reading of the body included; zero means 30 seconds.
	Timeout time.Duration
	// MaxRedirects is how many redirects are followed, each judged like a URL of its own; zero returns the 3xx
	// response itself.
	MaxRedirects int
	// RootCAs verify servers; nil means the system's.
	RootCAs *x509.CertPool
}

// Client returns a client that judges the URL of every request and reaches the network by DialContext alone: it
// knows no proxy, whatever the environment says. It asks for identity encoding and decodes nothing, so a limit on
// the body is a limit on what arrives. Errors satisfy errors.Is for [ErrDenied] and [ErrUnresolved].
// It is safe for concurrent use; CloseIdleConnections ends what it keeps.
func (p Policy) Client(o Options) *http.Client {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	return &http.Client{
		Transport:     newGuard(p, o),
		Timeout:       o.Timeout,
		CheckRedirect: redirects(o.MaxRedirects),
	}
}

// redirects follows at most limit of them, and none from https to http. The guard judges each target.
func redirects(limit int) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if limit <= 0 {
			return http.ErrUseLastResponse
		}
		if len(via) > limit {
			return denied("more than %d redirects", limit)
		}
		if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
			return denied("a redirect from https to %s", req.URL.Scheme)
		}
		req.Header.Del("Referer") // the URL before may hold a signature
		return nil
	}
}

// guard is a transport that sends only what its policy accepts.
type guard struct {
	policy Policy
	next   *http.Transport
}

// newGuard bounds what makes a connection by the client's timeout too: net/http goes on with it when its request has ended, so
// that a name with many dead addresses would be dialed for minutes and a silent TLS server waited for.
func newGuard(p Policy, o Options) *guard {
	return &guard{policy: p, next: &http.Transport{
		Proxy:                  nil,
		DialContext:            within(o.Timeout, p.DialContext),
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		TLSHandshakeTimeout:    min(tlsTimeout, o.Timeout),
		IdleConnTimeout:        idleTimeout,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		MaxResponseHeaderBytes: maxResponseHeader,
	}}
}

// within bounds a dial: the look-up and the tries of all addresses together.
func within(limit time.Duration, dial dialContext) dialContext {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return dial(ctx, network, addr)
	}
}

type dialContext func(ctx context.Context, network, addr string) (net.Conn, error)

// RoundTrip judges the URL and sends the request to the host that was judged, in its canonical spelling.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	u, err := g.policy.Parse(withoutFragment(req.URL))
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close() // a RoundTripper closes the body also on errors; the refusal matters more
		}
		return nil, err
	}
	out := req.Clone(req.Context())
	out.URL, out.Host = u, u.Host
	if out.Header.Get("Accept-Encoding") == "" {
		out.Header.Set("Accept-Encoding", "identity")
	}
	return g.next.RoundTrip(out)
}

// CloseIdleConnections lets http.Client end the connections it keeps.
func (g *guard) CloseIdleConnections() { g.next.CloseIdleConnections() }

// withoutFragment spells u as it is sent: a page may say "icons.svg#logo", and a redirect inherits the fragment.
func withoutFragment(u *url.URL) string {
	c := *u
	c.Fragment, c.RawFragment = "", ""
	return c.String()
}
