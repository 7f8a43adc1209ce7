package jobs_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/platen-render/platen/internal/jobs"
)

func TestOfManyOneWaitsForAPartitionThatIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const patience = 5 * time.Second
		var away jobs.Away
		var asked atomic.Int32
		timeout := errors.New("timeout")
		ask := func(partition int, err error) error {
			return away.Ask(partition, patience, func() error {
				asked.Add(1)
				if err != nil {
					<-time.After(patience)
				}
				return err
			})
		}
		if err := ask(1, timeout); !errors.Is(err, timeout) {
			t.Fatal(err)
		}
		if err := ask(1, nil); !errors.Is(err, jobs.ErrStoreUnavailable) {
			t.Errorf("at once: %v", err)
		}
		if err := ask(2, nil); err != nil {
			t.Errorf("another one: %v", err)
		}
		<-time.After(2 * time.Second)
		before := asked.Load()
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() { _ = ask(1, timeout) })
		}
		group.Wait()
		if n := asked.Load() - before; n != 1 {
			t.Errorf("%d waited", n)
		}
		<-time.After(2 * time.Second)
		for range 3 { // it is back
			if err := ask(1, nil); err != nil {
				t.Error(err)
			}
		}
	})
}
