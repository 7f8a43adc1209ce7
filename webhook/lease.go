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
// soon as the store says so, or a whole lease has passed without a beat that succeeded. The lease is counted from before
// the store was asked, so this side gives up before another worker can begin, as far as clocks run alike; where they do
// not (a machine that was suspended), the token is what keeps a stale worker from changing anything.
func (i *Inbox) hold(ctx context.Context, claim Claim, claimed time.Time) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	expiry := time.AfterFunc(i.lease()-time.Since(claimed), func() { cancel(ErrLost) })
	var group sync.WaitGroup
	group.Go(func() { i.beat(held, claim, expiry, cancel) })
	return held, func() {
		cancel(nil)
		expiry.Stop()
		group.Wait()
	}
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
			expiry.Reset(lease - time.Since(asked))
		case errors.Is(err, ErrLost):
			cancel(ErrLost)
		case ctx.Err() == nil:
			i.storageFailed(ctx, "extend", err)
		}
	}
}
