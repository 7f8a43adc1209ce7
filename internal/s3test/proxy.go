package s3test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"
)

// Rule looks at a request and says what goes wrong with it. It is called by several goroutines at once.
type Rule func(*http.Request) Fault

// Fault is what goes wrong. The zero Fault is nothing.
type Fault struct {
	// Status is an answer given in the place of the server's.
	Status int
	// Code is the code in that answer.
	Code string
	// Before is called first; it may wait.
	Before func()
	// After is called when the server has done what was asked, before anybody hears of it; it may wait.
	After func()
	// CutRequest breaks the connection when so many bytes of the request's body have passed, and CutAnswer when so many of the answer's have.
	CutRequest, CutAnswer int64
	// Hide breaks the connection when the server has done what was asked, before anybody hears of it.
	Hide bool
	// Alter turns over a bit of the answer's first byte.
	Alter bool
}

// Break makes a rule hold for all requests that follow; nil is none.
func (s *Server) Break(rule Rule) {
	if rule == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&rule)
}

type faultKey struct{}

// proxy listens on a free loopback port and passes everything on to the server.
func (s *Server) proxy(tb testing.TB, socket string) string {
	tb.Helper()
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		},
		MaxIdleConnsPerHost: 64, DisableCompression: true,
	}
	tb.Cleanup(transport.CloseIdleConnections)
	passing := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: "s3"})
			r.Out.Host = r.In.Host // it is signed
		},
		Transport:      transport,
		ModifyResponse: spoil,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var f Fault
		if rule := s.fault.Load(); rule != nil {
			f = (*rule)(r)
		}
		if f.Before != nil {
			f.Before()
		}
		if f.Status != 0 {
			refuse(w, r, f)
			return
		}
		if f.CutRequest > 0 {
			r.Body = &cut{r.Body, f.CutRequest}
		}
		passing.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), faultKey{}, f)))
	}))
	tb.Cleanup(front.Close)
	return front.URL
}

func refuse(w http.ResponseWriter, r *http.Request, f Fault) {
	_, _ = io.Copy(io.Discard, r.Body) // the client may be at it still
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(f.Status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, `<Error><Code>`+f.Code+`</Code><Message>as the test says</Message></Error>`)
	}
}

var errHidden = errors.New("hidden")

// spoil does to an answer what the fault of its request says.
func spoil(res *http.Response) error {
	f, _ := res.Request.Context().Value(faultKey{}).(Fault)
	if f.After != nil {
		f.After()
	}
	if f.Hide {
		return errHidden
	}
	if f.CutAnswer > 0 {
		res.Body = &cut{res.Body, f.CutAnswer}
	}
	if f.Alter {
		res.Body = &altered{ReadCloser: res.Body}
		for name := range res.Header { // a checksum would tell
			if len(name) > 14 && name[:14] == "X-Amz-Checksum" {
				res.Header.Del(name)
			}
		}
	}
	return nil
}

var errCut = errors.New("cut")

// cut is a body that breaks.
type cut struct {
	io.ReadCloser
	left int64
}

func (c *cut) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errCut
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

type altered struct {
	io.ReadCloser
	done bool
}

func (a *altered) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if n > 0 && !a.done {
		p[0] ^= 1
		a.done = true
	}
	return n, err
}

// Slow is a [Fault.Before] that waits, or ends with ctx.
func Slow(ctx context.Context, d time.Duration) func() {
	return func() {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
}
