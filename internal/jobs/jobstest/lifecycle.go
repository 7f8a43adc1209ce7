package jobstest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
)

func testLifecycle(t *testing.T, open opener) {
	t.Helper()
	t.Run("one of many claims wins and gets the job", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		var won, busy atomic.Int32
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				c, err := b.Claim(t.Context(), j.ID, 1, rand.Text(), lease)
				switch {
				case err != nil:
					t.Error(err)
				case c.Answer == jobs.ClaimOK && string(c.Job.Spec) == string(j.Spec) && c.Job.Attempt == 1:
					won.Add(1)
				case c.Answer == jobs.ClaimBusy:
					busy.Add(1)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 || busy.Load() != 19 {
			t.Errorf("%d won, %d busy", won.Load(), busy.Load())
		}
		if j := b.job(j.ID); j.Status != jobs.Running || j.Started.IsZero() {
			t.Errorf("job %+v", j)
		}
	})

	t.Run("a claim whose reply was lost is granted again to its owner only", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		for range 2 {
			c, err := b.Claim(t.Context(), j.ID, 1, "me", lease)
			if err != nil || c.Answer != jobs.ClaimOK || c.Job.Attempt != 1 {
				t.Fatalf("got %+v, %v", c, err)
			}
		}
		if c, _ := b.Claim(t.Context(), j.ID, 1, "you", lease); c.Answer != jobs.ClaimBusy {
			t.Errorf("another owner got %s", c.Answer)
		}
	})

	t.Run("claims of ended, older and unknown tasks are refused", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		if c, _ := b.Claim(t.Context(), j.ID, 7, "me", lease); c.Answer != jobs.ClaimStale {
			t.Errorf("another generation got %s", c.Answer)
		}
		b.issue(j.ID)
		if c, _ := b.Claim(t.Context(), j.ID, 1, "me", lease); c.Answer != jobs.ClaimDone {
			t.Errorf("an ended job got %s", c.Answer)
		}
		if c, _ := b.Claim(t.Context(), jobs.NewID(jobs.KindJob, 0), 1, "me", lease); c.Answer != jobs.ClaimGone {
			t.Errorf("an unknown job got %s", c.Answer)
		}
	})

	t.Run("an attempt whose lease is over is left to the reaper", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		f := b.start(j.ID, time.Millisecond)
		Eventually(t, "the lease runs out", func() bool { return len(b.overdue()) == 1 })
		for _, owner := range []string{f.Owner, "another"} {
			if c, _ := b.Claim(t.Context(), j.ID, 1, owner, lease); c.Answer != jobs.ClaimBusy {
				t.Errorf("%s got %s", owner, c.Answer)
			}
		}
		if o := b.overdue()[0]; o.ID != j.ID || o.Fence != f {
			t.Errorf("overdue %+v, want %+v", o, f)
		}
	})

	t.Run("beats keep an attempt alive and tell progress", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		f := b.start(j.ID, time.Millisecond)
		for _, p := range []int{10, 40, 30} {
			if got, err := b.Beat(t.Context(), j.ID, f, lease, p); err != nil || got != jobs.PulseOK {
				t.Fatalf("got %s, %v", got, err)
			}
		}
		if got := b.job(j.ID).Progress; got != 40 {
			t.Errorf("progress %d, want 40: it never goes back", got)
		}
		if n := len(b.overdue()); n != 0 {
			t.Errorf("%d overdue after a beat", n)
		}
		stale := f
		stale.Owner = "another"
		if got, _ := b.Beat(t.Context(), j.ID, stale, lease, 50); got != jobs.PulseLost {
			t.Errorf("another owner's beat: %s", got)
		}
	})

	t.Run("the first to complete wins, once, and the document is issued", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit(func(a *jobs.Acceptance) { a.Job.Retention = time.Hour })
		f := b.start(j.ID, lease)
		warnings := []render.Warning{{Code: "resource_failed", Detail: "logo.png: 404"}}
		for _, want := range []jobs.Completion{jobs.Won, jobs.AlreadyWon} {
			if got, err := b.Complete(t.Context(), j.ID, f, result, warnings); err != nil || got != want {
				t.Fatalf("got %s, %v, want %s", got, err, want)
			}
		}
		stale := f
		stale.Attempt++
		if got := b.complete(j.ID, stale); got != jobs.LostTheFence {
			t.Errorf("another attempt: %s", got)
		}
		j = b.job(j.ID)
		if j.Status != jobs.Succeeded || j.Progress != 100 || *j.Result != result || j.Finished.IsZero() ||
			len(j.Warnings) != 1 || j.Failure != nil || !j.Expires.After(j.Finished) {
			t.Errorf("job %+v", j)
		}
		d := b.document(j.Document)
		if d.Status != jobs.Issued || d.Number != 1 || d.Sequence != 1 || *d.Result != result || d.Job != j.ID || d.Issued.IsZero() {
			t.Errorf("document %+v", d)
		}
	})

	t.Run("a slow attempt cannot publish after it was reaped", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		slow := b.start(j.ID, time.Millisecond)
		Eventually(t, "the lease runs out", func() bool { return len(b.overdue()) == 1 })
		if got := b.fail(j.ID, slow, jobs.DefaultRules().Lost); got != jobs.WillRetry {
			t.Fatalf("the reaper got %s", got)
		}
		next := b.start(j.ID, lease)
		if got := b.complete(j.ID, slow); got != jobs.LostTheFence {
			t.Errorf("the slow attempt: %s", got)
		}
		if got, _ := b.Beat(t.Context(), j.ID, slow, lease, 1); got != jobs.PulseLost {
			t.Errorf("its beat: %s", got)
		}
		if got := b.complete(j.ID, next); got != jobs.Won {
			t.Errorf("the next attempt: %s", got)
		}
	})

	t.Run("issue numbers have no gap", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		var group sync.WaitGroup
		numbers := make([]int64, 20)
		for i := range numbers {
			j := b.submit()
			if i%3 == 0 {
				b.end(j.ID)
				continue
			}
			f := b.start(j.ID, lease)
			group.Go(func() {
				_, _ = b.Complete(t.Context(), j.ID, f, result, nil)
				d, _ := b.Document(t.Context(), j.Document)
				numbers[i] = d.Number
			})
		}
		group.Wait()
		seen := map[int64]bool{}
		for i, n := range numbers {
			if i%3 != 0 {
				seen[n] = true
			}
		}
		for n := int64(1); n <= int64(len(seen)); n++ {
			if !seen[n] {
				t.Errorf("number %d was not given: %v", n, numbers)
			}
		}
	})

	t.Run("every end writes exactly one event whose body is frozen", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		for status, end := range map[jobs.Status]func(jobs.ID){
			jobs.Succeeded: b.issue, jobs.Failed: b.end,
			jobs.Canceled: func(id jobs.ID) { _, _ = b.Cancel(t.Context(), id) },
		} {
			j := b.submit(withDocumentKey(`a "quoted" ` + string(status)))
			end(j.ID)
			c, err := b.ClaimDelivery(t.Context(), j.Delivery, 1, "me", lease)
			if err != nil || c.Answer != jobs.ClaimOK {
				t.Fatalf("%s: %+v, %v", status, c, err)
			}
			var body struct {
				Type      string
				Timestamp time.Time
				Data      map[string]any
			}
			if err := json.Unmarshal(c.Body, &body); err != nil {
				t.Fatalf("%s: body %s: %v", status, c.Body, err)
			}
			got := fmt.Sprint(body.Type, body.Data["job_id"], body.Data["document_id"], body.Data["document_key"], body.Data["status"],
				body.Data["sequence"], body.Data["job_url"], body.Data["document_url"], body.Data["batch_id"])
			base := "https://docs.example"
			want := fmt.Sprint("job."+string(status), j.ID, j.Document, j.DocumentKey, status, 1,
				base+"/jobs/"+string(j.ID), base+"/documents/"+string(j.Document), nil)
			if got != want {
				t.Errorf("body says\n%s, want\n%s", got, want)
			}
			if finished := b.job(j.ID).Finished; !body.Timestamp.Equal(finished) {
				t.Errorf("timestamp %v, finished %v", body.Timestamp, finished)
			}
			if string(c.Sealed) != "sealed\x00bytes" {
				t.Errorf("sealed %q", c.Sealed)
			}
		}
	})

	t.Run("load counts what waits and the median of recent renders", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		b.submit()
		b.start(b.submit().ID, lease)
		b.issue(b.submit().ID)
		load, err := b.Load(t.Context(), "render")
		if err != nil || load.Waiting != 1 || load.Running != 1 || load.Median < 0 || load.Median > Patience {
			t.Errorf("load %+v, %v", load, err)
		}
	})
}

