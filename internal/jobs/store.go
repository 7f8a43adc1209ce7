package jobs

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Faults of the domain.
var (
	ErrJobNotFound      = fault.New(fault.NotFound, "job_not_found", "There is no such job.")
	ErrDocumentNotFound = fault.New(fault.NotFound, "document_not_found", "There is no such document.")
	ErrDeliveryNotFound = fault.New(fault.NotFound, "delivery_not_found", "There is no such delivery.")
	ErrKeyNotFound      = fault.New(fault.NotFound, "key_not_found", "There is no such API key.")
	ErrKeyReused        = fault.New(fault.Invalid, "idempotency_key_reused", "This Idempotency-Key was used with another payload.")
	ErrDocumentKey      = fault.New(fault.Conflict, "document_key_conflict", "This document_key names a document with another payload.")
	ErrJobFinished      = fault.New(fault.Conflict, "job_finished", "The job has ended and cannot be canceled.")
	ErrNotRetryable     = fault.New(fault.Conflict, "job_not_retryable", "Only the failed or canceled current job of a pending document can be retried.")
	ErrInputPurged      = fault.New(fault.Gone, "input_purged", "The input of this job is no longer kept.")
	ErrDocumentPending  = fault.New(fault.Conflict, "document_pending", "The document is not issued yet.")
	ErrNotIssued        = fault.New(fault.Conflict, "document_not_issued", "The document was not issued: its job failed or was canceled.")
	ErrDocumentPurged   = fault.New(fault.Gone, "document_purged", "The document was purged; only its identity is kept.")
	ErrTenantNotFound   = fault.New(fault.NotFound, "tenant_not_found", "There is no such tenant.")
	ErrReplayNotFound   = fault.New(fault.NotFound, "replay_not_found", "There is no such replay.")
	ErrGoneURLNotFound  = fault.New(fault.NotFound, "gone_url_not_found", "There is no such URL among those that are gone.")
	ErrURLGone          = fault.New(fault.Conflict, "url_gone", "The receiver answered 410 at this URL. Lift that first.")
	ErrDeliveryGone     = fault.New(fault.Gone, "delivery_gone", "This dead letter is past its retention and cannot be replayed.")
	ErrStoreUnavailable = fault.New(fault.Unavailable, "store_unavailable", "The store does not answer at the moment.")
	ErrStoreFull        = fault.New(fault.Unavailable, "store_full", "The store has no room for new work at the moment.")
	ErrNotReplicated    = fault.New(fault.Unavailable, "not_replicated", "Replicas did not confirm in time. Repeat the request.")
)

// Store is the system of record. Every method is one atomic step; none takes an instant, since time is the
// store's own; each may be called again with the same arguments after an error, for a lost reply is no lost
// effect. Errors are faults; when the store does not answer, [ErrStoreUnavailable]. Safe for concurrent use.
// jobstest.TestStore is the specification, executable.
type Store interface {
	Intake
	Lifecycle
	Deliveries
	Replays
	Outbox
	Access
	Sealings
	Canaries
	Catalog
	Previews
	Caching
	Receipts
	Batches
	Limiting
}

// Intake is what the API needs.
type Intake interface {
	// Accept decides who answers a request: an earlier job, or the new one it records. The identity, the job,
	// the dispatch order and the index change together or not at all. A new one may be refused with [ErrOverloaded].
	Accept(ctx context.Context, a Acceptance) (Acceptation, error)
	// Job returns a job or [ErrJobNotFound].
	Job(ctx context.Context, id ID) (Job, error)
	// Jobs returns a page of a tenant's jobs, newest first.
	Jobs(ctx context.Context, f JobFilter) (Page[Job], error)
	// Tally counts a tenant's jobs by status.
	Tally(ctx context.Context, tenant string) (map[Status]int, error)
	// Document returns a document or [ErrDocumentNotFound].
	Document(ctx context.Context, id ID) (Document, error)
	// Documents returns documents of one tenant, at most [MaxDocuments], in the order of their ids. [ErrDocumentNotFound] when one of them
	// is not there.
	Documents(ctx context.Context, ids []ID) ([]Document, error)
	// DocumentByKey returns the document that a tenant's document_key names, or [ErrDocumentNotFound].
	DocumentByKey(ctx context.Context, tenant, key string) (Document, error)
	// Cancel ends a queued job at once (Canceled) and asks a running one to end (Running). A job that has
	// ended stays as it is and its status is returned.
	Cancel(ctx context.Context, id ID) (Status, error)
	// Purge forgets the bytes of a document and the inputs of its jobs, and keeps its identity and its receipt. It returns the
	// jobs whose blobs are now free, again when it was purged before. [ErrDocumentPending] while a job of it is
	// not terminal.
	Purge(ctx context.Context, id ID) ([]ID, error)
	// Load tells how much work of a class waits and how fast it goes; on an error, of the partitions that answered soon.
	Load(ctx context.Context, class Class) (Load, error)
	// Room returns [ErrStoreFull] when the store is so full that new work must wait.
	Room(ctx context.Context, tenant string) error
	// Ping returns [ErrStoreUnavailable] when the store does not answer.
	Ping(ctx context.Context) error
}

