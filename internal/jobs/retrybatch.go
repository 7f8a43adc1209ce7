package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// ErrNothingFailed says that there is nothing to try again.
var ErrNothingFailed = fault.New(fault.Conflict, "batch_nothing_failed", "No item of the batch has failed.")

// errDisplaced is for new inputs that are not all there any more when their retry is to begin.
var errDisplaced = fault.New(fault.Conflict, "batch_pending",
	"Another retry of the batch has sent new inputs, too, or these have waited for too long. Repeat the request.").ForNow().After(time.Second)

// BatchMending asks for the failed items of a batch to be tried again.
type BatchMending struct {
	Tenant         string
	Batch          ID
	IdempotencyKey string // "" for none
	Items          MendedSource
	// Explain is as in a [BatchSubmission].
	Explain func(error) error
}

// MendedSource gives new inputs for failed items, in any order.
type MendedSource interface {
	// Next returns the next one, or io.EOF after the last. KeyOf tells the document key of an item of the batch. Any other error ends the
	// request.
	Next(keyOf func(index int) (string, error)) (MendedItem, error)
}

// MendedItem is a new input for a failed item.
type MendedItem struct {
	UploadItem
	Index int // of the item in the batch; that of the source tells where it stands in the request
}

// RetryBatch makes new jobs for the failed items of a batch: the same documents, with the inputs that they had or with new ones. An
// [ErrBatchRefused] when one of these is wrong: then nothing is tried again. [ErrBatchPending], [ErrNothingFailed].
func (s *Service) RetryBatch(ctx context.Context, m BatchMending) (SubmittedBatch, error) {
	ctx = context.WithoutCancel(ctx)
	b, err := s.Batch(ctx, m.Tenant, m.Batch)
	if err != nil {
		return SubmittedBatch{}, err
	}
	key := rand.Text()
	if m.IdempotencyKey != "" {
		key = Digest([]byte(m.IdempotencyKey))
	}
	retry, err := s.batchRetry(ctx, b, key)
	if err != nil {
		return SubmittedBatch{}, err
	}
	if m.Items != nil {
		retry.Request = rand.Text()
		// It is a repeated request, or one that is too early: its inputs were not taken, so that the retry must not begin if the batch has
		// ended since.
		retry.Mended = 1
	}
	if m.Items != nil && b.Status.Final() {
		if retry.Mended, err = s.mendItems(ctx, b, retry, m); err != nil {
			return SubmittedBatch{}, s.ratherPending(ctx, b.ID, err)
		}
	}
	got, err := s.Store.RetryBatch(ctx, retry)
	if err != nil {
		return SubmittedBatch{}, err
	}
	if b, err = s.Store.Batch(ctx, m.Batch); err != nil {
		return SubmittedBatch{}, err
	}
	switch got {
	case RetryRunning:
		return SubmittedBatch{}, about(Ended(b), b.ID)
	case RetryDisplaced:
		return SubmittedBatch{}, about(errDisplaced, b.ID)
	case RetryNothing:
		return SubmittedBatch{}, about(ErrNothingFailed, b.ID)
	case RetryBegun, RetryReplayed:
	}
	return SubmittedBatch{Batch: b, Replayed: got == RetryReplayed}, nil
}

// ratherPending is why new inputs are refused: that another retry has begun meanwhile, rather than that what it tries again has not failed.
func (s *Service) ratherPending(ctx context.Context, id ID, refused error) error {
	if b, err := s.Store.Batch(ctx, id); err == nil && !b.Status.Final() {
		return about(Ended(b), id)
	}
	return refused
}

// about names the batch that a fault is about.
func about(err error, id ID) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.About("batch_id", string(id))
	}
	return ErrBatchPending.About("batch_id", string(id)) // it ended just now
}

