package jobs

import (
	"errors"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// ErrShutdown is the cause with which a worker that is told to stop cancels its attempts. Such an attempt is handed
// back and counts nowhere.
var ErrShutdown = errors.New("worker is shutting down")

// ErrWorkerLost is why a job fails whose workers died each time.
var ErrWorkerLost = fault.New(fault.Unavailable, "worker_lost", "The worker stopped answering while the document was being rendered.")

// Rule says what follows from a failed attempt: which counter of the job it raises, how far that may go, and how
// long the next attempt waits. The zero Rule is another attempt at once, counted nowhere.
type Rule struct {
	// Counter names the field of the job that counts these failures; "" counts nowhere.
	Counter string
	// Limit is how many such failures are followed by another attempt; the next one is the end. Negative is
	// without limit.
	Limit int
	// Delays are the waits after the first, second, … such failure; the last one repeats. None is no wait.
	Delays []time.Duration
	// OnlyOverdue makes it a no-op unless the lease of the attempt has run out; for the reaper.
	OnlyOverdue bool
}

// Rules holds one [Rule] for each class of failure, so that a crash uses up no render retry.
type Rules struct {
	Permanent      Rule // the page is at fault: no further attempt
	Render         Rule // an engine error that may pass
	EngineLost     Rule // an engine shared with other jobs died
	Lost           Rule // the worker died: its lease ran out
	Infrastructure Rule // no engine or no storage: nobody's document can be made now
	// Unexplained is for a failure of that kind while all is well: a blob that cannot be read, say, or a page that needs a browser
	// on a worker that has none. It must end some day.
	Unexplained Rule
	HandBack    Rule // the worker was told to stop
}

// DefaultRules are the rules that docs/configuration.md describes.
func DefaultRules() Rules {
	return Rules{
		Permanent:      Rule{Counter: "retries", Limit: 0},
		Render:         Rule{Counter: "retries", Limit: 2, Delays: []time.Duration{time.Second, 5 * time.Second}},
		EngineLost:     Rule{Counter: "engine_lost", Limit: 5, Delays: doubling(8 * time.Second)},
		Lost:           Rule{Counter: "lost", Limit: 10, OnlyOverdue: true},
		Infrastructure: Rule{Counter: "infrastructure", Limit: -1, Delays: doubling(60 * time.Second)},
		Unexplained:    Rule{Counter: "unexplained", Limit: 20, Delays: doubling(60 * time.Second)},
		HandBack:       Rule{Limit: -1},
	}
}

func doubling(limit time.Duration) []time.Duration {
	var ds []time.Duration
	for d := time.Second; d < limit; d *= 2 {
		ds = append(ds, d)
	}
	return append(ds, limit)
}

// infrastructure holds the codes of faults that no job is to blame for.
var infrastructure = map[string]bool{
	render.ErrEngineUnavailable.Code: true,
	"storage_full":                   true,
	"storage_unavailable":            true,
}

// IsInfrastructure reports whether err would have met any job.
func IsInfrastructure(err error) bool { return infrastructure[fault.From(err).Code] }

// For picks the rule for an error of an attempt.
func (r Rules) For(err error) Rule {
	switch {
	case errors.Is(err, ErrShutdown):
		return r.HandBack
	case IsInfrastructure(err):
		return r.Infrastructure
	case errors.Is(err, render.ErrEngineLost):
		return r.EngineLost
	case fault.Retryable(err):
		return r.Render
	}
	return r.Permanent
}

// FailureOf is the part of an error that the owner of a job may see.
func FailureOf(err error) Failure {
	f := fault.From(err)
	return Failure{Code: f.Code, Detail: f.Message, Retryable: f.Kind.Retryable()}
}
