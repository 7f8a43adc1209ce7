package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/filenames"
	"github.com/platen-render/platen/internal/render"
)

// CloseOut makes the manifests and archives of batches that have ended. It holds one page of items at a time, and eight bytes for the name
// of each. All fields are required. Safe for concurrent use.
type CloseOut struct {
	Store  CloseOutStore
	Signer *Signer
	// Open opens the bytes of a document that was issued, as [Service.Content] does.
	Open func(ctx context.Context, d Document) (io.ReadSeekCloser, error)
}

// CloseOutStore is what a close-out needs of the store; see [Batches] and [Intake].
type CloseOutStore interface {
	Batch(ctx context.Context, id ID) (Batch, error)
	BatchItems(ctx context.Context, f ItemFilter) (items []BatchItem, next int, err error)
	MissingKeys(ctx context.Context, id ID, after string, limit int) ([]string, error)
	Documents(ctx context.Context, ids []ID) ([]Document, error)
}

// closeOutPage is how many items are read at once.
const closeOutPage = MaxDocuments

var (
	// ErrBatchPending says that items of a batch have not ended: what has become of them is not known.
	ErrBatchPending = fault.New(fault.Conflict, "batch_pending", "Items of the batch have not ended.").ForNow()

	errCloseOut = fault.New(fault.Unavailable, "store_unavailable", "The batch changed while it was read. Repeat the request.")
	// errChanged is the cause when a batch was retried while it was closed out, or a document of it purged.
	errChanged = errors.New("the batch is not as it was")
	errNoBytes = errors.New("an item that has succeeded has no issued document")
)

// Ended is nil once all items of a batch have ended. Before, it is [ErrBatchPending] with the time to look again: as long as the rest takes
// at the latest rate, 1–30 seconds.
func Ended(b Batch) error {
	if b.Status.Final() && b.Pending() == 0 {
		return nil
	}
	const soonest, latest = time.Second, 30 * time.Second
	wait := latest
	if spent := b.Now.Sub(b.Since); b.Recent > 0 && spent > 0 {
		wait = spent / time.Duration(b.Recent) * time.Duration(b.Pending())
	}
	return ErrBatchPending.With("%d items of the batch have not ended.", b.Pending()).After(min(max(wait, soonest), latest))
}

// entry is one of a manifest, and the document whose bytes belong to it, or nil.
type entry struct {
	api.ManifestEntry
	content *Document
}

// entries goes through a batch that has ended: its items in their order, then the keys that are missing. An error is the last that it gives,
// and one of them is that the batch was not the same all the time.
func (c *CloseOut) entries(ctx context.Context, b Batch) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		var counts api.ManifestCounts
		take := func(e entry) bool {
			tally(&counts, e.ManifestEntry)
			return yield(e, nil)
		}
		more, err := c.items(ctx, b, take)
		if err == nil && more {
			more, err = c.missing(ctx, b, take)
		}
		if err == nil && more {
			err = c.unchanged(ctx, b, counts)
		}
		if err != nil {
			yield(entry{}, err)
		}
	}
}

// items goes through the items until none is left or nobody wants more.
func (c *CloseOut) items(ctx context.Context, b Batch, take func(entry) bool) (more bool, err error) {
	var names filenames.Names
	for from := 0; from >= 0; {
		page, next, err := c.Store.BatchItems(ctx, ItemFilter{Batch: b.ID, From: from, Limit: closeOutPage})
		if err != nil {
			return false, fmt.Errorf("items from %d: %w", from, err)
		}
		documents, err := c.documents(ctx, page)
		if err != nil {
			return false, fmt.Errorf("documents of items from %d: %w", from, err)
		}
		for _, item := range page {
			e, err := entryOf(item, documents[item.Document], &names)
			if err != nil {
				return false, err
			}
			if !take(e) {
				return false, nil
			}
		}
		from = next
	}
	return true, nil
}

// documents reads those that items have issued or found.
func (c *CloseOut) documents(ctx context.Context, page []BatchItem) (map[ID]Document, error) {
	var ids []ID
	for _, item := range page {
		if item.Status == ItemSucceeded || item.Status == ItemReused {
			ids = append(ids, item.Document)
		}
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // a nil map is an empty one
	}
	documents, err := c.Store.Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[ID]Document, len(documents))
	for _, d := range documents {
		found[d.ID] = d
	}
	return found, nil
}

