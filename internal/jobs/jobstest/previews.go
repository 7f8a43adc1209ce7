package jobstest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func testPreviews(t *testing.T, o opener) {
	t.Helper()
	t.Run("exactly one owner gets a preview, again and again", func(t *testing.T) { testOnePreviewer(t, o) })
	t.Run("only the owner answers, and only while somebody may want it", func(t *testing.T) { testPreviewAnswer(t, o) })
	t.Run("nobody gets one that nobody waits for", func(t *testing.T) { testPreviewOver(t, o) })
	t.Run("a preview is nothing that others see", func(t *testing.T) { testPreviewTraceless(t, o) })
}

// preview puts one.
func (b bench) preview(patience time.Duration) jobs.ID {
	b.Helper()
	id := jobs.NewID(jobs.KindPreview, jobs.PartitionOf(b.tenant, b.partitions))
	for range 2 { // a reply may be lost
		if err := b.PutPreview(b.Context(), id, []byte("order"), patience); err != nil {
			b.Fatal(err)
		}
	}
	return id
}

func (b bench) claimPreview(id jobs.ID, owner string) jobs.PreviewClaim {
	b.Helper()
	c, err := b.ClaimPreview(b.Context(), id, owner)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func testOnePreviewer(t *testing.T, o opener) {
	t.Helper()
	b := newBench(t, o, Settings{})
	id := b.preview(time.Minute)
	var granted atomic.Int32
	var owner atomic.Value
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			name := fmt.Sprint("owner-", i)
			c, err := b.ClaimPreview(b.Context(), id, name)
			if err != nil {
				b.Error(err)
			}
			if c.OK {
				granted.Add(1)
				owner.Store(name)
				if string(c.Request) != "order" || c.Left <= 0 || c.Left > time.Minute {
					b.Errorf("got %+v", c)
				}
			}
		})
	}
	group.Wait()
	if granted.Load() != 1 {
		b.Fatalf("%d owners", granted.Load())
	}
	if c := b.claimPreview(id, owner.Load().(string)); !c.OK || string(c.Request) != "order" {
		b.Errorf("the owner again: %+v", c)
	}
}

func testPreviewAnswer(t *testing.T, o opener) {
	t.Helper()
	b := newBench(t, o, Settings{})
	id := b.preview(time.Minute)
	answer := func(owner, text string, want bool) {
		b.Helper()
		if kept, err := b.AnswerPreview(b.Context(), id, owner, []byte(text)); err != nil || kept != want {
			b.Errorf("%s answers: %v, %v, want %v", owner, kept, err, want)
		}
	}
	state := func(want jobs.PreviewState) {
		b.Helper()
		got, err := b.PreviewState(b.Context(), id)
		if err != nil || got.Wanted != want.Wanted || string(got.Answer) != string(want.Answer) {
			b.Errorf("state %+v, %v, want %+v", got, err, want)
		}
	}
	state(jobs.PreviewState{Wanted: true})
	answer("nobody", "x", false)
	b.claimPreview(id, "me")
	answer("another", "x", false)
	answer("me", "done", true)
	answer("me", "done", true) // a reply may be lost
	state(jobs.PreviewState{Wanted: true, Answer: []byte("done")})
	for range 2 {
		if err := b.ForgetPreview(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
	state(jobs.PreviewState{})
	answer("me", "late", false)
	state(jobs.PreviewState{})
}

func testPreviewOver(t *testing.T, o opener) {
	t.Helper()
	b := newBench(t, o, Settings{})
	if c := b.claimPreview(jobs.NewID(jobs.KindPreview, 0), "me"); c.OK {
		b.Errorf("one that never was: %+v", c)
	}
	id := b.preview(time.Millisecond)
	Eventually(b.T, "its time is over", func() bool { return !b.claimPreview(id, "me").OK })
	state, err := b.PreviewState(b.Context(), id)
	if err != nil || !state.Wanted { // the record is there a while longer
		b.Errorf("state %+v, %v", state, err)
	}
}

func testPreviewTraceless(t *testing.T, o opener) {
	t.Helper()
	b := newBench(t, o, Settings{})
	id := b.preview(time.Minute)
	b.claimPreview(id, "me")
	if _, err := b.AnswerPreview(b.Context(), id, "me", []byte("done")); err != nil {
		b.Fatal(err)
	}
	page, err := b.Jobs(b.Context(), jobs.JobFilter{Tenant: b.tenant, Limit: 10})
	if err != nil || len(page.Items) > 0 {
		b.Errorf("jobs: %+v, %v", page, err)
	}
	for p := range b.partitions {
		for _, line := range jobs.Lines {
			if n, err := b.Outstanding(b.Context(), p, line); err != nil || n != 0 {
				b.Errorf("%s of %d: %d outstanding, %v", line, p, n, err)
			}
		}
	}
}
