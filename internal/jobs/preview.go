package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Faults of what is rendered while somebody waits.
var (
	ErrPreviewTimeout = fault.New(fault.Unavailable, "preview_timeout", "No worker has rendered the page in time.")
	ErrPreviewBusy    = fault.New(fault.Unavailable, "preview_busy", "Too many previews are waited for at the moment.")
)

const (
	defaultPreviewPatience = 30 * time.Second
	defaultPreviewLimit    = 32
	// endPreviewTime bounds removing what is left of one.
	endPreviewTime = 10 * time.Second
	// previewRecheck is how often whoever waits looks when nothing is told.
	previewRecheck = time.Second
)

// Preview is what a worker has rendered without issuing it. Close it.
type Preview struct {
	Result   Result // Blob is gone with Close
	Warnings []render.Warning
	Content  io.ReadSeekCloser

	end func()
}

// Close ends the bytes for good.
func (p *Preview) Close() error {
	defer p.end()
	return p.Content.Close()
}

// nobody is whom a page takes itself for that is no document's.
var nobody = PreviewOrder{Document: IDAt(KindDocument, time.UnixMilli(0)), Job: IDAt(KindJob, time.UnixMilli(0))}

// Preview has a worker render what a job would, at most maxBytes of it, and waits for it. What would fail the job is the error, under the same code;
// [ErrPreviewTimeout] and [ErrPreviewBusy] say to try again, [ErrInputPurged] that a version which the spec names was deleted. Whatever checks the spec has are left out: nothing is issued.
func (s *Service) Preview(ctx context.Context, tenant string, spec Spec, maxBytes int64) (*Preview, error) {
	order := nobody
	order.Tenant, order.Spec, order.MaxBytes = tenant, spec, maxBytes
	return s.preview(ctx, order, cmp.Or(s.PreviewPatience, defaultPreviewPatience))
}

// preview carries an order to a worker and its answer back. Whatever becomes of it, nothing is left once the preview is closed, or when
// there is none; but for a process that dies meanwhile, whose remains the janitor finds.
func (s *Service) preview(ctx context.Context, order PreviewOrder, patience time.Duration) (*Preview, error) {
	release, err := s.admitPreview(ctx, order.Tenant)
	if err != nil {
		return nil, err
	}
	defer release()
	order.Spec.Expect, order.Spec.Strict, order.Spec.Cache = render.Expect{}, false, 0

	id := NewID(KindPreview, PartitionOf(order.Tenant, s.Partitions))
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	end := func() { s.endPreview(ctx, order.Tenant, id) }
	p, err := s.carry(waiting, id, order, patience)
	if err != nil {
		end()
		return nil, inTime(ctx, waiting, s.whyMissing(waiting, order.Job, order.Tenant, order.Spec, err))
	}
	p.end = end
	return p, nil
}

// inTime tells the end of waiting from other errors: what was cut by it has its error only.
func inTime(ctx, waiting context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ErrPreviewTimeout.With("Whoever asked for it does not wait any more.").Because(context.Cause(ctx))
	case waiting.Err() != nil && !errors.Is(err, ErrPreviewTimeout):
		return ErrPreviewTimeout.Because(err)
	}
	return err
}

// admitPreview bounds how many wait here, lets nobody ask a store that is full, and charges the tenant: a render is work.
func (s *Service) admitPreview(ctx context.Context, tenant string) (release func(), err error) {
	limit := cmp.Or(s.PreviewLimit, defaultPreviewLimit)
	if int(s.previewing.Add(1)) > limit {
		s.previewing.Add(-1)
		return nil, ErrPreviewBusy.With("This server waits for %d previews already.", limit).After(time.Second)
	}
	release = func() { s.previewing.Add(-1) }
	err = s.Store.Room(ctx, tenant)
	if err == nil {
		err = s.Store.Charge(ctx, tenant)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (s *Service) carry(ctx context.Context, id ID, order PreviewOrder, patience time.Duration) (*Preview, error) {
	request, err := s.storeOrder(ctx, id, order)
	if err != nil {
		return nil, err
	}
	if err := s.Store.PutPreview(ctx, id, request, patience); err != nil {
		return nil, err
	}
	if _, err := s.Queue.Enqueue(ctx, previewTask(id)); err != nil {
		return nil, err
	}
	raw, err := s.awaitPreview(ctx, id)
	if err != nil {
		return nil, err
	}
	var answer PreviewAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("decode answer: %w", err)
	}
	return s.openPreview(ctx, answer)
}

// storeOrder puts a large order into the blob store.
func (s *Service) storeOrder(ctx context.Context, id ID, order PreviewOrder) ([]byte, error) {
	raw, err := json.Marshal(order)
	if err != nil {
		return nil, fmt.Errorf("encode order: %w", err)
	}
	if len(raw) <= maxInlineSpec {
		return raw, nil
	}
	name := PreviewOrderBlob(order.Tenant, id)
	if err := s.Blobs.Put(ctx, name, bytes.NewReader(raw)); err != nil {
		return nil, fmt.Errorf("store order: %w", err)
	}
	return json.Marshal(PreviewOrder{Blob: name})
}

// awaitPreview returns the answer once there is one. A store that does not answer may do so again in time.
func (s *Service) awaitPreview(ctx context.Context, id ID) ([]byte, error) {
	changes, stop := s.Watcher.Watch(id)
	defer stop()
	tick := time.NewTicker(previewRecheck)
	defer tick.Stop()
	for {
		state, err := s.Store.PreviewState(ctx, id)
		switch {
		case err == nil && state.Answer != nil:
			return state.Answer, nil
		case err == nil && !state.Wanted:
			return nil, ErrPreviewTimeout.With("The preview was lost. Ask again.")
		}
		select {
		case <-changes:
		case <-tick.C:
		case <-ctx.Done():
			return nil, ErrPreviewTimeout.Because(err)
		case <-s.Stopping:
			return nil, ErrPreviewTimeout.With("The server is about to end. Ask again.")
		}
	}
}

func (s *Service) openPreview(ctx context.Context, answer PreviewAnswer) (*Preview, error) {
	if answer.Failure != nil {
		return nil, answer.Failure.fault()
	}
	if answer.Result == nil {
		return nil, errors.New("the answer to a preview is empty")
	}
	content, err := s.Blobs.Open(ctx, answer.Result.Blob)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return nil, ErrPreviewTimeout.With("The preview was lost. Ask again.").Because(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open preview: %w", err)
	}
	result := *answer.Result
	result.Made = answer.Made
	return &Preview{Result: result, Warnings: answer.Warnings, Content: content}, nil
}

func previewTask(id ID) Task { return Task{Line: PreviewLine, ID: id, Generation: 1} }

// endPreview removes all that is left of a preview, at whatever stage it is: a worker that is still at it finds out.
func (s *Service) endPreview(ctx context.Context, tenant string, id ID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPreviewTime)
	defer cancel()
	err := errors.Join(
		s.Store.ForgetPreview(ctx, id),
		s.Queue.Withdraw(ctx, previewTask(id)),
		s.Blobs.DeletePrefix(ctx, PreviewPrefix(tenant, id)),
	)
	if err != nil {
		s.Logger.WarnContext(ctx, "remains of a preview not removed", slog.String("preview_id", string(id)), slog.String("error", err.Error()))
	}
}
