package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
	"github.com/platen-render/platen/internal/urlguard"
)

// guarded is an engine behind a real guarding proxy that admits some hosts of this machine, and the proxy's log.
func guarded(tb testing.TB, opts chromium.Options, hosts ...string) (*chromium.Engine, *lockedLog) {
	tb.Helper()
	rules, err := urlguard.ParseRules(strings.Join(hosts, ","))
	if err != nil {
		tb.Fatal(err)
	}
	policy := urlguard.Policy{AllowHTTP: true, Allow: rules}
	log := &lockedLog{}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	proxy := urlguard.NewProxy(policy, urlguard.ProxyOptions{Logger: slog.New(slog.NewTextHandler(log, nil))})
	go func() { ended <- proxy.Run(ctx, ln) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Errorf("proxy: %v", err)
		}
	})
	opts.ProxyAddr = ln.Addr().String()
	return newEngine(tb, opts), log
}

// lockedLog is a log that may be read while it is written.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// webServer starts a server on loopback and returns its host with the port.
func webServer(tb testing.TB, handler http.HandlerFunc) string {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func visiting(address string) render.Request {
	return render.Request{URL: address, Output: render.DefaultOutput()}
}

// pageOfTheWeb answers as a page that needs a style sheet, a script and data of its own, and a redirect before it.
func pageOfTheWeb(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/short":
		http.Redirect(w, r, "/long?n=1", http.StatusFound)
	case "/long":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><title>Report</title><link rel="stylesheet" href="a.css"><p>Figures for <b id="n"></b></p><p class="x">hidden</p>
			<script src="a.js"></script>`)
	case "/a.css":
		w.Header().Set("Content-Type", "text/css")
		_, _ = io.WriteString(w, ".x{display:none}")
	case "/a.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, `fetch("data").then((r) => r.text()).then((t) => n.append(t, " ", document.cookie, localStorage.visits)); localStorage.visits = 1 + (+localStorage.visits || 0); document.cookie = "c=" + localStorage.visits`)
	case "/data":
		_, _ = io.WriteString(w, "2026")
	default:
		http.NotFound(w, r)
	}
}

func TestAPageOfTheWebIsADocument(t *testing.T) {
	t.Parallel()
	host := webServer(t, pageOfTheWeb)
	e, _ := guarded(t, chromium.Options{}, host)
	for range 2 { // the second visit is the first one again: nothing is kept
		report, pdf := rendertest.Render(t, e, visiting("http://"+host+"/short#part"))
		if text := strings.Join(strings.Fields(rendertest.Text(t, pdf)), " "); text != "Figures for 2026 c=11" {
			t.Errorf("text %q", text)
		}
		if report.Pages != 1 || len(report.Warnings) != 0 || rendertest.Info(t, pdf)["Title"] != "Report" {
			t.Errorf("report %+v, title %q", report, rendertest.Info(t, pdf)["Title"])
		}
	}
}

func TestNothingOfOursIsSentToThePage(t *testing.T) {
	t.Parallel()
	headers := make(chan http.Header, 1)
	host := webServer(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			headers <- r.Header
		}
	})
	e, _ := guarded(t, chromium.Options{}, host)
	rendertest.Render(t, e, visiting("http://"+host))
	got := <-headers
	for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization", "Referer", "Origin"} {
		if value := got.Get(name); value != "" {
			t.Errorf("%s: %q", name, value)
		}
	}
}

func TestAServerThatDoesNotShowItsPageIsNamed(t *testing.T) {
	t.Parallel()
	host := webServer(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		if n, _ := fmt.Sscanf(r.URL.Path, "/status/%d", &status); n == 1 {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "<p>an error page")
			return
		}
		switch r.URL.Path {
		case "/pdf":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, "%PDF-1.4\n")
		case "/attachment":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Disposition", `attachment; filename="x.html"`)
			_, _ = io.WriteString(w, "<p>x")
		case "/zip":
			w.Header().Set("Content-Type", "application/zip")
			_, _ = io.WriteString(w, "PK")
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/broken":
			panic(http.ErrAbortHandler)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/silent":
			<-r.Context().Done()
		}
	})
	e, _ := guarded(t, chromium.Options{Answer: 3 * time.Second}, host)
	for path, c := range map[string]struct {
		want *fault.Error
		says string
	}{
		"/status/404": {render.ErrURLRefused, "The server answered 404."},
		"/status/401": {render.ErrURLRefused, "The server answered 401."},
		"/status/300": {render.ErrURLRefused, "The server answered 300."},
		"/status/429": {render.ErrURLFailed, "The server answered 429."},
		"/status/503": {render.ErrURLFailed, "The server answered 503."},
		"/status/204": {render.ErrPageFailed, "The URL does not lead to a page: the server sent nothing that a browser shows."},
		"/pdf":        {render.ErrPageFailed, "The URL does not lead to a page: the server sent `application/pdf`."},
		"/zip":        {render.ErrPageFailed, "The URL does not lead to a page: the server sent `application/zip`."},
		"/attachment": {render.ErrPageFailed, "The URL does not lead to a page: the server sent `text/html`."},
		"/loop":       {render.ErrURLRefused, "The server sent the browser on more than 10 times."},
		"/broken":     {render.ErrURLFailed, render.ErrURLFailed.Message},
		"/file":       {render.ErrURLFailed, render.ErrURLFailed.Message},
		"/silent":     {render.ErrURLFailed, "The server did not answer within 3 s."},
	} {
		_, err := e.Render(t.Context(), io.Discard, visiting("http://"+host+path))
		if !errors.Is(err, c.want) || fault.From(err).Message != c.says || fault.From(err).Kind != c.want.Kind {
			t.Errorf("%s: %v, want %q", path, err, c.says)
		}
	}
	for _, address := range []string{"file:///etc/passwd", "http://user:secret@" + host + "/", "javascript:alert(1)", "data:text/html,x", "about:blank", "chrome://version", "http://"} {
		if _, err := e.Render(t.Context(), io.Discard, visiting(address)); !errors.Is(err, render.ErrURLRefused) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want url_refused", address, err)
		}
	}
}

// What a caller learns is the same for a host that may not be called and one that is not there, at each hop.
func TestAnAddressThatIsNotAllowedLooksLikeNobody(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	targets := map[string]string{
		"/denied": "http://" + v.addr + "/", "/metadata": "http://169.254.169.254/latest/", "/nobody": "http://127.0.0.1:9/",
		"/tls": "https://" + v.addr + "/", "/user": "http://user:secret@127.0.0.1:9/",
	}
	host := webServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", targets[r.URL.Path])
		w.WriteHeader(http.StatusFound)
	})
	e, log := guarded(t, chromium.Options{}, host, "127.0.0.1:9")
	for path, direct := range targets {
		addresses := []string{"http://" + host + path}
		if path != "/user" {
			addresses = append(addresses, direct)
		}
		for _, address := range addresses {
			report, err := e.Render(t.Context(), io.Discard, visiting(address))
			if f := fault.From(err); !errors.Is(err, render.ErrURLFailed) || f.Message != render.ErrURLFailed.Message || !fault.Retryable(err) || len(report.Warnings) != 0 {
				t.Errorf("%s: %v, want the plain url_failed", address, err)
			}
		}
	}
	v.untouched(t)
	if !strings.Contains(log.String(), "169.254.169.254 is") {
		t.Errorf("the log does not say why: %s", log.String())
	}
}

func TestAPageOfTheWebStaysInItsPlace(t *testing.T) {
	t.Parallel()
	var away atomic.Int32
	host := webServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/script":
			_, _ = io.WriteString(w, around(`<script>location = "/away"</script>`))
		case "/refresh":
			_, _ = io.WriteString(w, around(`<meta http-equiv="refresh" content="0;url=/away">`))
		case "/reload":
			_, _ = io.WriteString(w, around(`<script>location.reload()</script>`))
		case "/form":
			_, _ = io.WriteString(w, around(`<form id="f" action="/away"></form><script>f.submit()</script>`))
		case "/away":
			away.Add(1)
		}
	})
	e, _ := guarded(t, chromium.Options{Settle: patience}, host)
	for path, where := range map[string]string{"/script": "http://" + host + "/away", "/refresh": "http://" + host + "/away", "/reload": itself} {
		report, text, err := renderSoon(t, e, visiting("http://"+host+path))
		want := render.Warning{Code: "navigation_denied", Detail: where + ": the page may not leave its place"}
		if err != nil || text != whole || len(report.Warnings) != 1 || report.Warnings[0] != want {
			t.Errorf("%s: %q, %+v, %v, want %q and %+v", path, text, report.Warnings, err, whole, want)
		}
	}
	if _, _, err := renderSoon(t, e, visiting("http://"+host+"/form")); !errors.Is(err, render.ErrPageFailed) {
		t.Errorf("a form: %v, want page_failed", err)
	}
	if away.Load() != 0 {
		t.Error("a page left its place")
	}
}

func TestAServerWithoutAValidCertificateIsNotBelieved(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<p>secret") }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(server.Close)
	host := server.Listener.Addr().String()
	e, _ := guarded(t, chromium.Options{}, host)
	_, err := e.Render(t.Context(), io.Discard, visiting("https://"+host+"/"))
	if f := fault.From(err); !errors.Is(err, render.ErrURLFailed) || !strings.Contains(f.Message, "certificate") {
		t.Errorf("%v, want url_failed for its certificate", err)
	}
}

func TestAPictureOfAPageOfTheWebIsMade(t *testing.T) {
	t.Parallel()
	host := webServer(t, pageOfTheWeb)
	e, _ := guarded(t, chromium.Options{}, host)
	req := visiting("http://" + host + "/long")
	req.Output.Format = render.PNG
	if report, picture := rendertest.Render(t, e, req); report.ContentType != "image/png" || len(picture) == 0 {
		t.Errorf("report %+v, %d bytes", report, len(picture))
	}
}
