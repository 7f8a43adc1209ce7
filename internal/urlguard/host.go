package urlguard

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// target is where a call goes: a name or a literal address, and a port.
type target struct {
	name    string     // lower-case ASCII, without the dot of the root; empty for a literal
	rooted  bool       // the name was written with that dot
	addr    netip.Addr // valid for a literal only
	port    uint16
	hasPort bool // the port was written
}

// parseTarget reads "host" or "host:port". A port of zero in place of defaultPort makes the port mandatory.
func parseTarget(authority string, defaultPort uint16) (target, error) {
	host, port, hasPort, err := splitAuthority(authority)
	switch {
	case err != nil:
		return target{}, err
	case host == "":
		return target{}, misshapen("has no host")
	}
	t, err := parseHost(host)
	if err != nil {
		return target{}, err
	}
	t.port, t.hasPort = defaultPort, hasPort
	if !hasPort && defaultPort != 0 {
		return t, nil
	}
	t.port, err = parsePort(port)
	return t, err
}

// authority spells the target for a URL.
func (t target) authority() string {
	host := t.name
	switch {
	case t.addr.Is6():
		host = "[" + t.addr.String() + "]"
	case t.addr.Is4():
		host = t.addr.String()
	case t.rooted:
		host += "."
	}
	if t.hasPort {
		host += ":" + strconv.Itoa(int(t.port))
	}
	return host
}

func splitAuthority(authority string) (host, port string, hasPort bool, err error) {
	if strings.Contains(authority, "@") {
		return "", "", false, misshapen("has user information")
	}
	if !strings.HasPrefix(authority, "[") {
		host, port, hasPort = strings.Cut(authority, ":")
		return host, port, hasPort, nil
	}
	end := strings.IndexByte(authority, ']') + 1
	if end == 0 {
		return "", "", false, misshapen("unclosed bracket in the host")
	}
	host, rest := authority[:end], authority[end:]
	port, hasPort = strings.CutPrefix(rest, ":")
	if rest != "" && !hasPort {
		return "", "", false, misshapen("text after the bracket of the host")
	}
	return host, port, hasPort, nil
}

// parsePort accepts one spelling of a port: decimal without sign and leading zeros.
func parsePort(s string) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != s {
		return 0, misshapen("port %q is not a canonical port number", s)
	}
	return uint16(n), nil
}

// parseHost reads a bracketed IPv6 address, a dotted quad in the one spelling all parsers agree on, or a name.
// A mapped or zoned IPv6 literal is refused whatever is behind it: no receiver needs that spelling.
func parseHost(host string) (target, error) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Is4In6() || addr.Zone() != "" {
			return target{}, denied("%s is not a plain IPv6 address", host)
		}
		return target{addr: addr}, nil
	}
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is4() {
		return target{addr: addr}, nil
	}
	name, rooted, err := parseName(host)
	return target{name: name, rooted: rooted}, err
}

// lookupProfile maps names as browsers do: UTS #46, not transitional, and without the check that would refuse
// "r3---sn.example.com". Which ASCII characters a label may have is decided by checkLabel.
var lookupProfile = idna.New(
	idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false),
)

// parseName returns the ASCII form of a name and whether it ended in the dot of the root (RFC 1034, section 3.1).
func parseName(raw string) (name string, rooted bool, err error) {
	if len(raw) > maxURL {
		return "", false, denied("the host is too long")
	}
	if i := strings.IndexFunc(raw, vanishes); i >= 0 {
		return "", false, denied("host %q has an invisible character at byte %d", raw, i)
	}
	ascii, err := lookupProfile.ToASCII(raw)
	if err != nil {
		return "", false, denied("host %q: %w", raw, err)
	}
	name, rooted = strings.CutSuffix(ascii, ".")
	if len(name) > 253 {
		return "", false, denied("the host name has %d bytes, more than 253", len(name))
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if err := checkLabel(label); err != nil {
			return "", false, err
		}
	}
	if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
		return "", false, denied("the last label of %q starts with a digit, as an address may", name)
	}
	return name, rooted, nil
}

// vanishes reports a format character, such as the soft hyphen, that the mapping drops without a trace. The two
// joiners stay: some scripts need them, and the profile knows where.
func vanishes(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d'
}

// checkLabel accepts letters, digits, hyphens inside (RFC 1123, section 2.1) and underscores, which exist in the wild.
func checkLabel(label string) error {
	if label == "" || len(label) > 63 {
		return denied("label %q has not 1 to 63 bytes", label)
	}
	if label[0] == '-' || label[len(label)-1] == '-' {
		return denied("label %q begins or ends with a hyphen", label)
	}
	for _, c := range []byte(label) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return denied("label %q has the character %q", label, c)
		}
	}
	return nil
}

// localDomains never name a public host: RFC 6761 (localhost), RFC 6762 (local), RFC 7686 (onion), RFC 8375
// (home.arpa), ICANN resolution 2024.07.29.06 (internal), and the alias in many hosts files (localdomain).
var localDomains = []string{"localhost", "localdomain", "local", "internal", "home.arpa", "onion"}

// checkPublicName refuses names that only a local resolver, a hosts file or a search list can answer.
func checkPublicName(name string) error {
	if !strings.Contains(name, ".") {
		return denied("%q has a single label", name)
	}
	for _, domain := range localDomains {
		if name == domain || strings.HasSuffix(name, "."+domain) {
			return denied("%q is a local name (%s)", name, domain)
		}
	}
	return nil
}
