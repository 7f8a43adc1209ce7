package pdf

import (
	"math"
	"strconv"
	"unicode/utf16"
)

// The append functions write the objects of ISO 32000-1 section 7.3.

// ref is the number of an indirect object; its generation is always 0. Zero is no object.
type ref int

func appendRef(b []byte, r ref) []byte {
	b = strconv.AppendInt(b, int64(r), 10)
	return append(b, " 0 R"...)
}

// appendEntry writes a key of a dictionary and the reference it stands for.
func appendEntry(b []byte, key string, r ref) []byte {
	b = appendName(b, key)
	b = append(b, ' ')
	return appendRef(b, r)
}

// appendInt writes a key of a dictionary and a whole number.
func appendInt(b []byte, key string, v int) []byte {
	return strconv.AppendInt(append(appendName(b, key), ' '), int64(v), 10)
}

// appendNumber writes a length to a thousandth of a point.
func appendNumber(b []byte, v float64) []byte { return appendFixed(b, v, 3) }

// appendFine writes a coefficient, where a small error is multiplied.
func appendFine(b []byte, v float64) []byte { return appendFixed(b, v, 6) }

// numberBound keeps hostile lengths in the range that readers handle (Annex C asks for 2^15 at least; all do 2^31).
const numberBound = 1e8

// scales are the powers of ten, by how many decimals they leave.
var scales = [...]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000}

func appendFixed(b []byte, v float64, decimals int) []byte {
	if math.IsNaN(v) {
		v = 0
	}
	v = min(max(v, -numberBound), numberBound)
	scale := scales[decimals]
	n := int64(math.Round(v * float64(scale)))
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	b = strconv.AppendInt(b, n/scale, 10)
	fraction := n % scale
	if fraction == 0 {
		return b
	}
	b = append(b, '.')
	for fraction > 0 {
		scale /= 10
		b = append(b, '0'+byte(fraction/scale)) //nolint:gosec // G115: one digit
		fraction %= scale
	}
	return b
}

// appendNumbers writes lengths with spaces between them.
func appendNumbers(b []byte, values ...float64) []byte {
	for i, v := range values {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendNumber(b, v)
	}
	return b
}

// appendName writes a name and escapes what is not regular (7.3.5).
func appendName(b []byte, name string) []byte {
	b = append(b, '/')
	for i := range len(name) {
		c := name[i]
		if regular(c) {
			b = append(b, c)
			continue
		}
		b = append(b, '#', hexDigits[c>>4], hexDigits[c&15])
	}
	return b
}

func regular(c byte) bool {
	switch c {
	case '#', '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return false
	}
	return c > ' ' && c < 0x7f
}

const hexDigits = "0123456789ABCDEF"

// appendText writes a text string (7.9.2.2): ASCII as it is, anything else as UTF-16 with a byte order mark.
func appendText(b []byte, s string) []byte {
	if ascii(s) {
		return appendBytes(b, s)
	}
	b = append(b, "<FEFF"...)
	b = appendUTF16(b, s)
	return append(b, '>')
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' {
			return false
		}
	}
	return true
}

// appendBytes writes a string literal (7.3.4.2).
func appendBytes(b []byte, s string) []byte {
	b = append(b, '(')
	for i := range len(s) {
		switch c := s[i]; c {
		case '(', ')', '\\':
			b = append(b, '\\', c)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, c)
		}
	}
	return append(b, ')')
}

// appendUTF16 writes s in UTF-16BE as hexadecimal digits.
func appendUTF16(b []byte, s string) []byte {
	for _, r := range s {
		if hi, lo := utf16.EncodeRune(r); hi != '\uFFFD' {
			b = appendHex16(appendHex16(b, uint16(hi)), uint16(lo)) //nolint:gosec // G115: surrogates have 16 bits
			continue
		}
		b = appendHex16(b, uint16(r)) //nolint:gosec // G115: what has no surrogates has 16 bits
	}
	return b
}

func appendHex16(b []byte, v uint16) []byte {
	return append(b, hexDigits[v>>12], hexDigits[v>>8&15], hexDigits[v>>4&15], hexDigits[v&15])
}
