package jobs

import (
	"context"
	"iter"
	"sync"
)

// readAhead is how many documents are read before it is their turn to be written: a bucket answers each after a while, and several at
// once. So many times [maxKept] may be in memory.
const readAhead = 8

// found is an entry with the bytes of its document.
type found struct {
	entry
	kept []byte // nil when they are many
	crc  uint32
	err  error
}

// ahead gives entries in their order, whose documents are read before they are asked for. An error is the last that it gives. When it returns
// nothing is read any more.
func (a *archive) ahead(ctx context.Context, entries iter.Seq2[entry, error]) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		var reading sync.WaitGroup
		defer reading.Wait()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		turns := make(chan chan found, readAhead)
		reading.Go(func() {
			defer close(turns)
			for e, err := range entries {
				turn := make(chan found, 1)
				select {
				case turns <- turn:
				case <-ctx.Done():
					return
				}
				if err != nil || e.content == nil {
					turn <- found{entry: e, err: err}
					continue
				}
				reading.Go(func() {
					f := found{entry: e}
					f.kept, f.crc, f.err = a.measure(ctx, *e.content)
					turn <- f
				})
			}
		})
		for turn := range turns {
			if f := <-turn; !yield(f, f.err) || f.err != nil {
				return
			}
		}
	}
}
