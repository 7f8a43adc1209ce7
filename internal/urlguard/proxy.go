package urlguard

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Limits of a proxy that was given none, and of the requests it reads.
const (
	defaultTunnelBytes = 64 << 20
	defaultTunnelTime  = 2 * time.Minute
	headerTimeout      = 10 * time.Second
	maxRequestHeader   = 64 << 10
)

// ProxyOptions shape a [Proxy]. The zero value has limits and is silent.
type ProxyOptions struct {
	// MaxBytes bounds the bytes of one tunnel, both directions together, and of one plain request and its response
	// each; zero means 64 MiB.
	MaxBytes int64
	// MaxTime bounds one tunnel or one plain exchange; zero means two minutes.
	MaxTime time.Duration
	// Refused learns of everything the policy refused; nil for nobody. It may be called concurrently and is waited
	// for.
	Refused func(Refusal)
	// Logger gets the exact reasons; nil for nobody.
	Logger *slog.Logger
}

// Refusal is one thing a browser wanted and was not given.
type Refusal struct {
	// Target is the URL of a plain request, and "host:port" of a tunnel, which is all that is known of https.
	Target string
	// Err matches ErrDenied; its cause is for the log and not for the author of the page.
	Err error
}

// Proxy is a forward proxy for a browser that must not be trusted with addresses: CONNECT tunnels (https, WebSockets)
// and plain http requests in absolute form (RFC 9112, section 3.2.2), all of them dialed by [Policy.DialContext].
// A refusal and a host that cannot be reached are answered alike, 502: a page shows what it is answered in a frame. Nothing is cached and no redirect
// followed: that is the browser's part. It is safe for concurrent use. [NewProxy] makes one.
type Proxy struct {
	policy    Policy
	options   ProxyOptions
	transport *guard
	plain     *httputil.ReverseProxy
}

// NewProxy returns a proxy that obeys policy. It holds nothing that must be closed until it serves.
func NewProxy(policy Policy, o ProxyOptions) *Proxy {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultTunnelBytes
	}
	if o.MaxTime <= 0 {
		o.MaxTime = defaultTunnelTime
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	p := &Proxy{policy: policy, options: o, transport: newGuard(policy, Options{Timeout: defaultTimeout})}
	p.plain = &httputil.ReverseProxy{
		Rewrite:        rewrite,
		Transport:      p.transport,
		ModifyResponse: p.limitResponse,
		ErrorHandler:   p.answer,
		FlushInterval:  -1,
		ErrorLog:       slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	return p
}

// Run serves ln until ctx ends or ln fails. It closes ln, ends all tunnels and exchanges, waits for them and returns
// nil, or the error of ln.
func (p *Proxy) Run(ctx context.Context, ln net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.transport.CloseIdleConnections()

	var busy sync.WaitGroup
	server := p.server(ctx, &busy)
	busy.Go(func() {
		<-ctx.Done()
		_ = server.Close() // Serve reports what became of the listener
	})
	err := server.Serve(ln)
	cancel()
	_ = server.Close() // again, for a connection that was accepted while the first one ran
	busy.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// server counts in busy every connection from its acceptance to its end, and every handler besides, because the
// server forgets a connection that a tunnel takes over.
func (p *Proxy) server(ctx context.Context, busy *sync.WaitGroup) *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy.Add(1)
			defer busy.Done()
			p.ServeHTTP(w, r)
		}),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			busy.Add(1)
			return ctx
		},
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed || state == http.StateHijacked {
				busy.Done()
			}
		},
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxRequestHeader,
		ErrorLog:          slog.NewLogLogger(p.options.Logger.Handler(), slog.LevelDebug),
	}
}

// ServeHTTP serves one request and returns when its exchange or its tunnel has ended.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), p.options.MaxTime)
	defer cancel()
	r = r.WithContext(ctx)
	if r.Method == http.MethodConnect {
		p.connect(w, r)
		return
	}
	// The request line is judged as it came: net/url has already decoded what r.URL holds.
	u, err := p.policy.Parse(r.RequestURI)
	if err == nil && u.Scheme != "http" {
		err = denied("scheme %s needs a tunnel", u.Scheme)
	}
	if err != nil {
		p.answer(w, r, err)
		return
	}
	r.URL = u
	r.Body = http.MaxBytesReader(w, r.Body, p.options.MaxBytes)
	p.plain.ServeHTTP(w, r)
}

// rewrite undoes what a reverse proxy keeps for upgrades: a plain request gets no tunnel. The hop-by-hop fields are
// gone already (RFC 9110, section 7.6.1), and a query is sent as it came.
func rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.RawQuery = r.In.URL.RawQuery
	r.Out.Header.Del("Connection")
	r.Out.Header.Del("Upgrade")
	r.Out.Header.Add("Via", "1.1 platen")
}

// limitResponse meters a response. A server that switches protocols unasked is stopped here, because ReverseProxy
// would refuse it too, but leave its connection open.
func (p *Proxy) limitResponse(resp *http.Response) error {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return errors.New("the server switched protocols unasked")
	}
	if resp.ContentLength > p.options.MaxBytes {
		return errTunnelFull
	}
	left := new(atomic.Int64)
	left.Store(p.options.MaxBytes)
	resp.Body = meteredBody{metered{resp.Body, left}, resp.Body}
	return nil
}

type meteredBody struct {
	io.Reader
	io.Closer
}

// answer ends a request that got no response of its own. Only a refusal reaches the hook; weather is for the browser
// to notice.
func (p *Proxy) answer(w http.ResponseWriter, r *http.Request, err error) {
	target := r.RequestURI
	w.Header().Set("Proxy-Status", "platen") // RFC 9209: this is not the server's answer; the error type would say too much
	if !errors.Is(err, ErrDenied) {
		p.options.Logger.InfoContext(r.Context(), "proxied request failed",
			slog.String("host", hostOf(target)), slog.String("reason", err.Error()))
		unreachable(w)
		return
	}
	p.options.Logger.WarnContext(r.Context(), "proxied request refused",
		slog.String("host", hostOf(target)), slog.String("reason", reason(err)))
	if p.options.Refused != nil {
		p.options.Refused(Refusal{Target: target, Err: err})
	}
	unreachable(w)
}

func unreachable(w http.ResponseWriter) {
	http.Error(w, "The host could not be reached.", http.StatusBadGateway)
}

// hostOf keeps paths and queries, which may be secret, out of the log.
func hostOf(target string) string {
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		return u.Host
	}
	return target
}

// reason is the cause of a refusal without the message that hides it.
func reason(err error) string {
	if cause := fault.From(err).Err; cause != nil {
		return cause.Error()
	}
	return err.Error()
}
