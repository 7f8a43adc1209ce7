package httpapi

import (
	"maps"
	"slices"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

// limitsOf checks limits that are to change.
func limitsOf(given map[string]*int64, w *wrongs) map[jobs.Limit]*int64 {
	limits := map[jobs.Limit]*int64{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(jobs.LimitBounds, func(b jobs.LimitBound) bool { return string(b.Limit) == name })
		if i < 0 {
			w.take(strictjson.ErrUnknown.With("There is no limit of this name.").In("/limits" + pointerTo(name)))
			continue
		}
		bound, value := jobs.LimitBounds[i], given[name]
		if value != nil && (*value < bound.Min || *value > bound.Max) {
			w.add("/limits/"+name, "limits.%s must be %d to %d, or null for none.", name, bound.Min, bound.Max)
		}
		limits[bound.Limit] = value
	}
	return limits
}

// tenantLimits shows the limits of a tenant.
func tenantLimits(limits map[jobs.Limit]int64) api.TenantLimits {
	of := func(name jobs.Limit) *int64 {
		value, ok := limits[name]
		if !ok {
			return nil
		}
		return &value
	}
	return api.TenantLimits{
		RequestsPerSecond: of(jobs.LimitRequests), RequestBurst: of(jobs.LimitBurst), ConcurrentRenders: of(jobs.LimitRenders),
		QueuedJobs: of(jobs.LimitQueued), BatchItems: of(jobs.LimitBatchItems), StoredBytes: of(jobs.LimitBytes), StoredVersions: of(jobs.LimitVersions),
	}
}

// aboutLimit says in a problem which limit it is about.
func aboutLimit(p *api.Problem, f *fault.Error) {
	value, err := strconv.ParseInt(f.Refs["limit_value"], 10, 64)
	if err != nil {
		return // it is about none
	}
	p.Limit, p.LimitValue = orNil(f.Refs["limit"]), &value
}
