package api

import (
	"encoding/json"
	"time"
)

// EventType says what an event reports.
type EventType string

// The events. Every accepted job has exactly one of the first three in the end.
const (
	EventJobSucceeded EventType = "job.succeeded"
	EventJobFailed    EventType = "job.failed"
	EventJobCanceled  EventType = "job.canceled"
	// EventBatchCompleted says that each item of a batch has ended: once, and once more after each retry.
	EventBatchCompleted EventType = "batch.completed"
	EventPing           EventType = "ping" // a test, about no job
)

// Event is the body of a callback about a job.
type Event struct {
	Type      EventType `json:"type"`
	Timestamp time.Time `json:"timestamp"` // when the job became terminal
	Data      EventData `json:"data"`
}

// EventData names what an event is about; fetch the rest with a key.
type EventData struct {
	JobID       string    `json:"job_id"`
	DocumentID  string    `json:"document_id"`
	DocumentKey *string   `json:"document_key"`
	Status      JobStatus `json:"status"` // a terminal one
	// Sequence counts the events of the document; of two the higher one is the later.
	Sequence    int             `json:"sequence"`
	JobURL      string          `json:"job_url"`
	DocumentURL string          `json:"document_url"`
	BatchID     *string         `json:"batch_id"` // that the job was made for, or nil
	Metadata    json.RawMessage `json:"metadata"` // nil is null
}

// BatchEvent is the body of a callback about a batch.
type BatchEvent struct {
	Type      EventType      `json:"type"`
	Timestamp time.Time      `json:"timestamp"` // when its last item ended
	Data      BatchEventData `json:"data"`
}

// BatchEventData says how a batch ended; fetch the rest with a key.
type BatchEventData struct {
	BatchID     string          `json:"batch_id"`
	BatchURL    string          `json:"batch_url"`
	DocumentKey *string         `json:"document_key"` // nil
	Status      BatchStatus     `json:"status"`       // completed or canceled
	Sequence    int             `json:"sequence"`     // 1, and one more with each retry
	Items       int             `json:"items"`
	Counts      BatchCounts     `json:"counts"`
	Metadata    json.RawMessage `json:"metadata"` // nil is null
}

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The statuses of a delivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryDead      DeliveryStatus = "dead"
)

// Delivery is one event on its way to one URL.
type Delivery struct {
	ID            string            `json:"id"`
	EventID       string            `json:"event_id"`
	EventType     EventType         `json:"event_type"`
	JobID         *string           `json:"job_id"`      // nil for a test and for a batch
	DocumentID    *string           `json:"document_id"` // likewise
	BatchID       *string           `json:"batch_id"`    // of batch.completed
	Ping          bool              `json:"ping"`        // a test: one attempt, kept for a day
	URLHost       string            `json:"url_host"`
	Status        DeliveryStatus    `json:"status"`
	Attempts      int               `json:"attempts"` // replays included
	NextAttemptAt *time.Time        `json:"next_attempt_at"`
	CreatedAt     time.Time         `json:"created_at"`
	DiedAt        *time.Time        `json:"died_at"`
	Log           []DeliveryAttempt `json:"log"`     // oldest first
	Replays       []DeliveryReplay  `json:"replays"` // oldest first
}

// DeliveryReplay is one time that somebody wanted a delivery made again.
type DeliveryReplay struct {
	CreatedAt time.Time `json:"created_at"`
	CreatedBy string    `json:"created_by"` // the id of the API key
}

// AttemptOutcome says how one attempt of a delivery ended.
type AttemptOutcome string

// The outcomes. Unknown is an attempt in whose middle the server died; it counts like the others.
const (
	AttemptDelivered AttemptOutcome = "delivered"
	AttemptFailed    AttemptOutcome = "failed"
	AttemptUnknown   AttemptOutcome = "unknown"
)

// DeliveryAttempt is one attempt of a delivery.
type DeliveryAttempt struct {
	Number     int             `json:"number"` // from 1
	StartedAt  time.Time       `json:"started_at"`
	Outcome    *AttemptOutcome `json:"outcome"`     // nil while it runs
	StatusCode *int            `json:"status_code"` // what the receiver answered
	LatencyMS  *int64          `json:"latency_ms"`
	Error      *string         `json:"error"`    // why it failed
	Response   *string         `json:"response"` // the answer's first 1 KiB at most
}

// DeliveryList is one page of deliveries, newest first.
type DeliveryList struct {
	Data       []Delivery `json:"data"`
	NextCursor *string    `json:"next_cursor"` // nil on the last page
}