func (b bench) overdue() []jobs.Overdue {
	b.Helper()
	var all []jobs.Overdue
	for p := range b.Partitions() {
		found, err := b.Overdue(b.Context(), p, 10)
		if err != nil {
			b.Fatalf("overdue: %v", err)
		}
		all = append(all, found...)
	}
	return all
}

func testFailures(t *testing.T, open opener) {
	t.Helper()
	rules := jobs.DefaultRules()
	for _, c := range []struct {
		name string
		rule jobs.Rule
		want int // attempts before the job has failed; 0 for never
	}{
		{"a permanent error ends at once", rules.Permanent, 1},
		{"an engine error is tried three times", withoutDelay(rules.Render), 3},
		{"a lost engine is tried six times", withoutDelay(rules.EngineLost), 6},
		{"a lost worker is tried eleven times", jobs.Rule{Counter: "lost", Limit: rules.Lost.Limit}, 11},
		{"infrastructure is tried without end", withoutDelay(rules.Infrastructure), 0},
		{"a hand-back counts nowhere", rules.HandBack, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, open, Settings{})
			j := b.submit()
			for n := 1; n <= 15; n++ {
				got := b.fail(j.ID, b.start(j.ID, lease), c.rule)
				if got == jobs.HasFailed {
					if n != c.want {
						t.Errorf("failed after %d attempts, want %d", n, c.want)
					}
					if j := b.job(j.ID); j.Status != jobs.Failed || j.Failure == nil || j.Failure.Code != "page_failed" || j.Attempt != n {
						t.Errorf("job %+v", j)
					}
					return
				}
				if j := b.job(j.ID); j.Status != jobs.Queued || j.Generation != n+1 {
					t.Fatalf("after attempt %d: %s of generation %d", n, j.Status, j.Generation)
				}
			}
			if c.want != 0 {
				t.Errorf("still not failed")
			}
		})
	}

	t.Run("the counters do not add up", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		for range 2 {
			b.fail(j.ID, b.start(j.ID, lease), withoutDelay(rules.EngineLost))
			b.fail(j.ID, b.start(j.ID, lease), withoutDelay(rules.Infrastructure))
			b.fail(j.ID, b.start(j.ID, lease), rules.HandBack)
			if got := b.fail(j.ID, b.start(j.ID, lease), withoutDelay(rules.Render)); got != jobs.WillRetry {
				t.Fatalf("a crash used up a render retry: %s", got)
			}
		}
		if c, err := b.Claim(t.Context(), j.ID, 9, "me", lease); err != nil || c.Job.EngineLost != 2 {
			t.Errorf("the next attempt is told of %d lost engines, want 2: %s, %v", c.Job.EngineLost, c.Answer, err)
		}
	})

	t.Run("a retry waits its time and is then due", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		rule := jobs.Rule{Counter: "retries", Limit: 5, Delays: []time.Duration{300 * time.Millisecond}}
		b.fail(j.ID, b.start(j.ID, lease), rule)
		if n := len(b.due(jobs.RenderLine).Tasks); n != 0 {
			t.Errorf("due at once")
		}
		Eventually(t, "the retry is due", func() bool { return len(b.due(jobs.RenderLine).Tasks) == 1 })
	})

	t.Run("the reaper leaves an attempt that has beaten again", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		f := b.start(j.ID, time.Millisecond)
		Eventually(t, "the lease runs out", func() bool { return len(b.overdue()) == 1 })
		if _, err := b.Beat(t.Context(), j.ID, f, lease, 0); err != nil {
			t.Fatal(err)
		}
		if got := b.fail(j.ID, f, rules.Lost); got != jobs.StillAlive {
			t.Errorf("got %s", got)
		}
	})

	t.Run("a failure repeated after a lost reply changes nothing", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		f := b.start(j.ID, lease)
		b.fail(j.ID, f, rules.Render)
		if got := b.fail(j.ID, f, rules.Render); got != jobs.FailLost {
			t.Errorf("got %s", got)
		}
		if g := b.job(j.ID).Generation; g != 2 {
			t.Errorf("generation %d, want 2", g)
		}
	})
}

