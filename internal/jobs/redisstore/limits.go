package redisstore

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

// limitsOf reads what the script tenant says of limits, in the order of [jobs.LimitBounds].
func limitsOf(values []string) map[jobs.Limit]int64 {
	limits := map[jobs.Limit]int64{}
	for i, b := range jobs.LimitBounds {
		if values[i] != "" {
			limits[b.Limit] = number(values[i])
		}
	}
	return limits
}

// limitNames are the arguments that ask for them.
func limitNames() []any {
	var names []any
	for _, b := range jobs.LimitBounds {
		names = append(names, "limit:"+string(b.Limit))
	}
	return names
}

// SetLimits implements [jobs.Limiting].
func (s *Store) SetLimits(ctx context.Context, tenant string, changes map[jobs.Limit]*int64) error {
	args := []any{tenant}
	for name, value := range changes {
		text := ""
		if value != nil {
			text = strconv.FormatInt(*value, 10)
		}
		args = append(args, "limit:"+string(name), text)
	}
	v, err := s.word(ctx, s.scripts.setLimits, s.partition(tenant), args...)
	if err == nil && v == "gone" {
		err = jobs.ErrTenantNotFound
	}
	return err
}

// Charge implements [jobs.Limiting].
func (s *Store) Charge(ctx context.Context, tenant string) error {
	v, err := s.list(ctx, s.scripts.charge, s.partition(tenant), tenant)
	if err != nil {
		return err
	}
	if reached := limitReached(v); reached != nil {
		return reached.Fault()
	}
	return nil
}

// agedTenants is how many tenants of a line are looked at for the age of their jobs.
const agedTenants = 1000

// QueueAge implements [jobs.Limiting].
func (s *Store) QueueAge(ctx context.Context, class jobs.Class) (jobs.QueueAge, error) {
	all, errs := make([][]string, s.opts.Partitions), make([]error, s.opts.Partitions)
	var group sync.WaitGroup
	for p := range all {
		group.Go(func() { all[p], errs[p] = s.list(ctx, s.scripts.queueAge, p, string(class.Line()), agedTenants) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return jobs.QueueAge{}, err
	}
	var age jobs.QueueAge
	for _, v := range all {
		age.Turn = max(age.Turn, time.Duration(number(v[0]))*time.Millisecond)
		age.Oldest = max(age.Oldest, time.Duration(number(v[1]))*time.Millisecond)
	}
	return age, nil
}

// refusal reads what refuses new work, but for a limit; nil for another answer.
func refusal(v []string) error {
	if len(v) > 0 && v[0] == "overloaded" {
		return jobs.ErrOverloaded
	}
	return nil
}

// limitReached reads a refusal, {limited, limit, its value, ms}; nil for another answer.
func limitReached(v []string) *jobs.LimitReached {
	if len(v) < 4 || v[0] != string(jobs.Limited) {
		return nil
	}
	return &jobs.LimitReached{Limit: jobs.Limit(v[1]), Value: number(v[2]), After: time.Duration(number(v[3])) * time.Millisecond}
}

// number reads a whole number; what is none is 0.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
