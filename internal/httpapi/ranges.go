package httpapi

import (
	"math"
	"net/http"
	"strconv"
	"strings"
)

// readableRange is the Range of a request in the spelling that [http.ServeContent] reads, or "" for one that is to be
// ignored: none, one of another unit, or one that cannot be read (RFC 9110, section 14.2). ServeContent would answer the
// last two with 416, which is for ranges that lie outside of the content alone.
func readableRange(h http.Header) string {
	lines := h.Values("Range")
	if len(lines) != 1 {
		return ""
	}
	unit, set, ok := strings.Cut(lines[0], "=")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return ""
	}
	var ranges []string
	for spec := range strings.SplitSeq(set, ",") {
		if spec = strings.Trim(spec, " \t"); spec == "" {
			continue // an empty element of a list means nothing (section 5.6.1)
		}
		r, ok := readableSpec(spec)
		if !ok {
			return ""
		}
		ranges = append(ranges, r)
	}
	if len(ranges) == 0 {
		return ""
	}
	return "bytes=" + strings.Join(ranges, ",")
}

// beyond is a range that no content satisfies.
const beyond = "9223372036854775807-"

// readableSpec reads "0-99", "100-" or "-100" (RFC 9110, section 14.1.2).
func readableSpec(spec string) (string, bool) {
	first, last, ok := strings.Cut(spec, "-")
	if !ok || first == "" && last == "" {
		return "", false
	}
	from, okFrom := position(first)
	to, okTo := position(last)
	switch {
	case !okFrom, !okTo, first != "" && last != "" && to < from:
		return "", false
	case first == "" && to == 0:
		return beyond, true // the last 0 bytes
	case first == "":
		return "-" + strconv.FormatInt(to, 10), true
	case last == "":
		return strconv.FormatInt(from, 10) + "-", true
	}
	return strconv.FormatInt(from, 10) + "-" + strconv.FormatInt(to, 10), true
}

// position reads digits, of which there may be any number. None are 0.
func position(digits string) (int64, bool) {
	if strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt("0"+digits, 10, 64)
	if err != nil {
		return math.MaxInt64, true // too large for any content
	}
	return n, true
}
