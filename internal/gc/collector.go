package gc

import (
	"context"
	"fmt"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Collector lists blobs that nobody points to, and removes them when it is told to. It looks at every blob and keeps those that it found
// in memory: some 200 bytes each.
type Collector struct {
	Store interface {
		Store
		Tenants(ctx context.Context) ([]string, error)
		Numbers(ctx context.Context, tenant string, after int64, limit int) (jobs.Numbers, error)
	}
	Blobs blobs.Store
	// Grace is that of [Judge].
	Grace time.Duration
}

// Finding is a blob that is not kept.
type Finding struct {
	Name    string
	Bytes   int64
	Written time.Time // by the clock of the storage
	Verdict Verdict
}

// Removable reports whether [Collector.Delete] removes it.
func (f Finding) Removable() bool { return f.Verdict == Orphan || f.Verdict == Unknown }

// Report says what was found.
type Report struct {
	Findings []Finding // in the order of their names
	Seen     int       // blobs, kept ones included
	Bytes    int64     // of those
}

// List judges all blobs. With an error the report holds what could be judged.
func (c Collector) List(ctx context.Context) (Report, error) {
	var report Report
	var current blobs.Info
	walk := func(visit func(string, time.Time) error) error {
		return c.Blobs.Walk(ctx, "", func(i blobs.Info) error {
			current = i
			report.Seen++
			report.Bytes += i.Size
			return visit(i.Name, i.ModTime)
		})
	}
	err := Judge{Store: c.Store, Grace: c.Grace}.Look(ctx, walk, func(name string, v Verdict) error {
		if v != Kept {
			report.Findings = append(report.Findings, Finding{Name: name, Bytes: current.Size, Written: current.ModTime, Verdict: v})
		}
		return nil
	})
	return report, err
}

// ErrStoreEmpty refuses to remove what a store does not know that knows nothing.
var ErrStoreEmpty = fault.New(fault.Conflict, "store_empty",
	"This Redis has never issued a document, and there are documents that it does not know. It may be the wrong one, or have lost everything: nothing is deleted.")

// Delete removes those findings that can be removed, and calls removed for each. It judges each anew before, since things go on: what is kept by now
// stays. It removes nothing that a store does not know when that store is empty.
func (c Collector) Delete(ctx context.Context, findings []Finding, removed func(Finding)) error {
	if err := c.plausible(ctx, findings); err != nil {
		return err
	}
	var current Finding
	again := func(visit func(string, time.Time) error) error {
		for _, f := range findings {
			current = f
			if !f.Removable() {
				continue
			}
			if err := visit(f.Name, f.Written); err != nil {
				return err
			}
		}
		return nil
	}
	return Judge{Store: c.Store, Grace: c.Grace}.Look(ctx, again, func(name string, v Verdict) error {
		if v != current.Verdict {
			return nil
		}
		if err := c.Blobs.Delete(ctx, name); err != nil {
			return fmt.Errorf("delete %s: %w", name, err)
		}
		removed(current)
		return nil
	})
}

// plausible refuses findings that say more about the store than about the blobs.
func (c Collector) plausible(ctx context.Context, findings []Finding) error {
	for _, f := range findings {
		if f.Verdict != Unknown {
			continue
		}
		issued, err := c.anyIssued(ctx)
		if err == nil && !issued {
			err = ErrStoreEmpty
		}
		return err
	}
	return nil
}

func (c Collector) anyIssued(ctx context.Context) (bool, error) {
	tenants, err := c.Store.Tenants(ctx)
	if err != nil {
		return false, fmt.Errorf("tenants: %w", err)
	}
	for _, tenant := range tenants {
		numbers, err := c.Store.Numbers(ctx, tenant, 0, 0)
		if err != nil || numbers.Last > 0 {
			return err == nil, err
		}
	}
	return false, nil
}
