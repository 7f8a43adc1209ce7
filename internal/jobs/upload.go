package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of batches that are submitted.
var (
	ErrBatchRefused = fault.New(fault.Invalid, "batch_refused", "Items of the batch are wrong.")
	ErrBatchEmpty   = fault.New(fault.Invalid, "batch_empty", "The batch has no items.")
)

// BatchSubmission is a checked request for a batch.
type BatchSubmission struct {
	Tenant         string
	IdempotencyKey string      // "" for none
	Request        Fingerprint // of the request without its items
	Callback       *Callback   // nil for the tenant's default URL, if it has one
	NoCallback     bool        // do without the default
	Events         []string    // the types of events to report
	Metadata       json.RawMessage
	Expect         []string // document keys that the caller expects to send
	Items          ItemSource
	// Explain says of the refusal of an item what of the item it is about.
	Explain func(error) error
}

// ItemSource gives the items of an upload in their order.
type ItemSource interface {
	// Next returns the next item, or io.EOF after the last one. Any other error is about the upload as a whole, which ends with it.
	Next() (UploadItem, error)
}

// UploadItem is an item as it came. Of its submission the input, the fingerprint and what is to be kept count; the rest is the batch's.
type UploadItem struct {
	Submission
	// Size is how many bytes the item has in memory until it is staged, about.
	Size int
	// Wrong is why the item cannot be accepted. Its fingerprint, where it has one, counts all the same.
	Wrong error
}

// SubmittedBatch is the answer to a [BatchSubmission], and to a retry.
type SubmittedBatch struct {
	Batch Batch
	// Replayed says that an earlier request had done it.
	Replayed bool
}

// SubmitBatch accepts a batch as a whole or not at all. A client that goes ends the upload only in that its items end. One that ends before
// its last item stays for an hour for a repeated request with the same idempotency key to go on with, and its document keys stay reserved as
// long. A batch that is refused is forgotten before the error is returned: an [ErrBatchRefused] when its items are wrong.
func (s *Service) SubmitBatch(ctx context.Context, sub BatchSubmission) (SubmittedBatch, error) {
	ctx = context.WithoutCancel(ctx)
	u, err := s.beginUpload(ctx, sub)
	if err != nil {
		return SubmittedBatch{}, err
	}
	if err := u.run(ctx); err != nil {
		return SubmittedBatch{}, u.abandon(ctx, err)
	}
	if u.sealed {
		return u.replay(ctx)
	}
	if err := u.refusal(); err != nil {
		return SubmittedBatch{}, u.abandon(ctx, err)
	}
	return u.seal(ctx)
}

// upload is a batch on its way into the store.
type upload struct {
	stager
	sub     BatchSubmission
	id      ID
	digest  ItemsDigest
	most    int64      // items that the tenant may have in a batch; negative is any number
	changed wrongItems // those that differ from what an earlier upload of the same key had staged
	// sealed says that an earlier request has completed the batch: nothing is staged any more, only compared.
	sealed bool
}

// beginUpload asks the identity first, as for a job: only what is new is looked at further.
func (s *Service) beginUpload(ctx context.Context, sub BatchSubmission) (*upload, error) {
	callback, err := s.callbackFor(ctx, sub)
	if err != nil {
		return nil, err
	}
	order, begun, err := s.beginBatch(ctx, sub, callback)
	if err != nil {
		return nil, err
	}
	u := &upload{sub: sub, id: begun.Batch}
	u.stager = stager{service: s, tenant: sub.Tenant, batch: begun.Batch, explain: sub.Explain, stage: u.stageItems, conflict: keyConflict}
	u.reportTo(callback, order.Events)
	switch begun.Verdict {
	case KeyReused:
		return nil, keyReused(begun)
	case Replayed:
		u.sealed = true
		return u, nil
	case Created, Resumed:
		if err := s.admitUpload(ctx, u, begun, callback); err != nil {
			return nil, u.abandon(ctx, err)
		}
		if u.most, err = s.batchItems(ctx, sub.Tenant); err != nil {
			return nil, u.abandon(ctx, err)
		}
		return u, nil
	case IDTaken, Absent, KeyReserved, KeyConflict, NotRetryable, Retained, InputGone, Limited: // of jobs, or drawn in vain
	}
	return nil, fault.From(fmt.Errorf("begin batch answered %q", begun.Verdict))
}

