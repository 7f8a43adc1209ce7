// Package urlguard decides which addresses Platen may call: callback receivers, and whatever a document asks for.
//
// A [Policy] judges in three steps, and no step trusts the one before it. [Policy.Parse] judges the text of a URL;
// [Policy.Check] also looks the host up and judges every address; [Policy.DialContext] does both again when a
// connection is made, dials only what it judged, and judges once more in the socket's control hook. The clients
// ([Policy.Client]) and the forward proxy for browsers ([Proxy]) reach the network by DialContext alone.
//
// A refusal tells its caller nothing but that it is one. The exact reason is the cause of the error, for the log.
package urlguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"

	"github.com/platen-render/platen/internal/fault"
)

// Faults. Neither message says which rule was broken or what a name resolved to; that is in the cause.
var (
	// ErrDenied says that the policy does not let Platen call this address. Trying again cannot help.
	ErrDenied = fault.New(fault.Invalid, "url_denied", "The URL is not allowed.")
	// ErrUnresolved says that the host name has no address now. It is weather, not policy.
	ErrUnresolved = fault.New(fault.Unavailable, "host_unresolved", "The host of the URL could not be resolved.")
)

// ErrShape is in the cause of an [ErrDenied] that is about the spelling of the URL alone: its length and characters, its scheme, that it has
// a host, no user information and no fragment, and how its port is written. Whoever wrote the URL may be told of that: it
// says nothing about hosts and addresses.
var ErrShape = errors.New("not an absolute https URL")

// Policy says which addresses may be called. The zero Policy is the strictest: https on ports 443 and 8443, to
// public addresses, by the system's resolver. Its methods may be called concurrently; the fields must not change
// meanwhile.
type Policy struct {
	// AllowHTTP accepts http besides https, and with it ports 80 and 8080.
	AllowHTTP bool
	// Ports are accepted besides those.
	Ports []uint16
	// Allow lists the exceptions. A rule for a host admits it by any scheme and at any port that the rule covers,
	// with whatever addresses it has. A rule for addresses does the same for a URL that spells the address; a name
	// that resolves into it keeps the rules for names, schemes and ports.
	// No rule admits link-local, metadata and IPv4-embedding addresses.
	Allow []Rule
	// Resolver looks names up; nil means net.DefaultResolver.
	Resolver Resolver

	dial dialFunc // replaces the socket in tests
}

// Resolver looks up the addresses of a name. *net.Resolver is one.
type Resolver interface {
	// LookupNetIP returns the addresses of host, as net.Resolver's method of that name. It must be safe for
	// concurrent use and return when ctx ends.
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Check parses raw and judges every address its host has now: one that may not be called refuses the URL. It returns
// the URL with its host in canonical form, [ErrDenied], or [ErrUnresolved]. The answer is about this moment:
// DialContext asks again.
func (p Policy) Check(ctx context.Context, raw string) (*url.URL, error) {
	u, t, named, err := p.parse(raw)
	if err != nil {
		return nil, err
	}
	if _, err := p.resolve(ctx, t, named); err != nil {
		return nil, err
	}
	return u, nil
}

// admit judges a target before any look-up. named reports that a rule admits the host by name, so that its addresses
// need not be public.
func (p Policy) admit(t target) (named bool, err error) {
	if t.name == "" {
		return false, p.admitLiteral(t)
	}
	if p.allowsName(t.name, t.port) {
		return true, nil
	}
	if err := checkPublicName(t.name); err != nil {
		return false, err
	}
	return false, p.checkPort(t.port)
}

func (p Policy) admitLiteral(t target) error {
	if err := p.judge(netip.AddrPortFrom(t.addr, t.port), false); err != nil {
		return err
	}
	if p.allowsAddr(t.addr, t.port) {
		return nil
	}
	return p.checkPort(t.port)
}

func (p Policy) checkPort(port uint16) error {
	switch {
	case port == 443, port == 8443, slices.Contains(p.Ports, port):
		return nil
	case p.AllowHTTP && (port == 80 || port == 8080):
		return nil
	default:
		return denied("port %d is not on the list", port)
	}
}

// resolve returns the addresses of t, all of them judged. A name is looked up as an absolute one, so that no search
// list of the resolver makes another name of it; only a host that a rule names is looked up as written, because
// short service names live by that list.
func (p Policy) resolve(ctx context.Context, t target, named bool) ([]netip.AddrPort, error) {
	if t.name == "" {
		return []netip.AddrPort{netip.AddrPortFrom(t.addr, t.port)}, nil
	}
	name := t.name
	if t.rooted || !named {
		name += "."
	}
	addrs, err := p.resolver().LookupNetIP(ctx, "ip", name)
	if err != nil {
		return nil, ErrUnresolved.Because(fmt.Errorf("look up %q: %w", name, err))
	}
	if len(addrs) == 0 {
		return nil, ErrUnresolved.Because(fmt.Errorf("look up %q: no address", name))
	}
	return p.judgeAll(addrs, t, named)
}

func (p Policy) judgeAll(addrs []netip.Addr, t target, named bool) ([]netip.AddrPort, error) {
	judged := make([]netip.AddrPort, 0, len(addrs))
	for _, addr := range addrs {
		ap := netip.AddrPortFrom(addr, t.port)
		if err := p.judge(ap, named); err != nil {
			return nil, ErrDenied.Because(fmt.Errorf("%s resolves to %s: %w", t.name, addr, err))
		}
		judged = append(judged, netip.AddrPortFrom(addr.Unmap(), t.port))
	}
	return judged, nil
}

func (p Policy) resolver() Resolver {
	if p.Resolver == nil {
		return net.DefaultResolver
	}
	return p.Resolver
}

func denied(format string, args ...any) error {
	return ErrDenied.Because(fmt.Errorf(format, args...))
}

// misshapen is denied for an [ErrShape].
func misshapen(format string, args ...any) error {
	return ErrDenied.Because(fmt.Errorf("%w: %w", ErrShape, fmt.Errorf(format, args...)))
}
