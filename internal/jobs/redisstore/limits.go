package redisstore

import (
	"context"
	"strconv"
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
