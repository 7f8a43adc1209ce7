package api

// StreamType is the media type of a stream of events: server-sent events, as the HTML standard defines them in section 9.2.
const StreamType = "text/event-stream"

// StreamEvent is the name of an event of a stream. A reader ignores those that it does not know.
type StreamEvent string

// The events of streams.
const (
	// StreamSnapshot comes first: its data is the [Job] or the [Batch] as it is now or, in the stream of a tenant, a [TenantSnapshot].
	StreamSnapshot StreamEvent = "snapshot"
	// StreamReset says that some events were missed for good. A snapshot follows. Its data is an empty object.
	StreamReset StreamEvent = "reset"
	StreamJob   StreamEvent = "job"   // its data is a [JobChange]
	StreamBatch StreamEvent = "batch" // its data is a [BatchChange]
)

// JobChange is what a job has come to. More of it is in its record.
type JobChange struct {
	JobID      string    `json:"job_id"`
	DocumentID string    `json:"document_id"`
	BatchID    *string   `json:"batch_id"` // nil for a job of its own
	Status     JobStatus `json:"status"`
	Attempt    int       `json:"attempt"`
	Progress   int       `json:"progress"` // 0 to 100
}

// BatchChange is what a batch has come to.
type BatchChange struct {
	BatchID  string      `json:"batch_id"`
	Status   BatchStatus `json:"status"`
	Sequence int         `json:"sequence"` // 1, and one more with each retry
	Items    int         `json:"items"`
	Counts   BatchCounts `json:"counts"`
	Progress int         `json:"progress"` // percent of the items that have ended
}

// TenantSnapshot is how a tenant's work stands.
type TenantSnapshot struct {
	Jobs JobCounts `json:"jobs"`
}

// JobCounts says how many jobs, of those whose records are kept, stand where.
type JobCounts struct {
	Queued    int `json:"queued"`
	Running   int `json:"running"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Canceled  int `json:"canceled"`
}
