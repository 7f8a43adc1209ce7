package jobs

import (
	"cmp"
	"strconv"
	"strings"
)

// Position is a place in the feed of a partition: that of an entry, which has happened then. The zero value is before all.
type Position struct{ Milliseconds, Sequence uint64 }

// ParsePosition reads what [Position.String] wrote, and reports whether it did.
func ParsePosition(text string) (Position, bool) {
	ms, seq, _ := strings.Cut(text, "-")
	milliseconds, err := strconv.ParseUint(ms, 10, 64)
	if err != nil {
		return Position{}, false
	}
	sequence, err := strconv.ParseUint(seq, 10, 64)
	p := Position{milliseconds, sequence}
	return p, err == nil && p.String() == text
}

// String is the position as streams and the store spell it.
func (p Position) String() string {
	return strconv.FormatUint(p.Milliseconds, 10) + "-" + strconv.FormatUint(p.Sequence, 10)
}

// Before reports whether p comes before q.
func (p Position) Before(q Position) bool {
	return cmp.Or(cmp.Compare(p.Milliseconds, q.Milliseconds), cmp.Compare(p.Sequence, q.Sequence)) < 0
}
