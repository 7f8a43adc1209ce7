package jobstest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

// provenance has a text in every place where there may be one.
func provenance() jobs.Provenance {
	output := render.DefaultOutput()
	output.Header, output.Footer, output.Meta = "<b>Müller</b>", "Müller", render.Meta{Title: "Müller"}
	return jobs.Provenance{
		Input: jobs.InputStored, Text: "t", Data: "d", Fonts: "f", Asked: "auto", Output: output, Strict: true, Attempts: 2, CachedFrom: "doc_1",
		Template:  &jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: "s", Blob: "where"},
		Resources: []jobs.ResourceDigest{{Name: "https://me:Müller@host.example/a.png?token=Müller#x", SHA256: "r"}, {Name: "b.png?1", SHA256: "r"}},
		Wait:      render.Wait{Selector: "#done", Timeout: time.Second},
		Expect:    render.Expect{MinPages: 1, Contains: []string{"Müller"}},
	}
}

// completeWith publishes other bytes than those of the other tests.
func (b bench) completeWith(id jobs.ID, sha256 string, made *jobs.Provenance) jobs.Document {
	b.Helper()
	r := result
	r.SHA256, r.Made = sha256, made
	got, err := b.Complete(b.Context(), id, b.start(id, lease), r, nil)
	if err != nil || got != jobs.Won && got != jobs.AlreadyWon {
		b.Fatalf("complete: %s, %v", got, err)
	}
	return b.document(b.job(id).Document)
}

func (b bench) putReceipt(d jobs.Document, text string) string {
	b.Helper()
	stands, err := b.PutReceipt(b.Context(), d, []byte(text))
	if err != nil {
		b.Fatalf("put receipt: %v", err)
	}
	return string(stands)
}

func testReceipts(t *testing.T, open opener) {
	t.Helper()
	t.Run("what made the bytes is kept with the document, without the texts that went in", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j, made := b.submit(), provenance()
		d := b.completeWith(j.ID, "abc", &made)
		want := made.Digested()
		if d.Made == nil || cmp.Diff(want, *d.Made) != "" {
			t.Fatalf("made (-want +got):\n%s", cmp.Diff(want, *d.Made))
		}
		if text := fmt.Sprintf("%+v %+v", *d.Made, *d.Made.Template); strings.Contains(text, "Müller") || strings.Contains(text, "token") || strings.Contains(text, "where") {
			t.Errorf("a text is kept: %s", text)
		}
		if again := d.Made.Digested(); cmp.Diff(*d.Made, again) != "" {
			t.Errorf("digested twice it is another one:\n%s", cmp.Diff(*d.Made, again))
		}
		if got := b.job(j.ID).Result; got.Made != nil {
			t.Errorf("the job has it too: %+v", got.Made)
		}
	})

	t.Run("the first receipt stands, and outlives the bytes", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		made := provenance()
		d := b.completeWith(b.submit().ID, "abc", &made)
		if d.Receipt != nil {
			t.Fatalf("a receipt that nobody made: %s", d.Receipt)
		}
		var mu sync.Mutex
		stands := map[string]int{}
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				got, err := b.PutReceipt(t.Context(), d, fmt.Appendf(nil, "receipt %d", i))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				stands[string(got)]++
			})
		}
		group.Wait()
		if len(stands) != 1 {
			t.Fatalf("%d receipts: %v", len(stands), stands)
		}
		if _, err := b.Purge(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		purged := b.document(d.ID)
		if stands[string(purged.Receipt)] != 10 || purged.Made != nil {
			t.Errorf("after the purge: %q, %+v", purged.Receipt, purged.Made)
		}
	})

	t.Run("a receipt can be made after the purge", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		made := provenance()
		d := b.completeWith(b.submit().ID, "abc", &made)
		if _, err := b.Purge(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		if d = b.document(d.ID); d.Made == nil {
			t.Fatal("what made it is gone before the receipt was made")
		}
		b.putReceipt(d, "late")
		if d = b.document(d.ID); string(d.Receipt) != "late" || d.Made != nil || d.Status != jobs.Purged {
			t.Errorf("got %+v", d)
		}
	})

	t.Run("what was not issued has no receipt", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		pending := b.document(b.submit().Document)
		_, err := b.PutReceipt(t.Context(), pending, []byte("x"))
		wantCode(t, err, jobs.ErrNotIssued)
		pending.Result = &jobs.Result{SHA256: "abc"}
		_, err = b.PutReceipt(t.Context(), pending, []byte("x"))
		wantCode(t, err, jobs.ErrNotIssued)
		pending.ID = jobs.NewID(jobs.KindDocument, pending.ID.Partition())
		_, err = b.PutReceipt(t.Context(), pending, []byte("x"))
		wantCode(t, err, jobs.ErrDocumentNotFound)
	})
}

