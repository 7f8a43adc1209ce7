package jobs

import (
	"context"
	"time"
)

// BlobLink describes an address at which a storage itself gives the bytes of a blob to whoever has it, for a while.
type BlobLink struct {
	Expires time.Duration
	// ContentType, Disposition and CacheControl are headers of the storage's answer.
	ContentType, Disposition, CacheControl string
}

// BlobLinker is a storage that makes such addresses. "" says that it makes none after all. It need not look whether there is the blob.
type BlobLinker interface {
	Link(ctx context.Context, name string, l BlobLink) (string, error)
}

// ContentLink makes an address of the bytes of a readable document at the storage, or "" where the storage has none to give.
func (s *Service) ContentLink(ctx context.Context, d Document, l BlobLink) (string, error) {
	if s.Links == nil || d.Result == nil {
		return "", nil
	}
	return s.Links.Link(ctx, d.Result.Blob, l)
}
