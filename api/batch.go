package api

import (
	"encoding/json"
	"time"
)

// BatchRequest is the body of POST /batches in JSON, and its first line in NDJSON, where the items follow, one on each line.
type BatchRequest struct {
	// Items are the documents, as in POST /jobs but for what is about reporting: at most [MaxInlineItems].
	Items []json.RawMessage `json:"items,omitempty"`
	// ItemCount is how many items there are: what was cut on the way is then refused, whoever cut it.
	ItemCount *int `json:"item_count,omitempty"`
	// Defaults are members of a [JobRequest] that each item has unless it says otherwise, member by member.
	Defaults json.RawMessage `json:"defaults,omitempty"`
	// WebhookURL is where to report: nil is the tenant's default URL, if there is one, and the empty string does without it.
	WebhookURL    *string `json:"webhook_url,omitempty"`
	WebhookSecret *string `json:"webhook_secret,omitempty"`
	// WebhookEvents are the types to report; nil is batch.completed.
	WebhookEvents []string `json:"webhook_events,omitempty"`
	// ExpectKeys are the document keys that the caller believes it is sending; what is missing or unexpected is told.
	ExpectKeys []string `json:"expect_keys,omitempty"`
	// Metadata is as in a [JobRequest]; that of an item is its own.
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// BatchRetryRequest is the body of POST /batches/{id}/retry, which need not have one, and its first line in NDJSON.
type BatchRetryRequest struct {
	// Items are new inputs of failed items: members of a [JobRequest] and "index".
	Items    []json.RawMessage `json:"items,omitempty"`
	Defaults json.RawMessage   `json:"defaults,omitempty"`
}

// BatchStatus is where a batch stands.
type BatchStatus string

// The statuses of a batch. A retry takes the last two back to running.
const (
	BatchRunning   BatchStatus = "running"
	BatchCanceling BatchStatus = "canceling" // it was canceled, and attempts still run
	BatchCompleted BatchStatus = "completed" // each item has ended, in whichever way
	BatchCanceled  BatchStatus = "canceled"  // the same, and it was canceled
)

// Batch is many jobs that were accepted as a whole.
type Batch struct {
	ID       string      `json:"id"`
	Status   BatchStatus `json:"status"`
	Sequence int         `json:"sequence"` // 1, and one more with each retry
	Items    int         `json:"items"`
	Counts   BatchCounts `json:"counts"`
	Progress int         `json:"progress"` // percent of the items that have ended
	// Expected is nil when the caller named no keys.
	Expected *ExpectedKeys `json:"expected"`
	// RatePerMinute is how many items ended a minute lately; nil when it cannot be told.
	RatePerMinute  *float64   `json:"rate_per_minute"`
	EstimatedEndAt *time.Time `json:"estimated_end_at"`
	// Errors are of the failed items, the most frequent first.
	Errors        []BatchError    `json:"errors"`
	WebhookEvents []string        `json:"webhook_events"`
	Callback      *CallbackState  `json:"callback"` // of batch.completed; nil when it is reported to nobody
	Metadata      json.RawMessage `json:"metadata"`
	CreatedAt     time.Time       `json:"created_at"`
	FinishedAt    *time.Time      `json:"finished_at"`
}

// BatchCounts says how many items stand where. The last four have ended.
type BatchCounts struct {
	Waiting   int `json:"waiting"` // the job is still to be made
	Queued    int `json:"queued"`
	Running   int `json:"running"`
	Succeeded int `json:"succeeded"`
	Reused    int `json:"reused"` // the document had been issued before, of the same payload
	Failed    int `json:"failed"`
	Canceled  int `json:"canceled"`
}

// ExpectedKeys compares the document keys of a batch with those that its caller expected.
type ExpectedKeys struct {
	Keys       int `json:"keys"`
	Missing    int `json:"missing"`
	Unexpected int `json:"unexpected"`
}

// BatchError counts the items that failed for one reason.
type BatchError struct {
	Code   string `json:"code"`
	Count  int    `json:"count"`
	Index  int    `json:"index"` // of the first one that was noticed
	Detail string `json:"detail"`
}

// BatchList is one page of batches, newest first.
type BatchList struct {
	Data       []Batch `json:"data"`
	NextCursor *string `json:"next_cursor"`
}

// ItemStatus is where an item of a batch stands.
type ItemStatus string

// The statuses of an item; see [BatchCounts].
const (
	ItemWaiting   ItemStatus = "waiting"
	ItemQueued    ItemStatus = "queued"
	ItemRunning   ItemStatus = "running"
	ItemSucceeded ItemStatus = "succeeded"
	ItemReused    ItemStatus = "reused"
	ItemFailed    ItemStatus = "failed"
	ItemCanceled  ItemStatus = "canceled"
)

// BatchItem is one document of a batch.
type BatchItem struct {
	Index       int        `json:"index"` // from 0, as it was sent
	DocumentKey *string    `json:"document_key"`
	Status      ItemStatus `json:"status"`
	DocumentID  *string    `json:"document_id"` // nil while waiting
	Job         *Job       `json:"job"`         // nil while waiting, and when its record is past its retention
	Error       *JobError  `json:"error"`       // once failed
}

// BatchItemList is one page of items, in their order.
type BatchItemList struct {
	Data       []BatchItem `json:"data"`
	NextCursor *string     `json:"next_cursor"`
}
