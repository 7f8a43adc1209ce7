package jobs_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

// run is a batch that has ended, as a store would tell it.
type run struct {
	batch     jobs.Batch
	items     []jobs.BatchItem
	missing   []string
	documents map[jobs.ID]jobs.Document
	contents  map[jobs.ID]string
	onPage    map[int]func() // before the page is read
	pages     int
	largest   int
}

func (r *run) Batch(context.Context, jobs.ID) (jobs.Batch, error) { return r.batch, nil }

func (r *run) BatchItems(_ context.Context, f jobs.ItemFilter) ([]jobs.BatchItem, int, error) {
	if change := r.onPage[r.pages]; change != nil {
		change()
	}
	end, next := min(f.From+f.Limit, len(r.items)), f.From+f.Limit
	if end == len(r.items) {
		next = -1
	}
	page := slices.Clone(r.items[f.From:end])
	r.pages++
	return page, next, nil
}

func (r *run) MissingKeys(_ context.Context, _ jobs.ID, after string, limit int) ([]string, error) {
	at, found := slices.BinarySearch(r.missing, after)
	if found {
		at++
	}
	return r.missing[at:min(at+limit, len(r.missing))], nil
}

func (r *run) Documents(_ context.Context, ids []jobs.ID) ([]jobs.Document, error) {
	r.largest = max(r.largest, len(ids))
	var documents []jobs.Document
	for _, id := range ids {
		documents = append(documents, r.documents[id])
	}
	return documents, nil
}

type readSeeker struct{ *strings.Reader }

func (readSeeker) Close() error { return nil }

func (r *run) open(_ context.Context, d jobs.Document) (io.ReadSeekCloser, error) {
	content, ok := r.contents[d.ID]
	if !ok {
		return nil, fault.New(fault.Unavailable, "storage_unavailable", "Away.")
	}
	return readSeeker{strings.NewReader(content)}, nil
}

var ended = time.Date(2026, 3, 31, 18, 0, 0, 123e6, time.UTC)

func newRun() *run {
	return &run{
		batch: jobs.Batch{
			ID: "bat_01KCPDHS1S0EXAMPZE00000002", Tenant: "default", Status: jobs.BatchCompleted, Epoch: 1, Counts: map[jobs.ItemStatus]int{},
			Created: ended.Add(-time.Minute), Finished: ended,
		},
		documents: map[jobs.ID]jobs.Document{}, contents: map[jobs.ID]string{},
	}
}

// add adds an item; content is that of the document of one that has succeeded or was reused.
func (r *run) add(key string, status jobs.ItemStatus, content string) *jobs.BatchItem {
	n := len(r.items)
	item := jobs.BatchItem{Index: n, DocumentKey: key, Status: status, Document: jobs.ID(fmt.Sprintf("doc_01KCPDHS1S0EXAMPZE%08d", n))}
	r.items = append(r.items, item)
	r.batch.Items++
	r.batch.Counts[status]++
	if status == jobs.ItemSucceeded || status == jobs.ItemReused {
		sum := sha256.Sum256([]byte(content))
		r.documents[item.Document] = jobs.Document{
			ID: item.Document, Key: key, Tenant: "default", Status: jobs.Issued, Number: int64(n + 1), Issued: ended.Add(-time.Second),
			Result: &jobs.Result{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(content)), Pages: 2, ContentType: "application/pdf"},
		}
		r.contents[item.Document] = content
	}
	return &r.items[n]
}

// change changes a document.
func (r *run) change(item int, f func(*jobs.Document)) {
	d := r.documents[r.items[item].Document]
	result := *d.Result
	d.Result = &result
	f(&d)
	r.documents[d.ID] = d
}

