package callbacks

import (
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxResponseBytes is how much of an answer is read and kept.
const maxResponseBytes = 1 << 10

// readResponse reads the beginning of an answer's body and makes text of it. What is encoded (although we asked for
// identity) is read but not kept: inflating it would turn a few bytes into many. The error says that the body
// broke off before its end or our limit.
func readResponse(res *http.Response) (string, error) {
	if res.StatusCode == http.StatusSwitchingProtocols {
		return "", nil // what follows is no body, and reading it would heed no deadline
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxResponseBytes))
	if encoding := res.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return "", err
	}
	return excerpt(raw), err
}

// excerpt returns raw as valid UTF-8 of at most 1 KiB. Control characters would reach a terminal that shows it,
// so they become U+FFFD, like bytes that are no character.
func excerpt(raw []byte) string {
	text := strings.Map(printable, string(wholeRunes(raw))) // an invalid byte maps like U+FFFD, which it reads as
	if len(text) <= maxResponseBytes {
		return text
	}
	end := maxResponseBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// wholeRunes cuts off a character that our limit cut in two.
func wholeRunes(raw []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(raw); n++ {
		tail := raw[len(raw)-n:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if !utf8.FullRune(tail) {
			return raw[:len(raw)-n]
		}
		break
	}
	return raw
}

func printable(r rune) rune {
	if (r < ' ' && r != '\n' && r != '\t') || (r >= 0x7f && r < 0xa0) {
		return utf8.RuneError
	}
	return r
}
