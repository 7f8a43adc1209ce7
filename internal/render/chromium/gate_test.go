package chromium_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

// gate is a proxy that lets pages wait: it answers all of them when it is opened.
type gate struct {
	addr    string
	arrived chan string // the path of each request
	open    func()
}

func newGate(tb testing.TB) *gate {
	tb.Helper()
	opened := make(chan struct{})
	g := &gate{arrived: make(chan string, 64), open: sync.OnceFunc(func() { close(opened) })}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		g.arrived <- r.URL.Path
		select {
		case <-opened:
		case <-r.Context().Done(): // the browser is gone
		}
	}))
	tb.Cleanup(server.Close)
	tb.Cleanup(g.open)
	g.addr = server.Listener.Addr().String()
	return g
}

// page is one that is complete when the gate has been opened.
func (g *gate) page(name string) render.Request {
	return rendertest.Page("<p>" + name + `</p><script>fetch("http://gate.test/` + name + `", {mode: "no-cors"})</script>`)
}

// await waits until a page waits at the gate.
func (g *gate) await(tb testing.TB, name string) {
	tb.Helper()
	select {
	case path := <-g.arrived:
		if path != "/"+name {
			tb.Fatalf("%s came to the gate, want %s", path, name)
		}
	case <-time.After(time.Minute):
		tb.Fatalf("%s did not come to the gate", name)
	}
}

// rendered is what became of a render.
type rendered struct {
	pdf []byte
	err error
}

// begin renders within a minute, beside the test.
func begin(tb testing.TB, e *chromium.Engine, req render.Request) <-chan rendered {
	tb.Helper()
	done := make(chan rendered, 1)
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	go func() {
		defer cancel()
		var document bytes.Buffer
		_, err := e.Render(ctx, &document, req)
		done <- rendered{document.Bytes(), err}
	}()
	return done
}

// checkRendered checks that a page was rendered whole.
func checkRendered(tb testing.TB, r rendered, text string) {
	tb.Helper()
	if r.err != nil {
		tb.Fatalf("%s: %v", text, r.err)
	}
	if got := rendertest.Text(tb, r.pdf); !strings.Contains(got, text) {
		tb.Errorf("text %q, want %q", got, text)
	}
}
