package api

import "time"

// ReplayRequest is the body of POST /deliveries/replay: which deliveries to make again.
type ReplayRequest struct {
	Status        *DeliveryStatus `json:"status,omitempty"` // dead or delivered; nil means dead
	URLHost       *string         `json:"url_host,omitempty"`
	Type          *EventType      `json:"type,omitempty"`
	CreatedAfter  *time.Time      `json:"created_after,omitempty"` // of the job, at or after
	CreatedBefore *time.Time      `json:"created_before,omitempty"`
	DryRun        *bool           `json:"dry_run,omitempty"` // only count
	// RatePerSecond is at most [MaxReplayRate]; nil means [DefaultReplayRate].
	RatePerSecond *int `json:"rate_per_second,omitempty"`
}

// ReplayCount is the answer to a dry run.
type ReplayCount struct {
	DryRun  bool `json:"dry_run"` // always true
	Matched int  `json:"matched"`
}

// ReplayStatus is how far a replay has come.
type ReplayStatus string

// The statuses of a replay.
const (
	ReplayRunning  ReplayStatus = "running"
	ReplayFinished ReplayStatus = "finished"
)

// Replay is a replay of many deliveries, carried out in the background.
type Replay struct {
	ID            string       `json:"id"`
	Status        ReplayStatus `json:"status"`
	Filter        ReplayFilter `json:"filter"`
	Matched       int          `json:"matched"` // so far: replayed and skipped
	Replayed      int          `json:"replayed"`
	Skipped       int          `json:"skipped"` // past their retention, or their URL is gone
	RatePerSecond int          `json:"rate_per_second"`
	CreatedAt     time.Time    `json:"created_at"`
	CreatedBy     string       `json:"created_by"` // the id of the API key
	FinishedAt    *time.Time   `json:"finished_at"`
}

// ReplayFilter is what a replay selects; nil selects all.
type ReplayFilter struct {
	Status        DeliveryStatus `json:"status"`
	URLHost       *string        `json:"url_host"`
	Type          *EventType     `json:"type"`
	CreatedAfter  *time.Time     `json:"created_after"`
	CreatedBefore *time.Time     `json:"created_before"`
}

// ReplayList is one page of replays, newest first.
type ReplayList struct {
	Data       []Replay `json:"data"`
	NextCursor *string  `json:"next_cursor"` // nil on the last page
}

// TestRequest is the body of POST /deliveries/test. Its members are those of a [JobRequest].
type TestRequest struct {
	CallbackURL     *string           `json:"callback_url,omitempty"` // nil means the tenant's default URL
	CallbackSecret  *string           `json:"callback_secret,omitempty"`
	CallbackHeaders map[string]string `json:"callback_headers,omitempty"`
}

// GoneURL is a callback URL that answered 410: events to it are dead letters at once.
type GoneURL struct {
	ID         string    `json:"id"`
	URLHost    string    `json:"url_host"`
	GoneAt     time.Time `json:"gone_at"`
	DeliveryID string    `json:"delivery_id"` // the one that was answered so
}

// GoneURLList is all of them, on one page.
type GoneURLList struct {
	Data       []GoneURL `json:"data"`
	NextCursor *string   `json:"next_cursor"` // nil
}
