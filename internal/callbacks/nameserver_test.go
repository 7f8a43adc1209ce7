package callbacks_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// zone has all receivers, and each of its names is the address of this machine.
const zone = "receivers.example"

// weather is what becomes of questions while a name server has trouble.
type weather int

const (
	refused weather = iota // nobody listens there
	mute                   // they are taken, and not answered
	failing                // SERVFAIL, as a forwarder says when what is behind it is away
)

// nameServer is a DNS server that has trouble until it is told that all is well.
type nameServer struct {
	*testing.T
	trouble weather
	addr    string
	well    atomic.Bool
}

func newNameServer(t *testing.T, trouble weather) *nameServer {
	t.Helper()
	n := &nameServer{T: t, trouble: trouble, addr: "127.0.0.1:0"}
	conn := n.listen()
	n.addr = conn.LocalAddr().String()
	if trouble == refused {
		_ = conn.Close()
		return n
	}
	n.start(conn)
	return n
}

func (n *nameServer) listen() net.PacketConn {
	n.Helper()
	conn, err := net.ListenPacket("udp", n.addr)
	if err != nil {
		n.Fatal(err)
	}
	return conn
}

// start answers until the test ends.
func (n *nameServer) start(conn net.PacketConn) {
	var group sync.WaitGroup
	group.Go(func() { n.serve(conn) })
	n.Cleanup(func() { _ = conn.Close(); group.Wait() })
}

// clearUp ends the trouble, and says when that was.
func (n *nameServer) clearUp() time.Time {
	n.Helper()
	n.well.Store(true)
	if n.trouble == refused {
		n.start(n.listen())
	}
	return time.Now()
}

func (n *nameServer) serve(conn net.PacketConn) {
	packet := make([]byte, 1<<10)
	for {
		size, from, err := conn.ReadFrom(packet)
		if err != nil {
			return // closed by the clean-up
		}
		if n.trouble == mute && !n.well.Load() {
			continue
		}
		if answer, err := n.answer(packet[:size]); err != nil {
			n.Errorf("name server: %v", err)
		} else {
			_, _ = conn.WriteTo(answer, from) // who asked may have left
		}
	}
}

// answer knows the zone's names, which have an IPv4 address and no other.
func (n *nameServer) answer(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	switch {
	case !n.well.Load():
		m.RCode = dnsmessage.RCodeServerFailure
	case !strings.HasSuffix(q.Name.String(), "."+zone+"."):
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 1},
			Body:   &dnsmessage.AResource{A: netip.MustParseAddr("127.0.0.1").As4()},
		}}
	}
	return m.Pack()
}

// resolver is Go's own, which asks this server.
func (n *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", n.addr)
	}}
}
