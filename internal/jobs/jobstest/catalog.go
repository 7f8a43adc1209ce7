package jobstest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func (b bench) item(name string) jobs.Item {
	return jobs.Item{Tenant: b.tenant, Shelf: jobs.AssetShelf, Name: name}
}

// keep stores content, which is its own digest, under a name.
func (b bench) keep(name, content string) jobs.Stored {
	b.Helper()
	v, err := b.StoreVersion(b.Context(), jobs.Stored{
		Item: b.item(name), SHA256: content, Blob: "b/" + name + "/" + content, Size: int64(len(content)), ContentType: "text/css",
	})
	if err != nil {
		b.Fatalf("store version: %v", err)
	}
	return v
}

func (b bench) version(name string, version int) jobs.Stored {
	b.Helper()
	v, err := b.Version(b.Context(), b.item(name), version)
	if err != nil {
		b.Fatalf("version: %v", err)
	}
	return v
}

func (b bench) wantUses(want int, name string, version int) {
	b.Helper()
	if got := b.version(name, version).Uses; got != want {
		b.Errorf("version %d of %s has %d uses, want %d", version, name, got, want)
	}
}

// using makes a job need versions of the shelf of assets.
func using(names ...jobs.Use) func(*jobs.Acceptance) {
	return func(a *jobs.Acceptance) { a.Uses = names }
}

func use(name string, version int) jobs.Use {
	return jobs.Use{Shelf: jobs.AssetShelf, Name: name, Version: version}
}

func testCatalog(t *testing.T, open opener) {
	t.Helper()
	t.Run("the same content is the same version and becomes the current one", func(t *testing.T) { t.Parallel(); testSameContent(t, open) })
	t.Run("numbers are never used again", func(t *testing.T) { t.Parallel(); testVersionNumbers(t, open) })
	t.Run("nothing new without a place", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		_, err := b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("logo"), SHA256: "aa"})
		wantCode(t, err, jobs.ErrAssetNotFound)
		b.keep("logo", "aa")
		b.keep("logo", "bb")
		v, err := b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("logo"), SHA256: "aa"})
		if err != nil || v.Version != 1 || !v.Current || v.Blob != "b/logo/aa" {
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("two at once with the same content make one version", func(t *testing.T) { t.Parallel(); testStoredAtOnce(t, open) })
	t.Run("shelves, names and tenants are apart", func(t *testing.T) { t.Parallel(); testShelvesApart(t, open) })
	t.Run("lists are paged", func(t *testing.T) { t.Parallel(); testShelfLists(t, open) })
	t.Run("deleting gives the places back", func(t *testing.T) { t.Parallel(); testRemove(t, open) })
	t.Run("what a job needs stays until its end", func(t *testing.T) { t.Parallel(); testUses(t, open) })
	t.Run("what is gone is not accepted", func(t *testing.T) { t.Parallel(); testInputGone(t, open) })
	t.Run("a delete and an acceptance at once", func(t *testing.T) { t.Parallel(); testDeleteRace(t, open) })
	t.Run("a job tells its template", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		ref := jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: "aa"}
		j := b.submit(func(a *jobs.Acceptance) { a.Job.Template = &ref })
		if j.Template == nil || *j.Template != ref {
			t.Errorf("template %+v", j.Template)
		}
		b.issue(j.ID)
		if j = b.job(j.ID); j.Template == nil || *j.Template != ref {
			t.Errorf("template %+v", j.Template)
		}
	})
}

func testSameContent(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	first, second := b.keep("logo", "aa"), b.keep("logo", "bb")
	if first.Version != 1 || second.Version != 2 || !first.Current || !second.Current || first.Created.IsZero() {
		t.Fatalf("first %+v, second %+v", first, second)
	}
	if v := b.version("logo", 0); v != second {
		t.Errorf("current %+v, want %+v", v, second)
	}
	again, err := b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("logo"), SHA256: "aa", Blob: "elsewhere", Size: 99})
	if err != nil || again != first {
		t.Errorf("again %+v, %v", again, err)
	}
	if v := b.version("logo", 0); v.Version != 1 {
		t.Errorf("current is %d after a roll-back", v.Version)
	}
	if v := b.version("logo", 2); v.Current || v.SHA256 != "bb" || v.Size != 2 || v.ContentType != "text/css" {
		t.Errorf("version 2 %+v", v)
	}
	if v, err := b.VersionOf(t.Context(), b.item("logo"), "bb"); err != nil || v.Version != 2 {
		t.Errorf("by digest %+v, %v", v, err)
	}
	_, err = b.VersionOf(t.Context(), b.item("logo"), "cc")
	wantCode(t, err, jobs.ErrAssetNotFound)
	_, err = b.Version(t.Context(), b.item("logo"), 3)
	wantCode(t, err, jobs.ErrAssetNotFound)
	_, err = b.Version(t.Context(), b.item("other"), 0)
	wantCode(t, err, jobs.ErrAssetNotFound)
}

