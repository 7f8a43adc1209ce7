package blobs

import "strings"

const (
	maxName    = 512 // bytes of a whole name
	maxSegment = 255 // bytes between two slashes: NAME_MAX of the common file systems
)

// CheckName returns nil for a name that every store can keep, else ErrName: at most 512 bytes, segments of 1 to
// 255 letters, digits, dots, underscores and hyphens (ASCII) with slashes between them. No segment begins
// with a dot and ".." stands nowhere, so a name cannot climb and cannot meet the files that a store keeps
// for itself.
func CheckName(name string) error {
	if len(name) > maxName {
		return ErrName.With("The name of the blob is longer than %d bytes.", maxName)
	}
	for segment := range strings.SplitSeq(name, "/") {
		if !validSegment(segment) {
			return ErrName.With("The name of the blob has a segment that is not allowed: %.40q.", segment)
		}
	}
	return nil
}

func validSegment(s string) bool {
	if s == "" || len(s) > maxSegment || s[0] == '.' || strings.Contains(s, "..") {
		return false
	}
	for _, c := range []byte(s) {
		if !validByte(c) {
			return false
		}
	}
	return true
}

func validByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}
