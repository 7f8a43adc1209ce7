package jobs

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/fault"
)

// Sealings is what encrypting stored callbacks anew needs of the store.
type Sealings interface {
	// SealedJobs lists batches and jobs of a tenant in the order of their ids, from behind one on, with their callbacks as they are
	// sealed. One without is listed, too; a batch is listed once for each of its deliveries.
	SealedJobs(ctx context.Context, tenant string, after ID, limit int) ([]SealedJob, error)
	// SwapSealed replaces the sealed callback of a job and of its delivery where they still are as old says, and reports
	// whether both were.
	SwapSealed(ctx context.Context, old, new SealedJob) (bool, error)
}

// SealedJob is a job or a batch with its sealed callback, which its delivery has a copy of from the end of the job on.
type SealedJob struct {
	Job, Delivery  ID
	Sealed         []byte // of the job; nil without a callback, and for the delivery of an earlier epoch of a batch
	DeliverySealed []byte // nil before the job's end, and past the retention
}

// Resealed is what a part of a pass has done.
type Resealed struct {
	Checked    int // sealed texts
	Rewritten  int
	Contended  int // changed by others in between
	Unreadable int // no key opens them
	Next       string
}

// resealBatch is how many jobs one call looks at.
const resealBatch = 500

// ErrResealCursor refuses a cursor that no call has returned.
var ErrResealCursor = fault.At("/cursor", "field_invalid", "cursor must be the next_cursor of the part before.")

// Reseal encrypts stored secrets and callbacks anew that are not sealed with the current master key, a part at each call: from the
// cursor on, "" for the beginning, to Next, "" for the end. A cursor is the tenant to go on with, and perhaps a slash and
// the last job that was seen of it. What is sealed in the meantime is sealed with the current key of whoever does it; what a batch had
// sealed that is uploaded meanwhile is found by a pass an hour later.
func (s *Service) Reseal(ctx context.Context, cursor string) (Resealed, error) {
	tenant, after, within := strings.Cut(cursor, "/")
	if cursor != "" && CheckTenant(tenant) != nil || within && !resealable(after) {
		return Resealed{}, ErrResealCursor
	}
	names, err := s.Store.Tenants(ctx)
	if err != nil {
		return Resealed{}, err
	}
	slices.Sort(names)
	i, _ := slices.BinarySearch(names, tenant)
	if i == len(names) {
		return Resealed{}, s.resealCanaries(ctx)
	}
	if names[i] != tenant {
		after, within = "", false // it has gone, or this is the beginning
	}
	done := Resealed{}
	if !within {
		if err := s.resealTenant(ctx, names[i], &done); err != nil {
			return done, err
		}
	}
	last, err := s.resealJobs(ctx, names[i], ID(after), &done)
	switch {
	case err != nil:
		return done, err
	case last != "":
		done.Next = names[i] + "/" + string(last)
	case i+1 < len(names):
		done.Next = names[i+1]
	default:
		return done, s.resealCanaries(ctx)
	}
	return done, nil
}

// resealable reports whether a text is the id of something with a callback.
func resealable(id string) bool {
	for _, kind := range []Kind{KindJob, KindBatch} {
		if _, err := ParseID(kind, id); err == nil {
			return true
		}
	}
	return false
}

// resealTenant does it to the parts of a tenant.
func (s *Service) resealTenant(ctx context.Context, name string, done *Resealed) error {
	t, err := s.Store.Tenant(ctx, name)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		field  TenantField
		record string
		text   []byte
	}{
		{TenantSecrets, secretsRecord(name), t.Secrets},
		{TenantCallback, defaultURLRecord(name), t.Callback},
		{TenantSigning, signingRecord(name), t.Signing},
	} {
		fresh := s.reseal(ctx, part.record, part.text, done)
		if fresh == nil {
			continue
		}
		swapped, err := s.Store.SwapTenant(ctx, name, part.field, part.text, fresh)
		if err != nil {
			return err
		}
		done.count(1, swapped)
	}
	return nil
}

// resealJobs does it to some batches and jobs, and returns the last one, or "" when there are no more.
func (s *Service) resealJobs(ctx context.Context, tenant string, after ID, done *Resealed) (last ID, err error) {
	batch, err := s.Store.SealedJobs(ctx, tenant, after, resealBatch)
	if err != nil {
		return "", err
	}
	for _, old := range batch {
		fresh := old
		rewritten := 0
		for _, text := range []*[]byte{&fresh.Sealed, &fresh.DeliverySealed} {
			if anew := s.reseal(ctx, string(old.Delivery), *text, done); anew != nil {
				*text = anew
				rewritten++
			}
		}
		if rewritten == 0 {
			continue
		}
		swapped, err := s.Store.SwapSealed(ctx, old, fresh)
		if err != nil {
			return "", err
		}
		done.count(rewritten, swapped)
	}
	if len(batch) < resealBatch {
		return "", nil
	}
	return batch[len(batch)-1].Job, nil
}

func (r *Resealed) count(n int, swapped bool) {
	if swapped {
		r.Rewritten += n
	} else {
		r.Contended += n
	}
}

// reseal returns what is to stand in the place of a sealed text, or nil when it can stay or cannot be read.
func (s *Service) reseal(ctx context.Context, record string, text []byte, done *Resealed) []byte {
	if len(text) == 0 {
		return nil
	}
	done.Checked++
	if s.Key.Current(text) {
		return nil
	}
	plain, err := s.Key.Open(record, text)
	if err != nil {
		done.Unreadable++
		s.Logger.ErrorContext(ctx, "sealed text cannot be read", slog.String("record", record), slog.String("error", err.Error()))
		return nil
	}
	return s.Key.Seal(record, plain)
}

// secretsRecord is what the secrets of a tenant are sealed for.
func secretsRecord(tenant string) string { return "tenant:" + tenant }
