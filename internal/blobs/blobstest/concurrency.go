package blobstest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/blobs"
)

const writers = 32

func manyPutTheSameBytes(t *testing.T, s blobs.Store) {
	t.Helper()
	content := strings.Repeat("same", 1<<14)
	for _, err := range putAll(t, s, func(int) string { return content }) {
		if err != nil {
			t.Error(err)
		}
	}
	if got, _ := get(t, s, "a/b/x"); got != content {
		t.Errorf("read %d bytes", len(got))
	}
}

func oneOfManyDifferentBytesWins(t *testing.T, s blobs.Store) {
	t.Helper()
	content := func(i int) string { return strings.Repeat(fmt.Sprintf("%02d", i), 1<<14) }
	winner := -1
	for i, err := range putAll(t, s, content) {
		switch {
		case err == nil && winner < 0:
			winner = i
		case err == nil:
			t.Errorf("both %d and %d won", winner, i)
		case !errors.Is(err, blobs.ErrExists):
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if winner < 0 {
		t.Fatal("nobody won")
	}
	if got, _ := get(t, s, "a/b/x"); got != content(winner) {
		t.Errorf("read %.4q…, the winner is %d", got, winner)
	}
}

// putAll lets 32 writers put the same name at once.
func putAll(t *testing.T, s blobs.Store, content func(int) string) []error {
	t.Helper()
	errs := make([]error, writers)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			<-start
			_, errs[i] = s.Put(t.Context(), "a/b/x", strings.NewReader(content(i)))
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// deletesDoNotDisturbPuts lets each of some workers put, read and delete blobs of its own in folders that all
// share, so that a folder is removed by one while it is needed by another.
func deletesDoNotDisturbPuts(t *testing.T, s blobs.Store) {
	t.Helper()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 40 {
				name := fmt.Sprintf("a/b/%d", w)
				if i%2 == 1 {
					name = fmt.Sprintf("a/b/c/%d", w)
				}
				if err := cycle(t, s, name); err != nil {
					t.Errorf("worker %d, round %d: %v", w, i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	wantNames(t, s, "")
}

func cycle(t *testing.T, s blobs.Store, name string) error {
	t.Helper()
	if _, err := s.Put(t.Context(), name, strings.NewReader(name)); err != nil {
		return err
	}
	r, _, err := s.Open(t.Context(), name)
	if err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	return s.Delete(t.Context(), name)
}