// MaxDocuments is how many documents one call may return.
const MaxDocuments = 500

// Acceptance is what Accept decides on.
type Acceptance struct {
	// Probe asks only who would answer: nothing is recorded, but that the idempotency key is bound to a job
	// that the document key finds. The answer may then be [Absent].
	Probe bool
	// Job carries the ids to be used if a new job is made, and everything about it but its state. Document is a
	// proposal: the pending document that DocumentKey names, or that of RetryOf, stands.
	Job            Job
	IdempotencyKey string // "" for none
	// Request is the fingerprint that the idempotency key is bound to. Mostly that of Job.
	Request Fingerprint
	// Nonce tells a repeated call, whose first reply was lost, from another one that drew the same id.
	Nonce string
	// RetryOf names the failed or canceled job that this one retries, or is "".
	RetryOf ID
	// Grace is how long the reconciler leaves the dispatch to the caller.
	Grace time.Duration
	// Most is how many jobs of a line may be handed out and not claimed for this one to be among them at once; 0 is any number.
	Most int
	// Uses are the versions of the catalog that the job needs: each is there, and stays until the job has ended.
	Uses []Use
}

// Verdict is how an [Acceptance] was decided.
type Verdict string

// The verdicts.
const (
	Created      Verdict = "created"
	Replayed     Verdict = "replayed"      // an earlier job answers
	Retained     Verdict = "retained"      // a document answers whose job is past its retention
	KeyReused    Verdict = "key_reused"    // the idempotency key belongs to another payload
	KeyConflict  Verdict = "key_conflict"  // the document key belongs to another payload
	NotRetryable Verdict = "not_retryable" // RetryOf does not allow it
	IDTaken      Verdict = "id_taken"      // draw new ids and ask again
	Absent       Verdict = "absent"        // a probe found nobody
	InputGone    Verdict = "input_gone"    // one of Uses was deleted: look again
	Limited      Verdict = "limited"       // the tenant has reached a limit
)

// Acceptation is the answer to an [Acceptance]: the verdict and the records it is about.
type Acceptation struct {
	Verdict  Verdict
	Job      ID
	Document ID
	Created  time.Time // of a new job
	Gone     string    // the use that is, see [Use]
	Batch    ID        // that reserves the document key, when KeyReserved
	Limit    *LimitReached
	// Held says that a new job waits for its tenant's turn: it is not to be enqueued now.
	Held bool
}

// JobFilter selects jobs of one tenant. Zero fields select all.
type JobFilter struct {
	Tenant                      string
	Status                      Status
	Document                    ID
	Unacknowledged              bool      // ended, and its callback URL has not taken the event
	CreatedAfter, CreatedBefore time.Time // exclusive
	Cursor                      ID        // the last id of the page before
	Limit                       int
}

// Page is a part of a list. Next is the cursor of the page after it, or "" at the end.
type Page[T any] struct {
	Items []T
	Next  ID
}

// Load is how much waits in a class.
type Load struct {
	Waiting int           // jobs of the class that wait for a worker
	Running int           // jobs of all classes, which share the workers
	Median  time.Duration // of recent renders of the class; zero when there was none
}

// Lifecycle is what a worker needs to carry a job from claim to end.
type Lifecycle interface {
	// Claim takes a queued job for one attempt, whose lease runs for lease from now. The same owner claiming
	// again within it gets the same answer.
	Claim(ctx context.Context, id ID, generation int, owner string, lease time.Duration) (Claim, error)
	// Beat extends the lease of an attempt and reports progress.
	Beat(ctx context.Context, id ID, f Fence, lease time.Duration, progress int) (Pulse, error)
	// Complete publishes the result of an attempt: first wins, and only the holder of the fence can.
	Complete(ctx context.Context, id ID, f Fence, r Result, warnings []render.Warning) (Completion, error)
	// Fail ends an attempt that made nothing. The rule says whether the job is tried again and when.
	Fail(ctx context.Context, id ID, f Fence, why Failure, rule Rule) (Failing, error)
	// Overdue lists running attempts of a partition whose lease has run out, at most limit.
	Overdue(ctx context.Context, partition, limit int) ([]Overdue, error)
}

// Claim is the answer to claiming a job.
type Claim struct {
	Answer ClaimAnswer
	Job    Job // when ClaimOK
}

