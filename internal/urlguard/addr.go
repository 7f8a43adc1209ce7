package urlguard

import (
	"net/netip"
)

// The rules of this file, in their order: an address with a zone is refused. A mapped IPv4 address is the IPv4 address
// in it. What sealedBlocks lists is refused whatever the policy allows. What a rule allows is accepted. Of IPv4
// everything is public but ipv4Blocks; of IPv6 nothing is public but 2000::/3 without ipv6Blocks, so that what IANA
// assigns later stays closed until someone has looked at it.

// CheckAddr judges one address, and nothing else: that its port is on the list is for Parse and DialContext. It
// returns nil for a public address and for one that a rule allows at this port, else [ErrDenied].
func (p Policy) CheckAddr(ap netip.AddrPort) error { return p.judge(ap, false) }

// judge is CheckAddr for an address whose host a rule may have admitted by name.
func (p Policy) judge(ap netip.AddrPort, named bool) error {
	addr := ap.Addr()
	if !addr.IsValid() || addr.Zone() != "" {
		return denied("%q is not a plain address", addr)
	}
	addr = addr.Unmap()
	if b, ok := sealed(addr); ok {
		return denied("%s is %s (%s), which no rule can allow", addr, b.what, b.source)
	}
	if named || p.allowsAddr(addr, ap.Port()) {
		return nil
	}
	if b, ok := special(addr); ok {
		return denied("%s is %s (%s)", addr, b.what, b.source)
	}
	return nil
}

// block is a range of addresses with the reason to refuse it.
type block struct {
	prefix netip.Prefix
	what   string
	source string
}

// sealed finds an address that is refused even when a rule covers it. The IPv4-embedding ones are here because a rule
// for such a prefix would let every IPv4 address through unseen, the metadata addresses among them.
func sealed(addr netip.Addr) (block, bool) {
	if addr == netip.IPv6Loopback() {
		return block{}, false // the one useful address in ::/96
	}
	if isISATAP(addr) {
		return block{what: "an ISATAP interface identifier", source: "RFC 5214, section 6.1"}, true
	}
	return find(sealedBlocks, addr)
}

// special finds an address that is not public. addr is unmapped and has no zone.
func special(addr netip.Addr) (block, bool) {
	if addr.Is4() {
		return find(ipv4Blocks, addr)
	}
	if b, ok := find(ipv6Blocks, addr); ok {
		return b, true
	}
	return block{what: "outside global unicast 2000::/3", source: "RFC 4291, section 2.4"}, !globalUnicast.Contains(addr)
}

func find(blocks []block, addr netip.Addr) (block, bool) {
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b, true
		}
	}
	return block{}, false
}

// isISATAP reports an interface identifier that carries an IPv4 address behind 0000:5efe, or behind 0200:5efe when
// the universal bit is set.
func isISATAP(addr netip.Addr) bool {
	if !addr.Is6() {
		return false
	}
	b := addr.As16()
	return b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}

func cidr(s, what, source string) block { return block{netip.MustParsePrefix(s), what, source} }

var globalUnicast = netip.MustParsePrefix("2000::/3")

// sealedBlocks: link-local, the metadata services of the clouds, and IPv6 that stands for IPv4.
var sealedBlocks = []block{
	cidr("169.254.0.0/16", "link-local, where metadata services are", "RFC 3927"),
	cidr("168.63.129.16/32", "the Azure WireServer", "Azure documentation"),
	cidr("100.100.100.200/32", "the Alibaba Cloud metadata service", "Alibaba Cloud documentation"),
	cidr("192.0.0.192/32", "the Oracle Cloud metadata service", "Oracle Cloud documentation"),
	cidr("fe80::/10", "link-local", "RFC 4291, section 2.5.6"),
	cidr("fd00:ec2::254/128", "the AWS metadata service", "AWS documentation"),
	cidr("fd20:ce::254/128", "the Google Cloud metadata service", "Google Cloud documentation"),
	cidr("fd00:42::42/128", "the Scaleway metadata service", "Scaleway documentation"),
	cidr("::/96", "unspecified or IPv4-compatible", "RFC 4291, sections 2.5.2 and 2.5.5.1"),
	cidr("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765, section 2.1"),
	cidr("64:ff9b::/96", "NAT64", "RFC 6052, section 2.1"),
	cidr("64:ff9b:1::/48", "local-use NAT64", "RFC 8215"),
	cidr("2001::/32", "Teredo", "RFC 4380"),
	cidr("2002::/16", "6to4", "RFC 3056"),
}

// ipv4Blocks is the IANA IPv4 Special-Purpose Address Registry (RFC 6890, as updated by RFC 8190), entire: also the
// few blocks it calls globally reachable, where no receiver is; and multicast and the Azure WireServer, which the
// registry does not list.
var ipv4Blocks = []block{
	cidr("0.0.0.0/8", "this network", "RFC 791, section 3.2"),
	cidr("10.0.0.0/8", "private", "RFC 1918"),
	cidr("100.64.0.0/10", "shared by carrier-grade NAT", "RFC 6598"),
	cidr("127.0.0.0/8", "loopback", "RFC 1122, section 3.2.1.3"),
	cidr("169.254.0.0/16", "link-local", "RFC 3927"),
	cidr("172.16.0.0/12", "private", "RFC 1918"),
	cidr("192.0.0.0/24", "an IETF protocol assignment", "RFC 6890, section 2.1"),
	cidr("192.0.2.0/24", "documentation", "RFC 5737"),
	cidr("192.31.196.0/24", "AS112", "RFC 7535"),
	cidr("192.52.193.0/24", "AMT", "RFC 7450"),
	cidr("192.88.99.0/24", "the old 6to4 relay anycast", "RFC 7526"),
	cidr("192.168.0.0/16", "private", "RFC 1918"),
	cidr("192.175.48.0/24", "AS112", "RFC 7534"),
	cidr("198.18.0.0/15", "benchmarking", "RFC 2544"),
	cidr("198.51.100.0/24", "documentation", "RFC 5737"),
	cidr("203.0.113.0/24", "documentation", "RFC 5737"),
	cidr("224.0.0.0/4", "multicast", "RFC 5771"),
	cidr("240.0.0.0/4", "reserved, or the limited broadcast", "RFC 1112, section 4; RFC 919, section 7"),
	cidr("168.63.129.16/32", "the Azure WireServer", "Azure documentation"),
}

// ipv6Blocks are the holes in 2000::/3, and then the names of some ranges outside it, for the reason only.
var ipv6Blocks = []block{
	cidr("2001::/23", "an IETF protocol assignment", "RFC 2928"),
	cidr("2001:db8::/32", "documentation", "RFC 3849"),
	cidr("2002::/16", "6to4", "RFC 3056"),
	cidr("2620:4f:8000::/48", "AS112", "RFC 7534"),
	cidr("3fff::/20", "documentation", "RFC 9637"),

	cidr("::1/128", "loopback", "RFC 4291, section 2.5.3"),
	cidr("fc00::/7", "unique local", "RFC 4193"),
	cidr("fec0::/10", "site-local", "RFC 3879"),
	cidr("ff00::/8", "multicast", "RFC 4291, section 2.7"),
}
