package jobs

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Limit names something of which a tenant may use so much.
type Limit string

// The limits. Each is a whole number; a tenant that has none of a name may use any amount, but for [LimitVersions].
const (
	LimitRequests   Limit = "requests_per_second" // requests that bring new work; a batch is one
	LimitBurst      Limit = "request_burst"       // how many of them may come at once; without it, those of a second
	LimitRenders    Limit = "concurrent_renders"
	LimitQueued     Limit = "queued_jobs" // of the classes other than that of batches
	LimitBatchItems Limit = "batch_items" // of one batch
	LimitBytes      Limit = "stored_bytes"
	LimitVersions   Limit = "stored_versions" // of templates and assets, together
)

// DefaultVersions is the [LimitVersions] of a tenant that has none: nothing else bounds how many there are, and each stays until it is
// deleted.
const DefaultVersions = 10_000

// LimitBound is what a limit may be set to.
type LimitBound struct {
	Limit    Limit
	Min, Max int64
}

// LimitBounds lists all limits. Where it makes sense a limit may be 0, which is how a tenant is suspended.
var LimitBounds = []LimitBound{
	{LimitRequests, 1, 100_000},
	{LimitBurst, 1, 1_000_000},
	{LimitRenders, 1, 100_000},
	{LimitQueued, 0, 1_000_000_000},
	{LimitBatchItems, 0, 1_000_000_000},
	{LimitBytes, 0, 1 << 50},
	{LimitVersions, 0, 1_000_000_000},
}

// Usage is how much a tenant uses of what is limited.
type Usage struct {
	Renders  int64 // running now
	Queued   int64 // as [LimitQueued] counts
	Bytes    int64 // of issued documents, templates and assets
	Versions int64 // of templates and assets
}

// ErrLimitReached says that a tenant uses as much as it may of something.
var ErrLimitReached = fault.New(fault.Throttled, "limit_reached", "The tenant has reached a limit.")

// ErrOverloaded says that work waits for so long that more of it is not taken.
var ErrOverloaded = fault.New(fault.Unavailable, "overloaded", "Work of this kind waits for too long already.").After(overloadedRetry)

const (
	// overloadedRetry is what is asked of whoever is refused for the age of the queue: one that is so old is not short in a moment.
	overloadedRetry = 30 * time.Second
	// limitRetry is the same where nothing is known of when a limit will be kept again.
	limitRetry = time.Minute
)

// LimitReached is a [Limit] that refuses something.
type LimitReached struct {
	Limit Limit
	Value int64
	// After is when the same request is let pass, as far as the limit itself says so; 0 where it does not.
	After time.Duration
}

// limitTexts say what a limit of so much means.
var limitTexts = map[Limit]string{
	LimitRequests:   "The tenant may make %d requests a second that bring new work.",
	LimitQueued:     "The tenant may have %d jobs that are queued.",
	LimitBatchItems: "A batch of the tenant may have %d items.",
	LimitBytes:      "The tenant may have %d bytes of issued documents, templates and assets.",
	LimitVersions:   "The tenant may have %d versions of templates and assets.",
}

// Fault is the refusal, an [ErrLimitReached]. It tells the limit and its value, and nothing of what others use.
func (r LimitReached) Fault() error {
	after := r.After
	if after == 0 {
		after = limitRetry
	}
	return ErrLimitReached.With(limitTexts[r.Limit], r.Value).After(after).
		About("limit", string(r.Limit)).About("limit_value", strconv.FormatInt(r.Value, 10))
}

// Limiting is what the store knows of limits. What is charged for a new job or batch is so in the step that records it.
type Limiting interface {
	// SetLimits changes the limits of a tenant that are given, nil being none any more, and leaves the others. A change holds at once,
	// for each process. [ErrTenantNotFound].
	SetLimits(ctx context.Context, tenant string, changes map[Limit]*int64) error
	// Charge takes one request of a tenant that brings work which is not a job, or returns [ErrLimitReached].
	Charge(ctx context.Context, tenant string) error
	// QueueAge tells how long jobs of a class wait, of all tenants.
	QueueAge(ctx context.Context, class Class) (QueueAge, error)
}

// QueueAge is how long work waits.
type QueueAge struct {
	// Turn is how long the tenant has waited whose turn is next. Whoever comes now waits for longer.
	Turn time.Duration
	// Oldest is how long the job has waited that could be taken for longest. A tenant with many jobs has old ones, for however short a
	// time others wait.
	Oldest time.Duration
}

// SetLimits changes limits of a tenant. The caller has checked them, see [LimitBounds]. [ErrTenantNotFound].
func (s *Service) SetLimits(ctx context.Context, tenant string, changes map[Limit]*int64) error {
	return s.Store.SetLimits(ctx, tenant, changes)
}

// limited is the refusal of a request by a limit. Room among queued jobs comes about as they are taken, so the wait is that of a poll.
func (s *Service) limited(ctx context.Context, r LimitReached) error {
	if r.Limit == LimitQueued {
		r.After = s.RetryAfter(ctx, ClassNormal)
	}
	return r.Fault()
}

// inForce adds to limits of a tenant those that it has without having been given any.
func inForce(limits map[Limit]int64) map[Limit]int64 {
	all := maps.Clone(limits)
	if _, ok := all[LimitVersions]; !ok {
		all[LimitVersions] = DefaultVersions
	}
	return all
}

// batchItems is how many items a batch of a tenant may have, negative being any number.
func (s *Service) batchItems(ctx context.Context, tenant string) (int64, error) {
	t, err := s.Store.Tenant(ctx, tenant)
	if errors.Is(err, ErrTenantNotFound) {
		return -1, nil // a key that was installed before its tenant
	}
	if most, ok := t.Limits[LimitBatchItems]; ok {
		return most, err
	}
	return -1, err
}
