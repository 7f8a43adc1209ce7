package main

import "fmt"

// report is the outcome of an experiment, one line of JSON.
type report struct {
	Seed              int64          `json:"seed"`
	Kills             int            `json:"kills"`
	Faults            map[string]int `json:"faults"`
	Accepted          int            `json:"accepted"`
	Lost              int            `json:"lost"`
	PublishedTwice    int            `json:"published_twice"`
	EventsMissing     int            `json:"events_missing"`
	EventsConflicting int            `json:"events_conflicting"`
	Stuck             int            `json:"stuck"`
	OrphanBlobs       int            `json:"orphan_blobs"`
	RetriesUsedUp     int            `json:"retries_used_up"` // jobs that failed for what was not their fault
	SettledSeconds    float64        `json:"settled_s"`
	WebhooksSeenTwice int            `json:"webhooks_seen_twice"` // allowed: the receiver answered 2xx and the sender died
	AttemptsPerJob    float64        `json:"attempts_per_job"`
	Violations        []string       `json:"violations,omitempty"`
}

// maxNamed bounds how many violations are named one by one.
const maxNamed = 20

// broken counts a violation and names it.
func (r *report) broken(counter *int, format string, args ...any) {
	*counter++
	if len(r.Violations) < maxNamed {
		r.Violations = append(r.Violations, fmt.Sprintf(format, args...))
	}
}

func (r *report) verdict() error {
	sum := r.Lost + r.PublishedTwice + r.EventsMissing + r.EventsConflicting + r.Stuck + r.OrphanBlobs + r.RetriesUsedUp
	if sum > 0 {
		return fmt.Errorf("%d violations", sum)
	}
	if r.Accepted == 0 || r.Kills == 0 {
		return fmt.Errorf("nothing was tried: %d accepted, %d kills", r.Accepted, r.Kills)
	}
	return nil
}
