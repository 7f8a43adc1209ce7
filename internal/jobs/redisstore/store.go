// Package redisstore keeps jobs, documents, events and deliveries in Redis. Every change is one Lua script, so
// that a crash leaves either all of it or none; every script may be run twice, so that a lost reply costs nothing;
// time is Redis TIME, so that clocks need not agree. docs/architecture.md lists the keys.
package redisstore

import (
	"cmp"
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// Options sets up a [Store]. The zero value of a field is its default.
type Options struct {
	// Partitions is how many hash slots the tenants are spread over; fixed for the life of an installation.
	// Default 1; 16 is meant for a cluster.
	Partitions int
	// PublicURL begins the URLs in events.
	PublicURL string
	// JobRetention is how long a job record is kept after its end, with its idempotency keys and its input.
	// Default 30 days.
	JobRetention time.Duration
	// DeadRetention is how long a dead letter can be replayed. Default 30 days.
	DeadRetention time.Duration
	// OrphanAfter is how long a dispatched task must stay without a worker before it is dispatched anew. Default 2.5 s.
	OrphanAfter time.Duration
	// HostLimit is how many attempts a receiver's host gets at once, of each tenant. Default 4.
	HostLimit int
	// HostPatience is how long a delivery waits for a host that does not answer before it is given up. Default 15 minutes.
	HostPatience time.Duration
	// HostPause is how long a host that does not answer is left alone at first; later pauses are up to 60 times as long.
	// Default 1 s.
	HostPause time.Duration
	// UploadTime is how long an upload of a batch may take until it is sealed; then it is dropped. Default one hour.
	UploadTime time.Duration
	// FullAt is the share of maxmemory above which new work is refused. Default 0.8.
	FullAt float64
	// FeedLength is about how many changes the feed keeps of a partition, for streams that were cut to go on from. Default 10,000.
	FeedLength int
	// MaxQueueAge is how long work may wait for its turn before new work of its class is refused. 0 refuses none.
	MaxQueueAge time.Duration
	// WaitReplicas is how many replicas must have a change before anybody hears of it; see replicas.go. Default 0.
	WaitReplicas int
}

const (
	defaultRetention   = 30 * 24 * time.Hour
	defaultOrphanAfter = 2500 * time.Millisecond
	defaultHostLimit   = 4
	defaultPatience    = 15 * time.Minute
	defaultPause       = time.Second
	defaultUploadTime  = time.Hour
	defaultFullAt      = 0.8
	defaultFeed        = 10_000
)

// Store implements [jobs.Store]. Safe for concurrent use.
type Store struct {
	rdb     redis.UniversalClient
	opts    Options
	scripts scripts
	memory  []memory // by partition
}

// New makes a store on a client that the caller keeps and closes.
func New(rdb redis.UniversalClient, opts Options) *Store {
	opts.Partitions = cmp.Or(opts.Partitions, 1)
	opts.JobRetention = cmp.Or(opts.JobRetention, defaultRetention)
	opts.DeadRetention = cmp.Or(opts.DeadRetention, defaultRetention)
	opts.OrphanAfter = cmp.Or(opts.OrphanAfter, defaultOrphanAfter)
	opts.HostLimit = cmp.Or(opts.HostLimit, defaultHostLimit)
	opts.HostPatience = cmp.Or(opts.HostPatience, defaultPatience)
	opts.HostPause = cmp.Or(opts.HostPause, defaultPause)
	opts.FeedLength = cmp.Or(opts.FeedLength, defaultFeed)
	opts.UploadTime = cmp.Or(opts.UploadTime, defaultUploadTime)
	opts.FullAt = cmp.Or(opts.FullAt, defaultFullAt)
	return &Store{rdb: rdb, opts: opts, scripts: loadScripts(opts), memory: make([]memory, opts.Partitions)}
}

// Ping implements [jobs.Intake]. Of a cluster any node may answer: while one shard is away the others go on.
func (s *Store) Ping(ctx context.Context) error {
	return unavailable(s.rdb.Ping(ctx).Err())
}

// partition is where everything of a tenant lies.
func (s *Store) partition(tenant string) int {
	return jobs.PartitionOf(tenant, s.opts.Partitions)
}
