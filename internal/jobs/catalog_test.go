package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/redistest"
)

var letter = jobs.Item{Tenant: jobs.DefaultTenant, Shelf: jobs.TemplateShelf, Name: "letter"}

func (r *rig) keep(ctx context.Context, content string) jobs.Stored {
	r.t.Helper()
	v, _, err := r.Keep(ctx, letter, "", []byte(content))
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// current freezes the version that is current.
func (r *rig) current(ctx context.Context, s *jobs.Spec) error {
	v, err := r.Store.Version(ctx, letter, 0)
	if err != nil {
		return err
	}
	s.Template = &jobs.TemplateRef{Name: v.Name, Version: v.Version, SHA256: v.SHA256, Blob: v.Blob}
	return nil
}

func TestWhatIsDeletedWhileAJobIsAcceptedIsLookedUpAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep(t.Context(), "old")
	asked := 0
	sub := submission("")
	sub.Spec.Kind = jobs.InputStored
	sub.Freeze = func(ctx context.Context, s *jobs.Spec) error {
		if s.Template != nil {
			t.Error("the spec was frozen already")
		}
		if err := r.current(ctx, s); err != nil {
			return err
		}
		if asked++; asked > 1 {
			return nil
		}
		r.keep(ctx, "new")
		return r.Forget(ctx, letter, s.Template.Version) // somebody is faster
	}
	j := r.submit(sub)
	if asked != 2 || j.Template == nil || j.Template.Version != 2 {
		t.Errorf("asked %d times, template %+v", asked, j.Template)
	}
	if v, err := r.Store.Version(t.Context(), letter, 2); err != nil || v.Uses != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestWhatIsDeletedAgainAndAgainIsUnknown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sub := submission("")
	sub.Freeze = func(ctx context.Context, s *jobs.Spec) error {
		r.keep(ctx, "old")
		return errors.Join(r.current(ctx, s), r.Forget(ctx, letter, 0))
	}
	if _, err := r.Submit(t.Context(), sub); !errors.Is(err, jobs.ErrTemplateUnknown) {
		t.Errorf("got %v", err)
	}
}

// Storing and deleting the same content at once: whatever is recorded then has its bytes.
func TestWhatIsRecordedHasItsBytes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 20 {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, _, err := r.Keep(t.Context(), letter, "", []byte("content")); err != nil {
					t.Error(err)
				}
			})
			group.Go(func() {
				if err := r.Forget(t.Context(), letter, 0); err != nil && !errors.Is(err, jobs.ErrTemplateNotFound) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		v, err := r.Store.Version(t.Context(), letter, 0)
		if errors.Is(err, jobs.ErrTemplateNotFound) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if content, err := jobs.ReadBlob(t.Context(), r.Blobs, v.Blob); err != nil || string(content) != "content" {
			t.Fatalf("version %d: %q, %v", v.Version, content, err)
		}
	}
}

func TestAFullStoreTakesNothingNew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep(t.Context(), "old")
	client := r.store.Client()
	if err := client.ConfigSet(t.Context(), "maxmemory", "1mb").Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.Store.Room(t.Context(), jobs.DefaultTenant); !errors.Is(err, jobs.ErrStoreFull) {
		eventually(t, "the store is full", func() bool { return errors.Is(r.Store.Room(t.Context(), jobs.DefaultTenant), jobs.ErrStoreFull) })
	}
	if _, _, err := r.Keep(t.Context(), letter, "", []byte("new")); fault.From(err) == nil || fault.From(err).Code != jobs.ErrStoreFull.Code {
		t.Errorf("got %v", err)
	}
}

func TestPlacesOfStoredThingsAreReadBackwards(t *testing.T) {
	t.Parallel()
	for _, shelf := range jobs.Shelves {
		item := jobs.Item{Tenant: "shop", Shelf: shelf, Name: "a.b_c-1"}
		got, sum, ok := jobs.ParseItemBlob(jobs.ItemBlob(item, "abc", "x"))
		if !ok || got != item || sum != "abc" {
			t.Errorf("%+v %s %v", got, sum, ok)
		}
	}
	for _, name := range []string{"", "shop/others/a/abc/x/content", "shop/template/a/abc/x/content", "shop/templates/a/abc/x", "shop/templates/../abc/x/content", "shop/templates/a/abc/x/other"} {
		if _, _, ok := jobs.ParseItemBlob(name); ok {
			t.Errorf("%q was read", name)
		}
	}
	for name, want := range map[string]bool{
		"a": true, "A.b-c_9": true, "_x": true, strings.Repeat("x", 100): true,
		"": false, ".a": false, "-a": false, "a..b": false, "a/b": false, "a:b": false, "a b": false, "ü": false, strings.Repeat("x", 101): false,
	} {
		if got := jobs.IsItemName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// A replica that takes over may lack the deletion: then the version is there again, and needs its bytes.
func TestADeletionThatNoReplicaHasTakesNoBytes(t *testing.T) {
	t.Parallel()
	master, replica := redistest.StartReplicated(t)
	r := newRig(t)
	r.Store = redisstore.New(master.Client(), redisstore.Options{WaitReplicas: 1})
	v := r.keep(t.Context(), "content")
	replica.Pause()
	t.Cleanup(replica.Resume)
	if err := r.Forget(t.Context(), letter, 0); !errors.Is(err, jobs.ErrNotReplicated) {
		t.Fatalf("got %v", err)
	}
	if content, err := jobs.ReadBlob(t.Context(), r.Blobs, v.Blob); err != nil || string(content) != "content" {
		t.Errorf("%q, %v", content, err)
	}
}
