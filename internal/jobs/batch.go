package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Batch is many jobs that were accepted as a whole. One that is not sealed is seen by nobody but its uploader.
type Batch struct {
	ID       ID
	Tenant   string
	Status   BatchStatus
	Epoch    int // 1, and one more with each retry
	Items    int
	Counts   map[ItemStatus]int // of all items; none is absent and 0
	Expected int                // document keys that the caller expected; 0 when it named none
	Missing  int                // of those, how many were not sent
	// Unexpected is how many items have a key that the caller did not expect, although it named some.
	Unexpected int
	Errors     []BatchError // of failed items, by code; the most frequent first
	Events     []string     // the types of events that are reported
	Callback   *CallbackState
	Sealed     []byte // the encrypted [Callback], for the delivery of this epoch
	Event      ID     // batch.completed of this epoch, reserved
	Delivery   ID     // of that event to the callback URL, reserved likewise
	Digest     string // of the fingerprints of all items, in their order; see [ItemsDigest]
	Metadata   json.RawMessage
	Created    time.Time // when it was sealed
	Finished   time.Time // of this epoch; zero before
	// Recent is how many items ended since Since: the last ones, at most 64. What was canceled is no work and does not count.
	Recent int
	Since  time.Time
	Now    time.Time // by the clock of the store, when it was read
}

// Pending counts the items that have not ended.
func (b Batch) Pending() int {
	return b.Counts[ItemWaiting] + b.Counts[ItemQueued] + b.Counts[ItemRunning]
}

// BatchStatus is where a batch stands.
type BatchStatus string

// The statuses of a batch. A retry takes it from completed or canceled to running again.
const (
	BatchRunning   BatchStatus = "running"
	BatchCanceling BatchStatus = "canceling" // it was canceled, and attempts still run
	BatchCompleted BatchStatus = "completed" // each item has ended, in whichever way
	BatchCanceled  BatchStatus = "canceled"  // the same, and it was canceled
)

// Final reports whether no item is pending.
func (s BatchStatus) Final() bool { return s == BatchCompleted || s == BatchCanceled }

// ItemStatus is where an item of a batch stands: where its job does, or before and instead of one.
type ItemStatus string

// The statuses of an item. The last four are those of items that have ended.
const (
	ItemWaiting   ItemStatus = "waiting" // its job is still to be made
	ItemQueued    ItemStatus = "queued"
	ItemRunning   ItemStatus = "running"
	ItemSucceeded ItemStatus = "succeeded"
	ItemReused    ItemStatus = "reused" // its document had been issued before, of the same payload
	ItemFailed    ItemStatus = "failed"
	ItemCanceled  ItemStatus = "canceled"
)

// ItemStatuses lists them.
var ItemStatuses = []ItemStatus{ItemWaiting, ItemQueued, ItemRunning, ItemSucceeded, ItemReused, ItemFailed, ItemCanceled}

// BatchError counts the items that failed for one reason.
type BatchError struct {
	Code   string
	Count  int
	Index  int    // of the first one that was noticed
	Detail string // of that one
}

// BatchItem is one document of a batch.
type BatchItem struct {
	Index       int // from 0, as it was sent
	DocumentKey string
	Status      ItemStatus
	Document    ID       // "" while waiting
	Job         ID       // that makes it or made it; "" while waiting
	Failure     *Failure // of an item that failed without a job, else nil: the job has it
	Unexpected  bool
}

