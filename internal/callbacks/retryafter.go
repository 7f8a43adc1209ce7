package callbacks

import (
	"net/http"
	"strings"
	"time"
)

// MaxRetryAfter caps what a receiver can ask for.
const MaxRetryAfter = time.Hour

// RetryAfter reads the Retry-After header of an answer (RFC 9110, section 10.2.3): seconds or an HTTP date. It counts on
// 429 and 503 only. Garbage, negative and past values are 0, values above [MaxRetryAfter] are cut to it.
func RetryAfter(status int, header http.Header, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, ok := parseSeconds(text); ok {
		return seconds
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(0, date.Sub(now)), MaxRetryAfter)
}

// parseSeconds reads digits, however many: a number too large for an integer is still a long wait.
func parseSeconds(text string) (time.Duration, bool) {
	var wait time.Duration
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		wait = min(10*wait+time.Duration(digit-'0')*time.Second, MaxRetryAfter)
	}
	return wait, text != ""
}
