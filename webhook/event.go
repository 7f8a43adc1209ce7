package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/platen-render/platen/api"
)

// The types of events. More may come: a receiver ignores the ones it does not know.
const (
	TypeJobSucceeded   = "job.succeeded"
	TypeJobFailed      = "job.failed"
	TypeJobCanceled    = "job.canceled"
	TypeBatchCompleted = "batch.completed"
	// TypePing is sent on request, to test a callback URL. It is about no job.
	TypePing = "ping"
)

// MaxBody is the size, in bytes, that a body sent by Platen stays under.
const MaxBody = 20_000

// ErrEvent says that a body was signed by the right secret but is not an event.
var ErrEvent = errors.New("webhook: not an event")

// Event is the body of a callback. It carries ids and no document.
type Event struct {
	// ID is the webhook-id header: the same over retries and replays, so it is the key for doing things once.
	ID string `json:"-"`
	// Type is one of the constants of this package, or one that a later version adds.
	Type string `json:"type"`
	// Timestamp is when the event happened, not when it was sent.
	Timestamp time.Time `json:"timestamp"`
	Data      Data      `json:"data"`
}

// Data says what the event is about. Fields that do not apply are empty. In JSON an event about a job always has all
// members; the ones that a job need not have (document_key, batch_id, metadata) are null then.
type Data struct {
	JobID       string `json:"job_id,omitempty"`
	DocumentID  string `json:"document_id,omitempty"`
	DocumentKey string `json:"document_key"`
	// Status is the status of the job (succeeded, failed, canceled) or batch.
	Status string `json:"status,omitempty"`
	// Sequence counts the terminal events of the document, or of the batch, from 1: of two events the higher one is the later.
	Sequence int64 `json:"sequence,omitempty"`
	// JobURL and DocumentURL need an API key.
	JobURL      string `json:"job_url,omitempty"`
	DocumentURL string `json:"document_url,omitempty"`
	// BatchID is that of the batch that the event is about, or that the job was made for.
	BatchID string `json:"batch_id"`
	// BatchURL needs an API key. Like Items and Counts it is of batch.completed only.
	BatchURL string `json:"batch_url,omitempty"`
	// Items is how many the batch has, and Counts says how they ended.
	Items  int              `json:"items,omitempty"`
	Counts *api.BatchCounts `json:"counts,omitempty"`
	// Metadata is the JSON that was given with the job or the batch, number for number; nil when there was none.
	Metadata json.RawMessage `json:"metadata"`
}

// MarshalJSON writes null for what a job need not have.
func (d Data) MarshalJSON() ([]byte, error) {
	type members Data
	return json.Marshal(struct {
		members
		DocumentKey *string `json:"document_key"`
		BatchID     *string `json:"batch_id"`
	}{members(d), nullable(d.DocumentKey), nullable(d.BatchID)})
}

func nullable(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func parseEvent(id string, body []byte) (Event, error) {
	event := Event{ID: id}
	if err := json.Unmarshal(body, &event); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	if event.Type == "" || event.Timestamp.IsZero() {
		return Event{}, fmt.Errorf("%w: type or timestamp is missing", ErrEvent)
	}
	if string(event.Data.Metadata) == "null" {
		event.Data.Metadata = nil
	}
	return event, nil
}
