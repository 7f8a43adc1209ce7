package e2e_test

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
)

// check checks what is recorded of all attempts at a receiver.
func (s *siege) check(at *target) {
	s.Helper()
	status, attempts := api.DeliveryDead, 2
	if at.why == "" {
		status, attempts = api.DeliveryDelivered, 1
	}
	for _, job := range at.jobs {
		d := s.ended(job)
		if d.Status != status || d.Attempts != attempts || len(d.Log) != attempts {
			s.Errorf("%s: %s after %d attempts: %s", at.name, d.Status, d.Attempts, shown(d))
			continue
		}
		if !all(d.Log, at.matches) {
			s.Errorf("%s: %s", at.name, shown(d))
		}
		if at.code != "" {
			s.codes[at.code] += len(d.Log)
		}
	}
}

// matches reports whether an attempt was recorded as it should be.
func (k kind) matches(a api.DeliveryAttempt) bool {
	outcome := api.AttemptFailed
	if k.why == "" {
		outcome = api.AttemptDelivered
	}
	if *a.Outcome != outcome || value(a.StatusCode) != k.status || value(a.Error) != k.why || (a.Response != nil) != (k.status != 0) {
		return false
	}
	text := value(a.Response)
	if len(text) > 1<<10 || !utf8.ValidString(text) || k.kept != nil && !k.kept(text) {
		return false
	}
	return k.inTime(a)
}

// inTime reports whether the attempt ended at its deadline if the receiver hangs, and not long after it if not.
func (k kind) inTime(a api.DeliveryAttempt) bool {
	took := time.Duration(*a.LatencyMS) * time.Millisecond
	return took <= attemptDeadline+late && (!k.hangs || took >= attemptDeadline-early)
}

// throng makes deliveries to one host that never answers, more than it can have in the time of the schedule.
func (s *siege) throng() *target {
	s.Helper()
	at := s.target(s.kinds[0], &tally{}, crowd)
	s.submitAll(at)
	return at
}

// checkThrong checks deliveries that wait for each other: once the host counts as one that does not answer, those that
// have waited for as long as the schedule are given up without a further attempt.
func (s *siege) checkThrong(at *target) {
	s.Helper()
	const hostDown = "The host has not answered for as long as the whole schedule."
	down, came := 0, int64(0)
	for _, job := range at.jobs {
		d := s.ended(job)
		made := d.Log
		if last := len(made) - 1; last >= 0 && value(made[last].Error) == hostDown {
			made = made[:last]
			down++
		} else if len(made) != 2 {
			s.Errorf("the throng: given up early: %s", shown(d))
		}
		if d.Status != api.DeliveryDead || !all(made, at.matches) {
			s.Errorf("the throng: %s", shown(d))
		}
		s.codes[at.code] += len(made)
		came += int64(len(made))
	}
	s.Logf("%d of %d were given up with their host", down, crowd)
	if most := at.count.most.Load(); down == 0 || most > hostLimit || at.count.came.Load() != came {
		s.Errorf("%d of %d given up, %d attempts at once, %d in all, %d recorded", down, crowd, most, at.count.came.Load(), came)
	}
}

func all[T any](items []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(items, func(item T) bool { return !ok(item) })
}

// value is what a pointer points to, or the zero value.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func shown(d api.Delivery) string {
	text := string(d.Status)
	for _, a := range d.Log {
		text += fmt.Sprintf("\n\t%d: %s %d %q after %d ms, %d bytes %.40q", a.Number, value(a.Outcome), value(a.StatusCode), value(a.Error),
			value(a.LatencyMS), len(value(a.Response)), value(a.Response))
	}
	return text
}
