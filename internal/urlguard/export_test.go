package urlguard

import (
	"context"
	"net"
	"net/netip"
)

// WithDial returns a copy of the policy whose judged addresses go to dial and not to a socket.
func (p Policy) WithDial(dial func(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)) Policy {
	p.dial = dial
	return p
}

// DialSocket opens a socket to addr behind the control hook, as if every judgment before it had been passed.
func (p Policy) DialSocket(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	return p.guardedDial(false)(ctx, "tcp", addr)
}
