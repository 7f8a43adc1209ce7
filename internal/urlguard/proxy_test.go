package urlguard_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/urlguard"
)

// running is a proxy that serves on loopback until the test ends.
type running struct {
	addr string
	log  *lockedBuffer
	stop func() error // ends Run and returns what it returned

	mu       sync.Mutex
	refusals []urlguard.Refusal
}

func startProxy(t *testing.T, policy urlguard.Policy, o urlguard.ProxyOptions) *running {
	t.Helper()
	ln := listen(t)
	r := &running{addr: ln.Addr().String(), log: &lockedBuffer{}}
	o.Logger = slog.New(slog.NewJSONHandler(r.log, nil))
	o.Refused = r.refused
	proxy := urlguard.NewProxy(policy, o)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- proxy.Run(ctx, ln) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(10 * time.Second):
			return errors.New("the proxy did not end")
		}
	})
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	return r
}

func (r *running) refused(refusal urlguard.Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusals = append(r.refusals, refusal)
}

func (r *running) targets() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var targets []string
	for _, refusal := range r.refusals {
		targets = append(targets, refusal.Target)
	}
	return targets
}

// reply is what the proxy said, and the connection it said it on.
type reply struct {
	conn    net.Conn
	reader  *bufio.Reader
	status  int
	header  http.Header
	body    []byte // empty for a tunnel that stands
	bodyErr error
}

// say opens a connection to the proxy, writes text and reads one response.
func (r *running) say(t *testing.T, text string) reply {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(text, " ")
	reader := bufio.NewReader(conn)
	resp, err := http.ReadResponse(reader, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	defer resp.Body.Close()
	got := reply{conn: conn, reader: reader, status: resp.StatusCode, header: resp.Header}
	if method != http.MethodConnect || got.status != http.StatusOK {
		got.body, got.bodyErr = io.ReadAll(resp.Body)
	}
	return got
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// echo is a TCP server that sends back what it gets, and half-closes when its peer has.
func echo(t *testing.T) string {
	t.Helper()
	ln := listen(t)
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conns.Go(func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			})
		}
	})
	t.Cleanup(func() {
		ln.Close()
		conns.Wait()
	})
	return ln.Addr().String()
}

func allowing(t *testing.T, list string) urlguard.Policy {
	t.Helper()
	return urlguard.Policy{Allow: rules(t, list), Resolver: addrs(t, "127.0.0.1")}
}

func TestATunnelToWhatARuleAllowsCarriesAnyBytes(t *testing.T) {
	t.Parallel()
	server := echo(t)
	proxy := startProxy(t, allowing(t, server), urlguard.ProxyOptions{})
	// The first bytes come with the request, before the tunnel stands.
	upgrade := "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: "+server+"\r\n\r\n"+upgrade)
	if resp.status != http.StatusOK {
		t.Fatalf("status %d", resp.status)
	}
	frame := []byte{0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58, 0x00, 0xff, '\r', '\n'}
	if _, err := resp.conn.Write(frame); err != nil {
		t.Fatal(err)
	}
	if err := resp.conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.reader)
	if want := upgrade + string(frame); err != nil || string(got) != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

func TestAServerMayAnswerAfterTheBrowserHasHalfClosed(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	served := make(chan error, 1)
	go func() { served <- answerAtEnd(ln) }()
	server := ln.Addr().String()
	proxy := startProxy(t, allowing(t, server), urlguard.ProxyOptions{})
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if resp.status != http.StatusOK {
		t.Fatalf("status %d", resp.status)
	}
	if _, err := io.WriteString(resp.conn, "question"); err != nil {
		t.Fatal(err)
	}
	if err := resp.conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.reader)
	if err != nil || len(got) != 1<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// answerAtEnd serves one connection: it reads to the end and then sends 1 MiB.
func answerAtEnd(ln net.Listener) error {
	conn, err := ln.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	if question, err := io.ReadAll(conn); err != nil || string(question) != "question" {
		return fmt.Errorf("read %q: %w", question, err)
	}
	_, err = conn.Write(make([]byte, 1<<20))
	return err
}

func TestATunnelWithoutARuleIsRefused(t *testing.T) {
	t.Parallel()
	server := echo(t)
	proxy := startProxy(t, urlguard.Policy{}, urlguard.ProxyOptions{})
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: "+server+"\r\n\r\n")
	if resp.status != http.StatusBadGateway || string(resp.body) != "The host could not be reached.\n" {
		t.Errorf("%d %q", resp.status, resp.body)
	}
	if got := proxy.targets(); len(got) != 1 || got[0] != server {
		t.Errorf("the hook learned of %q", got)
	}
	if log := proxy.log.String(); !strings.Contains(log, "127.0.0.1 is loopback (RFC 1122, section 3.2.1.3)") {
		t.Errorf("the log has no exact reason: %s", log)
	}
}

