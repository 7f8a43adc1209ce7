package api

import (
	"encoding/json"
	"time"
)

// JobStatus is where a job stands.
type JobStatus string

// The statuses of a job. The last three are terminal: they never change.
const (
	JobQueued    JobStatus = "queued"
	JobRunning   JobStatus = "running"
	JobSucceeded JobStatus = "succeeded"
	JobFailed    JobStatus = "failed"
	JobCanceled  JobStatus = "canceled"
)

// Job is the work of making one document.
type Job struct {
	ID          string     `json:"id"`
	DocumentID  string     `json:"document_id"`
	DocumentKey *string    `json:"document_key"`
	Status      JobStatus  `json:"status"`
	Priority    Priority   `json:"priority"` // never empty
	Progress    int        `json:"progress"` // percent
	Attempt     int        `json:"attempt"`  // 0 before the first
	CreatedAt   time.Time  `json:"created_at"`
	StartedAt   *time.Time `json:"started_at"` // of the latest attempt
	FinishedAt  *time.Time `json:"finished_at"`
	Engine      *string    `json:"engine"` // nil until the end, or when none was chosen
	// EngineReason is why the server, left to choose, did not take the native engine; nil otherwise.
	EngineReason *string          `json:"engine_reason"`
	Template     *TemplateVersion `json:"template"` // the stored one that it uses; nil for null when it uses none
	Warnings     []Warning        `json:"warnings"`
	Result       *Result          `json:"result"`   // once succeeded
	Error        *JobError        `json:"error"`    // once failed
	Callback     *CallbackState   `json:"callback"` // nil without a callback URL
	BatchID      *string          `json:"batch_id"` // the batch that it was made for; nil without one
	Metadata     json.RawMessage  `json:"metadata"` // what the caller gave; nil is null
}

// TemplateVersion names a version of a stored template.
type TemplateVersion struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Warning is something that did not stop the document but that its owner must know.
type Warning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// WarningCallbackIgnored is the warning that a server adds on a replay, when the repeated request has other
// callback settings than the first one, which stand.
const WarningCallbackIgnored = "callback_ignored"

// Result is what a job made.
type Result struct {
	URL         string     `json:"url"` // of the content; it needs a key
	SHA256      string     `json:"sha256"`
	Bytes       int64      `json:"bytes"`
	Pages       int        `json:"pages"`
	ContentType string     `json:"content_type"`
	Filename    string     `json:"filename"`
	ExpiresAt   *time.Time `json:"expires_at"` // of the bytes, not before; nil for never
}

// JobError says why a job failed.
type JobError struct {
	Code      JobErrorCode `json:"code"`
	Detail    string       `json:"detail"`
	Retryable bool         `json:"retryable"`
	RequestID string       `json:"request_id"` // of the request that submitted the job
}

// CallbackState says how the callback of a job stands.
type CallbackState struct {
	URLHost       string         `json:"url_host"`
	Status        DeliveryStatus `json:"status"`
	Attempts      int            `json:"attempts"`
	NextAttemptAt *time.Time     `json:"next_attempt_at"`
}

// JobList is one page of jobs, newest first.
type JobList struct {
	Data       []Job   `json:"data"`
	NextCursor *string `json:"next_cursor"` // nil on the last page
}

// DocumentStatus is where a document stands.
type DocumentStatus string

// The statuses of a document.
const (
	DocumentPending DocumentStatus = "pending"
	DocumentIssued  DocumentStatus = "issued"
	DocumentPurged  DocumentStatus = "purged"
)

// Document is an identity, and what was issued under it. What describes the bytes is nil until they exist, and
// stays when they are purged.
type Document struct {
	ID          string         `json:"id"`
	DocumentKey *string        `json:"document_key"`
	Status      DocumentStatus `json:"status"`
	JobID       string         `json:"job_id"`       // the current job, or the one that made it
	URL         *string        `json:"url"`          // of the content, while issued; it needs a key
	IssueNumber *int64         `json:"issue_number"` // without gaps within the tenant
	SHA256      *string        `json:"sha256"`
	Bytes       *int64         `json:"bytes"`
	Pages       *int           `json:"pages"`
	ContentType *string        `json:"content_type"`
	Filename    *string        `json:"filename"`
	CreatedAt   time.Time      `json:"created_at"`
	IssuedAt    *time.Time     `json:"issued_at"`
	ExpiresAt   *time.Time     `json:"expires_at"` // of the bytes, not before; nil for never
	PurgedAt    *time.Time     `json:"purged_at"`
}

// Link is an address of a document's content that needs no key.
type Link struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Key is an API key without its secret.
type Key struct {
	ID        string     `json:"id"`
	Tenant    string     `json:"tenant"`
	Name      string     `json:"name"`
	Scopes    []Scope    `json:"scopes"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"` // nil for never
}

// KeyCreated is a new key with what is shown only once.
type KeyCreated struct {
	Key
	Token string `json:"key"` // plt_<id>_<secret>
	// CallbackSecret signs the tenant's callbacks; it comes with the tenant's first key and is nil otherwise.
	CallbackSecret *string `json:"callback_secret"`
}

// KeyList is one page of keys, newest first.
type KeyList struct {
	Data       []Key   `json:"data"`
	NextCursor *string `json:"next_cursor"` // nil on the last page
}

// HealthStatus is the outcome of a check.
type HealthStatus string

// The outcomes.
const (
	HealthOK     HealthStatus = "ok"
	HealthFailed HealthStatus = "failed"
)

// Health is the answer of /livez and /readyz: failed when any check is.
type Health struct {
	Status HealthStatus  `json:"status"`
	Checks []HealthCheck `json:"checks"`
}

// HealthCheck is one thing that a process needs.
type HealthCheck struct {
	Name   string       `json:"name"`
	Status HealthStatus `json:"status"`
	Detail *string      `json:"detail"` // what is wrong
}

// ProblemType is the media type of a [Problem] (RFC 9457).
const ProblemType = "application/problem+json"

// Problem is an RFC 9457 problem, the body of every error but that of /readyz.
type Problem struct {
	Type      string       `json:"type"`  // always "about:blank"
	Title     string       `json:"title"` // the phrase of the HTTP status
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Code      ErrorCode    `json:"code"`
	RequestID string       `json:"request_id"`
	Retryable bool         `json:"retryable"`
	Errors    []FieldError `json:"errors"`
	// ErrorCount is how many items of a batch are wrong, whether Errors names them or not; nil when it is about none.
	ErrorCount *int    `json:"error_count"`
	JobID      *string `json:"job_id"`      // the job that it is about
	DocumentID *string `json:"document_id"` // the document that it is about
	BatchID    *string `json:"batch_id"`    // the batch that it is about
	// Limit and LimitValue say of a [CodeLimitReached] which limit of the tenant, by its name in [TenantLimits], and how much it is.
	Limit      *string `json:"limit"`
	LimitValue *int64  `json:"limit_value"`
}

// FieldError is one wrong part of a request.
type FieldError struct {
	Pointer string    `json:"pointer"` // RFC 6901; "" for the whole body
	Code    ErrorCode `json:"code"`
	Detail  string    `json:"detail"`
}
