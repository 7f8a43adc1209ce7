package urlguard

import (
	"errors"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxURL is the longest URL in bytes that is read at all.
const maxURL = 2048

// Parse judges the text of an absolute URL and returns it with its host in canonical form: ASCII, lower case, an
// address in its shortest spelling. It looks nothing up. Its only error is [ErrDenied], perhaps for an [ErrShape].
//
// The authority is taken apart here and not by net/url, which decodes percent escapes in hosts, accepts ports beyond
// 65535 and an empty user: what is judged has to be what is called.
func (p Policy) Parse(raw string) (*url.URL, error) {
	u, _, _, err := p.parse(raw)
	return u, err
}

func (p Policy) parse(raw string) (u *url.URL, t target, named bool, err error) {
	if err := checkText(raw); err != nil {
		return nil, target{}, false, err
	}
	scheme, authority, tail, err := split(raw)
	if err != nil {
		return nil, target{}, false, err
	}
	t, err = parseTarget(authority, schemePorts[scheme])
	if err != nil {
		return nil, target{}, false, err
	}
	if scheme == "http" && !p.AllowHTTP && !p.allows(t) {
		return nil, target{}, false, misshapen("scheme http is not allowed")
	}
	named, err = p.admit(t)
	if err != nil {
		return nil, target{}, false, err
	}
	u, err = url.Parse(scheme + "://" + t.authority() + tail)
	if err != nil {
		return nil, target{}, false, denied("parse: %w", withoutURL(err))
	}
	return u, t, named, nil
}

// schemePorts are the schemes that are known, with the port each one means when a URL names none (RFC 9110,
// sections 4.2.1 and 4.2.2).
var schemePorts = map[string]uint16{"https": 443, "http": 80}

// split takes raw apart as RFC 3986, section 3, has it. A URL with a fragment is refused: nobody would ever see it.
func split(raw string) (scheme, authority, tail string, err error) {
	scheme, rest, ok := strings.Cut(raw, "://")
	scheme = strings.ToLower(scheme)
	if !ok || schemePorts[scheme] == 0 {
		return "", "", "", misshapen("not an absolute http or https URL")
	}
	if strings.Contains(rest, "#") {
		return "", "", "", misshapen("has a fragment")
	}
	authority = rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	return scheme, authority, tail, nil
}

// withoutURL keeps paths and queries, which may be secret, out of the reason.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// checkText refuses what two parsers may read in two ways, or what a person cannot see. Nothing is trimmed.
func checkText(raw string) error {
	if len(raw) > maxURL {
		return misshapen("%d bytes are more than %d", len(raw), maxURL)
	}
	if !utf8.ValidString(raw) {
		return misshapen("not valid UTF-8")
	}
	for i, r := range raw {
		if unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\\' {
			return misshapen("character %U at byte %d", r, i)
		}
	}
	return nil
}
