package jobs

import (
	"context"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/render"
)

// CacheRetention is how long it is remembered which document was made of what. No request can ask for older bytes.
const CacheRetention = api.MaxCacheSeconds * time.Second

// Caching remembers which document was made of what, so that its bytes can be issued again, under another identity. Nothing is
// promised by it: what is forgotten is made anew.
type Caching interface {
	// Remember notes an issued document under a key of its tenant, in place of an earlier one. One that is not issued is not noted.
	Remember(ctx context.Context, tenant, key string, c Cached) error
	// Cached returns what was noted under a key and issued at most maxAge ago, or false.
	Cached(ctx context.Context, tenant, key string, maxAge time.Duration) (Cached, bool, error)
}

// Cached is a document whose bytes may be issued again, with the warnings that its job had.
type Cached struct {
	Document ID
	Warnings []render.Warning `json:",omitempty"`
}
