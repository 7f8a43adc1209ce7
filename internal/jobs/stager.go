package jobs

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/fault"
)

// maxStagedBytes bounds, roughly, what is kept of items until they are staged, and what one call gives to the store.
const maxStagedBytes = 1 << 20

// errDocumentCrowded is for an item that would be one watcher too many.
var errDocumentCrowded = fault.New(fault.Conflict, "document_crowded", "As many batches wait for the job of this document as may.").ForNow().After(keyReservedRetry)

// stager makes jobs of items and gives them to the store in chunks.
type stager struct {
	service *Service
	tenant  string
	batch   ID
	report  *Callback // of each job; nil for none
	events  []string  // of jobs, that are reported there
	explain func(error) error
	stage   func(ctx context.Context, items []StagedItem) ([]Staged, error)
	// conflict says what is wrong with the document key of an item that is a document's.
	conflict func(document ID) *fault.Error

	wrong wrongItems
	chunk []staging
	bytes int
}

// staging is an item in a chunk, before and after it was made.
type staging struct {
	index int
	from  UploadItem
	made  StagedItem
	err   error
}

// reportTo says where the jobs of the batch report, and what of.
func (s *stager) reportTo(callback *Callback, events []string) {
	s.events = slices.DeleteFunc(slices.Clone(events), func(e string) bool { return e == EventBatchCompleted })
	s.report = nil
	if len(s.events) > 0 {
		s.report = callback
	}
}

// take adds an item to the chunk, and stages it when it is full. What is wrong with the item is kept; the error is about all.
func (s *stager) take(ctx context.Context, index int, item UploadItem) error {
	if item.Wrong != nil {
		return s.refused(index, item.Wrong)
	}
	s.chunk = append(s.chunk, staging{index: index, from: item})
	s.bytes += item.Size
	if len(s.chunk) < MaxStaged && s.bytes < maxStagedBytes {
		return nil
	}
	return s.flush(ctx)
}

// refused keeps what is wrong with an item, and returns what is not its fault.
func (s *stager) refused(index int, err error) error {
	err = s.explain(err)
	if nobodysFault(err) {
		return err
	}
	s.wrong.add(index, err)
	return nil
}

func nobodysFault(err error) bool {
	f := fault.From(err)
	return f.Kind == fault.Internal || f.Retryable()
}

// makeAll makes the items of the chunk, as many at once as there are processors, and returns those that can be staged: trying a template with
// its data is most of what an upload costs.
func (s *stager) makeAll(ctx context.Context) ([]staging, error) {
	chunk := s.chunk
	s.chunk, s.bytes = nil, 0
	group, making := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(chunk)) { // not one for each item: the stack of each would have to grow
		group.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(chunk)); i = next.Add(1) - 1 {
				c := &chunk[i]
				if c.made, c.err = s.make(making, c.index, c.from); c.err != nil && nobodysFault(c.err) {
					return c.err // no other item will do better
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, s.explain(err)
	}
	var fine []staging
	for _, c := range chunk {
		if c.err == nil {
			fine = append(fine, c)
		} else if err := s.refused(c.index, c.err); err != nil {
			return nil, err
		}
	}
	return fine, nil
}

// make freezes an item and stores its input.
func (s *stager) make(ctx context.Context, index int, item UploadItem) (StagedItem, error) {
	sub := item.Submission
	sub.Tenant, sub.Callback, sub.IdempotencyKey = s.tenant, s.report, ""
	r, err := request{Submission: sub, fingerprint: sub.Fingerprint}.freeze(ctx)
	if err != nil {
		return StagedItem{}, err
	}
	if err := s.service.pageAllowed(ctx, r); err != nil {
		return StagedItem{}, err
	}
	a := s.service.acceptance(r)
	a.Job.Class, a.Job.Batch, a.Job.Reports = ClassBatch, s.batch, s.events
	if err := s.service.store(ctx, &a, r.Spec, nil); err != nil {
		return StagedItem{}, err
	}
	return StagedItem{Index: index, Job: a.Job, Uses: a.Uses}, nil
}

// flush stages the chunk. What was deleted of the catalog since an item was frozen is looked up once more.
func (s *stager) flush(ctx context.Context) error {
	gone, err := s.flushOnce(ctx)
	if err != nil || len(gone) == 0 {
		return err
	}
	s.chunk = gone
	gone, err = s.flushOnce(ctx)
	for _, item := range gone {
		s.wrong.add(item.index, jobsGone(item.made))
	}
	return err
}

// jobsGone says of an item that what it uses goes as fast as it is looked up.
func jobsGone(item StagedItem) error {
	for _, use := range item.Uses {
		return errGone(use.String())
	}
	return ErrInputPurged
}

// flushOnce stages the chunk and returns the items whose uses are gone.
func (s *stager) flushOnce(ctx context.Context) (gone []staging, err error) {
	chunk, err := s.makeAll(ctx)
	if err != nil || len(chunk) == 0 {
		return nil, err
	}
	if err := s.service.Store.Room(ctx, s.tenant); err != nil {
		return nil, err
	}
	items := make([]StagedItem, len(chunk))
	for i, c := range chunk {
		items[i] = c.made
	}
	answers, err := s.stage(ctx, items)
	for i, answer := range answers {
		if answer.Verdict == StageInputGone {
			gone = append(gone, chunk[i])
			continue
		}
		s.judge(items[i].Index, answer)
	}
	return gone, err
}

// judge keeps what the store found wrong with an item.
func (s *stager) judge(index int, a Staged) {
	const key = "/document_key"
	switch a.Verdict {
	case StageDuplicate:
		s.wrong.add(index, fault.At(key, "field_duplicate", "The items %d and %d have the same document_key.", a.Other, index))
		s.wrong.add(a.Other, fault.At(key, "field_duplicate", "The items %d and %d have the same document_key.", a.Other, index))
	case StageConflict:
		s.wrong.add(index, s.conflict(a.Document).In(key))
	case StageReserved:
		s.wrong.add(index, ErrKeyReserved.In(key))
	case StageCrowded:
		s.wrong.add(index, errDocumentCrowded.In(key))
	case StageNotFailed:
		s.wrong.add(index, fault.At("/index", "field_invalid", "The item has not failed."))
	case StageOK, StageChanged, StageInputGone: // the last two are seen to elsewhere
	}
}

func keyConflict(document ID) *fault.Error {
	return ErrDocumentKey.With("This document_key names the document %s, which has another payload.", document)
}