// A page can show the answer in a frame, and read its status off a warning.
func TestARefusalIsAnsweredLikeAHostThatIsNotThere(t *testing.T) {
	t.Parallel()
	gone := echo(t)
	policy := allowing(t, "127.0.0.1:1")
	policy.AllowHTTP = true
	proxy := startProxy(t, policy, urlguard.ProxyOptions{})
	get := func(host string) reply {
		return proxy.say(t, "GET http://"+host+"/ HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	refused, missing := get(gone), get("127.0.0.1:1")
	if refused.status != missing.status || string(refused.body) != string(missing.body) {
		t.Errorf("refused: %d %q, not there: %d %q", refused.status, refused.body, missing.status, missing.body)
	}
	if got := proxy.targets(); len(got) != 1 {
		t.Errorf("the hook learned of %q", got)
	}
}

func TestNoSpellingOfAnAddressPassesTheProxy(t *testing.T) {
	t.Parallel()
	policy := urlguard.Policy{AllowHTTP: true, Resolver: addrs(t, "127.0.0.1")}
	proxy := startProxy(t, policy, urlguard.ProxyOptions{})
	hosts := []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]",
		"[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::1%25lo]", "169.254.169.254", "localhost", "redis", "lvh.example.com", "１２７.0.0.1",
		"%31%32%37.0.0.1",
	}
	for _, host := range hosts {
		for _, text := range []string{
			"CONNECT " + host + ":443 HTTP/1.1\r\nHost: example.com\r\n\r\n",
			"GET http://" + host + "/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		} {
			resp := proxy.say(t, text)
			// 400 is net/http's own answer to a request line that it does not parse.
			if resp.status != http.StatusBadGateway && resp.status != http.StatusBadRequest {
				t.Errorf("%q: status %d", text, resp.status)
			}
		}
	}
}

func TestAClientFetchesHTTPSThroughTheProxy(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1<<20))
	}))
	t.Cleanup(server.Close)
	proxy := startProxy(t, local(t, server), urlguard.ProxyOptions{})
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	transport := &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", Host: proxy.addr}),
		TLSClientConfig: &tls.Config{RootCAs: roots},
	}
	t.Cleanup(transport.CloseIdleConnections)
	resp, err := get(t, &http.Client{Transport: transport}, at(t, server, "example.com"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); n != 1<<20 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestAHostThatIsNotThereIsNotARefusal(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	dead := ln.Addr().String()
	ln.Close()
	policy := urlguard.Policy{AllowHTTP: true, Allow: rules(t, dead), Resolver: answers{}}
	proxy := startProxy(t, policy, urlguard.ProxyOptions{})
	for _, text := range []string{
		"CONNECT gone.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n",
		"CONNECT " + dead + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET http://gone.example.com/?secret=1 HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		if resp := proxy.say(t, text); resp.status != http.StatusBadGateway {
			t.Errorf("%q: status %d", text, resp.status)
		}
	}
	if got := proxy.targets(); len(got) != 0 {
		t.Errorf("the hook learned of %q", got)
	}
	if strings.Contains(proxy.log.String(), "secret") {
		t.Errorf("a query is in the log: %s", proxy.log)
	}
}

func TestATunnelIsCutAtItsBytes(t *testing.T) {
	t.Parallel()
	server := echo(t)
	proxy := startProxy(t, allowing(t, server), urlguard.ProxyOptions{MaxBytes: 1000})
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if resp.status != http.StatusOK {
		t.Fatalf("status %d", resp.status)
	}
	// 400 bytes there and back leave 200, so the next 400 do not even arrive.
	half := bytes.Repeat([]byte("x"), 400)
	if _, err := resp.conn.Write(half); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.reader, half); err != nil {
		t.Fatal(err)
	}
	if _, err := resp.conn.Write(half); err != nil {
		t.Fatal(err)
	}
	if n, _ := io.Copy(io.Discard, resp.reader); n != 0 {
		t.Errorf("%d bytes came back over the limit", n)
	}
}

func TestATunnelIsCutAtItsTime(t *testing.T) {
	t.Parallel()
	server := echo(t)
	proxy := startProxy(t, allowing(t, server), urlguard.ProxyOptions{MaxTime: 100 * time.Millisecond})
	resp := proxy.say(t, "CONNECT "+server+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if resp.status != http.StatusOK {
		t.Fatalf("status %d", resp.status)
	}
	if _, err := resp.reader.ReadByte(); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the tunnel did not end: %v", err)
	}
}
