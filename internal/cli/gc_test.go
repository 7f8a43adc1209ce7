package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/cli"
	"github.com/platen-render/platen/internal/gc"
)

// heap is garbage that can be deleted.
type heap struct {
	deleted   []string
	olderThan time.Duration
	closed    bool
}

func (h *heap) List(context.Context) (gc.Report, error) {
	at := time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)
	return gc.Report{Seen: 9, Bytes: 900, Findings: []gc.Finding{
		{Name: "a/b", Bytes: 100, Written: at, Verdict: gc.Orphan}, {Name: "c", Bytes: 1, Written: at, Verdict: gc.Foreign},
	}}, nil
}

func (h *heap) Delete(_ context.Context, findings []gc.Finding, removed func(gc.Finding)) error {
	for _, f := range findings {
		if f.Removable() {
			h.deleted = append(h.deleted, f.Name)
			removed(f)
		}
	}
	return nil
}

func (h *heap) run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	open := func(_ context.Context, _ cli.Env, olderThan time.Duration) (cli.Collector, func() error, error) {
		h.olderThan = olderThan
		return h, func() error { h.closed = true; return nil }, nil
	}
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	status = cli.Main(t.Context(), env, []cli.Command{cli.GC(open)}, append([]string{"gc"}, args...))
	return status, out.String(), errs.String()
}

func TestGarbageIsListedAndDeletedAfterAQuestion(t *testing.T) {
	t.Parallel()
	h := &heap{}
	status, stdout, stderr := h.run(t, "")
	const table = "FOUND    BYTES  WRITTEN               BLOB\norphan   100    2026-03-02 09:15:00Z  a/b\nforeign  1      2026-03-02 09:15:00Z  c\n"
	if status != 0 || stdout != table || stderr != "9 blobs with 900 bytes; nobody points to 1 with 100 bytes\n" || !h.closed || h.olderThan != 24*time.Hour {
		t.Errorf("%d after %v\n%s%s", status, h.olderThan, stdout, stderr)
	}
	for answer, want := range map[string]int{"": 1, "y\n": 1, "yes\n": 0} {
		h := &heap{}
		status, _, stderr := h.run(t, answer, "--delete", "--older-than", "48h")
		if status != want || len(h.deleted) != 1-want || !strings.Contains(stderr, "Delete 1 blobs for good?") || h.olderThan != 48*time.Hour {
			t.Errorf("%q: %d, %v, %s", answer, status, h.deleted, stderr)
		}
	}
	if status, stdout, _ := h.run(t, "", "--delete", "--yes", "--json"); status != 0 || !strings.Contains(stdout, `"deleted": true`) || len(h.deleted) != 1 {
		t.Errorf("%d, %s", status, stdout)
	}
}

func TestGarbageIsNotDeletedByMistake(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--yes"}, {"--json", "--delete"}, {"--delete", "--older-than", "1h"}, {"--older-than", "-1h"}, {"something"},
	} {
		h := &heap{}
		if status, _, stderr := h.run(t, "yes\n", args...); status != 2 || h.deleted != nil || stderr == "" {
			t.Errorf("%v: %d, %v", args, status, h.deleted)
		}
	}
}
