package inboxtest

import (
	"errors"
	"fmt"
	"time"

	"github.com/platen-render/platen/webhook"
)

func aFailedEntryWaitsForAReplay(b *bench) {
	first := b.fail("evt_1", "no such customer")
	b.idle()
	b.lost(first)
	b.counts(0, 0, 0, 1)
	if err := b.store.Replay(b.Context(), "evt_1"); err != nil {
		b.Fatalf("replay: %v", err)
	}
	b.counts(1, 0, 0, 0)
	again := b.claim(hour)
	if again.ID != first.ID || string(again.Body) != string(first.Body) || again.Attempt != 1 || again.Token == first.Token {
		b.Errorf("claimed %+v, before %+v", again, first)
	}
	b.finish(again, webhook.Outcome{Status: webhook.Completed})
	b.counts(0, 0, 1, 0)
}

func onlyFailedEntriesAreReplayed(b *bench) {
	refused := func(state string) {
		b.Helper()
		if err := b.store.Replay(b.Context(), "evt_1"); !errors.Is(err, webhook.ErrNotFailed) {
			b.Errorf("replay of an entry that is %s: %v", state, err)
		}
	}
	refused("unknown")
	b.accept("evt_1", "one")
	refused("accepted")
	c := b.claim(hour)
	refused("processing")
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	refused("completed")
	b.idle()
}

func aRepeatedMessageOpensAFailedEntry(b *bench) {
	b.fail("evt_1", "no")
	if r := b.accept("evt_1", "evt_1"); r != (webhook.Receipt{Status: webhook.Accepted, Known: true}) {
		b.Errorf("accepted: %+v", r)
	}
	if c := b.claim(hour); c.ID != "evt_1" || c.Attempt != 1 {
		b.Errorf("claimed %+v", c)
	}
}

func failuresAreListedOldestFirst(b *bench) {
	begin := time.Now().Add(-hour) // the store's clock may be another one, but not by so much
	for _, id := range []string{"evt_b", "evt_a", "evt_c"} {
		b.fail(id, "reason of "+id)
		b.pass(2 * instant)
	}
	b.complete("evt_d")
	failures, err := b.store.Failures(b.Context(), 2)
	if err != nil || len(failures) != 2 {
		b.Fatalf("listed %v, %v", failures, err)
	}
	for n, id := range []string{"evt_b", "evt_a"} {
		f := failures[n]
		if f.ID != id || f.Reason != "reason of "+id || f.Attempts != 1 || f.Accepted.Before(begin) || f.Failed.Before(f.Accepted) {
			b.Errorf("number %d is %+v", n, f)
		}
	}
}

func statsCountByStatus(b *bench) {
	if s := b.stats(); s != (webhook.Stats{}) {
		b.Errorf("an empty store has %+v", s)
	}
	b.complete("evt_1")
	b.fail("evt_2", "no")
	b.accept("evt_3", "three")
	b.claim(hour)
	b.accept("evt_4", "four")
	b.accept("evt_5", "five")
	b.counts(2, 1, 1, 1)
	b.eventually("all ages have grown", func() bool {
		s := b.stats()
		return min(s.Accepted.Oldest, s.Processing.Oldest, s.Completed.Oldest, s.Failed.Oldest) > 5*time.Millisecond
	})
	s := b.stats()
	if p := s.Pending(); p.Entries != 3 || p.Oldest != s.Processing.Oldest {
		b.Errorf("pending %+v of %+v", p, s)
	}
	if oldest := max(s.Accepted.Oldest, s.Processing.Oldest, s.Completed.Oldest, s.Failed.Oldest); oldest > hour {
		b.Errorf("the oldest is %s old", oldest)
	}
}

func finishedEntriesAreDeletedAfterTheRetention(b *bench) {
	b.complete("evt_1")
	b.fail("evt_2", "no")
	b.accept("evt_3", "three")
	b.claim(hour)
	b.accept("evt_4", "four")
	b.sweep(hour, 0)
	b.counts(1, 1, 1, 1)
	var deleted int64
	b.eventually("two entries are deleted", func() bool {
		n, err := b.store.Sweep(b.Context(), instant)
		if err != nil {
			b.Fatalf("sweep: %v", err)
		}
		deleted += n
		return deleted >= 2
	})
	b.counts(1, 1, 0, 0)
}

// theRetentionBeginsAnewWithARepeat says something only when the machine is not held up between two steps.
func theRetentionBeginsAnewWithARepeat(b *bench) {
	const retention = 500 * time.Millisecond
	for attempt := range 10 {
		id := fmt.Sprintf("evt_%d", attempt)
		b.complete(id)
		b.pass(retention + 20*instant)
		begin := time.Now()
		b.accept(id, id)
		n, err := b.store.Sweep(b.Context(), retention)
		if err != nil {
			b.Fatalf("sweep: %v", err)
		}
		if time.Since(begin) > retention/2 {
			continue
		}
		if n != 0 {
			b.Errorf("%d entries were deleted just after a repeat", n)
		}
		return
	}
	b.Fatal("the machine is too slow to tell")
}

func (b *bench) sweep(retention time.Duration, want int64) {
	b.Helper()
	if n, err := b.store.Sweep(b.Context(), retention); err != nil || n != want {
		b.Errorf("swept %d, %v: want %d", n, err, want)
	}
}

func anIDThatWasDeletedIsNewAgain(b *bench) {
	c := b.complete("evt_1")
	b.eventually("it is deleted", func() bool {
		n, err := b.store.Sweep(b.Context(), instant)
		return err == nil && n == 1
	})
	if r := b.accept("evt_1", "another body"); r.Known {
		b.Errorf("accepted: %+v", r)
	}
	b.lost(c)
}

func aDeletedOrUnknownEntryIsNobodysClaim(b *bench) {
	b.lost(webhook.Claim{ID: "evt_1", Token: "token"})
	b.lost(webhook.Claim{})
	b.accept("evt_1", "one")
	b.lost(webhook.Claim{ID: "evt_1"}) // the token of an entry that was never claimed
	b.counts(1, 0, 0, 0)
}