// Batches is what the store knows of batches. An upload is BeginBatch, ExpectKeys, StageItems as often as need be, and SealBatch; until
// that one succeeds nothing can be seen of it, and each of them may be called again.
type Batches interface {
	// BeginBatch records a batch, or finds the one that its idempotency key names. A new one is one request of its tenant, or
	// [ErrLimitReached] or [ErrOverloaded].
	BeginBatch(ctx context.Context, o BatchOrder) (BatchBegun, error)
	// ExpectKeys adds to the document keys that are expected in an upload; at most [MaxStaged] in one call.
	ExpectKeys(ctx context.Context, id ID, keys []string) error
	// StageItems adds items, at most [MaxStaged], and reserves their document keys. It answers for each in its order.
	StageItems(ctx context.Context, id ID, items []StagedItem) ([]Staged, error)
	// SealBatch accepts a batch of so many items.
	SealBatch(ctx context.Context, id ID, items int, digest string) (Sealing, error)
	// DropBatch forgets an upload, in steps of at most [MaxStaged] items: more says that another call is needed. A batch that was
	// sealed, or is not there, stays as it is.
	DropBatch(ctx context.Context, id ID) (more bool, err error)
	// Promote makes jobs of waiting items of the batches of a partition, ends those of canceled batches, and drops uploads that nobody
	// sealed within an hour: one step. More says that another call has work.
	Promote(ctx context.Context, partition int) (more bool, err error)
	// BusySince tells when the oldest batch of a partition was asked for that has something to be done, uploads included; zero is none. So
	// long has an item been there at most whose job is still to be made.
	BusySince(ctx context.Context, partition int) (time.Time, error)
	// Batch returns a batch that was sealed, or [ErrBatchNotFound].
	Batch(ctx context.Context, id ID) (Batch, error)
	// Batches returns a page of a tenant's batches, newest first.
	Batches(ctx context.Context, f BatchFilter) (Page[Batch], error)
	// BatchItems returns a page of items in their order. Next is the index to go on from, or -1.
	BatchItems(ctx context.Context, f ItemFilter) (items []BatchItem, next int, err error)
	// MissingKeys returns a page of the expected document keys that were not sent, in byte order. After is the last one of the page before.
	MissingKeys(ctx context.Context, id ID, after string, limit int) ([]string, error)
	// CancelBatch ends what is waiting or queued, in steps by Promote, and asks what runs to end.
	CancelBatch(ctx context.Context, id ID) error
	// MendItems keeps new inputs for failed items of a finished batch, at most [MaxStaged] in one call, until the RetryBatch of the same
	// key and request. It answers for each in its order: StageOK, StageNotFailed, StageConflict when the document key is another one, or StageInputGone.
	MendItems(ctx context.Context, id ID, key, request string, items []StagedItem) ([]Staged, error)
	// RetryBatch moves the failed items of a finished batch back to waiting and raises its epoch. Promote makes the jobs of those that were
	// mended by its request; those of the others are to be made again by Again and Restage. It is one request of the tenant, or
	// [ErrLimitReached].
	RetryBatch(ctx context.Context, r BatchRetry) (Retrying, error)
	// Again lists items of a partition that a retry has moved back and that have no new input yet. Those of a batch are listed to one
	// caller at a time, until that restages some of them or some seconds have passed.
	Again(ctx context.Context, partition, limit int) ([]AgainItem, error)
	// Restage gives such items their new jobs, for Promote to make. One whose Job has a Failure with a code fails for that, without a job.
	// Items that are not waiting for one are left alone.
	Restage(ctx context.Context, id ID, epoch int, items []StagedItem) error
}

// MaxStaged is how many items one call may stage.
const MaxStaged = 500

// BatchOrder is what BeginBatch records.
type BatchOrder struct {
	ID             ID // to be used if it is new
	Tenant         string
	IdempotencyKey string      // "" for none
	Request        Fingerprint // of the batch without its items
	Event          ID
	Delivery       ID
	Sealed         []byte // the encrypted [Callback]; nil without one
	Host, Target   string // of its URL
	Events         []string
	Metadata       json.RawMessage
}

// BatchBegun is the answer to BeginBatch.
type BatchBegun struct {
	Verdict Verdict // Created, Resumed, Replayed, KeyReused or IDTaken
	Batch   ID
	Items   int    // when Replayed
	Digest  string // when Replayed: the same items have the same one
	Job     ID     // when KeyReused by a job
	// Delivery, Sealed and Events are those that the upload began with, when Resumed.
	Delivery ID
	Sealed   []byte
	Events   []string
}

// Verdicts about batches and reservations, beside those of [Acceptance].
const (
	Resumed     Verdict = "resumed"      // an upload that was cut: it begins anew from item 0
	KeyReserved Verdict = "key_reserved" // the document key is reserved by a batch that is being uploaded
)

// StagedItem is an item on its way.
type StagedItem struct {
	Index int
	// Job is as in an [Acceptance]: with the ids to be used, and everything but its state.
	Job  Job
	Uses []Use
}

// Staged is what became of a [StagedItem].
type Staged struct {
	Verdict  StageVerdict
	Document ID  // with a conflict
	Other    int // with StageDuplicate: the other index
	Batch    ID  // with StageReserved
	Gone     string
}

