package jobs

import (
	"crypto/rand"
	"errors"
	"hash/fnv"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// ID names a record: a kind, an underscore and a ULID, "job_01JX…". Its last byte is the partition that holds
// the record, so every look-up finds its place without a directory.
type ID string

// Kind is the prefix of an [ID].
type Kind string

// The kinds of records.
const (
	KindJob      Kind = "job"
	KindDocument Kind = "doc"
	KindEvent    Kind = "evt"
	KindDelivery Kind = "dlv"
	KindKey      Kind = "key"
	KindReplay   Kind = "rpl"
	KindPreview  Kind = "prv"
	KindBatch    Kind = "bat"
)

var errNotAnID = errors.New("not an id")

// NewID draws an id for a record in the given partition. The first six bytes are the time, nine are random and
// the last one is the partition. A monotonic source is not used: its low bytes count up, and with the last one
// overwritten two ids could be equal. Safe for concurrent use.
func NewID(kind Kind, partition int) ID {
	var u ulid.ULID
	_ = u.SetTime(ulid.Timestamp(time.Now())) // fails in the year 10889
	_, _ = rand.Read(u[6:15])                 // crypto/rand.Read never fails since Go 1.24
	u[15] = byte(partition)                   //nolint:gosec // partitions are below 256
	return ID(string(kind) + "_" + u.String())
}

// ParseID reads an id of one kind. Only the canonical spelling is taken (upper case, 26 characters): two
// spellings of one id would be two keys.
func ParseID(kind Kind, s string) (ID, error) {
	rest, ok := strings.CutPrefix(s, string(kind)+"_")
	if !ok {
		return "", errNotAnID
	}
	u, err := ulid.ParseStrict(rest)
	if err != nil || u.String() != rest {
		return "", errNotAnID
	}
	return ID(s), nil
}

// Partition is the partition that the id names, or 0 for a string that is no id.
func (id ID) Partition() int { return int(id.ulid()[15]) }

// Time is when the id was drawn, by the clock of the process that drew it.
func (id ID) Time() time.Time { return ulid.Time(id.ulid().Time()) }

func (id ID) ulid() ulid.ULID {
	_, rest, _ := strings.Cut(string(id), "_")
	u, _ := ulid.ParseStrict(rest)
	return u
}

// IDAt is the lowest id of a kind that can be drawn at t: a bound for ranges, never the id of a record.
func IDAt(kind Kind, t time.Time) ID {
	var u ulid.ULID
	_ = u.SetTime(ulid.Timestamp(t))
	return ID(string(kind) + "_" + u.String())
}

// PartitionOf says which of n partitions holds everything of a tenant. It must never change: it decides where
// existing records are found.
func PartitionOf(tenant string, n int) int {
	if n <= 1 {
		return 0
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(tenant))
	return int(h.Sum32() % uint32(n)) //nolint:gosec // n is between 2 and 256
}
