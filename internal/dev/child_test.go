package dev_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/dev"
)

// patience bounds what a test waits for.
const patience = 20 * time.Second

// nursery is a folder with a child that runs in it.
type nursery struct {
	*testing.T
	dir  string
	stop func()        // asks the child to end
	now  chan struct{} // closed, it does not ask
	done chan error    // how it ended
}

// raise keeps a shell script running, in whose environment DIR is the folder, until the test ends.
// Who has lived a millisecond is able to start.
func raise(t *testing.T, script string) *nursery {
	t.Helper()
	return raiseOnTrial(t, script, time.Millisecond)
}

func raiseOnTrial(t *testing.T, script string, trial time.Duration) *nursery {
	t.Helper()
	n := &nursery{T: t, dir: t.TempDir(), now: make(chan struct{}), done: make(chan error, 1)}
	path := filepath.Join(n.dir, "script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	warnings, err := os.Create(filepath.Join(n.dir, "warnings"))
	if err != nil {
		t.Fatal(err)
	}
	run := dev.Child(path, filepath.Join(n.dir, "log"), []string{"DIR=" + n.dir, "PATH=/usr/bin:/bin"}, trial, n.now, slog.New(slog.NewTextHandler(warnings, nil)))
	ctx, cancel := context.WithCancel(context.Background())
	n.stop = cancel
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.done <- run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if err := warnings.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// lines are those of a file that has been written so far.
func (n *nursery) lines(name string) []string {
	text, _ := os.ReadFile(filepath.Join(n.dir, name)) // not yet there is none
	return slices.Collect(strings.Lines(string(text)))
}

// await polls until a file has so many lines, and returns them.
func (n *nursery) await(name string, count int) []string {
	n.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		if got := n.lines(name); len(got) >= count {
			return got
		}
		select {
		case <-tick.C:
		case <-deadline:
			n.Fatalf("%s has %q after %v, want %d lines", name, n.lines(name), patience, count)
		}
	}
}

// warned looks for a warning; a busy machine may have given others too.
func (n *nursery) warned(text string) {
	n.Helper()
	got := n.lines("warnings")
	if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, text) }) {
		n.Errorf("the warnings are %q, want %s", got, text)
	}
}

// pid is the process id that the script has noted first.
func (n *nursery) pid() int {
	n.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(n.await("pids", 1)[0]))
	if err != nil {
		n.Fatal(err)
	}
	return pid
}

// ended waits for the child to end as it should.
func (n *nursery) ended() {
	n.Helper()
	select {
	case err := <-n.done:
		if err != nil {
			n.Errorf("it ended with %v", err)
		}
	case <-time.After(patience):
		n.Fatal("it did not end")
	}
}

// waits is a script that notes its process id and the signal that ends it.
const waits = `trap 'echo stopped >>"$DIR/ends"; exit 0' TERM
echo $$ >>"$DIR/pids"
while :; do sleep 0.05; done
`

func TestAProcessThatDiesIsStartedAgain(t *testing.T) {
	t.Parallel()
	n := raise(t, waits)
	if err := syscall.Kill(n.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if pids := n.await("pids", 2); pids[1] == pids[0] {
		t.Errorf("the processes are %q", pids)
	}
	n.warned("name=test error=\"signal: killed\"")
}

func TestAProcessThatEndsByItselfIsStartedAgainAfterLongerAndLongerPauses(t *testing.T) {
	t.Parallel()
	n := raise(t, `echo x >>"$DIR/starts"; sleep 0.01; exit 0`)
	began := time.Now()
	n.await("starts", 3)
	if took := time.Since(began); took < 550*time.Millisecond {
		t.Errorf("two restarts within %v, want pauses of 200 and 400 ms", took)
	}
	n.stop() // in a pause
	n.ended()
}

func TestAProcessThatNeverGetsGoingIsGivenUpWithTheEndOfItsLog(t *testing.T) {
	t.Parallel()
	n := raiseOnTrial(t, `echo x >>"$DIR/starts"; [ $(wc -l <"$DIR/starts") = 3 ] || echo earlier; printf 'one\ntwo\nPLATEN_X: is wrong\n'; exit 1`, patience)
	select {
	case err := <-n.done:
		n.done <- nil
		want := "test does not start: exit status 1; " + filepath.Join(n.dir, "log") + " ends with\n  one\n  two\n  PLATEN_X: is wrong"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	case <-time.After(patience):
		t.Fatal("it is started for ever")
	}
	if got := n.lines("starts"); len(got) != 3 {
		t.Errorf("%d starts, want 3", len(got))
	}
}

func TestAProcessThatDoesNotEndIsKilledWhenNoGraceIsLeft(t *testing.T) {
	t.Parallel()
	n := raise(t, `trap 'echo asked >>"$DIR/ends"' TERM
echo $$ >>"$DIR/pids"
while :; do sleep 0.05; done
`)
	pid := n.pid()
	n.stop()
	n.await("ends", 1)
	close(n.now)
	n.ended()
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("process %d is still there", pid)
	}
}

func TestTheEndOfTheContextStopsTheProcessAndWaitsForIt(t *testing.T) {
	t.Parallel()
	n := raise(t, waits)
	pid := n.pid()
	n.stop()
	n.ended()
	if got := n.lines("ends"); len(got) != 1 {
		t.Errorf("it was told %q, want to be stopped once", got)
	}
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("process %d is still there", pid)
	}
	if got := n.lines("pids"); len(got) != 1 {
		t.Errorf("it was started again: %q", got)
	}
}

func TestWhatAProcessPrintsIsAppendedToItsLog(t *testing.T) {
	t.Parallel()
	n := raise(t, `echo out; echo err >&2; sleep 0.01; exit 1`)
	if got := n.await("log", 4); strings.Join(got[:4], "") != "out\nerr\nout\nerr\n" {
		t.Errorf("the log is %q", got)
	}
	info, err := os.Stat(filepath.Join(n.dir, "log"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestAProgramThatIsNotThereIsTriedAgain(t *testing.T) {
	t.Parallel()
	n := raise(t, `rm "$DIR/script"; sleep 0.01`)
	n.await("warnings", 3)
	n.warned("no such file")
	// An update may replace the program while it is down.
	if err := os.WriteFile(filepath.Join(n.dir, "new"), []byte("#!/bin/sh\n"+waits), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(n.dir, "new"), filepath.Join(n.dir, "script")); err != nil {
		t.Fatal(err)
	}
	n.await("pids", 1)
}

func TestALogThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	run := dev.Child("/bin/true", filepath.Join(t.TempDir(), "none", "log"), nil, time.Second, nil, slog.New(slog.DiscardHandler))
	if err := run(t.Context()); err == nil {
		t.Error("it ran without a log")
	}
}
