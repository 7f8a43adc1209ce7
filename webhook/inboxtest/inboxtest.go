// Package inboxtest is the specification of [webhook.Store] as a test suite. Who writes a store for another database runs
// it against a real one:
//
//	func TestMyStore(t *testing.T) {
//		inboxtest.Run(t, func(t *testing.T) webhook.Store { return … })
//	}
package inboxtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/platen-render/platen/webhook"
)

const (
	hour = time.Hour
	// instant is a lease or a retention that is over before anybody looks again, or almost.
	instant = time.Millisecond
	// patience is how long the suite waits for what must happen.
	patience = 10 * time.Second
	pause    = 2 * time.Millisecond
)

// Run checks a store against its contract. It calls open once for each subtest, which are parallel; open returns an
// empty store that nobody else uses.
func Run(t *testing.T, open func(t *testing.T) webhook.Store) {
	t.Helper()
	for name, test := range map[string]func(*bench){
		"ANewMessageIsClaimedOnceAsItCame":              aNewMessageIsClaimedOnceAsItCame,
		"ARepeatedMessageIsKnown":                       aRepeatedMessageIsKnown,
		"OfMessagesAtOnceOneIsNew":                      ofMessagesAtOnceOneIsNew,
		"WorkersAtOnceClaimDifferentEntries":            workersAtOnceClaimDifferentEntries,
		"TheLongestDueIsClaimedFirst":                   theLongestDueIsClaimedFirst,
		"AnotherBodyIsARecordedConflict":                anotherBodyIsARecordedConflict,
		"AnExpiredLeaseIsTakenOver":                     anExpiredLeaseIsTakenOver,
		"AnExtendedLeaseIsNotTakenOver":                 anExtendedLeaseIsNotTakenOver,
		"AStaleClaimChangesNothing":                     aStaleClaimChangesNothing,
		"AnExpiredClaimThatNobodyTookIsStillGood":       anExpiredClaimThatNobodyTookIsStillGood,
		"ACompletedEntryStaysSo":                        aCompletedEntryStaysSo,
		"AReleasedEntryComesAfterItsWait":               aReleasedEntryComesAfterItsWait,
		"AFreeAttemptIsNotCounted":                      aFreeAttemptIsNotCounted,
		"AFailedEntryWaitsForAReplay":                   aFailedEntryWaitsForAReplay,
		"OnlyFailedEntriesAreReplayed":                  onlyFailedEntriesAreReplayed,
		"ARepeatedMessageOpensAFailedEntry":             aRepeatedMessageOpensAFailedEntry,
		"FailuresAreListedOldestFirst":                  failuresAreListedOldestFirst,
		"StatsCountByStatus":                            statsCountByStatus,
		"FinishedEntriesAreDeletedAfterTheRetention":    finishedEntriesAreDeletedAfterTheRetention,
		"TheRetentionBeginsAnewWithARepeat":             theRetentionBeginsAnewWithARepeat,
		"AnIDThatWasDeletedIsNewAgain":                  anIDThatWasDeletedIsNewAgain,
		"ADeletedOrUnknownEntryIsNobodysClaim":          aDeletedOrUnknownEntryIsNobodysClaim,
		"AContextThatHasEndedIsAnErrorOrChangesNothing": anEndedContext,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(&bench{T: t, store: open(t)})
		})
	}
}

// bench is a store under test, and the steps of which tests are made. They fail the test on any error.
type bench struct {
	*testing.T
	store webhook.Store
}

func (b *bench) accept(id, body string) webhook.Receipt {
	b.Helper()
	r, err := b.store.Accept(b.Context(), message(id, body))
	if err != nil {
		b.Fatalf("accept %s: %v", id, err)
	}
	return r
}

func message(id, body string) webhook.Message {
	return webhook.Message{ID: id, Fingerprint: fmt.Sprintf("%x", sha256.Sum256([]byte(body))), Body: []byte(body)}
}

// claim wants an entry to be due now.
func (b *bench) claim(lease time.Duration) webhook.Claim {
	b.Helper()
	c, found, err := b.store.Claim(b.Context(), lease)
	if err != nil || !found {
		b.Fatalf("claim: found %t, %v", found, err)
	}
	return c
}

// idle wants no entry to be due.
func (b *bench) idle() {
	b.Helper()
	if c, found, err := b.store.Claim(b.Context(), hour); err != nil || found {
		b.Fatalf("claimed %s (attempt %d), %v: want none", c.ID, c.Attempt, err)
	}
}

// await claims an entry that is due soon.
func (b *bench) await() webhook.Claim {
	b.Helper()
	var claim webhook.Claim
	b.eventually("an entry is due", func() bool {
		c, found, err := b.store.Claim(b.Context(), hour)
		if err != nil {
			b.Fatalf("claim: %v", err)
		}
		claim = c
		return found
	})
	return claim
}

func (b *bench) eventually(what string, holds func() bool) {
	b.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			b.Fatalf("not within %s: %s", patience, what)
		}
		<-tick.C
	}
}

// pass lets so much time go by. Only what cannot be waited for is tested like this: that something does not happen.
func (b *bench) pass(d time.Duration) {
	b.Helper()
	begin := time.Now()
	b.eventually("time has passed", func() bool { return time.Since(begin) > d })
}

func (b *bench) finish(c webhook.Claim, o webhook.Outcome) {
	b.Helper()
	if err := b.store.Finish(b.Context(), c, o); err != nil {
		b.Fatalf("finish %s as %s: %v", c.ID, o.Status, err)
	}
}

func (b *bench) complete(id string) webhook.Claim {
	b.Helper()
	b.accept(id, id)
	c := b.claim(hour)
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	return c
}

func (b *bench) fail(id, reason string) webhook.Claim {
	b.Helper()
	b.accept(id, id)
	c := b.claim(hour)
	b.finish(c, webhook.Outcome{Status: webhook.Failed, Reason: reason})
	return c
}

// lost wants every operation of a claim to be refused.
func (b *bench) lost(c webhook.Claim) {
	b.Helper()
	if err := b.store.Extend(b.Context(), c, hour); !errors.Is(err, webhook.ErrLost) {
		b.Errorf("extend: got %v, want ErrLost", err)
	}
	for _, status := range []webhook.Status{webhook.Completed, webhook.Failed, webhook.Accepted} {
		if err := b.store.Finish(b.Context(), c, webhook.Outcome{Status: status}); !errors.Is(err, webhook.ErrLost) {
			b.Errorf("finish as %s: got %v, want ErrLost", status, err)
		}
	}
}

func (b *bench) stats() webhook.Stats {
	b.Helper()
	s, err := b.store.Stats(b.Context())
	if err != nil {
		b.Fatalf("stats: %v", err)
	}
	return s
}

// counts wants so many entries of each status.
func (b *bench) counts(accepted, processing, completed, failed int64) {
	b.Helper()
	s := b.stats()
	got := [...]int64{s.Accepted.Entries, s.Processing.Entries, s.Completed.Entries, s.Failed.Entries}
	if want := [...]int64{accepted, processing, completed, failed}; got != want {
		b.Errorf("accepted, processing, completed, failed are %v, want %v", got, want)
	}
}
