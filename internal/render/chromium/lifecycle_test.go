package chromium_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

const hung = `<p>hung</p><script>while (1);</script>`

var errShutdown = errors.New("the worker stops")

func TestHungPagesLeaveOneCleanBrowser(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 4})
	group := leaders(t, dir)[0].group

	abandon := func(end func() (context.Context, context.CancelFunc), want error) {
		t.Helper()
		var renders sync.WaitGroup
		for range 25 {
			renders.Go(func() {
				ctx, cancel := end()
				defer cancel()
				began := time.Now()
				if _, err := e.Render(ctx, io.Discard, rendertest.Page(hung)); !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("a hung page took %s", took)
				}
			})
		}
		renders.Wait()
	}
	abandon(func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(t.Context(), 400*time.Millisecond)
	}, render.ErrTimeout)
	abandon(func() (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(400*time.Millisecond, func() { cancel(errShutdown) })
		return ctx, func() { timer.Stop(); cancel(nil) }
	}, errShutdown)

	if now := leaders(t, dir); len(now) != 1 || now[0].group != group {
		t.Errorf("browsers %+v, want the one with which it began", now)
	}
	rendertest.Render(t, e, rendertest.Page("still there"))
	eventually(t, "no zombie and at most 12 processes after 50 hung pages", 10*time.Second, func() bool {
		all := members(t, group)
		return len(all) <= 12 && !slices.ContainsFunc(all, func(p process) bool { return p.state == "Z" })
	})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if left := members(t, group); len(left) != 0 {
		t.Errorf("left after Close: %+v", left)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("files left after Close: %v", files)
	}
	if err := e.Probe(t.Context()); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("a closed engine probes %v, want engine_unavailable", err)
	}
}

func TestAKilledBrowserIsLostAndReplaced(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 3})
	first := leaders(t, dir)[0]

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	errs := make(chan error, 2)
	started := make(chan struct{}, 64)
	for range 2 {
		go func() {
			req := rendertest.Page(hung)
			req.Progress = func(int) { started <- struct{}{} }
			_, err := e.Render(ctx, io.Discard, req)
			errs <- err
		}()
	}
	<-started
	<-started
	if err := syscall.Kill(first.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-errs; !errors.Is(err, render.ErrEngineLost) {
			t.Errorf("%v, want engine_lost", err)
		}
	}
	rendertest.Render(t, e, rendertest.Page("another browser"))
	if left := members(t, first.group); len(left) != 0 {
		t.Errorf("left of the first: %+v", left)
	}
	if now := leaders(t, dir); len(now) != 1 {
		t.Errorf("browsers %+v, want one", now)
	}
}

func TestACrashedPageFailsAlone(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 2})
	browser := leaders(t, dir)[0]
	bounded, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	ctx, cancel := context.WithCancelCause(bounded)
	defer cancel(nil)
	errs, started := make(chan error, 2), make(chan struct{}, 64)
	for range 2 {
		go func() {
			req := rendertest.Page(hung)
			req.Progress = func(int) { started <- struct{}{} }
			_, err := e.Render(ctx, io.Discard, req)
			errs <- err
		}()
	}
	<-started
	<-started
	eventually(t, "one renderer per page", 10*time.Second, func() bool { return len(renderers(t, browser.group)) == 2 })
	renderer := renderers(t, browser.group)[0]
	if err := syscall.Kill(renderer.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-errs; !errors.Is(err, render.ErrPageFailed) {
		t.Errorf("%v, want page_failed", err)
	}
	rendertest.Render(t, e, rendertest.Page("the same browser"))
	if now := leaders(t, dir); len(now) != 1 || now[0].pid != browser.pid {
		t.Errorf("browsers %+v, want the first", now)
	}
	cancel(errShutdown)
	if err := <-errs; !errors.Is(err, errShutdown) {
		t.Errorf("the other page: %v, want its own end", err)
	}
}

func TestABrowserThatStandsStillIsReplaced(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir})
	first := leaders(t, dir)[0]
	if err := syscall.Kill(-first.group, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := e.Render(ctx, io.Discard, rendertest.Page("nobody listens")); !errors.Is(err, render.ErrTimeout) {
		t.Errorf("%v, want render_timeout", err)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %s to give up", took)
	}
	rendertest.Render(t, e, rendertest.Page("another browser"))
	if left := members(t, first.group); len(left) != 0 {
		t.Errorf("left of the first: %+v", left)
	}
}

func TestAFailedStartIsTriedAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	browser := filepath.Join(dir, "browser.sh")
	script := "#!/bin/sh\n[ -e " + dir + "/repaired ] || { echo 'no shared memory' >&2; exit 3; }\nexec chromium-headless-shell \"$@\"\n"
	if err := os.WriteFile(browser, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	e := chromium.New(chromium.Options{Path: browser, DataDir: dir})
	t.Cleanup(func() { _ = e.Close() })
	for range 2 {
		err := e.Probe(t.Context())
		if !errors.Is(err, render.ErrEngineUnavailable) {
			t.Fatalf("%v, want engine_unavailable", err)
		}
		if text := err.Error(); !strings.Contains(text, "no shared memory") {
			t.Errorf("%q does not say what the browser said", text)
		}
	}
	if left := leaders(t, dir); len(left) != 0 {
		t.Errorf("left of failed starts: %+v", left)
	}
	if err := os.WriteFile(filepath.Join(dir, "repaired"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	rendertest.Render(t, e, rendertest.Page("repaired"))
	if err := e.Probe(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAMissingBrowserIsUnavailable(t *testing.T) {
	t.Parallel()
	e := chromium.New(chromium.Options{Path: filepath.Join(t.TempDir(), "none")})
	if _, err := e.Render(t.Context(), io.Discard, rendertest.Page("x")); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("%v, want engine_unavailable", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestARunningEngineEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := chromium.New(chromium.Options{DataDir: dir})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	eventually(t, "a warm browser", 20*time.Second, func() bool { return len(leaders(t, dir)) == 1 })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if left := leaders(t, dir); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
}

func TestTheBrowserIsNotRootAndInItsSandbox(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir})
	browser := leaders(t, dir)[0]
	if browser.uid == 0 {
		t.Error("the browser runs as root")
	}
	started := make(chan struct{}, 8)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		req := rendertest.Page(hung)
		req.Progress = func(int) { started <- struct{}{} }
		_, _ = e.Render(ctx, io.Discard, req)
	}()
	<-started
	seen := 0
	for _, p := range members(t, browser.group) {
		if p.uid == 0 {
			t.Errorf("runs as root: %+v", p)
		}
		line := strings.Join(p.args, " ") // a forked child has all its arguments in the first
		if strings.Contains(line, "--no-sandbox") {
			t.Errorf("has no sandbox: %+v", p)
		}
		if strings.Contains(line, "--type=renderer") {
			seen++
			checkSandboxed(t, browser.pid, p.pid)
		}
	}
	if seen == 0 {
		t.Error("no renderer was seen")
	}
	cancel()
	<-done
}

// checkSandboxed compares the namespaces of a renderer with those of the browser.
func checkSandboxed(t *testing.T, browser, renderer int) {
	t.Helper()
	for _, kind := range []string{"pid", "net", "user"} {
		outside, err1 := os.Readlink(filepath.Join("/proc", strconv.Itoa(browser), "ns", kind))
		inside, err2 := os.Readlink(filepath.Join("/proc", strconv.Itoa(renderer), "ns", kind))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if outside == inside {
			t.Errorf("a renderer shares the %s namespace of the browser", kind)
		}
	}
}
