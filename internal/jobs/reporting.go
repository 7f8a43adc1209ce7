package jobs

import (
	"context"
	"time"
)

// Deliveries is what the callback side needs.
type Deliveries interface {
	// Delivery returns a delivery with its attempts, or [ErrDeliveryNotFound].
	Delivery(ctx context.Context, id ID) (Delivery, error)
	// DeliveryPage returns a page of what a filter selects, newest job first.
	DeliveryPage(ctx context.Context, f DeliveryFilter, cursor ID, limit int) (Page[Delivery], error)
	// ClaimDelivery is Claim for deliveries.
	ClaimDelivery(ctx context.Context, id ID, generation int, owner string, lease time.Duration) (DeliveryClaim, error)
	// FinishDelivery records an attempt and what follows from it in one step.
	FinishDelivery(ctx context.Context, id ID, f Fence, end DeliveryEnd) (DeliveryAfter, error)
	// Replay makes a delivered or dead delivery due again, with the same event, and notes by which key. [ErrDeliveryGone]
	// when its dead letter is past its retention, [ErrURLGone] while its URL is marked gone. One that is pending
	// stays as it is.
	Replay(ctx context.Context, id, by ID) error
	// Test makes an event that is about no job, and its delivery: one attempt, kept for a day. The same ids again
	// change nothing.
	Test(ctx context.Context, p Ping) error
	// GoneURLs lists the callback URLs of a tenant that answered 410, oldest first.
	GoneURLs(ctx context.Context, tenant string) ([]GoneURL, error)
	// LiftGoneURL lets events go to a URL again, or returns [ErrGoneURLNotFound].
	LiftGoneURL(ctx context.Context, tenant, id string) error
	// Reporting tells how the deliveries of a partition stand.
	Reporting(ctx context.Context, partition int) (Reporting, error)
}

// DeliveryFilter selects deliveries of one tenant. Tenant and Status are required; other zero fields select all.
type DeliveryFilter struct {
	Tenant                      string
	Status                      DeliveryStatus
	Host                        string
	Type                        string    // of the event
	CreatedAfter, CreatedBefore time.Time // of the job, exclusive
}

// DeliveryAfter is how a delivery stands after an attempt.
type DeliveryAfter struct {
	Status DeliveryStatus
	// Released are deliveries to the same host that waited for a place and are due now.
	Released []Task
}

// Ping is an event to test a callback URL with.
type Ping struct {
	Event    ID
	Delivery ID
	Tenant   string
	Host     string
	Target   string
	Sealed   []byte // the encrypted [Callback]
}

// GoneURL is a callback URL that answered 410: later events to it are dead at once.
type GoneURL struct {
	ID       string // the hash of the URL, as [Target] makes it
	Host     string
	Since    time.Time
	Delivery ID // whose attempt was answered so
}

// Reporting is how deliveries stand.
type Reporting struct {
	Dead       int           // dead letters inside their retention
	OldestDead time.Duration // how long the oldest has been dead
	Parked     int           // due deliveries that wait for a place of their host
	HostsDown  int           // hosts with parked deliveries whose breaker is not closed
	// Ended counts how deliveries have ended, tests left out, since the store was empty. One that is replayed ends again.
	Ended map[Ending]int
}

// Ending is how a delivery ended: delivered, or why it is dead.
type Ending string

// The endings.
const (
	EndedDelivered    Ending = "delivered"
	EndedScheduleOver Ending = "schedule_over" // the last attempt failed too
	EndedGone         Ending = "gone"          // the receiver answered 410
	EndedDenied       Ending = "denied"        // the policy does not allow the URL
	EndedURLGone      Ending = "url_gone"      // without an attempt, see [AttemptURLGone]
	EndedHostDown     Ending = "host_down"     // without an attempt, see [AttemptHostDown]
)