// StageVerdict says whether an item was staged.
type StageVerdict string

// The verdicts on an item.
const (
	StageOK        StageVerdict = "ok"
	StageChanged   StageVerdict = "changed"    // another payload was staged under this index before
	StageDuplicate StageVerdict = "duplicate"  // another item has the document key
	StageConflict  StageVerdict = "conflict"   // the document key names a document with another payload
	StageReserved  StageVerdict = "reserved"   // another batch that is being uploaded has the document key
	StageCrowded   StageVerdict = "crowded"    // too many batches wait for the job of this document
	StageInputGone StageVerdict = "input_gone" // one of Uses was deleted: look again
	StageNotFailed StageVerdict = "not_failed" // only a failed item is mended
)

// Faults of batches.
var (
	ErrBatchNotFound = fault.New(fault.NotFound, "batch_not_found", "There is no such batch.")
	// ErrBatchGone says that an upload was dropped while it went on: its items were refused, or nobody sealed it in time.
	ErrBatchGone = fault.New(fault.Conflict, "batch_dropped", "The upload of this batch was dropped meanwhile. Repeat the request.").ForNow()
	// ErrBatchSealed says that an upload was sealed by another request while this one went on.
	ErrBatchSealed = fault.New(fault.Conflict, "batch_sealed", "Another request has completed this batch meanwhile. Repeat the request.").ForNow()
	// ErrKeyReserved says that a batch that is being uploaded has the document key; whether it stays is not decided yet.
	ErrKeyReserved = fault.New(fault.Conflict, "document_key_reserved",
		"A batch that is being uploaded has this document_key. Repeat the request later.").ForNow().After(keyReservedRetry)
)

// keyReservedRetry is what is asked of a client whose key is reserved.
const keyReservedRetry = 5 * time.Second

// EventBatchCompleted is the type of the event that an epoch of a batch has ended.
const EventBatchCompleted = "batch.completed"

// Why an item fails that has no job.
var (
	ItemConflict    = FailureOf(ErrDocumentKey)
	ItemInputPurged = FailureOf(ErrInputPurged)
	ItemCrowded     = FailureOf(fault.New(fault.Conflict, "document_crowded", "Too many batches wait for the job of this document.").ForNow())
	ItemIDTaken     = FailureOf(fault.New(fault.Conflict, "id_taken", "The id of the job was drawn by another one.").ForNow())
)

// Sealing is the answer to SealBatch.
type Sealing string

// The answers to SealBatch.
const (
	SealDone       Sealing = "sealed" // now or before
	SealIncomplete Sealing = "incomplete"
	SealGone       Sealing = "gone"
)

// BatchFilter selects batches of one tenant. Zero fields select all.
type BatchFilter struct {
	Tenant string
	Status BatchStatus
	Cursor ID
	Limit  int
}

// ItemFilter selects items of a batch. Zero fields select all.
type ItemFilter struct {
	Batch  ID
	Status ItemStatus
	From   int // index to begin with
	Limit  int
}

// BatchRetry is what RetryBatch needs.
type BatchRetry struct {
	Batch ID
	// Key tells a repeated call: a hash of its idempotency key, or a nonce.
	Key             string
	Event, Delivery ID // of batch.completed of the new epoch
	Sealed          []byte
	// Request is a nonce of the request that has sent new inputs: those of an earlier one, which was refused or cut, are none of this retry,
	// although their key may be the same. "" without new inputs.
	Request string
	Mended  int // how many items were given new inputs by it
}

// Retrying is the answer to RetryBatch.
type Retrying string

// The answers to RetryBatch.
const (
	RetryBegun    Retrying = "begun"
	RetryReplayed Retrying = "replayed" // this very call had begun it
	RetryRunning  Retrying = "running"  // the batch has items that have not ended
	RetryNothing  Retrying = "nothing"  // no item has failed
	// RetryDisplaced: another call has replaced new inputs of this one, or they have waited for too long. They are to be sent again.
	RetryDisplaced Retrying = "displaced"
)

// AgainItem is an item whose job is to be made again.
type AgainItem struct {
	Batch    ID
	Epoch    int
	Index    int
	Job      ID // the old one; "" when the item failed without
	Document ID
}