func testVersionNumbers(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.keep("logo", "aa")
	b.keep("logo", "bb")
	b.remove(2, "b/logo/bb")
	if v := b.version("logo", 0); v.Version != 1 {
		t.Errorf("current %d", v.Version)
	}
	if v := b.keep("logo", "bb"); v.Version != 3 {
		t.Errorf("the same content after its deletion is version %d, want 3", v.Version)
	}
	b.remove(0, "b/logo/aa", "b/logo/bb")
	_, err := b.Version(t.Context(), b.item("logo"), 0)
	wantCode(t, err, jobs.ErrAssetNotFound)
	if v := b.keep("logo", "aa"); v.Version != 4 || !v.Current {
		t.Errorf("after all were deleted: %+v", v)
	}
}

// remove deletes a version of the item logo.
func (b bench) remove(version int, want ...string) {
	b.Helper()
	free, err := b.RemoveVersion(b.Context(), b.item("logo"), version)
	slices.Sort(free)
	if err != nil || !slices.Equal(free, want) {
		b.Fatalf("free %v, %v; want %v", free, err, want)
	}
}

func testStoredAtOnce(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	const n = 8
	got := make([]jobs.Stored, n)
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			got[i], errs[i] = b.StoreVersion(t.Context(), jobs.Stored{Item: b.item("logo"), SHA256: "aa", Blob: fmt.Sprint("place-", i)})
		})
	}
	group.Wait()
	for i := range got {
		if errs[i] != nil || got[i] != got[0] || got[i].Version != 1 {
			t.Errorf("%+v, %v", got[i], errs[i])
		}
	}
}

func testShelvesApart(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.keep("logo", "aa")
	b.keep("logo", "bb")
	other := b.item("logo")
	other.Shelf = jobs.TemplateShelf
	_, err := b.Version(t.Context(), other, 0)
	wantCode(t, err, jobs.ErrTemplateNotFound)
	if v, err := b.StoreVersion(t.Context(), jobs.Stored{Item: other, SHA256: "aa", Blob: "x"}); err != nil || v.Version != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	theirs := jobs.Item{Tenant: "other", Shelf: jobs.AssetShelf, Name: "logo"}
	_, err = b.Version(t.Context(), theirs, 0)
	wantCode(t, err, jobs.ErrAssetNotFound)
	_, err = b.RemoveVersion(t.Context(), theirs, 0)
	wantCode(t, err, jobs.ErrAssetNotFound)
	if v := b.version("logo", 0); v.Version != 2 {
		t.Errorf("%+v", v)
	}
}

