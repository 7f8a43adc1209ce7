package inboxtest

import (
	"fmt"
	"sync"

	"github.com/platen-render/platen/webhook"
)

func workersAtOnceClaimDifferentEntries(b *bench) {
	const entries, workers = 24, 8
	for n := range entries {
		b.accept(fmt.Sprintf("evt_%d", n), "one")
	}
	var mu sync.Mutex
	claimed := map[string]int{}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for {
				c, found, err := b.store.Claim(b.Context(), hour)
				if err != nil {
					b.Errorf("claim: %v", err)
				}
				if !found {
					return
				}
				mu.Lock()
				claimed[c.ID]++
				mu.Unlock()
			}
		})
	}
	group.Wait()
	b.counts(0, entries, 0, 0)
	for id, n := range claimed {
		if n != 1 {
			b.Errorf("%s was claimed %d times", id, n)
		}
	}
	if len(claimed) != entries {
		b.Errorf("%d entries were claimed", len(claimed))
	}
}

func theLongestDueIsClaimedFirst(b *bench) {
	b.accept("evt_1", "one")
	first := b.claim(hour)
	b.accept("evt_2", "two")
	b.finish(first, webhook.Outcome{Status: webhook.Accepted, Wait: 20 * instant})
	if c := b.claim(hour); c.ID != "evt_2" {
		b.Errorf("claimed %s", c.ID)
	}
	if c := b.await(); c.ID != "evt_1" {
		b.Errorf("then claimed %s", c.ID)
	}
}

func anExpiredLeaseIsTakenOver(b *bench) {
	b.accept("evt_1", "one")
	first := b.claim(instant)
	second := b.await()
	if second.ID != first.ID || second.Token == first.Token || second.Attempt != 2 || string(second.Body) != "one" {
		b.Errorf("%+v, then %+v", first, second)
	}
	b.idle()
	b.finish(second, webhook.Outcome{Status: webhook.Completed})
	b.counts(0, 0, 1, 0)
}

func anExtendedLeaseIsNotTakenOver(b *bench) {
	b.accept("evt_1", "one")
	c := b.claim(instant)
	if err := b.store.Extend(b.Context(), c, hour); err != nil {
		b.Fatalf("extend: %v", err)
	}
	b.pass(20 * instant)
	b.idle()
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
}

func aStaleClaimChangesNothing(b *bench) {
	b.accept("evt_1", "one")
	stale := b.claim(instant)
	current := b.await()
	b.lost(stale)
	b.counts(0, 1, 0, 0)
	b.idle()
	b.finish(current, webhook.Outcome{Status: webhook.Accepted})
	b.lost(stale)
	b.counts(1, 0, 0, 0)
	last := b.claim(hour)
	if last.Attempt != 3 || last.Token == current.Token {
		b.Errorf("claimed %+v after %+v", last, current)
	}
	b.lost(current)
	b.finish(last, webhook.Outcome{Status: webhook.Completed})
	b.lost(stale)
	b.lost(current)
	b.counts(0, 0, 1, 0)
}

func anExpiredClaimThatNobodyTookIsStillGood(b *bench) {
	b.accept("evt_1", "one")
	c := b.claim(instant)
	b.pass(20 * instant)
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	b.idle()
	b.counts(0, 0, 1, 0)
}

func aCompletedEntryStaysSo(b *bench) {
	c := b.complete("evt_1")
	b.finish(c, webhook.Outcome{Status: webhook.Completed}) // a worker that got no answer asks again
	for _, o := range []webhook.Outcome{{Status: webhook.Failed}, {Status: webhook.Accepted}} {
		if err := b.store.Finish(b.Context(), c, o); err == nil {
			b.Errorf("a completed entry became %s", o.Status)
		}
	}
	b.idle()
	b.counts(0, 0, 1, 0)
}

func aReleasedEntryComesAfterItsWait(b *bench) {
	b.accept("evt_1", "one")
	b.finish(b.claim(hour), webhook.Outcome{Status: webhook.Accepted, Wait: 20 * instant, Reason: "not yet"})
	b.counts(1, 0, 0, 0)
	second := b.await()
	if second.Attempt != 2 {
		b.Errorf("claimed %+v", second)
	}
	b.finish(second, webhook.Outcome{Status: webhook.Accepted, Wait: hour})
	b.idle()
	b.accept("evt_1", "one") // which is no reason to hurry
	b.idle()
}

func aFreeAttemptIsNotCounted(b *bench) {
	b.accept("evt_1", "one")
	b.finish(b.claim(hour), webhook.Outcome{Status: webhook.Accepted, Free: true})
	if c := b.claim(hour); c.Attempt != 1 {
		b.Errorf("claimed %+v", c)
	}
}
