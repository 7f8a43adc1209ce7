package client

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/platen-render/platen/api"
)

// defaultParallel is how many documents are fetched at a time.
const defaultParallel = 4

// BatchDownload says how to save the documents of a batch. The zero value will do.
type BatchDownload struct {
	// Parallel is how many documents are fetched at a time; 0 means 4.
	Parallel int
	// Each, when not nil, is told of each document, one at a time.
	Each func(BatchFile)
}

// BatchFile is a document of a batch in a folder.
type BatchFile struct {
	Entry api.ManifestEntry
	Path  string
	// Kept says that the file was there already, with the right bytes.
	Kept bool
	// Err is why the document is not there, or nil.
	Err error
}

// DownloadBatch saves what a batch has come to into a folder, which is made if need be: each document as
// [Client.DownloadFile] does, under its name in the archive, and at last the signed manifest, [api.ArchiveManifest]. What is in the folder already with
// the right bytes is not fetched again, so the same call goes on with what was broken off. It returns the manifest, whose signature
// [CheckManifest] verifies.
//
// What is wrong with one document, just purged say, keeps nobody from the others: Each is told, and the error is about the
// first one. Any other error ends it. Errors: [api.CodeBatchPending], [api.CodeBatchNotFound].
func (c *Client) DownloadBatch(ctx context.Context, id, dir string, d BatchDownload) (api.Manifest, error) {
	text, err := c.ManifestJSON(ctx, id)
	if err != nil {
		return api.Manifest{}, err
	}
	var signed api.SignedManifest
	if err := json.Unmarshal(text, &signed); err != nil {
		return api.Manifest{}, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	files, err := filesOf(signed.Manifest, dir)
	if err != nil {
		return api.Manifest{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the umask says who may read it, as for any folder
		return api.Manifest{}, err
	}
	if err := c.downloadAll(ctx, files, d); err != nil {
		return signed.Manifest, err
	}
	return signed.Manifest, ReplaceFile(filepath.Join(dir, api.ArchiveManifest), func(f *os.File) error {
		_, err := unnamed{f}.Write(text)
		return err
	})
}

// filesOf are the documents that a manifest has files for. The names come from elsewhere, and must be those of files in the folder.
func filesOf(m api.Manifest, dir string) ([]BatchFile, error) {
	var files []BatchFile
	given := map[string]bool{api.ArchiveManifest: true}
	for _, e := range m.Entries {
		if e.File == nil {
			continue
		}
		name := *e.File
		if e.DocumentID == nil || e.SHA256 == nil || given[name] || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%w: its file %q is none", ErrManifest, name)
		}
		given[name] = true
		files = append(files, BatchFile{Entry: e, Path: filepath.Join(dir, name)})
	}
	return files, nil
}

// downloadAll fetches files, some at a time.
func (c *Client) downloadAll(ctx context.Context, files []BatchFile, d BatchDownload) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := &downloads{each: d.Each, cancel: cancel}
	next := make(chan BatchFile)
	var workers sync.WaitGroup
	for range cmp.Or(max(d.Parallel, 0), defaultParallel) {
		workers.Go(func() {
			for file := range next {
				file.Kept, file.Err = c.settle(ctx, file)
				all.tell(file)
			}
		})
	}
	for _, file := range files {
		select {
		case next <- file:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return all.err()
}

// settle sees that a document is in its file, and reports whether it was there.
func (c *Client) settle(ctx context.Context, file BatchFile) (bool, error) {
	if kept, err := holds(file.Path, *file.Entry.SHA256); kept || err != nil {
		return kept, err
	}
	return false, ReplaceFile(file.Path, func(to *os.File) error {
		digest, err := c.fetch(ctx, *file.Entry.DocumentID, emptied(to), true)
		if err == nil && digest != *file.Entry.SHA256 {
			return otherBytes(digest)
		}
		return err
	})
}

// downloads are those of one batch.
type downloads struct {
	each   func(BatchFile)
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	failed int
	first  error
}

// tell counts, and ends it all when an error is not that of one document.
func (d *downloads) tell(file BatchFile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if file.Err != nil {
		if !ofOne(file.Err) {
			d.cancel(file.Err)
			return
		}
		if d.failed++; d.first == nil {
			d.first = fmt.Errorf("%s: %w", *file.Entry.DocumentID, file.Err)
		}
	}
	if d.each != nil {
		d.each(file)
	}
}

// ofOne reports whether an error says nothing about other documents.
func ofOne(err error) bool {
	return HasCode(err, api.CodeDocumentPurged) || HasCode(err, api.CodeDocumentNotFound) || errors.Is(err, ErrDigest)
}

func (d *downloads) err() error {
	if d.first == nil {
		return nil
	}
	return fmt.Errorf("not all documents were saved (%d are missing), among them %w", d.failed, d.first)
}

// holds reports whether a file is there with this sha256.
func holds(path, sum string) (bool, error) {
	f, err := os.Open(path) //nolint:gosec // in the caller's folder, under a name that was checked
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, f); err != nil {
		return false, fmt.Errorf("read %s: %w", path, nameless(err))
	}
	return hex.EncodeToString(digest.Sum(nil)) == sum, nil
}