// batchRetry draws the ids of the new report, which goes where the last one went.
func (s *Service) batchRetry(ctx context.Context, b Batch, key string) (BatchRetry, error) {
	r := BatchRetry{Batch: b.ID, Key: key, Event: NewID(KindEvent, b.ID.Partition()), Delivery: NewID(KindDelivery, b.ID.Partition())}
	callback, err := s.callbackOfBatch(b)
	if err != nil || callback == nil {
		return r, err
	}
	r.Sealed = callback.Seal(s.Key, r.Delivery)
	return r, s.CheckCallback(ctx, callback.URL)
}

func (s *Service) callbackOfBatch(b Batch) (*Callback, error) {
	return s.openCallback(b.Delivery, b.Sealed)
}

func (s *Service) openCallback(delivery ID, sealed []byte) (*Callback, error) {
	if len(sealed) == 0 {
		return nil, nil //nolint:nilnil // a batch without a callback is not an error
	}
	c, err := OpenCallback(s.Key, delivery, sealed)
	return &c, err
}

// mendItems stages the new inputs, and returns how many items got one.
func (s *Service) mendItems(ctx context.Context, b Batch, retry BatchRetry, m BatchMending) (mended int, err error) {
	callback, err := s.callbackOfBatch(b)
	if err != nil {
		return 0, err
	}
	st := &mender{batch: b, places: map[int]int{}}
	st.stager = stager{service: s, tenant: b.Tenant, batch: b.ID, explain: m.Explain, conflict: anotherKey, stage: func(ctx context.Context, items []StagedItem) ([]Staged, error) {
		answers, err := s.Store.MendItems(ctx, b.ID, retry.Key, retry.Request, st.located(items))
		for _, a := range answers {
			if a.Verdict == StageOK {
				mended++
			}
		}
		return answers, err
	}}
	st.reportTo(callback, b.Events)
	if err := st.run(ctx, m.Items); err != nil {
		return 0, err
	}
	if st.wrong.any() {
		return 0, st.wrong.refusal("Nothing was tried again")
	}
	return mended, nil
}

// anotherKey is for an item that is to become another document.
func anotherKey(ID) *fault.Error {
	return fault.New(fault.Invalid, "field_invalid", "document_key must be that of the item, or be left out.")
}

// mender takes new inputs. A stager counts items as they come; places has the items of the batch that they are for.
type mender struct {
	stager
	batch  Batch
	places map[int]int
}

func (m *mender) run(ctx context.Context, items MendedSource) error {
	keyOf := func(index int) (string, error) { return m.keyOf(ctx, index) }
	taken := map[int]int{}
	for at := 0; ; at++ {
		item, err := items.Next(keyOf)
		if errors.Is(err, io.EOF) {
			return m.flush(ctx)
		}
		if err != nil {
			return err
		}
		if earlier, twice := taken[item.Index]; twice && item.Wrong == nil {
			item.Wrong = fault.At("/index", "field_duplicate", "The items %d and %d of the request have the same index.", earlier, at)
		}
		taken[item.Index], m.places[at] = at, item.Index
		if err := m.take(ctx, at, item.UploadItem); err != nil {
			return err
		}
	}
}

// located are staged items under the indexes that they have in the batch.
func (m *mender) located(items []StagedItem) []StagedItem {
	to := make([]StagedItem, len(items))
	for i, item := range items {
		to[i] = item
		to[i].Index = m.places[item.Index]
	}
	return to
}

// keyOf is the document key of an item of the batch, or what is wrong with the index.
func (m *mender) keyOf(ctx context.Context, index int) (string, error) {
	if index < 0 || index >= m.batch.Items {
		return "", fault.At("/index", "field_invalid", "index must be 0 to %d.", m.batch.Items-1)
	}
	items, _, err := m.service.Store.BatchItems(ctx, ItemFilter{Batch: m.batch.ID, From: index, Limit: 1})
	switch {
	case err != nil:
		return "", err
	case len(items) == 0 || items[0].Index != index:
		return "", fault.From(fmt.Errorf("batch %s has no item %d", m.batch.ID, index))
	}
	return items[0].DocumentKey, nil
}
