package webhook

import (
	"context"
	"errors"
	"sync"
	"time"
)

// beatsPerLease leaves room for one beat that fails.
const beatsPerLease = 3

// hold keeps a claim alive until release is called. The returned context ends with ctx, and with the cause [ErrLost] as
// soon as the store says so, or the lease is nearly over without a beat that succeeded. So this side gives up before
// another worker can begin, as far as clocks run alike; where they do not (a machine that was suspended), the token is
// what keeps a stale worker from changing anything.
func (i *Inbox) hold(ctx context.Context, claim Claim, claimed time.Time) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	expiry := time.AfterFunc(i.trusted(claimed), func() { cancel(ErrLost) })
	var group sync.WaitGroup
	group.Go(func() { i.beat(held, claim, expiry, cancel) })
	return held, func() {
		cancel(nil)
		expiry.Stop()
		group.Wait()
	}
}

// trusted is how much longer a lease that was asked for at a time is relied on: nine tenths of it, since before the store
// began to count.
func (i *Inbox) trusted(asked time.Time) time.Duration {
	return i.lease()*9/10 - time.Since(asked)
}

// beat extends the lease until ctx ends or the claim is lost.
func (i *Inbox) beat(ctx context.Context, claim Claim, expiry *time.Timer, cancel context.CancelCauseFunc) {
	lease := i.lease()
	ticker := time.NewTicker(lease / beatsPerLease)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked := time.Now()
		switch err := i.Store.Extend(ctx, claim, lease); {
		case err == nil:
			expiry.Reset(i.trusted(asked))
		case errors.Is(err, ErrLost):
			cancel(ErrLost)
		case ctx.Err() == nil:
			i.storageFailed(ctx, "extend", err)
		}
	}
}