func withoutDelay(r jobs.Rule) jobs.Rule {
	r.Delays = nil
	return r
}

func testCancel(t *testing.T, open opener) {
	t.Helper()
	t.Run("a queued job ends at once, and asking again is fine", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		for range 2 {
			if got, err := b.Cancel(t.Context(), j.ID); err != nil || got != jobs.Canceled {
				t.Fatalf("got %s, %v", got, err)
			}
		}
		if d := b.document(j.Document); d.Status != jobs.Pending || d.Sequence != 1 {
			t.Errorf("document %+v", d)
		}
	})
	t.Run("a running job hears of it and ends canceled, whatever its attempt made", func(t *testing.T) {
		t.Parallel()
		for _, end := range []func(b bench, id jobs.ID, f jobs.Fence) string{
			func(b bench, id jobs.ID, f jobs.Fence) string { return string(b.complete(id, f)) },
			func(b bench, id jobs.ID, f jobs.Fence) string {
				return string(b.fail(id, f, jobs.DefaultRules().Render))
			},
		} {
			b := newBench(t, open, Settings{})
			j := b.submit()
			f := b.start(j.ID, lease)
			if got, err := b.Cancel(t.Context(), j.ID); err != nil || got != jobs.Running {
				t.Fatalf("got %s, %v", got, err)
			}
			if got, _ := b.Beat(t.Context(), j.ID, f, lease, 1); got != jobs.PulseCancel {
				t.Errorf("the beat said %s", got)
			}
			if !b.job(j.ID).CancelRequested {
				t.Error("the request does not show")
			}
			if got := end(b, j.ID, f); got != "canceled" {
				t.Errorf("ended %s", got)
			}
			if j := b.job(j.ID); j.Status != jobs.Canceled || b.document(j.Document).Status != jobs.Pending {
				t.Errorf("job %+v", j)
			}
		}
	})
	t.Run("a job that has ended stays as it is", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, open, Settings{})
		j := b.submit()
		b.issue(j.ID)
		if got, err := b.Cancel(t.Context(), j.ID); err != nil || got != jobs.Succeeded {
			t.Errorf("got %s, %v", got, err)
		}
		_, err := b.Cancel(t.Context(), jobs.NewID(jobs.KindJob, 0))
		wantCode(t, err, jobs.ErrJobNotFound)
	})
}
