package worker_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/worker"
)

// doctored is a store whose documents are not what they were.
type doctored struct {
	jobs.Store
	change func(*jobs.Document)
}

func (d *doctored) Document(ctx context.Context, id jobs.ID) (jobs.Document, error) {
	document, err := d.Store.Document(ctx, id)
	if err == nil && d.change != nil {
		if document.Result != nil {
			result := *document.Result
			document.Result = &result
		}
		d.change(&document)
	}
	return document, err
}

// issued is a rig with a document, and a service for which its record can be doctored.
func issued(t *testing.T, page string) (r *rig, s *jobs.Service, store *doctored, d jobs.Document) {
	t.Helper()
	r = newRig(t)
	r.work(time.Second)
	r.previews()
	s = r.service()
	store = &doctored{Store: r.store}
	s.Store = store
	j := r.await(r.submit(page, true).ID, jobs.Succeeded)
	d, err := r.store.Document(t.Context(), j.Document)
	if err != nil {
		t.Fatal(err)
	}
	return r, s, store, d
}

// lose takes the bytes of a document out of the storage.
func (r *rig) lose(d jobs.Document) {
	r.Helper()
	if err := os.Remove(filepath.Join(r.blobs.Dir, d.Result.Blob)); err != nil {
		r.Fatal(err)
	}
}

func sha(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func (r *rig) rerender(s *jobs.Service, id jobs.ID, restore bool) jobs.Remade {
	r.Helper()
	remade, err := s.Rerender(r.Context(), "default", id, restore)
	if err != nil {
		r.Fatal(err)
	}
	return remade
}

func TestADocumentIsMadeAnewWithTheSameBytes(t *testing.T) {
	t.Parallel()
	r, s, _, d := issued(t, "<p>as it was")
	before := r.remains()
	remade := r.rerender(s, d.ID, false)
	if !remade.Identical || remade.Result.SHA256 != d.Result.SHA256 || remade.Stored != jobs.BytesIntact || remade.Restored || remade.Difference != nil {
		t.Errorf("got %+v", remade)
	}
	after := r.remains()
	slices.Sort(before)
	slices.Sort(after)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("something is left (-before +after):\n%s", diff)
	}
	if now, err := r.store.Document(t.Context(), d.ID); err != nil || cmp.Diff(d, now) != "" {
		t.Errorf("the document has changed: %v, %s", err, cmp.Diff(d, now))
	}
}

func TestLostBytesAreRestoredWhenTheyAreWhatWasIssued(t *testing.T) {
	t.Parallel()
	r, s, store, d := issued(t, "<p>lost")
	r.lose(d)
	if remade := r.rerender(s, d.ID, false); !remade.Identical || remade.Stored != jobs.BytesMissing || remade.Restored {
		t.Errorf("without restore: %+v", remade)
	}
	store.change = func(d *jobs.Document) { d.Result.SHA256 = strings.Repeat("0", 64) }
	if remade := r.rerender(s, d.ID, true); remade.Identical || remade.Restored {
		t.Errorf("other bytes: %+v", remade)
	}
	if _, err := jobs.ReadBlob(t.Context(), r.blobs, d.Result.Blob); err == nil {
		t.Fatal("other bytes were put in the place of the document")
	}
	store.change = nil
	if remade := r.rerender(s, d.ID, true); !remade.Restored || remade.Stored != jobs.BytesMissing {
		t.Errorf("restore: %+v", remade)
	}
	if remade := r.rerender(s, d.ID, true); remade.Restored || remade.Stored != jobs.BytesIntact {
		t.Errorf("restore again: %+v", remade)
	}
	content, err := s.Content(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if removed, err := (&worker.Janitor{Store: r.store, Blobs: r.blobs, Logger: r.logger}).WalkBlobs(t.Context()); err != nil || removed > 0 {
		t.Errorf("the janitor removed %d, %v", removed, err)
	}
}

func TestDamagedBytesAreSaidSoAndLeftAlone(t *testing.T) {
	t.Parallel()
	r, s, _, d := issued(t, "<p>damaged")
	path := filepath.Join(r.blobs.Dir, d.Result.Blob)
	if err := os.WriteFile(path, []byte("%PDF-1.4 or so"), 0o600); err != nil {
		t.Fatal(err)
	}
	if remade := r.rerender(s, d.ID, true); !remade.Identical || remade.Stored != jobs.BytesDamaged || remade.Restored {
		t.Errorf("got %+v", remade)
	}
	if content, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(content), "or so") {
		t.Errorf("it was overwritten: %v", err)
	}
}

