package redisstore

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Redis refuses writes when it is full, and then nothing drains, since taking a task writes too. So new work is refused well
// before, while what is in use and what unfinished work still needs to end have room.

// Bytes that records take, rounded up from measurements with Redis 7.0 on a 64-bit machine.
const (
	// jobBytes is a queued job with its document, index entries and queue task, beside its input and metadata.
	jobBytes = 5 << 10
	// endBytes is what the end of a job adds beside a copy of its metadata: result, what made it, receipt, warnings, event.
	endBytes = 8 << 10
	// deliveryBytes is a delivery with six attempts, of whose answers 1 KiB is kept.
	deliveryBytes = 8 << 10
)

// useBytes is about what the name of one thing that a job uses adds to it.
const useBytes = 100

// owedBytes is what a job that is accepted now will still add.
func owedBytes(j jobs.Job) int64 {
	n := endBytes + int64(len(j.Metadata))
	if j.Callback != nil {
		n += deliveryBytes
	}
	return n
}

// queuedBytes is what it adds now.
func queuedBytes(j jobs.Job) int64 {
	return jobBytes + int64(len(j.Spec)) + int64(len(j.Metadata))
}

const (
	// memoryFor is how long a reading of the memory in use is trusted.
	memoryFor = time.Second
	// storeFullRetry is what a refused client is asked to wait.
	storeFullRetry = 10 * time.Second
)

// memory is the last reading of how full the server of a partition is.
type memory struct {
	reading sync.Mutex // held by whoever reads anew; nobody waits for it
	read    atomic.Pointer[time.Time]
	left    atomic.Int64 // bytes until new work is refused
	added   atomic.Int64 // since the reading, by this process
}

// Room implements [jobs.Intake].
func (s *Store) Room(ctx context.Context, tenant string) error {
	return s.room(ctx, s.partition(tenant))
}

func (s *Store) room(ctx context.Context, p int) error {
	m := &s.memory[p]
	if read := m.read.Load(); (read == nil || time.Since(*read) > memoryFor) && m.reading.TryLock() {
		err := s.readMemory(ctx, p)
		m.reading.Unlock()
		if err != nil {
			return err
		}
	}
	// While somebody else makes the first reading nothing is known, and nobody refused.
	if m.read.Load() != nil && m.added.Load() >= m.left.Load() {
		return jobs.ErrStoreFull.After(storeFullRetry)
	}
	return nil
}

func (s *Store) readMemory(ctx context.Context, partition int) error {
	node, err := s.master(ctx, partition)
	if err != nil {
		return err
	}
	s.memory[partition].added.Store(0) // before the reading: counted twice is safe, not counted is not
	state, err := info(ctx, node, "memory")
	if err != nil {
		return err
	}
	used, _ := strconv.ParseInt(state["used_memory"], 10, 64)
	limit, _ := strconv.ParseInt(state["maxmemory"], 10, 64)
	left := int64(float64(limit)*s.opts.FullAt) - used - s.owed(ctx)
	if limit == 0 {
		left = 1 << 62
	}
	s.memory[partition].left.Store(left)
	now := time.Now() // with its monotonic reading: a clock that is set back must not keep it for good
	s.memory[partition].read.Store(&now)
	return nil
}

// owed is what unfinished work of all partitions will still need. On a cluster it is spread over the servers; each is taken to
// bear all of it, since one tenant may have all the work. A partition that does not answer counts nothing: its work lies on
// another server than the one that was asked.
func (s *Store) owed(ctx context.Context) int64 {
	pipe := s.rdb.Pipeline()
	for p := range s.opts.Partitions {
		pipe.Get(ctx, key(p, "owed"))
	}
	answers, _ := pipe.Exec(ctx) // the first error of many, which is mostly that nothing is owed
	var total int64
	for _, a := range answers {
		n, _ := a.(*redis.StringCmd).Int64()
		total += n
	}
	return total
}
