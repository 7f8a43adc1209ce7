// Package gc finds blobs that nobody points to. The janitor of every process removes most of them by itself; what it must leave
// alone, because the store may know less than it should, a person removes with `platen gc`.
package gc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// Verdict says what is known of a blob.
type Verdict string

// The verdicts.
const (
	// Kept is one that somebody points to or may point to yet.
	Kept Verdict = "kept"
	// Orphan can belong to nothing any more: its job is over and it is not what was issued, or it is an input that no job took.
	Orphan Verdict = "orphan"
	// Unknown belongs to a document, a template or an asset that the store has never heard of. The store may have been restored from an older
	// backup, or be another one: nothing of this kind is removed unless a person says so.
	Unknown Verdict = "unknown"
	// Foreign has a name that Platen gives to nothing. It is nobody's to remove.
	Foreign Verdict = "foreign"
)

// Store is what judges ask.
type Store interface {
	Partitions() int
	Job(ctx context.Context, id jobs.ID) (jobs.Job, error)
	Document(ctx context.Context, id jobs.ID) (jobs.Document, error)
	BusySince(ctx context.Context, partition int) (time.Time, error)
	VersionOf(ctx context.Context, item jobs.Item, sha256 string) (jobs.Stored, error)
	KnowsItem(ctx context.Context, item jobs.Item) (bool, error)
}

const (
	defaultGrace = 24 * time.Hour
	// previewGrace is how old the remains of a preview must be: nobody waits for so long.
	previewGrace = time.Hour
	// clockSlack is how far the clock of the storage may be from that of Redis.
	clockSlack = 15 * time.Minute
)

// Judge decides about blobs, one at a time.
type Judge struct {
	Store Store
	// Grace is how old a blob must be whose job is not known. Zero is 24 h.
	Grace time.Duration
}

// Walk visits blobs, with the time when each was written.
type Walk func(visit func(name string, written time.Time) error) error

// Look judges each blob of a walk. Those of a partition that did not answer are left out, which is an error in the end; it is asked once. The first
// error of found ends it.
func (j Judge) Look(ctx context.Context, walk Walk, found func(name string, v Verdict) error) error {
	away := map[int]error{}
	err := walk(func(name string, written time.Time) error {
		partition, decide := j.of(name, written)
		if away[partition] != nil {
			return ctx.Err()
		}
		v, err := decide(ctx)
		if err != nil {
			away[partition] = err
			return ctx.Err()
		}
		return errors.Join(ctx.Err(), found(name, v))
	})
	errs := slices.Collect(maps.Values(away))
	if err != nil {
		errs = append(errs, fmt.Errorf("walk: %w", err))
	}
	return errors.Join(errs...)
}

// of finds who decides about a blob, by its name.
func (j Judge) of(name string, written time.Time) (partition int, decide func(context.Context) (Verdict, error)) {
	if item, sum, ok := jobs.ParseItemBlob(name); ok {
		return jobs.PartitionOf(item.Tenant, j.Store.Partitions()), func(ctx context.Context) (Verdict, error) {
			return j.version(ctx, name, item, sum, written)
		}
	}
	place, ok := jobs.ParsePlace(name)
	if !ok {
		return -1, func(context.Context) (Verdict, error) { return Foreign, nil }
	}
	return place.Job.Partition(), func(ctx context.Context) (Verdict, error) { return j.made(ctx, name, place, written) }
}

func (j Judge) old(written time.Time) bool {
	return time.Since(written) > j.grace()
}

func (j Judge) grace() time.Duration { return cmp.Or(j.Grace, defaultGrace) }

// version decides about the bytes of a template or an asset. Those that are young may have a record any moment.
func (j Judge) version(ctx context.Context, name string, item jobs.Item, sum string, written time.Time) (Verdict, error) {
	if !j.old(written) {
		return Kept, nil
	}
	v, err := j.Store.VersionOf(ctx, item, sum)
	if !isNotFound(err) {
		return orphanIf(err == nil && v.Blob != name), err
	}
	known, err := j.Store.KnowsItem(ctx, item)
	if err == nil && !known {
		return Unknown, nil
	}
	return orphanIf(known), err
}

// made decides about what belongs to a job or a preview.
func (j Judge) made(ctx context.Context, name string, place jobs.Place, written time.Time) (Verdict, error) {
	if place.Preview != "" {
		return orphanIf(time.Since(written) > previewGrace), nil
	}
	job, err := j.Store.Job(ctx, place.Job)
	missing := isNotFound(err)
	if err != nil && !missing {
		return Kept, err
	}
	if place.Document == "" { // an input
		if missing {
			return j.untaken(ctx, place.Job, written)
		}
		return orphanIf(job.Status.Final() && job.Spec == nil && job.SpecBlob == ""), nil
	}
	document, err := j.Store.Document(ctx, place.Document)
	switch {
	case isNotFound(err) && j.old(written):
		return Unknown, nil
	case isNotFound(err):
		return Kept, nil
	case err != nil:
		return Kept, err
	case document.Status == jobs.Issued && document.Result.Blob == name:
		return Kept, nil
	}
	return orphanIf(missing && j.old(written) || !missing && job.Status.Final()), nil
}

// untaken decides about an input whose job is not known. It may be that of an item of a batch which is uploaded for long, or waits for
// workers; then it was young when the batch was begun. Its job may have been made since we asked for it.
func (j Judge) untaken(ctx context.Context, id jobs.ID, written time.Time) (Verdict, error) {
	if !j.old(written) {
		return Kept, nil
	}
	busy, err := j.Store.BusySince(ctx, id.Partition())
	if err != nil || !busy.IsZero() && !written.Add(j.grace()+clockSlack).Before(busy) {
		return Kept, err
	}
	_, err = j.Store.Job(ctx, id)
	if isNotFound(err) {
		return Orphan, nil
	}
	return Kept, err
}

func orphanIf(yes bool) Verdict {
	if yes {
		return Orphan
	}
	return Kept
}

func isNotFound(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && f.Kind == fault.NotFound
}