func TestTheFirstCauseOfADifferenceIsNamed(t *testing.T) {
	t.Parallel()
	r, s, store, d := issued(t, "<p>now")
	if d.Made == nil {
		t.Fatal("the record does not tell what made the document")
	}
	other := func(change func(*jobs.Document)) *jobs.Difference {
		t.Helper()
		store.change = func(d *jobs.Document) {
			d.Result.SHA256 = "0"
			if d.Made != nil {
				made := *d.Made
				d.Made = &made
			}
			change(d)
		}
		return r.rerender(s, d.ID, false).Difference
	}
	fonts := func(d *jobs.Document) { d.Made.Fonts = "f" }
	logo := func(d *jobs.Document) {
		d.Made.Resources = append(d.Made.Resources, jobs.ResourceDigest{Name: "logo.png", SHA256: "l"})
	}
	for name, c := range map[string]struct {
		change func(*jobs.Document)
		want   jobs.Difference
	}{
		"version":   {func(d *jobs.Document) { d.Result.Version = "0"; fonts(d) }, jobs.Difference{Member: "engine.version", Was: "0", Is: "1"}},
		"fonts":     {func(d *jobs.Document) { fonts(d); logo(d) }, jobs.Difference{Member: "fonts", Was: "f"}},
		"text":      {func(d *jobs.Document) { d.Made.Text = "t"; logo(d) }, jobs.Difference{Member: "input", Was: "t"}},
		"template":  {func(d *jobs.Document) { d.Made.Template = &jobs.TemplateRef{SHA256: "t"}; logo(d) }, jobs.Difference{Member: "template", Was: "t"}},
		"data":      {func(d *jobs.Document) { d.Made.Data = "d"; logo(d) }, jobs.Difference{Member: "data", Was: "d"}},
		"resource":  {func(d *jobs.Document) { logo(d); d.Made.Output.Scale = 2 }, jobs.Difference{Member: "resources/logo.png", Was: "l"}},
		"header":    {func(d *jobs.Document) { d.Made.Digests.Header = "h" }, jobs.Difference{Member: "output.header_html", Was: "h"}},
		"bytes":     {func(*jobs.Document) {}, jobs.Difference{Member: "bytes", Was: "0", Is: d.Result.SHA256}},
		"old build": {func(d *jobs.Document) { d.Made = nil }, jobs.Difference{Member: "bytes", Was: "0", Is: d.Result.SHA256}},
	} {
		got := other(c.change)
		if got == nil || got.Member != c.want.Member || got.Was != c.want.Was || c.want.Is != "" && got.Is != c.want.Is {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	if got := other(func(d *jobs.Document) { d.Made.Output.Scale = 2 }); got.Member != "output" || !strings.Contains(got.Was, `"Scale":2`) || !strings.Contains(got.Is, `"Scale":0`) {
		t.Errorf("output: %+v", got)
	}
}

func TestTheFirstByteThatDiffersIsNamed(t *testing.T) {
	t.Parallel()
	r, s, store, d := issued(t, "<p>now")
	was, err := jobs.ReadBlob(t.Context(), r.blobs, d.Result.Blob)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes  []byte
		offset int64
	}{
		{append(slices.Clone(was[:100]), "something else"...), 100},
		{was[:50], 50},
		{append(slices.Clone(was), '!'), int64(len(was))},
	} {
		blob := jobs.OutputBlob(jobs.Job{Tenant: "default", Document: d.ID, ID: d.Job, Attempt: int(c.offset), Owner: "other"}, "pdf")
		if err := r.blobs.Put(t.Context(), blob, strings.NewReader(string(c.bytes))); err != nil {
			t.Fatal(err)
		}
		store.change = func(d *jobs.Document) { d.Result.Blob, d.Result.SHA256 = blob, sha(c.bytes) }
		got := r.rerender(s, d.ID, false).Difference
		if got == nil || got.Member != "bytes" || got.Offset == nil || *got.Offset != c.offset {
			t.Errorf("want %d, got %+v", c.offset, got)
		}
		r.lose(jobs.Document{Result: &jobs.Result{Blob: blob}})
		if got := r.rerender(s, d.ID, false).Difference; got == nil || got.Offset != nil {
			t.Errorf("with nothing to compare with: %+v", got)
		}
	}
}

func TestWhatIsNotIssuedOrHasNoInputIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	r, s, store, d := issued(t, "<p>gone")
	refused := func(name string, id jobs.ID, restore bool, want error) {
		t.Helper()
		if _, err := s.Rerender(t.Context(), "default", id, restore); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if _, err := s.Rerender(t.Context(), "another", d.ID, false); !errors.Is(err, jobs.ErrDocumentNotFound) {
		t.Errorf("another tenant: %v", err)
	}
	failed := r.await(r.submit("<!-- rendertest:fail=page_failed -->", true).ID, jobs.Failed)
	refused("failed", failed.Document, false, jobs.ErrNotIssued)
	store.change = func(d *jobs.Document) { d.Job = jobs.NewID(jobs.KindJob, 0) }
	refused("past the retention of its job", d.ID, false, jobs.ErrInputPurged)
	store.change = func(d *jobs.Document) { d.Status = jobs.Purged }
	if remade := r.rerender(s, d.ID, false); !remade.Identical || remade.Stored != jobs.BytesPurged {
		t.Errorf("purged, with input: %+v", remade)
	}
	refused("to restore what was purged", d.ID, true, jobs.ErrDocumentPurged)
	store.change = nil
	if _, err := s.Purge(t.Context(), "default", d.ID); err != nil {
		t.Fatal(err)
	}
	refused("purged", d.ID, false, jobs.ErrInputPurged)
	refused("purged, to restore", d.ID, true, jobs.ErrDocumentPurged)
}

// crooked is a storage that gives other bytes of previews than were put there.
type crooked struct{ files }

func (c crooked) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	r, err := c.files.Open(ctx, name)
	if err != nil || !strings.HasPrefix(name, "previews/") || strings.HasSuffix(name, "/order") {
		return r, err
	}
	return crookedReader{r}, nil
}

type crookedReader struct{ io.ReadSeekCloser }

func (c crookedReader) Read(p []byte) (int, error) {
	n, err := c.ReadSeekCloser.Read(p)
	if n > 0 {
		p[0] ^= 1
	}
	return n, err
}

func TestOnlySoundBytesAreRestored(t *testing.T) {
	t.Parallel()
	r, s, _, d := issued(t, "<p>lost")
	r.lose(d)
	s.Blobs = crooked{r.blobs}
	if remade, err := s.Rerender(t.Context(), "default", d.ID, true); !errors.Is(err, jobs.ErrDamaged) {
		t.Errorf("got %+v, %v", remade, err)
	}
	if content, err := jobs.ReadBlob(t.Context(), r.blobs, d.Result.Blob); err == nil {
		t.Errorf("other bytes are in the place of the document: %d of them", len(content))
	}
}
