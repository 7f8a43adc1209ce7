package urlguard

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Rule is one exception of a [Policy]: a host, the hosts under a suffix, or a range of addresses; at one port or at
// all. [ParseRules] makes them. The zero Rule allows nothing.
type Rule struct {
	name   string       // "receiver", or ".corp.example" for what is under corp.example
	prefix netip.Prefix // valid when name is empty
	port   uint16       // zero means every port
}

// ParseRules reads a comma-separated list of exact hosts ("receiver"), suffixes ("*.corp.example"; not corp.example
// itself), addresses and CIDRs ("10.1.0.0/16"), each with an optional ":port". IPv6 with a port needs brackets:
// "[fd12::/16]:8080". White space around entries is ignored; a blank list has no rules. The error names every bad
// entry.
func ParseRules(list string) ([]Rule, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var rules []Rule
	var errs []error
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		rule, err := parseRule(entry)
		if err != nil {
			errs = append(errs, fmt.Errorf("entry %q: %w", entry, err))
			continue
		}
		rules = append(rules, rule)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return rules, nil
}

// String spells the rule as ParseRules reads it.
func (r Rule) String() string {
	host := r.name
	switch {
	case r.name == "":
		host = r.prefix.String()
	case r.name[0] == '.':
		host = "*" + r.name
	}
	if r.port == 0 {
		return host
	}
	if r.name == "" && r.prefix.Addr().Is6() {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(r.port))
}

func parseRule(entry string) (Rule, error) {
	host, port, err := splitRule(entry)
	if err != nil {
		return Rule{}, err
	}
	rule, err := parseRuleHost(host)
	rule.port = port
	return rule, err
}

func splitRule(entry string) (host string, port uint16, err error) {
	if inner, ok := strings.CutPrefix(entry, "["); ok {
		host, rest, closed := strings.Cut(inner, "]")
		text, hasPort := strings.CutPrefix(rest, ":")
		if !closed || !strings.Contains(host, ":") || rest != "" && !hasPort {
			return "", 0, errors.New("brackets are for [IPv6] and [IPv6]:port")
		}
		if !hasPort {
			return host, 0, nil
		}
		port, err = rulePort(text)
		return host, port, err
	}
	if strings.Count(entry, ":") != 1 { // none, or bare IPv6
		return entry, 0, nil
	}
	host, text, _ := strings.Cut(entry, ":")
	port, err = rulePort(text)
	return host, port, err
}

func rulePort(text string) (uint16, error) {
	port, err := parsePort(text)
	if err != nil {
		return 0, fmt.Errorf("port %q is not a number from 1 to 65535", text)
	}
	return port, nil
}

func parseRuleHost(host string) (Rule, error) {
	if strings.Contains(host, "/") {
		prefix, err := netip.ParsePrefix(host)
		if err != nil {
			return Rule{}, errors.New("not a CIDR")
		}
		return addrRule(prefix)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return Rule{}, errors.New("an address with a zone can never be allowed")
		}
		return addrRule(netip.PrefixFrom(addr, addr.BitLen()))
	}
	suffix, wild := strings.CutPrefix(host, "*.")
	name, _, err := parseName(suffix)
	if err != nil {
		return Rule{}, errors.New("not a host, *.suffix, address or CIDR")
	}
	if wild {
		name = "." + name
	}
	return Rule{name: name}, nil
}

// addrRule refuses a prefix that could never match, because then its author means something else.
func addrRule(prefix netip.Prefix) (Rule, error) {
	if prefix.Addr().Is4In6() {
		return Rule{}, errors.New("a mapped address is written as IPv4")
	}
	if prefix != prefix.Masked() {
		return Rule{}, fmt.Errorf("has bits beyond its length; %s is the range", prefix.Masked())
	}
	for _, b := range sealedBlocks {
		if b.prefix.Bits() <= prefix.Bits() && b.prefix.Contains(prefix.Addr()) && prefix.Addr() != netip.IPv6Loopback() {
			return Rule{}, fmt.Errorf("%s (%s) can never be allowed", b.what, b.prefix)
		}
	}
	return Rule{prefix: prefix}, nil
}

func (p Policy) allowsName(name string, port uint16) bool {
	for _, r := range p.Allow {
		hit := name == r.name || strings.HasPrefix(r.name, ".") && strings.HasSuffix(name, r.name)
		if hit && r.covers(port) {
			return true
		}
	}
	return false
}

// allows reports whether a rule names the target, whatever is true of it besides.
func (p Policy) allows(t target) bool {
	if t.name == "" {
		return p.allowsAddr(t.addr, t.port)
	}
	return p.allowsName(t.name, t.port)
}

func (p Policy) allowsAddr(addr netip.Addr, port uint16) bool {
	for _, r := range p.Allow {
		if r.prefix.Contains(addr) && r.covers(port) {
			return true
		}
	}
	return false
}

func (r Rule) covers(port uint16) bool { return r.port == 0 || r.port == port }
