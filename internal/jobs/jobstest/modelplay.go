package jobstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Ground is what [TestModel] plays on: one place that several stores, which differ in their settings, look at.
type Ground struct {
	// Open makes one more store on the records. A negative duration of its settings is over as it begins.
	Open func(s Settings) jobs.Store
	// Clear removes all records.
	Clear func(ctx context.Context) error
	// Count counts the records of a kind, by the name that the store gives it in its keys: "evt", "idem" and so on.
	Count func(ctx context.Context, kind string) (int, error)
	// Length counts the entries of an index, "idx:default" or "out", by the same names: what a list leaves out must not
	// stay in it either.
	Length func(ctx context.Context, index string) (int, error)
	// Owed is how many bytes are set aside for unfinished work.
	Owed func(ctx context.Context) (int, error)
}

// TestModel plays random sequences of steps on a store and on a model of the rules, and compares every answer and, after
// each round, all records and lists. The names of records are counted and not drawn, so a sequence that failed is the
// same when it is played again.
func TestModel(t *testing.T, g Ground) {
	t.Helper()
	lasting, brief := g.Open(Settings{HostLimit: plenty}), g.Open(Settings{JobRetention: past, DeadRetention: past, HostLimit: plenty})
	rapid.Check(t, func(t *rapid.T) {
		if err := g.Clear(t.Context()); err != nil {
			t.Fatalf("clear: %v", err)
		}
		p := &player{
			T: t, Ground: g, Store: lasting, brief: brief, model: newModel(),
			fences: map[jobs.ID][]jobs.Fence{}, ended: map[jobs.ID]jobs.Status{}, documentOf: map[jobs.ID]jobs.ID{},
		}
		for range rounds {
			t.Repeat(p.steps())
			p.compare()
		}
	})
}

// rounds is how often a sequence goes on after a comparison. A round is about 30 steps.
const rounds = 4

// plenty of places for one host: who waits for one has a test of its own.
const plenty = 1000

const (
	past = -time.Millisecond // a lease or a retention that is over as it begins
	far  = time.Hour         // one that outlasts the test
)

// player plays one sequence.
type player struct {
	*rapid.T
	Ground
	jobs.Store
	brief jobs.Store // past whose retention everything is, at once
	model *model

	drawn      int                      // names so far
	calls      []call                   // acceptances that made a job
	known      []jobs.ID                // jobs, removed ones included
	documents  []jobs.ID                // in the order of their making
	deliveries []jobs.ID                // reserved ones included
	fences     map[jobs.ID][]jobs.Fence // ever granted, of a job or a delivery
	ended      map[jobs.ID]jobs.Status  // as first seen
	documentOf map[jobs.ID]jobs.ID      // of a job, removed ones included
}

type call struct {
	made   jobs.Acceptance
	answer jobs.Acceptation
}

// steps holds every step as often as it is meant to be drawn.
func (p *player) steps() map[string]func(*rapid.T) {
	all := map[string]func(*rapid.T){}
	for _, s := range []struct {
		name  string
		step  func(*rapid.T)
		often int
	}{
		{"submit", p.submit, 5},
		{"call again", p.callAgain, 1},
		{"retry", p.retry, 2},
		{"claim", p.claim, 6},
		{"beat", p.beat, 2},
		{"complete", p.complete, 5},
		{"fail", p.fail, 4},
		{"reap", p.reap, 1},
		{"cancel", p.cancel, 1},
		{"purge", p.purge, 1},
		{"deliver", p.deliver, 4},
		{"finish", p.finish, 4},
		{"replay", p.replay, 1},
		{"lift", p.lift, 1},
		{"clean", p.clean, 3},
		{"dispatched", p.dispatched, 2},
		{"hand out", p.handOut, 4},
		{"limit", p.limit, 1},
		{"pull all", p.pullAll, 1},
	} {
		for n := range s.often {
			all[s.name+strings.Repeat(" ", n)] = s.step
		}
	}
	return all
}

// name counts names of records: a ULID in digits, whose last byte names partition 0.
func (p *player) name(k jobs.Kind) jobs.ID {
	p.drawn++
	return jobs.ID(fmt.Sprintf("%s_%024d00", k, p.drawn))
}

// answer compares what a step was answered.
func answer[T any](p *player, what string, got T, err error, want T) {
	p.Helper()
	if err != nil {
		p.Fatalf("%s: %v", what, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		p.Fatalf("%s (-rules +store)\n%s", what, d)
	}
}

// refused compares the fault that a step was answered with; nil is none.
func (p *player) refused(what string, err error, want *fault.Error) {
	p.Helper()
	if want == nil && err != nil || want != nil && (err == nil || fault.From(err).Code != want.Code) {
		p.Fatalf("%s: got %v, want %v", what, err, want)
	}
}

// pick draws one of all, mostly one that the step is meant for. Without any it skips the step.
func pick(t *rapid.T, what string, all []jobs.ID, meant func(jobs.ID) bool) jobs.ID {
	fit := slices.DeleteFunc(slices.Clone(all), func(id jobs.ID) bool { return !meant(id) })
	if len(fit) == 0 {
		t.Skip("nothing fits")
	}
	if rapid.IntRange(0, 7).Draw(t, "stray") == 7 {
		fit = all
	}
	return rapid.SampledFrom(fit).Draw(t, what)
}

func (p *player) jobIn(t *rapid.T, statuses ...jobs.Status) jobs.ID {
	return pick(t, "job", p.known, func(id jobs.ID) bool {
		j := p.model.jobs[id]
		return j != nil && slices.Contains(statuses, j.Status)
	})
}

func (p *player) deliveryThat(t *rapid.T, is func(d *modelDelivery) bool) jobs.ID {
	return pick(t, "delivery", p.deliveries, func(id jobs.ID) bool {
		d := p.model.deliveries[id]
		return d != nil && is(d)
	})
}

// fence draws one: mostly the last that was granted, or an older one, or one that never was.
func (p *player) fence(t *rapid.T, id jobs.ID) jobs.Fence {
	granted := p.fences[id]
	forged := jobs.Fence{Attempt: len(granted), Owner: "thief"}
	if len(granted) == 0 {
		return forged
	}
	last := granted[len(granted)-1]
	switch rapid.IntRange(0, 9).Draw(t, "fence") {
	case 9:
		return forged
	case 8:
		return jobs.Fence{Attempt: last.Attempt + 1, Owner: last.Owner}
	case 7, 6:
		return rapid.SampledFrom(granted).Draw(t, "older")
	}
	return last
}

func oneOf[T any](t *rapid.T, what string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, what)
}

// leaseFor draws a lease, and whether it is over.
func leaseFor(t *rapid.T) (time.Duration, bool) {
	lease := oneOf(t, "lease", far, far, past)
	return lease, lease == past
}

// watch looks at a job after a step: terminal is final.
func (p *player) watch(id jobs.ID) {
	p.Helper()
	j, err := p.Job(p.Context(), id)
	if errors.Is(err, jobs.ErrJobNotFound) {
		return
	}
	if err != nil {
		p.Fatalf("job: %v", err)
	}
	switch was, seen := p.ended[id]; {
	case seen && j.Status != was:
		p.Fatalf("%s had ended %s and is %s", id, was, j.Status)
	case !seen && j.Status.Final():
		p.ended[id] = j.Status
	}
}
