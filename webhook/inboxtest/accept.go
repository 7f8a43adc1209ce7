package inboxtest

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/platen-render/platen/webhook"
)

func aNewMessageIsClaimedOnceAsItCame(b *bench) {
	b.idle()
	body := "{\"é\":\"\\u0000\"}\x00\xff\n"
	if r := b.accept("evt_1", body); r != (webhook.Receipt{Status: webhook.Accepted}) {
		b.Errorf("accepted: %+v", r)
	}
	b.counts(1, 0, 0, 0)
	c := b.claim(hour)
	if c.ID != "evt_1" || string(c.Body) != body || c.Attempt != 1 || c.Token == "" {
		b.Errorf("claimed %+v", c)
	}
	b.counts(0, 1, 0, 0)
	b.idle()
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	b.counts(0, 0, 1, 0)
	b.idle()
}

func aRepeatedMessageIsKnown(b *bench) {
	b.accept("evt_1", "one")
	if r := b.accept("evt_1", "one"); r != (webhook.Receipt{Status: webhook.Accepted, Known: true}) {
		b.Errorf("while accepted: %+v", r)
	}
	c := b.claim(hour)
	if r := b.accept("evt_1", "one"); r != (webhook.Receipt{Status: webhook.Processing, Known: true}) {
		b.Errorf("while processing: %+v", r)
	}
	b.idle()
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	if r := b.accept("evt_1", "one"); r != (webhook.Receipt{Status: webhook.Completed, Known: true}) {
		b.Errorf("when completed: %+v", r)
	}
	b.idle()
	b.counts(0, 0, 1, 0)
	if s := b.stats(); s.Repeats != 3 || s.Conflicts != 0 {
		b.Errorf("%d repeats, %d conflicts", s.Repeats, s.Conflicts)
	}
}

func ofMessagesAtOnceOneIsNew(b *bench) {
	const senders = 16
	var fresh atomic.Int64
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			r, err := b.store.Accept(b.Context(), message("evt_1", "one"))
			if err != nil {
				b.Errorf("accept: %v", err)
			}
			if !r.Known {
				fresh.Add(1)
			}
		})
	}
	group.Wait()
	if n := fresh.Load(); n != 1 {
		b.Errorf("%d of the messages were new", n)
	}
	b.claim(hour)
	b.idle()
}

func anotherBodyIsARecordedConflict(b *bench) {
	b.accept("evt_1", "one")
	if r := b.accept("evt_1", "two"); !r.Conflict || !r.Known || r.Status != webhook.Accepted {
		b.Errorf("while accepted: %+v", r)
	}
	c := b.claim(hour)
	if string(c.Body) != "one" {
		b.Errorf("the body is %q", c.Body)
	}
	b.finish(c, webhook.Outcome{Status: webhook.Completed})
	if r := b.accept("evt_1", "two"); !r.Conflict || r.Status != webhook.Completed {
		b.Errorf("when completed: %+v", r)
	}
	if r := b.accept("evt_1", "one"); r.Conflict {
		b.Errorf("the body of the first is a conflict too: %+v", r)
	}
	b.fail("evt_2", "no")
	if r := b.accept("evt_2", "other"); !r.Conflict || r.Status != webhook.Failed {
		b.Errorf("when failed: %+v", r)
	}
	b.idle()
	b.counts(0, 0, 1, 1)
	if s := b.stats(); s.Conflicts != 3 || s.Repeats != 1 {
		b.Errorf("%d conflicts, %d repeats", s.Conflicts, s.Repeats)
	}
}

func anEndedContext(b *bench) {
	ctx, cancel := context.WithCancel(b.Context())
	cancel()
	if _, err := b.store.Accept(ctx, message("evt_1", "one")); err != nil {
		b.idle()
		b.counts(0, 0, 0, 0)
		return
	}
	b.claim(hour)
}
