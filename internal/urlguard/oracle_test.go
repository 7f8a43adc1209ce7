package urlguard_test

import (
	"bytes"
	"net/netip"
)

// public is a second opinion for the tests, written as first and last addresses and not as prefixes, so that a slip
// in the tables of the package is not repeated here.
func public(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	for _, r := range notPublic {
		first, last := netip.MustParseAddr(r[0]), netip.MustParseAddr(r[1])
		if first.BitLen() == addr.BitLen() && first.Compare(addr) <= 0 && addr.Compare(last) <= 0 {
			return false
		}
	}
	id := addr.AsSlice()[addr.BitLen()/16:]
	return !bytes.HasPrefix(id, []byte{0, 0, 0x5e, 0xfe}) && !bytes.HasPrefix(id, []byte{2, 0, 0x5e, 0xfe})
}

var notPublic = [][2]string{
	{"0.0.0.0", "0.255.255.255"},
	{"10.0.0.0", "10.255.255.255"},
	{"100.64.0.0", "100.127.255.255"},
	{"127.0.0.0", "127.255.255.255"},
	{"168.63.129.16", "168.63.129.16"},
	{"169.254.0.0", "169.254.255.255"},
	{"172.16.0.0", "172.31.255.255"},
	{"192.0.0.0", "192.0.0.255"},
	{"192.0.2.0", "192.0.2.255"},
	{"192.31.196.0", "192.31.196.255"},
	{"192.52.193.0", "192.52.193.255"},
	{"192.88.99.0", "192.88.99.255"},
	{"192.168.0.0", "192.168.255.255"},
	{"192.175.48.0", "192.175.48.255"},
	{"198.18.0.0", "198.19.255.255"},
	{"198.51.100.0", "198.51.100.255"},
	{"203.0.113.0", "203.0.113.255"},
	{"224.0.0.0", "255.255.255.255"},
	{"::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"},
	{"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"},
	{"4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
}
