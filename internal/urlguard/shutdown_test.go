package urlguard_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/urlguard"
)

// TestTheEndOfTheProxyLeavesNothingBehind does not run in parallel, because it looks at every goroutine there is.
func TestTheEndOfTheProxyLeavesNothingBehind(t *testing.T) {
	server := echo(t)
	asked := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	t.Cleanup(hanging.Close)
	policy := allowing(t, server+", "+hanging.Listener.Addr().String())
	proxy := startProxy(t, policy, urlguard.ProxyOptions{})

	tunnel := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if tunnel.status != http.StatusOK {
		t.Fatalf("status %d", tunnel.status)
	}
	idle := proxy.say(t, "GET http://10.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n")
	if idle.status != http.StatusBadGateway {
		t.Fatalf("status %d", idle.status)
	}
	exchange := make(chan error, 1)
	go func() { exchange <- fetch(t.Context(), proxy.addr, hanging.URL) }()
	<-asked
	endWell(t, proxy, server)

	if err := proxy.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := tunnel.reader.ReadByte(); err == nil {
		t.Error("the tunnel still stands")
	}
	if err := <-exchange; err == nil {
		t.Error("the exchange ended well")
	}
	if err := tunnel.conn.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, func() bool { return len(guardGoroutines()) == 0 })
}

// endWell opens a tunnel that both sides end, and waits until the proxy has only the tunnel of the test left.
func endWell(t *testing.T, proxy *running, server string) {
	t.Helper()
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if err := resp.conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if _, err := resp.reader.ReadByte(); err == nil {
		t.Fatal("the tunnel did not end")
	}
	eventually(t, func() bool {
		return strings.Count(strings.Join(guardGoroutines(), "\n"), "urlguard.(*tunnel).run(") == 1
	})
}

func TestTheEndOfTheProxyWaitsForTheHook(t *testing.T) {
	t.Parallel()
	entered, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	proxy := urlguard.NewProxy(urlguard.Policy{}, urlguard.ProxyOptions{Refused: func(urlguard.Refusal) {
		close(entered)
		<-release
	}})
	ln := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { ended <- proxy.Run(ctx, ln) }()
	go func() { _ = fetch(t.Context(), ln.Addr().String(), "http://10.0.0.1/") }()
	<-entered
	cancel()
	select {
	case err := <-ended:
		t.Errorf("the proxy ended while its hook ran: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(release)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// fetch gets target through the proxy and returns how that ended.
func fetch(ctx context.Context, proxy, target string) error {
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// guardGoroutines are the stacks that have this package, but no test, in them.
func guardGoroutines() []string {
	buf := make([]byte, 1<<20)
	var found []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "internal/urlguard.") && !strings.Contains(stack, "urlguard_test.") {
			found = append(found, stack)
		}
	}
	return found
}

func eventually(tb testing.TB, done func() bool) {
	tb.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			tb.Fatalf("not within 10 s:\n%s", strings.Join(guardGoroutines(), "\n\n"))
		}
	}
}
