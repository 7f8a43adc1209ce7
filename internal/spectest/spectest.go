// Package spectest holds the exchanges of tests to api/openapi.yaml, which is how handlers written by hand stay
// equal to a contract written by hand. It is for tests only.
//
// One [Checker] serves a whole test package. Each test talks through [Checker.Client] to a handler in its own
// process, or through [Checker.Transport] to a real server. Every request is checked unless [Invalid] marks it,
// every response always, and at the end of the package [Checker.Uncovered] tells which of the answers that the
// spec promises no test has seen.
package spectest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/platen-render/platen/api"
)

// Checker compares exchanges with the spec and remembers which answers it has seen. It is safe for concurrent
// use, by several tests too.
type Checker struct {
	doc    *openapi3.T
	router routers.Router

	mu   sync.Mutex
	seen map[string]bool // "GET /jobs/{id} 200"
}

// New loads and validates the embedded spec.
func New() (*Checker, error) { return Load(api.Spec) }

// Load is [New] for another spec than the embedded one.
func Load(spec []byte) (*Checker, error) {
	doc, err := openapi3.NewLoader().LoadFromData(spec)
	if err != nil {
		return nil, fmt.Errorf("read the spec: %w", err)
	}
	// Any host will do: tests listen where there is room.
	doc.Servers = nil
	router, err := legacy.NewRouter(doc, openapi3.EnableMultiError())
	if err != nil {
		return nil, fmt.Errorf("validate the spec: %w", err)
	}
	registerDecoders()
	return &Checker{doc: doc, router: router, seen: map[string]bool{}}, nil
}

// registerDecoders teaches kin-openapi the media types of documents and of the files that pages use. Its
// registry is global and locked; doing this twice is harmless.
func registerDecoders() {
	for _, mediaType := range []string{
		"application/pdf", "image/png", "application/zip", "application/x-ndjson", "multipart/byteranges", "text/event-stream",
		"image/jpeg", "image/gif", "image/webp", "image/svg+xml",
		"font/ttf", "font/otf", "font/woff", "font/woff2",
		"text/html", "text/markdown", "text/css", "text/javascript", "application/x-ndjson",
	} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.FileBodyDecoder)
	}
	openapi3filter.RegisterBodyDecoder("multipart/form-data", decodeForm)
}

type invalidKey struct{}

// Invalid marks what is sent with the context as deliberately wrong: the spec need not allow it, and may not
// know its path. The answer is checked all the same, and must then be an error.
func Invalid(ctx context.Context) context.Context {
	return context.WithValue(ctx, invalidKey{}, true)
}

func isInvalid(ctx context.Context) bool {
	marked, _ := ctx.Value(invalidKey{}).(bool)
	return marked
}

// Client returns a client that reaches h directly, whatever the host of a URL, follows no redirects, and fails
// tb for each exchange that the spec does not allow.
func (c *Checker) Client(tb testing.TB, h http.Handler) *http.Client {
	tb.Helper()
	return &http.Client{
		Transport:     c.Transport(tb, inProcess{h}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Transport returns a round tripper that sends through base and fails tb for each exchange that the spec does
// not allow. It reads bodies as a whole.
func (c *Checker) Transport(tb testing.TB, base http.RoundTripper) http.RoundTripper {
	tb.Helper()
	return &transport{checker: c, tb: tb, base: base}
}

// inProcess is a round tripper that calls a handler.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	in := req.Clone(req.Context())
	in.RequestURI = req.URL.RequestURI()
	in.RemoteAddr = "127.0.0.1:50000"
	if in.Host == "" {
		in.Host = req.URL.Host
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	rec := httptest.NewRecorder()
	p.ServeHTTP(rec, in)
	res := rec.Result()
	res.Request = req
	return res, nil
}
