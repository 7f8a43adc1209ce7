package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Previews holds what is to be rendered for somebody who waits for it: no job, no document, no event, and nothing that any counter
// of the store knows. A record ends by itself a minute after nobody waits any more. It may be lost; whoever waits then asks again.
type Previews interface {
	// PutPreview records a request that somebody waits for so long. Again it does nothing.
	PutPreview(ctx context.Context, id ID, request []byte, patience time.Duration) error
	// ClaimPreview takes a request. Exactly one owner gets it, so that what kills a worker kills no other; the same owner gets it
	// again, for a lost reply.
	ClaimPreview(ctx context.Context, id ID, owner string) (PreviewClaim, error)
	// AnswerPreview keeps what became of it, for the owner of the claim only, and tells the [Watcher]. It reports whether anybody may
	// still want it.
	AnswerPreview(ctx context.Context, id ID, owner string, answer []byte) (bool, error)
	// PreviewState tells whether there is an answer.
	PreviewState(ctx context.Context, id ID) (PreviewState, error)
	// ForgetPreview removes request and answer. That there are none is fine.
	ForgetPreview(ctx context.Context, id ID) error
}

// PreviewClaim is the answer to a claim.
type PreviewClaim struct {
	OK      bool // false when it is another's, over or gone
	Request []byte
	Left    time.Duration // how long somebody still waits
}

// PreviewState is how a preview stands.
type PreviewState struct {
	Wanted bool   // false once it is forgotten, or lost
	Answer []byte // nil before there is one
}

// PreviewOrder is what a worker is asked: a [Spec] and whom the page takes itself for.
type PreviewOrder struct {
	Spec        Spec
	Tenant      string
	Document    ID
	DocumentKey string `json:",omitempty"`
	Job         ID
	MaxBytes    int64  `json:",omitempty"` // 0 is the worker's own bound
	Blob        string `json:",omitempty"` // where the order itself lies, when it is too large for its record; then nothing else is set
}

// AsJob is what the page is composed for. There is no such job in the store, or one that has ended.
func (o PreviewOrder) AsJob() Job {
	return Job{ID: o.Job, Document: o.Document, DocumentKey: o.DocumentKey, Tenant: o.Tenant}
}

// PreviewAnswer is what became of it: a result, with what made it, or a failure.
type PreviewAnswer struct {
	Result   *Result          `json:",omitempty"`
	Made     *Provenance      `json:",omitempty"` // Result leaves it out
	Warnings []render.Warning `json:",omitempty"`
	Failure  *Failure         `json:",omitempty"`
}

// LoadPreview reads an order, wherever it lies.
func LoadPreview(ctx context.Context, blobs Blobs, raw []byte) (PreviewOrder, error) {
	order, err := decodeOrder(raw)
	if err != nil || order.Blob == "" {
		return order, err
	}
	raw, err = ReadBlob(ctx, blobs, order.Blob)
	if err != nil {
		return order, fmt.Errorf("order: %w", err)
	}
	return decodeOrder(raw)
}

func decodeOrder(raw []byte) (o PreviewOrder, err error) {
	if err = json.Unmarshal(raw, &o); err != nil {
		err = fmt.Errorf("decode order: %w", err)
	}
	return o, err
}

// kinds are those of failures whose kind is not told by whether another try may do better.
var kinds = map[string]fault.Kind{
	"internal":          fault.Internal,
	ErrInputPurged.Code: fault.Gone,
}

// fault is the failure as whoever waits is told it.
func (f Failure) fault() error {
	kind, known := kinds[f.Code]
	switch {
	case known:
	case f.Retryable:
		kind = fault.Unavailable
	default:
		kind = fault.Invalid
	}
	return fault.New(kind, f.Code, "%s", f.Detail)
}