func keyReused(begun BatchBegun) error {
	f := ErrKeyReused
	if begun.Job != "" {
		f = f.About("job_id", string(begun.Job))
	}
	if begun.Batch != "" {
		f = f.About("batch_id", string(begun.Batch))
	}
	return f
}

// callbackFor is where the batch reports: as was asked for, or to the tenant's default URL. Nil is nowhere.
func (s *Service) callbackFor(ctx context.Context, sub BatchSubmission) (*Callback, error) {
	if sub.Callback != nil || sub.NoCallback {
		return sub.Callback, nil
	}
	url, err := s.defaultURL(ctx, sub.Tenant)
	if err != nil || url == "" {
		return nil, err
	}
	return &Callback{URL: url}, nil
}

// beginBatch draws the ids and asks the store, again when they are taken.
func (s *Service) beginBatch(ctx context.Context, sub BatchSubmission, callback *Callback) (o BatchOrder, begun BatchBegun, err error) {
	for range drawings {
		p := PartitionOf(sub.Tenant, s.Partitions)
		o = BatchOrder{
			ID: NewID(KindBatch, p), Tenant: sub.Tenant, IdempotencyKey: sub.IdempotencyKey, Request: sub.Request,
			Event: NewID(KindEvent, p), Delivery: NewID(KindDelivery, p), Events: sub.Events, Metadata: sub.Metadata,
		}
		if callback != nil {
			o.Sealed, o.Host, o.Target = callback.Seal(s.Key, o.Delivery), hostOf(callback.URL), Target(callback.URL)
		}
		if begun, err = s.Store.BeginBatch(ctx, o); err != nil || begun.Verdict != IDTaken {
			break
		}
	}
	return o, begun, err
}

// admitUpload looks at what only matters for a batch that is not accepted yet. One that is taken up reports where it began to.
func (s *Service) admitUpload(ctx context.Context, u *upload, begun BatchBegun, callback *Callback) error {
	if begun.Verdict == Created {
		return s.admitBatch(ctx, u.sub, callback)
	}
	first, err := s.openCallback(begun.Delivery, begun.Sealed)
	if err != nil {
		return err
	}
	u.reportTo(first, begun.Events)
	return s.Store.Room(ctx, u.sub.Tenant)
}

// admitBatch looks at what only matters for a batch that is not known yet.
func (s *Service) admitBatch(ctx context.Context, sub BatchSubmission, callback *Callback) error {
	if err := s.Store.Room(ctx, sub.Tenant); err != nil {
		return err
	}
	switch {
	case sub.NoCallback:
		return s.optedOut(ctx, request{Submission: Submission{Tenant: sub.Tenant}})
	case callback == nil:
		return nil
	}
	err := s.CheckCallback(ctx, callback.URL)
	if err != nil && sub.Callback == nil {
		return fmt.Errorf("%w: %w", ErrDefaultURL, err)
	}
	return err
}

// run takes all that comes.
func (u *upload) run(ctx context.Context) error {
	if err := u.expect(ctx); err != nil {
		return err
	}
	for index := 0; ; index++ {
		item, err := u.sub.Items.Next()
		if errors.Is(err, io.EOF) {
			return u.flush(ctx)
		}
		if err != nil {
			return u.cut(ctx, err)
		}
		u.digest.Add(item.Fingerprint)
		if u.sealed || u.changed.any() { // of another upload nothing is kept
			continue
		}
		if u.most >= 0 && int64(index) >= u.most {
			return LimitReached{Limit: LimitBatchItems, Value: u.most}.Fault()
		}
		if err := u.take(ctx, index, item); err != nil {
			return err
		}
	}
}

