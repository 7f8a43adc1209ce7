package urlguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// dialTimeout bounds the try of one address, so that a dead one leaves time for the next.
const dialTimeout = 5 * time.Second

type dialFunc func(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error)

// DialContext connects to "host:port" over TCP. It judges the host and the port, looks the name up, judges every
// address, and tries them in their order; the socket is judged once more before it connects. It has no scheme to
// judge; that is for Parse. The errors are [ErrDenied], [ErrUnresolved] and those of the tries.
func (p Policy) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if network != "tcp" && network != "tcp4" && network != "tcp6" {
		return nil, denied("network %q is not TCP", network)
	}
	t, err := parseTarget(addr, 0)
	if err != nil {
		return nil, err
	}
	named, err := p.admit(t)
	if err != nil {
		return nil, err
	}
	addrs, err := p.resolve(ctx, t, named)
	if err != nil {
		return nil, err
	}
	return p.dialAny(ctx, network, addrs, named)
}

func (p Policy) dialAny(ctx context.Context, network string, addrs []netip.AddrPort, named bool) (net.Conn, error) {
	dial := p.dial
	if dial == nil {
		dial = p.guardedDial(named)
	}
	var errs []error
	for _, addr := range addrs {
		conn, err := dial(ctx, network, addr)
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(errs...)
}

// guardedDial opens real sockets. Its control hook sees the address the kernel is about to connect to, which closes
// the gap between what was judged and what is used.
func (p Policy) guardedDial(named bool) dialFunc {
	dialer := &net.Dialer{
		Timeout: dialTimeout,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return p.judgeSocket(address, named)
		},
	}
	return func(ctx context.Context, network string, addr netip.AddrPort) (net.Conn, error) {
		return dialer.DialContext(ctx, network, addr.String())
	}
}

func (p Policy) judgeSocket(address string, named bool) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return ErrDenied.Because(fmt.Errorf("socket: %w", err))
	}
	return p.judge(ap, named)
}
