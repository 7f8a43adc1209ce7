package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// pageHost is a server that pages ask for something, and that answers when the test says so.
type pageHost struct {
	*testing.T
	url string

	mu     sync.Mutex
	visits map[string]chan visit
}

// visit is a request that waits for its answer.
type visit struct {
	at     time.Time
	answer func()
}

func newPageHost(t *testing.T) *pageHost {
	t.Helper()
	h := &pageHost{T: t, visits: map[string]chan visit{}}
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	h.url = server.URL
	return h
}

// page is one that is not complete before the host has answered it.
func (h *pageHost) page(name string) string {
	return fmt.Sprintf(`<h1>%s</h1><script>fetch(%q, {mode: "no-cors"})</script>`, name, h.url+"/"+name)
}

func (h *pageHost) named(name string) chan visit {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.visits[name] == nil {
		h.visits[name] = make(chan visit, 16)
	}
	return h.visits[name]
}

func (h *pageHost) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	answered := make(chan struct{})
	h.named(strings.TrimPrefix(r.URL.Path, "/")) <- visit{time.Now(), sync.OnceFunc(func() { close(answered) })}
	select {
	case <-answered:
	case <-r.Context().Done(): // the browser is gone
	}
}

// await waits until a page asks.
func (h *pageHost) await(name string) visit {
	h.Helper()
	select {
	case v := <-h.named(name):
		return v
	case <-time.After(patience):
		h.Fatalf("the page %s did not ask", name)
		return visit{}
	}
}
