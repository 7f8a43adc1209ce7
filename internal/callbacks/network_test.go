package callbacks_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/callbacks"
)

const short = 200 * time.Millisecond

// checkInTime fails when an attempt with a short deadline ended long before or after it. The deadline is set a moment before the clock starts.
func checkInTime(t *testing.T, a callbacks.Attempt) {
	t.Helper()
	if a.Latency < short/2 || a.Latency > short+5*time.Second {
		t.Errorf("took %s with a deadline of %s", a.Latency, short)
	}
}

// raw serves each connection with f, on a socket, and closes it afterwards, or after ten seconds.
func raw(t *testing.T, f func(net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed by the clean-up
			}
			mu.Lock()
			open = append(open, conn)
			mu.Unlock()
			all.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
				f(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return "http://" + listener.Addr().String()
}

// rawAnswer reads one request and writes text.
func rawAnswer(text string, then func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		if readRequest(bufio.NewReader(conn)) != nil {
			return
		}
		_, _ = io.WriteString(conn, text)
		if then != nil {
			then(conn)
		}
	}
}

func readRequest(r *bufio.Reader) error {
	req, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err
}

// holdOpen returns when the other side has hung up.
func holdOpen(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// drip writes text a byte at a time until the other side has hung up.
func drip(text string) func(net.Conn) {
	return func(conn net.Conn) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			<-tick.C
			if _, err := conn.Write([]byte{text[i%len(text)]}); err != nil {
				return
			}
		}
	}
}

func TestTheDeadlineCoversEveryPartOfAnAttempt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serve  func(net.Conn)
		status int
	}{
		"silence":              {rawAnswer("", holdOpen), 0},
		"dripping status line": {rawAnswer("HTTP/1.1 200 ", drip("OK")), 0},
		"dripping headers":     {rawAnswer("HTTP/1.1 200 OK\r\n", drip("X-A: b\r\n")), 0},
		"dripping body":        {rawAnswer("HTTP/1.1 200 OK\r\n\r\n", drip("x")), 200},
		"stalled body":         {rawAnswer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", holdOpen), 200},
	} {
		sender := newSender(t)
		sender.Deadline = short
		a := sender.Send(t.Context(), newMessage(raw(t, c.serve)))
		check(t, name, a, callbacks.Retry, "timeout", c.status)
		checkInTime(t, a)
	}
}

func TestTheStatusOfADrippingFailureCounts(t *testing.T) {
	t.Parallel()
	sender := newSender(t)
	sender.Deadline = short
	a := sender.Send(t.Context(), newMessage(raw(t, rawAnswer("HTTP/1.1 410 Gone\r\n\r\n", drip("x")))))
	check(t, "410", a, callbacks.Dead, "gone", 410)
	checkInTime(t, a)
	if a.Response == "" {
		t.Error("what arrived in time is not kept")
	}
}

func TestASwitchOfProtocolDoesNotHoldTheSender(t *testing.T) {
	t.Parallel()
	sender := newSender(t)
	sender.Deadline = short
	const answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
	a := sender.Send(t.Context(), newMessage(raw(t, rawAnswer(answer, holdOpen))))
	check(t, "101", a, callbacks.Retry, "status_unexpected", 101)
	if a.Latency > 5*time.Second {
		t.Errorf("took %s", a.Latency)
	}
}

func TestBrokenConnectionsAreTriedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serve  func(net.Conn)
		code   string
		status int
	}{
		"closed before an answer": {rawAnswer("", nil), "connection_closed", 0},
		"closed in the headers":   {rawAnswer("HTTP/1.1 200 OK\r\nX-A: b\r\n", nil), "connection_closed", 0},
		"closed in the body":      {rawAnswer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", nil), "connection_closed", 200},
		"closed in a chunk":       {rawAnswer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha", nil), "connection_closed", 200},
		"reset": {rawAnswer("", func(conn net.Conn) {
			_ = conn.(*net.TCPConn).SetLinger(0)
		}), "connection_closed", 0},
		"not HTTP": {rawAnswer("220 mail.example ESMTP\r\n", nil), "request_failed", 0},
	} {
		check(t, name, newSender(t).Send(t.Context(), newMessage(raw(t, c.serve))), callbacks.Retry, c.code, c.status)
	}
}

func TestARefusedConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String() + "/?token=hunter2"
	listener.Close()
	a := newSender(t).Send(t.Context(), newMessage(url))
	check(t, "closed port", a, callbacks.Retry, "connection_refused", 0)
	if strings.Contains(a.Detail, "127.0.0.1") || !strings.Contains(a.Err.Error(), "127.0.0.1") || strings.Contains(a.Err.Error(), "hunter2") {
		t.Errorf("detail %q, error %q", a.Detail, a.Err)
	}
}

