package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// ErrUnsuitable refuses a Redis on which the promises would not hold.
var ErrUnsuitable = fault.New(fault.Internal, "redis_unsuitable", "This Redis is not suitable.")

// oldest is the first Redis with everything that the queue library needs.
const oldestMajor, oldestMinor = 6, 2

// memoryFor is how long a reading of the memory in use is trusted.
const memoryFor = time.Second

// Check looks whether the server can keep the promises. What must not be is an error; what weakens a promise is a
// warning, since a managed Redis may hide its settings.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	if err := s.Ping(ctx); err != nil { // INFO answers while the data is still being loaded
		return nil, err
	}
	info, err := s.info(ctx, "server")
	if err != nil {
		return nil, err
	}
	if !newEnough(info["redis_version"]) {
		return nil, ErrUnsuitable.With("Redis %s is too old: Platen needs 6.2 or newer.", info["redis_version"])
	}
	policy, known := s.setting(ctx, "maxmemory-policy")
	switch {
	case !known:
		warnings = append(warnings, "cannot read maxmemory-policy: make sure that it is noeviction, or jobs may be evicted")
	case policy != "noeviction":
		return nil, ErrUnsuitable.With("maxmemory-policy is %s: it must be noeviction, or Redis would evict accepted jobs.", policy)
	}
	return append(warnings, s.checkAOF(ctx)...), nil
}

func (s *Store) checkAOF(ctx context.Context) []string {
	aof, known := s.setting(ctx, "appendonly")
	if !known {
		return []string{"cannot read appendonly: make sure that appendonly is yes and appendfsync always, or a crash of Redis may lose accepted jobs"}
	}
	if aof != "yes" {
		return []string{"appendonly is off: a crash of Redis loses accepted jobs; set appendonly yes and appendfsync always"}
	}
	if fsync, _ := s.setting(ctx, "appendfsync"); fsync != "always" {
		return []string{fmt.Sprintf("appendfsync is %s: a crash may lose the last seconds and issue a document twice; set appendfsync always", fsync)}
	}
	return nil
}

// setting reads one line of the configuration, where that is allowed.
func (s *Store) setting(ctx context.Context, name string) (string, bool) {
	v, err := s.rdb.ConfigGet(ctx, name).Result()
	return v[name], err == nil && v[name] != ""
}

func newEnough(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return errA == nil && errB == nil && (a > oldestMajor || a == oldestMajor && b >= oldestMinor)
}

func (s *Store) info(ctx context.Context, section string) (map[string]string, error) {
	raw, err := s.rdb.Info(ctx, section).Result()
	if err := unavailable(err); err != nil {
		return nil, err
	}
	lines := map[string]string{}
	for line := range strings.Lines(raw) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			lines[name] = value
		}
	}
	return lines, nil
}

// memory is the last reading of how full the server is.
type memory struct {
	reading sync.Mutex // held by whoever reads anew; nobody waits for it
	read    atomic.Int64
	full    atomic.Bool
}

// Room implements [jobs.Intake]. Redis itself refuses writes only when it is full, and then nothing drains, since taking
// a task writes too: so new work is refused well before, and running work finishes.
func (s *Store) Room(ctx context.Context, _ string) error {
	if time.Since(time.UnixMilli(s.memory.read.Load())) > memoryFor && s.memory.reading.TryLock() {
		err := s.readMemory(ctx)
		s.memory.reading.Unlock()
		if err != nil {
			return err
		}
	}
	if s.memory.full.Load() {
		return jobs.ErrStoreFull.After(storeFullRetry)
	}
	return nil
}

func (s *Store) readMemory(ctx context.Context) error {
	info, err := s.info(ctx, "memory")
	if err != nil {
		return err
	}
	used, _ := strconv.ParseFloat(info["used_memory"], 64)
	limit, _ := strconv.ParseFloat(info["maxmemory"], 64)
	s.memory.full.Store(limit > 0 && used >= limit*s.opts.FullAt)
	s.memory.read.Store(time.Now().UnixMilli())
	return nil
}

// storeFullRetry is what a refused client is asked to wait.
const storeFullRetry = 10 * time.Second