// cut stages what came before the upload ended, if a repeated request can go on with it.
func (u *upload) cut(ctx context.Context, err error) error {
	if u.resumable(err) {
		if flushErr := u.flush(ctx); flushErr != nil {
			return flushErr
		}
	}
	return err
}

// expect records the document keys that the caller expects.
func (u *upload) expect(ctx context.Context) error {
	for keys := u.sub.Expect; len(keys) > 0 && !u.sealed; {
		n := min(len(keys), MaxStaged)
		if err := u.overtaken(u.service.Store.ExpectKeys(ctx, u.id, keys[:n])); err != nil {
			return err
		}
		keys = keys[n:]
	}
	u.sub.Expect = nil // they may be many, and the upload slow
	return nil
}

// overtaken takes an upload that another request has sealed for one that is replayed.
func (u *upload) overtaken(err error) error {
	if errors.Is(err, ErrBatchSealed) {
		u.sealed = true
		return nil
	}
	return err
}

// stageItems is how a [stager] gives items to the store.
func (u *upload) stageItems(ctx context.Context, items []StagedItem) ([]Staged, error) {
	if u.sealed {
		return nil, nil
	}
	answers, err := u.service.Store.StageItems(ctx, u.id, items)
	for i, a := range answers {
		if a.Verdict == StageChanged {
			u.changed.add(items[i].Index, ErrKeyReused.With("The item differs from the one that was sent before under this Idempotency-Key."))
		}
	}
	return answers, u.overtaken(err)
}

// refusal says what is wrong with an upload that came to its end.
func (u *upload) refusal() error {
	switch {
	case u.changed.any():
		return u.changed.reused()
	case u.wrong.any():
		return u.wrong.refusal("The batch was refused")
	case u.digest.Len() == 0:
		return ErrBatchEmpty
	}
	return nil
}

// abandon ends an upload that is not accepted. What a repeated request can go on with stays for it; what was refused is forgotten, with the
// reservations of its keys.
func (u *upload) abandon(ctx context.Context, err error) error {
	if u.sealed || u.resumable(err) {
		return err
	}
	for more := true; more; {
		var dropErr error
		if more, dropErr = u.service.Store.DropBatch(ctx, u.id); dropErr != nil {
			return fmt.Errorf("drop batch: %w", dropErr)
		}
	}
	return err
}

// resumable reports whether a repeated request can go on: what failed passes, or it was another one that failed. Wrong items do not, even
// those that only wait for another upload: of two that wait for each other none would ever end.
func (u *upload) resumable(err error) bool {
	if u.sub.IdempotencyKey == "" || u.wrong.any() || errors.Is(err, ErrLimitReached) {
		return u.changed.any()
	}
	return fault.Retryable(err) || errors.Is(err, ErrKeyReused)
}

// seal accepts the batch.
func (u *upload) seal(ctx context.Context) (SubmittedBatch, error) {
	got, err := u.service.Store.SealBatch(ctx, u.id, u.digest.Len(), u.digest.Sum())
	if err != nil {
		return SubmittedBatch{}, u.abandon(ctx, err)
	}
	switch got {
	case SealIncomplete: // an earlier upload of this key had more items
		return SubmittedBatch{}, ErrKeyReused.With("An earlier upload under this Idempotency-Key had more items.")
	case SealGone:
		return SubmittedBatch{}, ErrBatchGone
	case SealDone:
	}
	b, err := u.service.Store.Batch(ctx, u.id)
	return SubmittedBatch{Batch: b}, err
}

// replay compares the request with the batch that it names.
func (u *upload) replay(ctx context.Context) (SubmittedBatch, error) {
	b, err := u.service.Store.Batch(ctx, u.id)
	switch {
	case err != nil:
		return SubmittedBatch{}, err
	case b.Items != u.digest.Len() || b.Digest != u.digest.Sum():
		return SubmittedBatch{}, ErrKeyReused.About("batch_id", string(u.id))
	}
	return SubmittedBatch{Batch: b, Replayed: true}, nil
}