func TestAHostWithoutAddressIsTriedAgain(t *testing.T) {
	t.Parallel()
	sender := newSender(t)
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server")
	}}
	sender.Client.Transport = &http.Transport{DialContext: (&net.Dialer{Resolver: resolver}).DialContext}
	check(t, "dns", sender.Send(t.Context(), newMessage("http://receiver.example/")), callbacks.Retry, "dns_error", 0)
}

func TestTLSErrorsAreTriedAgain(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it logs each failed handshake
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	server.StartTLS()
	t.Cleanup(server.Close)
	plain := answering(t, 200, nil, "")
	trusting := x509.NewCertPool()
	trusting.AddCert(server.Certificate())
	for name, c := range map[string]struct {
		url    string
		config *tls.Config
		detail string
	}{
		"unknown authority": {server.URL, &tls.Config{}, "The certificate is signed by an unknown authority."},
		"another host":      {server.URL, &tls.Config{RootCAs: trusting, ServerName: "receiver.test"}, "The certificate is for another host."},
		"expired": {server.URL, &tls.Config{RootCAs: trusting, Time: func() time.Time {
			return server.Certificate().NotAfter.Add(time.Hour)
		}}, "The certificate is not valid now."},
		"no common version": {server.URL, &tls.Config{RootCAs: trusting, MaxVersion: tls.VersionTLS12}, "No TLS connection could be agreed on."},
		"plain HTTP":        {strings.Replace(plain.URL, "http", "https", 1), &tls.Config{}, "The receiver does not speak TLS."},
		"not HTTP":          {strings.Replace(raw(t, func(c net.Conn) { _, _ = io.WriteString(c, "220 mail.example\r\n"); holdOpen(c) }), "http", "https", 1), &tls.Config{}, "The receiver does not speak TLS."},
	} {
		sender := newSender(t)
		sender.Client.Transport = &http.Transport{TLSClientConfig: c.config}
		a := sender.Send(t.Context(), newMessage(c.url+"/?token=hunter2"))
		check(t, name, a, callbacks.Retry, "tls_error", 0)
		if a.Detail != c.detail || strings.Contains(a.Err.Error(), "hunter2") {
			t.Errorf("%s: detail %q, error %q", name, a.Detail, a.Err)
		}
	}
}

func TestAnEndingContextInterruptsTheAttempt(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	url := raw(t, rawAnswer("", func(conn net.Conn) {
		arrived <- struct{}{}
		holdOpen(conn)
	}))
	for name, c := range map[string]struct {
		cause error
		code  string
	}{
		"canceled":                  {nil, "interrupted"},
		"canceled for a reason":     {errors.New("shutting down"), "interrupted"},
		"canceled for an odd cause": {io.EOF, "interrupted"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-arrived
			cancel(c.cause)
		}()
		check(t, name, newSender(t).Send(ctx, newMessage(url)), callbacks.Retry, c.code, 0)
		cancel(nil)
	}
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	a := newSender(t).Send(ctx, newMessage(url))
	check(t, "deadline of the caller", a, callbacks.Retry, "timeout", 0)
	checkInTime(t, a)
}

func TestNothingMakesOneAttemptTwo(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"X-Plain", "Idempotency-Key", "X-Idempotency-Key"} {
		requests := make(chan struct{}, 10)
		url := raw(t, func(conn net.Conn) {
			// Answer the first request of a connection, and hang up on the second: net/http takes
			// that for a connection that had died unused.
			reader := bufio.NewReader(conn)
			if readRequest(reader) != nil {
				return
			}
			requests <- struct{}{}
			_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
			if readRequest(reader) == nil {
				requests <- struct{}{}
			}
		})
		sender, msg := newSender(t), newMessage(url)
		msg.Headers = map[string]string{name: "k"}
		check(t, name, sender.Send(t.Context(), msg), callbacks.Delivered, "", 204)
		a := sender.Send(t.Context(), msg)
		if a.Outcome != callbacks.Retry || len(requests) != 2 {
			t.Errorf("%s: two attempts made %d requests, the second was %s (%v)", name, len(requests), a.Outcome, a.Err)
		}
	}
}
