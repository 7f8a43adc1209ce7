package httpapi

import (
	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// class is that of the jobs of a priority.
func class(p *api.Priority, w *wrongs) jobs.Class {
	if p == nil {
		return jobs.ClassNormal
	}
	switch *p {
	case api.PriorityHigh:
		return jobs.ClassHigh
	case api.PriorityNormal:
		return jobs.ClassNormal
	case api.PriorityLow:
		return jobs.ClassLow
	case api.PriorityBatch: // is for batches alone
	}
	w.add("/priority", "priority must be high, normal or low.")
	return jobs.ClassNormal
}
