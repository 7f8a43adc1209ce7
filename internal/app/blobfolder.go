package app

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/platen-render/platen/internal/jobs"
)

// issuers is what tells whether anything was issued.
type issuers interface {
	Tenants(ctx context.Context) ([]string, error)
	Numbers(ctx context.Context, tenant string, after int64, limit int) (jobs.Numbers, error)
}

// prepareBlobs makes the folder of the blobs where there is none, and marks a bucket in which there is nothing. A new one beside a Redis that knows of issued
// documents is a drill, or a volume that was not mounted, or the wrong bucket.
func prepareBlobs(ctx context.Context, kept blobStore, dir string, store issuers, logger *slog.Logger) error {
	fresh, err := kept.prepare(ctx)
	if err != nil {
		return fmt.Errorf("PLATEN_BLOB_DIR: %w", err)
	}
	if !kept.createOnly() {
		logger.WarnContext(ctx, "the bucket replaces what it is asked to keep", slog.String("dir", dir))
	}
	if !fresh {
		return nil
	}
	issued, err := anyIssued(ctx, store)
	if issued || err != nil {
		logger.WarnContext(ctx, "the folder of the blobs is new, and documents were issued before", slog.String("dir", dir), slog.Any("error", err))
	}
	return nil
}

// anyIssued reports whether a tenant has issued anything.
func anyIssued(ctx context.Context, store issuers) (bool, error) {
	tenants, err := store.Tenants(ctx)
	if err != nil {
		return false, fmt.Errorf("tenants: %w", err)
	}
	for _, tenant := range tenants {
		numbers, err := store.Numbers(ctx, tenant, 0, 0)
		if err != nil || numbers.Last > 0 {
			return err == nil, err
		}
	}
	return false, nil
}