// Deaths returns the endings that leave a dead letter.
func Deaths() []Ending {
	return []Ending{EndedScheduleOver, EndedGone, EndedDenied, EndedURLGone, EndedHostDown}
}

// Replays are replays of many deliveries at once, carried out step by step.
type Replays interface {
	// CountDeliveries counts what a filter selects.
	CountDeliveries(ctx context.Context, f DeliveryFilter) (int, error)
	// StartReplay records a replay, which begins at once, or returns [ErrReplayLimit]. The same id again changes nothing.
	StartReplay(ctx context.Context, r ReplayOrder) error
	// ReplayRun returns a replay, or [ErrReplayNotFound].
	ReplayRun(ctx context.Context, id ID) (ReplayRun, error)
	// ReplayRuns returns a page of a tenant's replays, newest first. They are kept for 90 days.
	ReplayRuns(ctx context.Context, tenant string, cursor ID, limit int) (Page[ReplayRun], error)
	// ContinueReplays carries the replays of a partition on as far as their rates allow.
	ContinueReplays(ctx context.Context, partition int) error
}

// ReplayOrder is who wants which deliveries replayed, and how fast.
type ReplayOrder struct {
	ID     ID
	Filter DeliveryFilter
	Rate   int // deliveries a second
	By     ID  // the API key
}

// ReplayRun is a replay of many deliveries.
type ReplayRun struct {
	ReplayOrder
	Replayed int
	Skipped  int // matched, and could not be replayed: past their retention, or their URL is gone
	Created  time.Time
	Finished time.Time // zero while it runs
}

// DeliveryClaim is the answer to claiming a delivery.
type DeliveryClaim struct {
	Answer   ClaimAnswer
	Delivery Delivery // when ClaimOK, like the rest
	Body     []byte   // of the event, frozen when the event was made
	Sealed   []byte   // the encrypted [Callback]
	Secrets  []byte   // those of the tenant, encrypted, as they were when it was claimed; nil when there is no such tenant
	// Now is when it was claimed, by the store's clock: receivers refuse what is signed at another time than theirs, and
	// the clock of a worker may be wrong.
	Now time.Time
}

// DeliveryEnd is how an attempt to deliver ended.
type DeliveryEnd struct {
	// Outcome is "delivered", "retry", "dead", "gone" (dead, and the URL with it), or "unknown" from the reaper.
	Outcome string
	// Health is what the attempt says about the receiver's host.
	Health  Health
	Attempt DeliveryAttempt
	// Schedule holds the waits before the second, third, … attempt. After the last one comes death.
	Schedule []time.Duration
	// Wait is how long the receiver asked to wait; the longer of this and the schedule counts.
	Wait time.Duration
	// OnlyOverdue makes it a no-op unless the lease of the attempt has run out; for the reaper.
	OnlyOverdue bool
}

// Outcomes of attempts to deliver, as DeliveryEnd and the log of a delivery spell them.
const (
	OutcomeDelivered = "delivered"
	OutcomeRetry     = "retry"
	OutcomeDead      = "dead"
	OutcomeGone      = "gone"
	OutcomeUnknown   = "unknown"
	OutcomeFailed    = "failed"
)

// Health is what an attempt says about a host.
type Health string

// The healths.
const (
	HealthUnknown Health = ""     // nothing was learned
	HealthUp      Health = "up"   // it answered
	HealthDown    Health = "down" // it did not answer, or a gateway answered for it
)

// What the log of a delivery says that died without an attempt.
var (
	// AttemptURLGone is that of an event to a URL that is marked gone.
	AttemptURLGone = DeliveryAttempt{Outcome: OutcomeFailed, Error: "url_gone", Detail: "The receiver has answered 410 at this URL before."}
	// AttemptHostDown is that of one whose host did not answer for so long that nobody waits any more.
	AttemptHostDown = DeliveryAttempt{Outcome: OutcomeFailed, Error: "host_down", Detail: "The host has not answered for as long as the whole schedule."}
)
