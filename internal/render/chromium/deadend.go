package chromium

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

// deadEnd is an address on loopback that refuses every connection: a socket that is bound, so that nobody
// else can have the port, and never listens.
type deadEnd struct {
	fd   int
	addr netip.AddrPort
}

func newDeadEnd() (*deadEnd, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	syscall.CloseOnExec(fd)
	port, err := bindLoopback(fd)
	if err != nil {
		_ = syscall.Close(fd)
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	return &deadEnd{fd: fd, addr: netip.AddrPortFrom(netip.AddrFrom4(loopback), port)}, nil
}

var loopback = [4]byte{127, 0, 0, 1}

func bindLoopback(fd int) (uint16, error) {
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: loopback}); err != nil {
		return 0, err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	local, ok := name.(*syscall.SockaddrInet4)
	if !ok {
		return 0, errors.New("not an IPv4 socket")
	}
	return uint16(local.Port), nil //nolint:gosec // a port has 16 bits
}

func (d *deadEnd) close() { _ = syscall.Close(d.fd) }
