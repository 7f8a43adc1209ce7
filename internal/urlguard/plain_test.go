package urlguard_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/urlguard"
)

func TestOnlyPlainHTTPComesInAbsoluteForm(t *testing.T) {
	t.Parallel()
	proxy := startProxy(t, urlguard.Policy{AllowHTTP: true, Resolver: addrs(t, "93.184.215.14")}, urlguard.ProxyOptions{})
	for _, target := range []string{
		"https://example.com/", "ftp://example.com/", "/", "http://user@example.com/", "http://example.com:22/", "*",
	} {
		resp := proxy.say(t, "OPTIONS "+target+" HTTP/1.1\r\nHost: example.com\r\n\r\n")
		if (resp.status != http.StatusBadGateway || string(resp.body) != "The host could not be reached.\n") && target != "*" {
			t.Errorf("%s: status %d", target, resp.status)
		}
	}
}

func TestAPlainRequestLosesItsHopByHopFields(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{
			"Connection", "X-Hop", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Te", "Upgrade", "X-Forwarded-For", "Accept-Encoding",
		} {
			if v := r.Header.Get(name); v != "" && v != "identity" {
				t.Errorf("%s arrived: %q", name, v)
			}
		}
		if r.Header.Get("X-Kept") != "yes" || r.RequestURI != "/a%2Fb?q=1;2&z=%zz" || r.Header.Get("Via") == "" {
			t.Errorf("%s %v", r.RequestURI, r.Header)
		}
		w.Header().Set("Connection", "X-Back")
		w.Header().Set("X-Back", "no")
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, r.Host)
	}))
	t.Cleanup(server.Close)
	proxy := startProxy(t, local(t, server), urlguard.ProxyOptions{})
	target := at(t, server, "receiver.example")
	resp := proxy.say(t, "GET "+target+"/a%2Fb?q=1;2&z=%zz HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: X-Hop, Upgrade\r\n"+
		"X-Hop: 1\r\nKeep-Alive: 5\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nTE: gzip\r\nUpgrade: websocket\r\n"+
		"X-Forwarded-For: 10.0.0.1\r\nX-Kept: yes\r\n\r\n")
	if "http://"+string(resp.body) != target {
		t.Errorf("the server saw host %q (%v), want that of %s", resp.body, resp.bodyErr, target)
	}
	if resp.status != http.StatusFound || resp.header.Get("X-Back") != "" || resp.header.Get("Location") == "" {
		t.Errorf("%d %v", resp.status, resp.header)
	}
}

func TestAPlainResponseIsCutAtItsBytes(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/told" {
			w.Header().Set("Content-Length", "2000")
		} else if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		_, _ = w.Write(make([]byte, 2000))
	}))
	t.Cleanup(server.Close)
	proxy := startProxy(t, local(t, server), urlguard.ProxyOptions{MaxBytes: 1000})

	resp := proxy.say(t, "GET "+server.URL+"/told HTTP/1.1\r\nHost: x\r\n\r\n")
	if resp.status != http.StatusBadGateway {
		t.Errorf("told: status %d", resp.status)
	}
	if err := fetch(t.Context(), proxy.addr, server.URL+"/untold"); err == nil {
		t.Error("untold: the browser does not see that it is not all")
	}
}

func TestAnUploadIsCutAtItsBytes(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if n, err := io.Copy(io.Discard, r.Body); err == nil || n > 1000 {
			t.Errorf("%d bytes arrived, %v", n, err)
		}
	}))
	t.Cleanup(server.Close)
	proxy := startProxy(t, local(t, server), urlguard.ProxyOptions{MaxBytes: 1000})
	resp := proxy.say(t, fmt.Sprintf("POST %s/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n%s", server.URL, strings.Repeat("x", 2000)))
	if resp.status != http.StatusBadGateway {
		t.Errorf("status %d", resp.status)
	}
}

func TestAServerThatSwitchesProtocolsUnaskedIsCutOff(t *testing.T) {
	t.Parallel()
	for _, fields := range []string{"", "Connection: Upgrade\r\nUpgrade: websocket\r\n"} {
		ln := listen(t)
		served := make(chan error, 1)
		go func() { served <- switchAtOnce(ln, fields) }()
		proxy := startProxy(t, allowing(t, ln.Addr().String()), urlguard.ProxyOptions{})
		resp := proxy.say(t, "GET http://"+ln.Addr().String()+"/ HTTP/1.1\r\nHost: x\r\n"+fields+"\r\n")
		if resp.status != http.StatusBadGateway {
			t.Errorf("%q: status %d", fields, resp.status)
		}
		if err := <-served; err != nil {
			t.Errorf("%q: %v", fields, err)
		}
	}
}

// switchAtOnce answers one request with 101 and fields, and waits for the connection to end.
func switchAtOnce(ln net.Listener, fields string) error {
	conn, err := ln.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	if _, err := http.ReadRequest(reader); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n"+fields+"\r\n"); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, reader)
	return err
}
