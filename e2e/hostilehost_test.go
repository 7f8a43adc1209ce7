package e2e_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tally counts what happens at the receivers that share it.
type tally struct {
	open    atomic.Int64 // connections
	most    atomic.Int64 // of them at once
	came    atomic.Int64 // of them at all
	largest atomic.Int64 // bytes that one of them took
}

func raise(highest *atomic.Int64, n int64) {
	for {
		old := highest.Load()
		if n <= old || highest.CompareAndSwap(old, n) {
			return
		}
	}
}

// taken is a connection of a receiver, which counts what it is sent.
type taken struct {
	net.Conn
	sent int64
}

func (c *taken) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent += int64(n)
	return n, err
}

// hostileHost serves each connection with f, on a port of its own, and closes it afterwards. At the end of the test it
// closes all.
func hostileHost(t *testing.T, ip string, count *tally, f func(net.Conn)) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", ip+":0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	var conns []net.Conn
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed by the clean-up
			}
			mu.Lock()
			conns = append(conns, conn)
			mu.Unlock()
			all.Go(func() { serveOne(conn, count, f) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		mu.Lock()
		for _, conn := range conns {
			_ = conn.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return listener.Addr().String()
}

func serveOne(conn net.Conn, count *tally, f func(net.Conn)) {
	c := &taken{Conn: conn}
	count.came.Add(1)
	raise(&count.most, count.open.Add(1))
	f(c)
	raise(&count.largest, c.sent)
	_ = conn.Close()
	count.open.Add(-1)
}

// after reads one request and goes on with each step in turn.
func after(steps ...func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		for _, step := range steps {
			step(conn)
		}
	}
}

// say writes lines of a header. An empty one ends it.
func say(lines ...string) func(net.Conn) {
	text := strings.Join(lines, "\r\n") + "\r\n"
	return func(conn net.Conn) { _, _ = io.WriteString(conn, text) } // the other side may have hung up
}

// holdOpen returns when the other side has hung up.
func holdOpen(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// drip writes text again and again, a byte at a time, until the other side has hung up.
func drip(text string) func(net.Conn) {
	return func(conn net.Conn) {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			<-tick.C
			if _, err := conn.Write([]byte{text[i%len(text)]}); err != nil {
				return
			}
		}
	}
}

const gibibyte = 1 << 30

// flood writes text again and again until it has sent 1 GiB or the other side has hung up.
func flood(text string) func(net.Conn) {
	chunk := []byte(strings.Repeat(text, 1+(64<<10)/len(text)))
	return func(conn net.Conn) {
		for left := gibibyte; left > 0; {
			n, err := conn.Write(chunk[:min(len(chunk), left)])
			if left -= n; err != nil {
				return
			}
		}
	}
}

// bomb is 1 GiB in 1 MiB of gzip, as 64 members that a reader takes for one stream.
func bomb(t *testing.T) string {
	t.Helper()
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	if _, err := w.Write(make([]byte, gibibyte/64)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Repeat(member.String(), 64)
}

// reset makes the end of the connection a reset.
func reset(conn net.Conn) {
	if c, ok := conn.(*taken).Conn.(*net.TCPConn); ok {
		_ = c.SetLinger(0)
	}
}
