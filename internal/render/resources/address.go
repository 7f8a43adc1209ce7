package resources

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ownOrigin stands for the page's own place, which has no address yet; .invalid is no domain (RFC 6761).
var ownOrigin = &url.URL{Scheme: "https", Host: "page.platen.invalid", Path: "/"}

const maxAddress = 16 << 10 // bytes, data: apart

// own reports whether an address lies at the page's own place, where the job's files are.
func own(u *url.URL) bool { return u.Scheme == ownOrigin.Scheme && u.Host == ownOrigin.Host }

var (
	errNoHost    = errors.New("no host")
	errTooLong   = errors.New("too long")
	schemePrefix = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	defaultPorts = map[string]string{"http": ":80", "https": ":443"}
)

// resolve reads a reference as a browser does (the URL standard, section 4.4, for http and https) and makes it
// absolute, without fragment: blanks around it and line breaks in it do not count, a backslash is a slash, the
// host is lower case and in ASCII, the usual port is left out.
func resolve(base *url.URL, raw string) (*url.URL, error) {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	raw = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, raw)
	raw, _, _ = strings.Cut(raw, "#")
	if scheme := strings.ToLower(schemePrefix.FindString(raw)); scheme != "" && scheme != "http:" && scheme != "https:" {
		return &url.URL{Scheme: strings.TrimSuffix(scheme, ":"), Opaque: raw[len(scheme):]}, nil
	}
	if len(raw) > maxAddress {
		return nil, errTooLong
	}
	u, err := url.Parse(escape(raw))
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller only tells that the address is malformed
	}
	u = base.ResolveReference(u)
	u.Fragment = ""
	if u.Host == "" {
		return nil, errNoHost
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), defaultPorts[u.Scheme])
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if ascii, err := idna.Lookup.ToASCII(host); err == nil {
			host = ascii
		}
	}
	u.Host = host
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// escape mends what a browser would mend on its way: blanks, backslashes, stray percent signs, and in the
// query everything that is not ASCII, which url.URL leaves as it is.
func escape(raw string) string {
	var b strings.Builder
	query := false
	for i := range len(raw) {
		c := raw[i]
		query = query || c == '?'
		switch {
		case c == '\\' && !query:
			b.WriteByte('/')
		case c == '%' && !query && !isEscape(raw[i:]), c <= ' ', c == 0x7f, query && (c >= 0x80 || strings.IndexByte(`"'<>`, c) >= 0):
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isEscape(s string) bool {
	return len(s) >= 3 && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// fileAddress is how files are compared: escapes resolved, without the query, which a file does not have.
func fileAddress(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// display names a resource in a warning: a file by its name, anything else without what may be secret.
func display(u *url.URL) string {
	switch {
	case own(u):
		return shorten(strings.TrimPrefix(u.Path, "/"))
	case u.Opaque != "":
		address, _, _ := strings.Cut(u.Opaque, "?")
		return shorten(u.Scheme + ":" + address)
	}
	return shorten((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
}

func shorten(name string) string {
	const most = 200
	name = strings.ToValidUTF8(name, "\uFFFD")
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