// missing goes through the keys that were expected and not sent.
func (c *CloseOut) missing(ctx context.Context, b Batch, take func(entry) bool) (more bool, err error) {
	for after := ""; b.Missing > 0; {
		keys, err := c.Store.MissingKeys(ctx, b.ID, after, closeOutPage)
		if err != nil {
			return false, fmt.Errorf("missing keys after %q: %w", after, err)
		}
		for _, key := range keys {
			if !take(entry{ManifestEntry: api.ManifestEntry{DocumentKey: &key, Status: api.EntryMissing}}) {
				return false, nil
			}
		}
		if len(keys) < closeOutPage {
			break
		}
		after = keys[len(keys)-1]
	}
	return true, nil
}

// unchanged compares what was told with what the batch counts, at the beginning and now.
func (c *CloseOut) unchanged(ctx context.Context, b Batch, told api.ManifestCounts) error {
	now, err := c.Store.Batch(ctx, b.ID)
	if err != nil {
		return err
	}
	if now.Epoch != b.Epoch || Ended(now) != nil || told != countsOf(b) {
		return errCloseOut.Because(fmt.Errorf("%w: told %+v of %+v", errChanged, told, countsOf(b)))
	}
	return nil
}

var entryStatuses = map[ItemStatus]api.EntryStatus{
	ItemSucceeded: api.EntryIssued, ItemReused: api.EntryReused, ItemFailed: api.EntryFailed, ItemCanceled: api.EntryCanceled,
}

// entryOf says what has become of an item. Names are given to all, issued or not: so that they stay the same when a retry issues more.
func entryOf(item BatchItem, d Document, names *filenames.Names) (entry, error) {
	status, ended := entryStatuses[item.Status]
	if !ended {
		return entry{}, errCloseOut.Because(fmt.Errorf("%w: item %d is %s", errChanged, item.Index, item.Status))
	}
	key := item.DocumentKey
	if key == "" {
		key = fmt.Sprintf("item-%06d", item.Index)
	}
	name := names.Take(key, strconv.Itoa(item.Index))
	e := entry{ManifestEntry: api.ManifestEntry{
		Index: &item.Index, DocumentKey: some(item.DocumentKey), Status: status, Unexpected: item.Unexpected, DocumentID: some(string(item.Document)),
	}}
	if status != api.EntryIssued && status != api.EntryReused {
		return e, nil
	}
	if d.Result == nil {
		return entry{}, fmt.Errorf("item %d, %s: %w", item.Index, item.Document, errNoBytes)
	}
	e.IssueNumber, e.SHA256, e.Bytes, e.Pages, e.Purged = some(d.Number), &d.Result.SHA256, &d.Result.Bytes, &d.Result.Pages, d.Status == Purged
	if !e.Purged {
		e.File, e.content = some(name+extension(d.Result.ContentType)), &d
	}
	return e, nil
}

// extensions are those of the media types that documents have.
var extensions = map[string]string{
	render.PDF.ContentType(): ".pdf", render.PNG.ContentType(): ".png", render.JPEG.ContentType(): ".jpg", render.ArchiveType: ".zip",
}

// extension is that of a media type; ".bin" for one of another build.
func extension(contentType string) string {
	if known, ok := extensions[contentType]; ok {
		return known
	}
	return ".bin"
}

func countsOf(b Batch) api.ManifestCounts {
	return api.ManifestCounts{
		Issued: b.Counts[ItemSucceeded], Reused: b.Counts[ItemReused], Failed: b.Counts[ItemFailed], Canceled: b.Counts[ItemCanceled],
		Missing: b.Missing, Unexpected: b.Unexpected,
	}
}

// tally counts an entry.
func tally(counts *api.ManifestCounts, e api.ManifestEntry) {
	switch e.Status {
	case api.EntryIssued:
		counts.Issued++
	case api.EntryReused:
		counts.Reused++
	case api.EntryFailed:
		counts.Failed++
	case api.EntryCanceled:
		counts.Canceled++
	case api.EntryMissing:
		counts.Missing++
	}
	if e.Unexpected {
		counts.Unexpected++
	}
}