// closing is a close-out of a run whose signer has a real store, and its public keys.
func closing(t *testing.T, r *run) (*jobs.CloseOut, []api.SigningKey) {
	t.Helper()
	rig := newRig(t)
	if _, err := rig.CreateKey(t.Context(), jobs.APIKey{Tenant: "default", Scopes: []jobs.Scope{jobs.ScopeRead}}, "whsec_unused"); err != nil {
		t.Fatal(err)
	}
	signer := &jobs.Signer{Store: rig.Store, Key: rig.Key, Logger: rig.Logger}
	keys, err := signer.SigningKeys(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	var shown []api.SigningKey
	for _, k := range keys {
		shown = append(shown, api.SigningKey{KeyID: k.ID, Algorithm: "ed25519", PublicKey: base64.StdEncoding.EncodeToString(k.Public)})
	}
	return &jobs.CloseOut{Store: r, Signer: signer, Open: r.open}, shown
}

// mixed is a run with one of everything.
func mixed() *run {
	r := newRun()
	r.add("slip:1", jobs.ItemSucceeded, "one")
	r.add("slip/1", jobs.ItemReused, "two")
	r.add("", jobs.ItemSucceeded, "three")
	r.add("slip:4", jobs.ItemFailed, "")
	r.add("slip:5", jobs.ItemCanceled, "").Unexpected = true
	r.add("slip:6", jobs.ItemSucceeded, "six")
	r.change(5, func(d *jobs.Document) { d.Status = jobs.Purged })
	r.missing = []string{"slip:7", "slip:8"}
	r.batch.Expected, r.batch.Missing, r.batch.Unexpected = 7, 2, 1
	return r
}

func TestAManifestTellsWhatHasBecomeOfEachDocument(t *testing.T) {
	t.Parallel()
	r := mixed()
	c, keys := closing(t, r)
	var text bytes.Buffer
	if err := c.Manifest(t.Context(), &text, r.batch); err != nil {
		t.Fatal(err)
	}
	got, err := client.CheckManifest(text.Bytes(), keys)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(text string) *string { s := sha256.Sum256([]byte(text)); return new(hex.EncodeToString(s[:])) }
	document := func(n int) *string { return new(string(r.items[n].Document)) }
	want := api.Manifest{
		Version: 1, Tenant: "default", BatchID: string(r.batch.ID), Sequence: 1, Status: api.BatchCompleted, CreatedAt: ended.Add(-time.Minute), FinishedAt: ended,
		Items: 6, Expected: new(7), Counts: api.ManifestCounts{Issued: 3, Reused: 1, Failed: 1, Canceled: 1, Missing: 2, Unexpected: 1},
		Entries: []api.ManifestEntry{
			{Index: new(0), DocumentKey: new("slip:1"), Status: api.EntryIssued, DocumentID: document(0), IssueNumber: new(int64(1)), SHA256: sum("one"), Bytes: new(int64(3)), Pages: new(2), File: new("slip_1.pdf")},
			{Index: new(1), DocumentKey: new("slip/1"), Status: api.EntryReused, DocumentID: document(1), IssueNumber: new(int64(2)), SHA256: sum("two"), Bytes: new(int64(3)), Pages: new(2), File: new("slip_1~1.pdf")},
			{Index: new(2), Status: api.EntryIssued, DocumentID: document(2), IssueNumber: new(int64(3)), SHA256: sum("three"), Bytes: new(int64(5)), Pages: new(2), File: new("item-000002.pdf")},
			{Index: new(3), DocumentKey: new("slip:4"), Status: api.EntryFailed, DocumentID: document(3)},
			{Index: new(4), DocumentKey: new("slip:5"), Status: api.EntryCanceled, Unexpected: true, DocumentID: document(4)},
			{Index: new(5), DocumentKey: new("slip:6"), Status: api.EntryIssued, DocumentID: document(5), IssueNumber: new(int64(6)), SHA256: sum("six"), Bytes: new(int64(3)), Pages: new(2), Purged: true},
			{DocumentKey: new("slip:7"), Status: api.EntryMissing},
			{DocumentKey: new("slip:8"), Status: api.EntryMissing},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	canonical, err := strictjson.Canonical(text.Bytes())
	if err != nil || string(canonical)+"\n" != text.String() {
		t.Errorf("it is not canonical: %v\n%s", err, text.String())
	}
	var again bytes.Buffer
	if err := c.Manifest(t.Context(), &again, r.batch); err != nil || !bytes.Equal(again.Bytes(), text.Bytes()) {
		t.Errorf("made again it is another one, %v", err)
	}
}

func TestAnEmptyListIsAManifestToo(t *testing.T) {
	t.Parallel()
	r := newRun()
	r.batch.Tenant = "default"
	c, keys := closing(t, r)
	var text bytes.Buffer
	if err := c.Manifest(t.Context(), &text, r.batch); err != nil {
		t.Fatal(err)
	}
	if m, err := client.CheckManifest(text.Bytes(), keys); err != nil || len(m.Entries) != 0 || m.Expected != nil {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestWhatIsPendingIsNotClosedOut(t *testing.T) {
	t.Parallel()
	r := mixed()
	c, _ := closing(t, r)
	r.batch.Status, r.batch.Counts[jobs.ItemRunning] = jobs.BatchRunning, 20
	r.batch.Recent, r.batch.Since, r.batch.Now = 10, ended, ended.Add(5*time.Second)
	for name, write := range map[string]func(context.Context, io.Writer, jobs.Batch) error{"manifest": c.Manifest} {
		var text bytes.Buffer
		err := write(t.Context(), &text, r.batch)
		if f := fault.From(err); !errors.Is(err, jobs.ErrBatchPending) || !f.Retryable() || f.RetryAfter != 10*time.Second || text.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, text.Len())
		}
	}
}

func TestABatchThatChangesMeanwhileHasNoManifest(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*run){
		"retried":             func(r *run) { r.batch.Epoch, r.batch.Status = 2, jobs.BatchRunning },
		"retried and ended":   func(r *run) { r.batch.Epoch = 2 },
		"an item fewer":       func(r *run) { r.items = r.items[:5] },
		"an item that waits":  func(r *run) { r.items[0].Status = jobs.ItemWaiting },
		"an item that failed": func(r *run) { r.items[0].Status = jobs.ItemFailed },
		"a key that came":     func(r *run) { r.missing = r.missing[1:] },
		"no document":         func(r *run) { r.change(0, func(d *jobs.Document) { d.Result = nil }) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mixed()
			c, keys := closing(t, r)
			before := r.batch
			r.onPage = map[int]func(){0: func() { change(r) }}
			var text bytes.Buffer
			if err := c.Manifest(t.Context(), &text, before); err == nil || !fault.Retryable(err) {
				t.Errorf("got %v", err)
			}
			if m, err := client.CheckManifest(text.Bytes(), keys); err == nil || json.Valid(text.Bytes()) {
				t.Errorf("what was written is a manifest: %+v", m)
			}
		})
	}
}

func TestAnArchiveHasWhatWasIssuedUnderTheNamesOfTheManifest(t *testing.T) {
	t.Parallel()
	r := mixed()
	large := strings.Repeat("a large one ", 1<<17)
	r.add("Größe", jobs.ItemSucceeded, large)
	c, keys := closing(t, r)
	var text bytes.Buffer
	if err := c.Archive(t.Context(), &text, r.batch); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text.Bytes()), int64(text.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, f := range z.File {
		if i > 0 && (f.Method != zip.Store || f.Flags&8 != 0 || ended.Sub(f.Modified) > 4*time.Second) {
			t.Errorf("%s: method %d, flags %x, %v", f.Name, f.Method, f.Flags, f.Modified)
		}
		got[f.Name] = contentOf(t, f)
	}
	m, err := client.CheckManifest([]byte(got["manifest.json"]), keys)
	if err != nil || z.File[0].Name != "manifest.json" {
		t.Fatalf("the manifest inside: %v", err)
	}
	delete(got, "manifest.json")
	want := map[string]string{"slip_1.pdf": "one", "slip_1~1.pdf": "two", "item-000002.pdf": "three", "Größe.pdf": large}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, e := range m.Entries {
		if e.File != nil {
			delete(want, *e.File)
		}
	}
	if len(want) > 0 {
		t.Errorf("the manifest does not name %v", want)
	}
}

// TestDocumentsAreReadSeveralAtOnceAndInBounds lets each document wait until others are being read too.
func TestDocumentsAreReadSeveralAtOnceAndInBounds(t *testing.T) {
	t.Parallel()
	r := newRun()
	const many = 100
	for i := range many {
		r.add(fmt.Sprint("slip:", i), jobs.ItemSucceeded, fmt.Sprint("the content of ", i))
	}
	c, _ := closing(t, r)
	var mu sync.Mutex
	reading, most := 0, 0
	together := make(chan struct{})
	met := sync.OnceFunc(func() { close(together) })
	c.Open = func(ctx context.Context, d jobs.Document) (io.ReadSeekCloser, error) {
		mu.Lock()
		reading++
		if most = max(most, reading); reading == 4 {
			met()
		}
		mu.Unlock()
		select {
		case <-together:
		case <-ctx.Done():
		}
		mu.Lock()
		reading--
		mu.Unlock()
		return r.open(ctx, d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var text bytes.Buffer
	if err := c.Archive(ctx, &text, r.batch); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text.Bytes()), int64(text.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range z.File[1:] {
		if want := fmt.Sprint("the content of ", i); f.Name != fmt.Sprintf("slip_%d.pdf", i) || contentOf(t, f) != want {
			t.Errorf("file %d is %s", i, f.Name)
		}
	}
	if most < 4 || most > 12 {
		t.Errorf("%d were read at once", most)
	}
}

func contentOf(t *testing.T, f *zip.File) string {
	t.Helper()
	content, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnArchiveOfWrongBytesIsNone(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 2<<20)
	for name, change := range map[string]func(*run){
		"away":         func(r *run) { delete(r.contents, r.items[1].Document) },
		"altered":      func(r *run) { r.contents[r.items[1].Document] = "twO" },
		"longer":       func(r *run) { r.contents[r.items[1].Document] = "two and more" },
		"shorter":      func(r *run) { r.contents[r.items[1].Document] = "tw" },
		"large":        func(r *run) { r.contents[r.items[6].Document] = large[:len(large)-1] + "y" },
		"purged since": func(r *run) { r.change(0, func(d *jobs.Document) { d.Status = jobs.Purged }) },
		"retried":      func(r *run) { r.batch.Epoch = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mixed()
			r.add("large", jobs.ItemSucceeded, large)
			c, _ := closing(t, r)
			before := r.batch
			r.onPage = map[int]func(){1: func() { change(r) }} // the manifest has been told
			var text bytes.Buffer
			err := c.Archive(t.Context(), &text, before)
			if f := fault.From(err); err == nil || f.Kind != fault.Unavailable {
				t.Errorf("got %v", err)
			}
			if _, err := zip.NewReader(bytes.NewReader(text.Bytes()), int64(text.Len())); err == nil {
				t.Error("what was written is a zip")
			}
		})
	}
}

func TestThereMayBeMoreFilesThanAnOldZipHas(t *testing.T) {
	t.Parallel()
	r := newRun()
	const many = 66_000
	for i := range many {
		r.add(fmt.Sprintf("slip:%06d", i), jobs.ItemSucceeded, "x")
	}
	c, _ := closing(t, r)
	var text bytes.Buffer
	if err := c.Archive(t.Context(), &text, r.batch); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text.Bytes()), int64(text.Len()))
	if err != nil || len(z.File) != many+1 {
		t.Fatalf("%d files, %v", len(z.File), err)
	}
	if last := z.File[many]; last.Name != "slip_065999.pdf" || contentOf(t, last) != "x" {
		t.Errorf("the last one is %s", last.Name)
	}
	if r.largest > jobs.MaxDocuments || r.pages != 2*many/jobs.MaxDocuments {
		t.Errorf("%d documents at once, %d pages", r.largest, r.pages)
	}
}