// ClaimAnswer says whether a claim was granted.
type ClaimAnswer string

// The answers to a claim, of a job or of a delivery. All but ClaimOK mean that somebody else sees to it.
const (
	ClaimOK    ClaimAnswer = "ok"
	ClaimDone  ClaimAnswer = "done"  // it has ended
	ClaimStale ClaimAnswer = "stale" // the task is of an older generation
	ClaimBusy  ClaimAnswer = "busy"  // another attempt holds it; if that one is dead the reaper will see
	ClaimGone  ClaimAnswer = "gone"  // there is no such record
	// ClaimParked says that a delivery waits until its host has a place.
	ClaimParked ClaimAnswer = "parked"
)

// Pulse is the answer to a beat.
type Pulse string

// The answers to a beat.
const (
	PulseOK     Pulse = "ok"
	PulseCancel Pulse = "cancel" // cancellation was requested: stop, then Fail
	PulseLost   Pulse = "lost"   // the attempt is no longer ours: stop and write nothing
)

// Completion is the answer to Complete.
type Completion string

// The answers to Complete.
const (
	Won          Completion = "won"
	AlreadyWon   Completion = "already"  // this very attempt had won, and the reply was lost
	EndCanceled  Completion = "canceled" // a cancel came first
	LostTheFence Completion = "lost"
)

// Failing is the answer to Fail.
type Failing string

// The answers to Fail.
const (
	WillRetry   Failing = "retry"
	HasFailed   Failing = "failed"
	WasCanceled Failing = "canceled"
	FailLost    Failing = "lost"  // the attempt was not ours any more, or this is a repeated call
	StillAlive  Failing = "alive" // the lease was extended in the meantime; reaper only
)

// Overdue names an attempt whose lease has run out.
type Overdue struct {
	ID    ID
	Fence Fence
}

// Line is one of the orders in which the store wants things done.
type Line string

// The lines: one for each class of jobs, and one for deliveries.
const (
	HighLine     Line = "render-high"
	RenderLine   Line = "render" // of the normal class
	LowLine      Line = "render-low"
	BatchLine    Line = "render-batch"
	CallbackLine Line = "callback"
)

// RenderLines lists those of jobs.
var RenderLines = []Line{HighLine, RenderLine, LowLine, BatchLine}

// Weights say how often the jobs of a line are asked for first when several lines have some: all lines get on, and the next free slot
// is rather for somebody who waits than for a batch.
func Weights() map[Line]int {
	return map[Line]int{HighLine: 12, RenderLine: 6, LowLine: 2, BatchLine: 1}
}

// Line is that of the jobs of a class.
func (c Class) Line() Line {
	if c == "" || c == ClassNormal {
		return RenderLine
	}
	return RenderLine + "-" + Line(c)
}

// PreviewLine is that of previews, of which the store wants nothing done: whoever asked for one waits for it, or does without.
const PreviewLine Line = "preview"

// Lines lists those that the reconciler sees to.
var Lines = append(slices.Clone(RenderLines), CallbackLine)

// Task is one dispatch of a job or a delivery. The queue carries nothing else.
type Task struct {
	Line       Line
	ID         ID
	Generation int
}

// Outbox is what the reconciler needs. The store remembers every dispatch until it is claimed, so the queue may lose
// everything. What concerns many records is asked of one partition at a time, since each may be away by itself.
type Outbox interface {
	// Partitions is how many there are, counted from 0.
	Partitions() int
	// Due lists tasks of a partition that the queue may have lost, and deliveries whose time has come, at most limit, and the
	// attempts to deliver whose lease has run out. [RenderLine] stands for the lines of all classes. A job that has waited for the
	// time of its next attempt is ready now, and waits for the turn of its tenant.
	Due(ctx context.Context, partition int, line Line, limit int) (Due, error)
	// HandOut takes ready jobs of a partition, as many as the quotas allow, of each tenant one before the next one of any, and of a
	// tenant the one that was ready first, and before it one that is tried again. A tenant that has as many handed out and running as its
	// limit allows is passed over. The caller enqueues them within grace; then they are due.
	HandOut(ctx context.Context, partition int, quotas []Quota, grace time.Duration) (Handed, error)
	// Dispatched moves tasks that the queue now holds to a later time, in case the queue loses them. One that was claimed since is left.
	Dispatched(ctx context.Context, tasks ...Task) error
	// Orphaned reports that the queue holds a task which nobody works on. Seen twice, well apart, the task gets a
	// new generation, which is returned; otherwise 0.
	Orphaned(ctx context.Context, t Task) (int, error)
	// PullForward makes tasks due now that are dispatched and not claimed, and counts those that are not claimed.
	PullForward(ctx context.Context, tasks []Task) (int, error)
	// Outstanding counts the tasks of a partition that were dispatched and are not claimed.
	Outstanding(ctx context.Context, partition int, line Line) (int, error)
	// PullAll makes all of those due now, in bounded steps.
	PullAll(ctx context.Context, partition int, line Line) error
	// Clean removes what is past its retention in a partition, at most limit of each kind, and says which blobs are
	// free: on an error too, for what was removed is not named again.
	Clean(ctx context.Context, partition, limit int) (Cleaned, error)
}

