package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/seal"
)

// ErrMasterKey refuses master keys that do not open what is stored.
var ErrMasterKey = fault.New(fault.Internal, "master_key_wrong",
	"This is not the master key of the stored data: neither PLATEN_SECRET_KEY nor PLATEN_SECRET_KEY_OLD opens it.")

// Canaries is what telling a wrong master key needs of the store: in each partition a text that the master key of the
// installation has sealed, so that a key can be tried before anything depends on it.
type Canaries interface {
	// Canary returns the canary of a partition, nil without one.
	Canary(ctx context.Context, partition int) ([]byte, error)
	// SwapCanary makes fresh the canary of a partition where it still is as old says, nil for none, and returns the one that
	// now stands.
	SwapCanary(ctx context.Context, partition int, old, fresh []byte) ([]byte, error)
	// SomeTenant names a tenant of a partition, [DefaultTenant] before any other; "" without one.
	SomeTenant(ctx context.Context, partition int) (string, error)
}

// canaryLost is what an operator puts in the place of a canary to say that its key is lost, and what it had sealed, too.
const canaryLost = "lost"

// canaryRecord is what the canary of a partition is sealed for.
func canaryRecord(partition int) string { return fmt.Sprint("canary:", partition) }

// CheckMasterKey returns [ErrMasterKey] when the keys do not open what is stored. Where no canary is yet, it leaves one that the
// current key has sealed; of processes that start at once with different keys one stands. Partitions that do not answer are
// counted in away and not checked; when none does, that is [ErrStoreUnavailable].
func CheckMasterKey(ctx context.Context, store Store, partitions int, key *seal.Key) (away int, err error) {
	opened, errs := make([]bool, partitions), make([]error, partitions)
	var tries sync.WaitGroup // at once: a server that is away makes each of its partitions wait for the time limit
	for p := range partitions {
		tries.Go(func() { opened[p], errs[p] = tryCanary(ctx, store, p, key) })
	}
	tries.Wait()
	var absent []int
	for p, err := range errs {
		switch {
		case errors.Is(err, ErrStoreUnavailable):
			if away++; away == partitions {
				return away, err
			}
		case err != nil:
			return away, err
		case !opened[p]:
			absent = append(absent, p)
		}
	}
	for _, p := range absent { // only now that nothing is known to be another key's
		if err := putCanary(ctx, store, p, key); err != nil {
			return away, err
		}
	}
	return away, nil
}

// tryCanary opens the canary of a partition. Where there is none, a tenant's secrets from before there were canaries do.
func tryCanary(ctx context.Context, store Store, partition int, key *seal.Key) (opened bool, err error) {
	canary, err := store.Canary(ctx, partition)
	switch {
	case err != nil || string(canary) == canaryLost:
		return false, err
	case canary != nil:
		return true, openCanary(key, partition, canary)
	}
	name, err := store.SomeTenant(ctx, partition)
	if err != nil || name == "" {
		return false, err
	}
	tenant, err := store.Tenant(ctx, name)
	if err != nil {
		return false, err
	}
	if _, err := OpenSecrets(key, name, tenant.Secrets); err != nil {
		return false, ErrMasterKey.Because(err)
	}
	return false, nil
}

func openCanary(key *seal.Key, partition int, canary []byte) error {
	if _, err := key.Open(canaryRecord(partition), canary); err != nil {
		return ErrMasterKey.Because(err)
	}
	return nil
}

// putCanary leaves a canary where there is none, or opens the one that somebody else has just left.
func putCanary(ctx context.Context, store Canaries, partition int, key *seal.Key) error {
	old, err := store.Canary(ctx, partition)
	if err != nil {
		return err
	}
	if old == nil || string(old) == canaryLost {
		if old, err = store.SwapCanary(ctx, partition, old, key.Seal(canaryRecord(partition), nil)); err != nil {
			return err
		}
	}
	return openCanary(key, partition, old)
}

// resealCanaries is the end of a pass over all that is sealed: from then on the current key alone is enough to start with.
func (s *Service) resealCanaries(ctx context.Context) error {
	for p := range max(s.Partitions, 1) {
		old, err := s.Store.Canary(ctx, p)
		if err != nil {
			return err
		}
		if s.Key.Current(old) || openCanary(s.Key, p, old) != nil { // current, or not ours to replace
			continue
		}
		if _, err := s.Store.SwapCanary(ctx, p, old, s.Key.Seal(canaryRecord(p), nil)); err != nil {
			return err
		}
	}
	return nil
}
