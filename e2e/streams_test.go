package e2e_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/platen-render/platen/api"
)

// The streams that one process has open in the next test, and what it may take for them.
const (
	openStreams  = 2000
	streamMemory = 200_000_000
)

// reader reads one stream until it has seen a text.
type reader struct {
	lines *bufio.Scanner
	close func() error
}

func (s *stack) read(ctx context.Context, path string) (*reader, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+devKey)
	res, err := http.DefaultClient.Do(req) //nolint:bodyclose // by close
	if err != nil {
		return nil, err
	}
	return &reader{lines: bufio.NewScanner(res.Body), close: res.Body.Close}, nil
}

func (r *reader) until(texts ...string) bool {
	for r.lines.Scan() {
		found := true
		for _, text := range texts {
			found = found && strings.Contains(r.lines.Text(), text)
		}
		if found {
			return true
		}
	}
	return false
}

// Half of the readers follow a job each, the others the tenant: each of those is told each change.
func TestTwoThousandStreamsNeedLittleAndEndAtOnce(t *testing.T) {
	s := newStack(t)
	process := s.up()
	followed := s.submitHTML("<p>followed</p>", "")
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	before := process.footprint(s.addr)
	readers := make([]*reader, openStreams)
	errs := make([]error, openStreams)
	each := func(do func(i int) error) {
		t.Helper()
		var group sync.WaitGroup
		for i := range openStreams {
			group.Go(func() { errs[i] = do(i) })
		}
		group.Wait()
		for i, err := range errs {
			if err != nil {
				t.Fatalf("reader %d: %v", i, err)
			}
		}
	}
	each(func(i int) (err error) {
		path := []string{"/events", "/jobs/" + followed.ID + "/events"}[i%2]
		if readers[i], err = s.read(ctx, path); err == nil && !readers[i].until("event: snapshot") {
			err = readers[i].lines.Err()
		}
		return err
	})
	if open := metric(t, s.addr, "platen_streams_open"); open != openStreams {
		t.Errorf("%v streams are open", open)
	}
	quiet := process.footprint(s.addr)

	began := time.Now()
	var last api.Job
	for range 50 {
		last = s.submitHTML("<p>", "")
		if _, err := s.Cancel(ctx, last.ID); err != nil {
			t.Fatal(err)
		}
	}
	each(func(i int) error {
		if i%2 == 0 && !readers[i].until(last.ID, `"canceled"`) {
			return readers[i].lines.Err()
		}
		return nil
	})
	took := time.Since(began)
	after := process.footprint(s.addr)
	t.Logf("%d streams: %d MiB before, %d MiB open, %d MiB at most; %d goroutines, %d files; 100 changes to 1,000 readers took %v",
		openStreams, before.resident>>20, quiet.resident>>20, after.highest>>20, after.goroutines, after.files, took)
	if after.highest > streamMemory {
		t.Errorf("%d bytes of memory", after.highest)
	}

	began = time.Now()
	if !process.stop() {
		t.Error("the process did not end")
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("streams held the process up for %v", took)
	}
	each(func(i int) error { return readers[i].close() })
}