func testShelfLists(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	if p, err := b.Items(t.Context(), b.tenant, jobs.AssetShelf, "", 10); err != nil || len(p.Items) != 0 || p.Items == nil || p.Next != "" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, name := range []string{"c", "a", "b"} {
		b.keep(name, "aa")
	}
	for i := range 4 {
		b.keep("a", fmt.Sprint("x", i))
	}
	var names []string
	for cursor, pages := "", 0; pages < 3; pages++ {
		p, err := b.Items(t.Context(), b.tenant, jobs.AssetShelf, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p.Items {
			names = append(names, fmt.Sprint(v.Name, v.Version, v.Current))
		}
		if cursor = string(p.Next); cursor == "" {
			break
		}
	}
	if want := []string{"a5 true", "b1 true", "c1 true"}; !slices.Equal(names, want) {
		t.Errorf("items %v, want %v", names, want)
	}
	var numbers []int
	for cursor, pages := 0, 0; pages < 4; pages++ {
		p, err := b.Versions(t.Context(), b.item("a"), cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p.Items {
			numbers = append(numbers, v.Version)
		}
		if p.Next == "" {
			break
		}
		_, _ = fmt.Sscan(string(p.Next), &cursor)
	}
	if want := []int{5, 4, 3, 2, 1}; !slices.Equal(numbers, want) {
		t.Errorf("versions %v, want %v", numbers, want)
	}
	_, err := b.Versions(t.Context(), b.item("d"), 0, 2)
	wantCode(t, err, jobs.ErrAssetNotFound)
}

func testRemove(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	for _, content := range []string{"aa", "bb", "cc"} {
		b.keep("logo", content)
	}
	b.keep("same", "aa")
	b.remove(1, "b/logo/aa")
	if v := b.version("logo", 0); v.Version != 3 {
		t.Errorf("current %d", v.Version)
	}
	if v := b.version("same", 0); v.Blob != "b/same/aa" {
		t.Errorf("%+v", v)
	}
	_, err := b.RemoveVersion(t.Context(), b.item("logo"), 1)
	wantCode(t, err, jobs.ErrAssetNotFound)
	b.keep("logo", "bb")
	b.remove(2, "b/logo/bb")
	if v := b.version("logo", 0); v.Version != 3 {
		t.Errorf("current %d", v.Version)
	}
	b.remove(0, "b/logo/cc")
	_, err = b.RemoveVersion(t.Context(), b.item("logo"), 0)
	wantCode(t, err, jobs.ErrAssetNotFound)
	if p, err := b.Items(t.Context(), b.tenant, jobs.AssetShelf, "", 9); err != nil || len(p.Items) != 1 || p.Items[0].Name != "same" {
		t.Errorf("%+v, %v", p, err)
	}
}

func testUses(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.keep("logo", "aa")
	b.keep("logo", "bb")
	b.keep("font", "ff")
	need := using(use("logo", 1), use("font", 1))
	a := b.request(need, withIdempotencyKey("k"))
	first := b.accept(a)
	if got := b.accept(a); got.Verdict != jobs.Created { // the reply was lost
		t.Fatalf("got %+v", got)
	}
	if got := b.accept(b.request(need, withIdempotencyKey("k"))); got.Verdict != jobs.Replayed {
		t.Fatalf("got %+v", got)
	}
	b.accept(b.request(need, asProbe))
	b.wantUses(1, "logo", 1)
	b.wantUses(0, "logo", 2)
	b.wantUses(1, "font", 1)

	_, err := b.RemoveVersion(t.Context(), b.item("logo"), 1)
	wantCode(t, err, jobs.ErrAssetInUse)
	_, err = b.RemoveVersion(t.Context(), b.item("logo"), 0)
	wantCode(t, err, jobs.ErrAssetInUse)
	b.version("logo", 2) // of all or none
	b.remove(2, "b/logo/bb")

	canceled, failed := b.submit(need), b.submit(need)
	b.wantUses(3, "logo", 1)
	if _, err := b.Cancel(t.Context(), canceled.ID); err != nil {
		t.Fatal(err)
	}
	b.wantUses(2, "logo", 1)
	if got := b.fail(failed.ID, b.start(failed.ID, lease), jobs.Rule{Limit: -1}); got != jobs.WillRetry {
		t.Fatalf("fail gave %s", got)
	}
	b.wantUses(2, "logo", 1)
	b.end(failed.ID)
	b.wantUses(1, "logo", 1)

	retry := b.submit(need, func(a *jobs.Acceptance) { a.RetryOf = failed.ID })
	b.wantUses(2, "logo", 1)
	f := b.start(retry.ID, lease)
	for range 2 { // again, as after a lost reply
		b.complete(retry.ID, f)
	}
	b.wantUses(1, "logo", 1)
	b.issue(first.Job)
	b.wantUses(0, "logo", 1)
	b.wantUses(0, "font", 1)
	b.remove(0, "b/logo/aa")
}

func testInputGone(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	b.keep("logo", "aa")
	b.keep("font", "ff")
	j := b.submit(using(use("logo", 1)))
	b.end(j.ID)
	b.remove(1, "b/logo/aa")
	a := b.request(using(use("font", 1), use("logo", 1)), withDocumentKey("d"), withIdempotencyKey("i"))
	if got := b.accept(a); got.Verdict != jobs.InputGone || got.Gone != "asset:logo:1" {
		t.Errorf("got %+v", got)
	}
	if got := b.accept(b.request(using(use("logo", 1)), func(a *jobs.Acceptance) { a.RetryOf = j.ID })); got.Verdict != jobs.InputGone {
		t.Errorf("a retry: %+v", got)
	}
	b.wantUses(0, "font", 1)
	_, err := b.DocumentByKey(t.Context(), b.tenant, "d")
	wantCode(t, err, jobs.ErrDocumentNotFound)
	if d := b.document(j.Document); d.Job != j.ID {
		t.Errorf("the document has the job %s", d.Job)
	}
	a.Uses = []jobs.Use{use("font", 1)} // resolved anew, with the same ids
	if got := b.accept(a); got.Verdict != jobs.Created {
		t.Errorf("got %+v", got)
	}
}

// testDeleteRace lets deletes and acceptances meet: an accepted job has what it needs, and a deletion that went through met none.
func testDeleteRace(t *testing.T, open opener) {
	t.Helper()
	b := newBench(t, open, Settings{})
	for round := range 20 {
		v := b.keep("logo", fmt.Sprint("content-", round))
		var got jobs.Acceptation
		var acceptErr, removeErr error
		var group sync.WaitGroup
		group.Go(func() { got, acceptErr = b.Accept(t.Context(), b.request(using(use("logo", v.Version)))) })
		group.Go(func() { _, removeErr = b.RemoveVersion(t.Context(), b.item("logo"), v.Version) })
		group.Wait()
		accepted := acceptErr == nil && got.Verdict == jobs.Created
		refused := errors.Is(removeErr, jobs.ErrAssetInUse)
		if accepted != refused || !accepted && got.Verdict != jobs.InputGone || !refused && removeErr != nil {
			t.Fatalf("accepted: %+v, %v; deleted: %v", got, acceptErr, removeErr)
		}
		if accepted {
			b.wantUses(1, "logo", v.Version)
		}
	}
}