// Quota is how many jobs of a line may go to the queue.
type Quota struct {
	Line  Line
	Most  int // that are handed out and not claimed, in the partition
	Limit int // in this call
}

// Handed is what was handed out.
type Handed struct {
	Tasks   []Task
	More    bool // others of those lines are ready
	Limited bool // it was the turn of a tenant that may have only so many at once: the end of one may make way for another
}

// Due is what has to be done now.
type Due struct {
	Tasks   []Task
	Overdue []Overdue // deliveries only
}

// Cleaned names what was removed.
type Cleaned struct {
	Jobs      []CleanedJob // records that are gone: their inputs are free
	Inputs    []CleanedJob // jobs that stay, and whose inputs are free
	Documents []PurgedDocument
}

// CleanedJob is a job whose record is gone.
type CleanedJob struct {
	Tenant string
	Job    ID
}

// PurgedDocument is a document whose bytes have ended, with the jobs whose blobs are free.
type PurgedDocument struct {
	Tenant   string
	Document ID
	Jobs     []ID
}

// Access holds tenants and their API keys.
type Access interface {
	// EnsureTenant creates a tenant unless it exists, with the sealed secrets given, and reports whether it did.
	EnsureTenant(ctx context.Context, name string, secrets []byte) (bool, error)
	// Tenant returns a tenant, or [ErrTenantNotFound].
	Tenant(ctx context.Context, name string) (Tenant, error)
	// Tenants returns the names of all tenants, in order.
	Tenants(ctx context.Context) ([]string, error)
	// SwapTenant replaces a sealed field of a tenant if it still is old, and reports whether it was: of two changes at
	// once one is told to look again.
	SwapTenant(ctx context.Context, name string, field TenantField, old, new []byte) (bool, error)
	// PutKey records an API key under the hex SHA-256 of its text.
	PutKey(ctx context.Context, hash string, k APIKey) error
	// KeyByHash returns a key, or [ErrKeyNotFound].
	KeyByHash(ctx context.Context, hash string) (APIKey, error)
	// Keys returns a page of keys, newest first.
	Keys(ctx context.Context, cursor ID, limit int) (Page[APIKey], error)
	// DeleteKey removes a key, or returns [ErrKeyNotFound].
	DeleteKey(ctx context.Context, id ID) error
}

// Queue hands tasks to workers. It may lose them and may give one twice: the store knows better.
type Queue interface {
	// Enqueue rings for a task. A task that the queue holds already is fine.
	Enqueue(ctx context.Context, t Task) (Enqueued, error)
	// Slots is how many tasks of a line can be worked on at once, over all workers.
	Slots(ctx context.Context, line Line) (int, error)
	// Active lists the tasks that the queue believes to be worked on.
	Active(ctx context.Context, line Line) ([]Task, error)
	// Backlog counts the tasks that the queue holds and has not handed out.
	Backlog(ctx context.Context, line Line) (int, error)
	// Withdraw takes a task back that nobody is at work on. One that the queue does not hold, or has handed out, is fine.
	Withdraw(ctx context.Context, t Task) error
	// Announce makes the line known to the queue, at first and after it was wiped. Active needs it.
	Announce(ctx context.Context, line Line) error
}

// Enqueued says what became of a ring.
type Enqueued string

// The answers to a ring.
const (
	Rang     Enqueued = "rang"
	Waiting  Enqueued = "waiting"  // the queue holds this task and will hand it out
	Detached Enqueued = "detached" // the queue holds it, but not where a worker would take it
)

// Watcher tells when a job may have changed.
type Watcher interface {
	// Watch returns a channel that receives after a change of the job, and a function that ends the watch. A
	// change may be missed: look at the job first, and again now and then.
	Watch(id ID) (changes <-chan struct{}, stop func())
}

// Blobs holds inputs and documents. Put is create-only, durable and all-or-nothing; the same bytes again are a
// success. Names are slash-separated. Faults: blob_not_found, blob_exists, storage_full, storage_unavailable.
type Blobs interface {
	Put(ctx context.Context, name string, r io.Reader) error
	Open(ctx context.Context, name string) (io.ReadSeekCloser, error)
	// Delete removes one blob; that there is none is fine.
	Delete(ctx context.Context, name string) error
	DeletePrefix(ctx context.Context, prefix string) error
}