func testIssueNumbers(t *testing.T, open opener) {
	t.Helper()
	t.Run("documents are found by the hash of their bytes, in their tenant only", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		first := b.completeWith(b.submit().ID, "same", nil)
		second := b.completeWith(b.submit().ID, "same", nil)
		other := b.completeWith(b.submit().ID, "other", nil)
		found := func(tenant, hash string, limit int) []jobs.ID {
			t.Helper()
			documents, err := b.DocumentsByHash(t.Context(), tenant, hash, limit)
			if err != nil {
				t.Fatal(err)
			}
			ids := []jobs.ID{}
			for _, d := range documents {
				ids = append(ids, d.ID)
			}
			return ids
		}
		for _, test := range []struct {
			tenant, hash string
			limit        int
			want         []jobs.ID
		}{
			{b.tenant, "same", 10, []jobs.ID{first.ID, second.ID}},
			{b.tenant, "same", 1, []jobs.ID{first.ID}},
			{b.tenant, "other", 10, []jobs.ID{other.ID}},
			{b.tenant, "none", 10, []jobs.ID{}},
			{"another", "same", 10, []jobs.ID{}},
		} {
			if diff := cmp.Diff(test.want, found(test.tenant, test.hash, test.limit)); diff != "" {
				t.Errorf("%s of %s, %d (-want +got):\n%s", test.hash, test.tenant, test.limit, diff)
			}
		}
	})

	t.Run("every number has its document, page by page, over more than one hash", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		const all = 205
		want := map[int64]jobs.ID{}
		for range all {
			j := b.submit(withoutCallback)
			b.issue(j.ID)
			want[b.document(j.Document).Number] = j.Document
		}
		got, after := map[int64]jobs.ID{}, int64(0)
		for {
			page, err := b.Numbers(t.Context(), b.tenant, after, 50)
			if err != nil || page.Last != all {
				t.Fatalf("%+v, %v", page.Last, err)
			}
			if len(page.Items) == 0 {
				break
			}
			for _, n := range page.Items {
				if n.Number != after+1 || n.Found == nil || n.Found.ID != n.Document {
					t.Fatalf("after %d comes %+v", after, n)
				}
				got[n.Number], after = n.Document, n.Number
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		none, err := b.Numbers(t.Context(), "another", 0, 50)
		if err != nil || len(none.Items) != 0 || none.Last != 0 {
			t.Errorf("another tenant: %+v, %v", none, err)
		}
	})
}

func testInputRetention(t *testing.T, open opener) {
	t.Helper()
	short := func(a *jobs.Acceptance) { a.Job.InputRetention = time.Millisecond }
	t.Run("an input ends before its record, and never while its job works", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		working, failed, kept := b.submit(short), b.submit(short, withDocumentKey("d")), b.submit()
		fence := b.start(working.ID, lease)
		b.end(failed.ID)
		b.issue(kept.ID)
		forgotten := map[jobs.ID]bool{}
		clean := func(want jobs.ID) {
			t.Helper()
			Eventually(t, "the input is forgotten", func() bool {
				for p := range b.Partitions() {
					cleaned, err := b.Clean(t.Context(), p, 100)
					if err != nil {
						t.Fatal(err)
					}
					for _, c := range cleaned.Inputs {
						if c.Tenant != b.tenant || forgotten[c.Job] {
							t.Errorf("forgot %+v", c)
						}
						forgotten[c.Job] = true
					}
				}
				return forgotten[want]
			})
		}
		clean(failed.ID)
		if forgotten[working.ID] || b.job(working.ID).Spec == nil {
			t.Error("a running job has lost its input")
		}
		if j := b.job(failed.ID); j.Spec != nil || j.SpecBlob != "" || j.Status != jobs.Failed || j.InputRetention != time.Millisecond {
			t.Errorf("job %+v", j)
		}
		b.complete(working.ID, fence)
		clean(working.ID)
		if forgotten[kept.ID] || b.job(kept.ID).Spec == nil {
			t.Error("an input without a retention of its own is forgotten")
		}
		if d := b.document(working.Document); d.Status != jobs.Issued || d.Number == 0 {
			t.Errorf("document %+v", d)
		}
	})
}
