package native

import (
	"context"

	"golang.org/x/sync/semaphore"

	"github.com/platen-render/platen/internal/memory"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// What pages take, in bytes, as measured: one of nothing but markup up to perPart for each byte, one that is all text perByte, and
// perNode for each element or text of it.
const (
	perPage  = 16 << 20
	perPart  = 600
	perByte  = 110
	perNode  = 1200
	perPixel = 8 // of the largest picture, while it is decoded
)

// room is the memory that renders have together. One large page at a time is what a worker can bear; small ones go on beside it.
type room struct {
	all  int64
	free *semaphore.Weighted
}

// newRoom makes a room of so many bytes; 0 is half of what the process may have.
func newRoom(bytes int64) *room {
	if bytes <= 0 {
		bytes = memory.Limit() / 2
	}
	return &room{all: bytes, free: semaphore.NewWeighted(bytes)}
}

// enter waits until there is room for a page. The caller calls leave.
func (r *room) enter(ctx context.Context, req render.Request) (leave func(), err error) {
	share := min(need(req), r.all/4*3)
	if err := r.free.Acquire(ctx, share); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { r.free.Release(share) }, nil
}

// limits are those of pages that this process can render at all.
func (r *room) limits() dom.Limits {
	return dom.Limits{MaxBytes: int(min(r.all*3/2/perByte, dom.MaxBytes)), MaxNodes: int(min(r.all*3/2/perNode, dom.MaxNodes))}
}

// need is how much memory a page may take. It is a guess before anything is read, and rather too much.
func need(req render.Request) int64 {
	pixels := 0
	for _, resource := range req.Resources {
		pixels = max(pixels, images.Decoded(resource.Body))
	}
	return perPage + perPart*int64(len(req.HTML)) + perPixel*int64(pixels)
}
