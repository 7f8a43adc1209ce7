package main

import (
	"fmt"
	"sync"
	"time"
)

// report is the outcome of an experiment, one line of JSON.
type report struct {
	Topology          string         `json:"topology"`
	Engine            string         `json:"engine"`
	Kill              string         `json:"kill"`
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
	Batches           int            `json:"batches"`             // accepted
	BatchesRefused    int            `json:"batches_refused"`     // as a whole, each for one bad item
	WrongBatches      int            `json:"wrong_batches"`       // whose counts, items and jobs do not agree
	RetriesUsedUp     int            `json:"retries_used_up"`     // jobs that failed for what was not their fault
	NotDocuments      int            `json:"not_documents"`       // issued bytes that no reader of PDF takes, or of another job
	NotProved         int            `json:"not_proved"`          // issued documents without a receipt that holds
	ReadinessWrong    int            `json:"readiness_wrong"`     // workers that hid, or kept up, that their disk was full
	UnreadySeen       int            `json:"unready_seen"`        // workers that said so
	Recoveries        int            `json:"recoveries"`          // attempts that a killed worker took along
	RecoveryP95       float64        `json:"recovery_p95_s"`      // from its death to the next claim
	RecoverySlow      int            `json:"recovery_slow"`       // 1 when that was too long, which only kill=workers can tell
	Backlog           int            `json:"backlog"`             // jobs that had not ended at the last kill, or the end of the last fault if later
	JobsEnded         float64        `json:"jobs_ended_s"`        // from then to the end of the last job
	Settled           float64        `json:"settled_s"`           // and to the report of the last job
	WebhooksSeenTwice int            `json:"webhooks_seen_twice"` // allowed: the receiver answered 2xx and the sender died
	AttemptsPerJob    float64        `json:"attempts_per_job"`
	Violations        []string       `json:"violations,omitempty"`

	mu   sync.Mutex
	calm time.Time // when the last kill was, or the end of the last fault
}

func newReport(o options) *report {
	return &report{Topology: o.topology, Engine: o.engine, Kill: o.kill, Seed: o.seed, Faults: map[string]int{}}
}

// killed counts a kill.
func (r *report) killed(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Kills++
	r.restless(at)
}

// disturbed counts a fault that has ended.
func (r *report) disturbed(name string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Faults[name]++
	r.restless(at)
}

func (r *report) restless(at time.Time) {
	if at.After(r.calm) {
		r.calm = at
	}
}

func (r *report) sawUnready() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.UnreadySeen++
}

// recovered takes down how long attempts of killed workers waited for the next one. While Redis and APIs die too, that says
// little of what was promised.
func (r *report) recovered(p95 time.Duration, n int) {
	r.Recoveries, r.RecoveryP95 = n, p95.Seconds()
	if r.Kill == killWorkers && n > enoughRecoveries && p95 > recoverWithin {
		r.broken(&r.RecoverySlow, "of the attempts of killed workers 95 %% were followed by the next within %v, not %v", p95, recoverWithin)
	}
}

// maxNamed bounds how many violations are named one by one.
const maxNamed = 20

// broken counts a violation and names it.
func (r *report) broken(counter *int, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*counter++
	if len(r.Violations) < maxNamed {
		r.Violations = append(r.Violations, fmt.Sprintf(format, args...))
	}
}

func (r *report) verdict() error {
	sum := r.Lost + r.PublishedTwice + r.EventsMissing + r.EventsConflicting + r.Stuck + r.OrphanBlobs + r.RetriesUsedUp +
		r.NotDocuments + r.NotProved + r.WrongBatches + r.ReadinessWrong + r.RecoverySlow
	if sum > 0 {
		return fmt.Errorf("%d violations", sum)
	}
	if r.Accepted == 0 || r.Kills == 0 {
		return fmt.Errorf("nothing was tried: %d accepted, %d kills", r.Accepted, r.Kills)
	}
	return nil
}
