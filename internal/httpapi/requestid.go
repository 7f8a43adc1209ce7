package httpapi

import (
	"crypto/rand"
	"net/http"
	"regexp"
)

// saneID is what is taken over from a proxy in front: it ends up in headers, answers and logs.
var saneID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// requestID is the X-Request-Id that came with a request, if it is sane, or a new one.
func requestID(h http.Header) string {
	if id := h.Get("X-Request-Id"); saneID.MatchString(id) {
		return id
	}
	return rand.Text()
}
