package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// etagOf names a representation by its bytes.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// knows reports whether the values of If-None-Match name the representation, by the weak comparison that RFC 9110,
// section 13.1.2, wants there. Ours hold no commas, so a tag of somebody else's that does cannot be mistaken for one.
func knows(ifNoneMatch []string, etag string) bool {
	for _, line := range ifNoneMatch {
		for tag := range strings.SplitSeq(line, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}
