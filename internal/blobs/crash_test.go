package blobs_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/blobs/blobstest"
)

// childDir tells the test binary to be a writer that another test will kill.
const childDir = "PLATEN_TEST_BLOBS_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		writeUntilKilled(blobs.FileStore{Dir: dir})
	}
	os.Exit(m.Run())
}

// writeUntilKilled puts one blob after the other and says the name of each when it is kept.
func writeUntilKilled(s blobs.FileStore) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("a/%d/x", i)
		if _, err := s.Put(context.Background(), name, strings.NewReader(content(name))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(name)
	}
}

// content is large enough for a kill to fall into its writing.
func content(name string) string { return strings.Repeat(name+"\n", 200_000) }

func TestAKilledWriterLeavesNothingHalf(t *testing.T) {
	t.Parallel()
	interrupted := 0
	for round := range 8 {
		s := blobstest.Folder(t)
		kept := killWriter(t, s.Dir, time.Duration(round)*3*time.Millisecond)
		seen := map[string]bool{}
		err := s.Walk(t.Context(), "", func(i blobs.Info) error {
			seen[i.Name] = true
			return check(t, s, i.Name)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range kept {
			if !seen[name] {
				t.Errorf("%s was acknowledged and is not there", name)
			}
		}
		if left, err := os.ReadDir(s.Dir + "/.tmp"); err == nil && len(left) > 0 {
			interrupted++
		}
		next := fmt.Sprintf("a/%d/x", len(seen))
		if _, err := s.Put(t.Context(), next, strings.NewReader(content(next))); err != nil {
			t.Errorf("a new writer after the crash: %v", err)
		}
	}
	if interrupted == 0 {
		t.Error("no kill fell into a write: this test proved nothing")
	}
}

// killWriter runs a writer, kills it a moment after it kept its second blob, and returns what it said.
func killWriter(t *testing.T, dir string, moment time.Duration) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), childDir+"="+dir)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var kept []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		kept = append(kept, lines.Text())
		if len(kept) == 2 {
			time.AfterFunc(moment, cancel) // CommandContext kills with SIGKILL
		}
	}
	_ = child.Wait() // killed
	if len(kept) < 2 {
		t.Fatalf("the writer ended early: %s", stderr.String())
	}
	return kept
}

func check(t *testing.T, s blobs.FileStore, name string) error {
	t.Helper()
	r, _, err := s.Open(t.Context(), name)
	if err != nil {
		return err
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err == nil && string(got) != content(name) {
		t.Errorf("%s has %d bytes", name, len(got))
	}
	return err
}
