package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// ErrUnsuitable refuses a Redis on which the promises would not hold.
var ErrUnsuitable = fault.New(fault.Internal, "redis_unsuitable", "This Redis is not suitable.")

// oldest is the first Redis with everything that the queue library needs.
const oldestMajor, oldestMinor = 6, 2

// Check looks whether every server can keep the promises. What must not be is an error; what weakens a promise is a
// warning, since a managed Redis may hide its settings. So is a master of a cluster that does not answer: who starts
// meanwhile serves the others.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	masters, err := s.masters(ctx)
	if err != nil {
		return nil, err
	}
	away := 0
	for _, node := range masters {
		said, err := s.checkServer(ctx, node)
		switch {
		case errors.Is(err, jobs.ErrStoreUnavailable):
			if away++; away == len(masters) {
				return nil, err
			}
			said = []string{"a master does not answer: its part waits, and its settings are not checked"}
		case err != nil:
			return nil, err
		}
		for _, w := range said {
			if !slices.Contains(warnings, w) {
				warnings = append(warnings, w)
			}
		}
	}
	if len(masters) > 1 && s.opts.Partitions == 1 {
		warnings = append(warnings, "this is a cluster and there is one partition: one node of it does all the work")
	}
	return warnings, nil
}

func (s *Store) checkServer(ctx context.Context, node redis.Cmdable) (warnings []string, err error) {
	if err := unavailable(node.Ping(ctx).Err()); err != nil { // INFO answers while the data is still being loaded
		return nil, err
	}
	server, err := info(ctx, node, "server")
	if err != nil {
		return nil, err
	}
	if !newEnough(server["redis_version"]) {
		return nil, ErrUnsuitable.With("Redis %s is too old: Platen needs 6.2 or newer.", server["redis_version"])
	}
	policy, known := setting(ctx, node, "maxmemory-policy")
	switch {
	case !known:
		warnings = append(warnings, "cannot read maxmemory-policy: make sure that it is noeviction, or jobs may be evicted")
	case policy != "noeviction":
		return nil, ErrUnsuitable.With("maxmemory-policy is %s: it must be noeviction, or Redis would evict accepted jobs.", policy)
	}
	warnings = append(warnings, checkAOF(ctx, node)...)
	if _, clustered := s.rdb.(*redis.ClusterClient); clustered {
		if whole, _ := setting(ctx, node, "cluster-require-full-coverage"); whole == "yes" {
			warnings = append(warnings, "cluster-require-full-coverage is yes: one shard that is away stops all; set it to no")
		}
	}
	replication, err := info(ctx, node, "replication")
	return append(warnings, s.checkReplicas(replication)...), err
}

func checkAOF(ctx context.Context, node redis.Cmdable) []string {
	aof, known := setting(ctx, node, "appendonly")
	if !known {
		return []string{"cannot read appendonly: make sure that appendonly is yes and appendfsync always, or a crash of Redis may lose accepted jobs"}
	}
	if aof != "yes" {
		return []string{"appendonly is off: a crash of Redis loses accepted jobs; set appendonly yes and appendfsync always"}
	}
	if fsync, _ := setting(ctx, node, "appendfsync"); fsync != "always" {
		return []string{fmt.Sprintf("appendfsync is %s: a crash may lose the last seconds and issue a document twice; set appendfsync always", fsync)}
	}
	return nil
}

// setting reads one line of the configuration, where that is allowed.
func setting(ctx context.Context, node redis.Cmdable, name string) (string, bool) {
	v, err := node.ConfigGet(ctx, name).Result()
	return v[name], err == nil && v[name] != ""
}

func newEnough(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return errA == nil && errB == nil && (a > oldestMajor || a == oldestMajor && b >= oldestMinor)
}

func info(ctx context.Context, node redis.Cmdable, section string) (map[string]string, error) {
	raw, err := node.Info(ctx, section).Result()
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
