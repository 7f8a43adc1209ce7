package callbacks

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/fault"
)

// Bounds of custom headers.
const (
	maxHeaders          = 10
	maxHeaderNameBytes  = 64
	maxHeaderValueBytes = 1024
)

// Headers that a callback may not have from its tenant: the ones that frame the message, hop-by-hop ones (RFC 9110,
// section 7.6.1), and the ones that we set. Authorization is allowed, as is every name that is not here.
var (
	reservedNames = []string{
		"Accept-Encoding", "Connection", "Expect", "Host", "Http2-Settings", "Keep-Alive", "Te", "Trailer",
		"Transfer-Encoding", "Upgrade", "User-Agent",
	}
	reservedPrefixes = []string{"Content-", "Proxy-", "Webhook-"}
)

// ValidateHeaders judges the callback_headers of a request. Its fault names every header that is wrong, in the order
// of their names, with a pointer such as /callback_headers/Host. It never quotes a value, which may be a password.
func ValidateHeaders(headers map[string]string) error {
	if len(headers) > maxHeaders {
		return fault.At("/callback_headers", "field_invalid", "There are %d headers; at most %d are allowed.", len(headers), maxHeaders)
	}
	var fields []fault.Field
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		problem := headerProblem(name, headers[name])
		canonical := http.CanonicalHeaderKey(name)
		if problem == "" && seen[canonical] {
			problem = "The header is there twice; upper and lower case are the same."
		}
		seen[canonical] = true
		if problem != "" {
			fields = append(fields, fault.Field{Pointer: "/callback_headers/" + escape(name), Code: "field_invalid", Detail: problem})
		}
	}
	return invalid(fields)
}

// invalid returns nil, or one fault about all fields.
func invalid(fields []fault.Field) error {
	if len(fields) == 0 {
		return nil
	}
	first := fields[0]
	err := fault.At(first.Pointer, first.Code, "%s", first.Detail)
	err.Fields = fields
	return err
}

func headerProblem(name, value string) string {
	switch {
	case name == "" || len(name) > maxHeaderNameBytes || strings.ContainsFunc(name, notInToken):
		return "A name is 1 to 64 letters, digits, hyphens and the other characters that HTTP allows in one."
	case reserved(http.CanonicalHeaderKey(name)):
		return "The header is set by the service, or by no one."
	case value == "" || len(value) > maxHeaderValueBytes:
		return "A value has 1 to 1024 bytes."
	case strings.ContainsFunc(value, notInValue) || strings.Trim(value, " \t") != value:
		return "A value is printable ASCII, without line breaks and without white space at its ends."
	default:
		return ""
	}
}

func reserved(canonical string) bool {
	return slices.Contains(reservedNames, canonical) || slices.ContainsFunc(reservedPrefixes, func(prefix string) bool {
		return strings.HasPrefix(canonical, prefix)
	})
}

// notInToken is true outside of the token of RFC 9110, section 5.6.2.
func notInToken(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

func notInValue(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }

// escape makes a name a part of a JSON pointer (RFC 6901, section 3).
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
