package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/rendertest"
)

func alone(req render.Request) render.Request {
	req.Alone = true
	return req
}

// checkNothingElse checks that of a data directory's browsers only some are left, with a profile each.
func checkNothingElse(tb testing.TB, dir string, left ...process) {
	tb.Helper()
	profiles, err := filepath.Glob(filepath.Join(dir, "*", "home", "profile-*"))
	if err != nil {
		tb.Fatal(err)
	}
	if now := pids(leaders(tb, dir)); !slices.Equal(now, pids(left)) || len(profiles) != len(left) {
		tb.Errorf("browsers %v with the profiles %v, want %v", now, profiles, pids(left))
	}
}

func pids(all []process) []int {
	ids := []int{}
	for _, p := range all {
		ids = append(ids, p.pid)
	}
	return ids
}

// lonely returns the browser that is not the shared one.
func lonely(tb testing.TB, dir string, shared process) process {
	tb.Helper()
	others := slices.DeleteFunc(leaders(tb, dir), func(p process) bool { return p.pid == shared.pid })
	if len(others) != 1 {
		tb.Fatalf("browsers %v beside the shared one, want one", pids(others))
	}
	return others[0]
}

func kill(tb testing.TB, p process) {
	tb.Helper()
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
		tb.Fatal(err)
	}
}

func TestOneThatIsAloneOutlivesTheSharedBrowser(t *testing.T) {
	t.Parallel()
	dir, g := dataDir(t), newGate(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 2, ProxyAddr: g.addr})
	shared := leaders(t, dir)[0]
	lone := begin(t, e, alone(g.page("lone")))
	g.await(t, "lone")
	beside := begin(t, e, g.page("beside"))
	g.await(t, "beside")
	kill(t, shared)
	if r := <-beside; !errors.Is(r.err, render.ErrEngineLost) {
		t.Errorf("in the shared browser: %v, want engine_lost", r.err)
	}
	g.open()
	checkRendered(t, <-lone, "lone")
	rendertest.Render(t, e, rendertest.Page("another shared browser"))
	checkNothingElse(t, dir, leaders(t, dir)[0])
}

func TestTheSharedBrowserOutlivesOneThatIsAlone(t *testing.T) {
	t.Parallel()
	dir, g := dataDir(t), newGate(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 2, ProxyAddr: g.addr})
	shared := leaders(t, dir)[0]
	beside := begin(t, e, g.page("beside"))
	g.await(t, "beside")
	lone := begin(t, e, alone(g.page("lone")))
	g.await(t, "lone")
	other := lonely(t, dir, shared)
	kill(t, other)
	if r := <-lone; !errors.Is(r.err, render.ErrEngineLost) {
		t.Errorf("alone: %v, want engine_lost", r.err)
	}
	if left := members(t, other.group); len(left) != 0 {
		t.Errorf("left of the lone browser: %v", pids(left))
	}
	checkNothingElse(t, dir, shared)
	g.open()
	checkRendered(t, <-beside, "beside")
	checkNothingElse(t, dir, shared)
}

func TestALoneBrowserEndsWithItsRender(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 1})
	shared := leaders(t, dir)[0]
	small := rendertest.Page("too large")
	small.MaxBytes = 1
	for _, c := range []struct {
		name  string
		req   render.Request
		out   io.Writer
		limit time.Duration
		want  error
	}{
		{"rendered", rendertest.Page("one"), io.Discard, limit, nil},
		{"too large", small, io.Discard, limit, render.ErrDocumentTooLarge},
		{"not written", rendertest.Page("nowhere"), fullDisk{}, limit, errFull},
		{"hung", rendertest.Page(hung), io.Discard, 5 * time.Second, render.ErrTimeout},
		{"canceled", rendertest.Page(hung), io.Discard, limit, errShutdown},
		{"crashed", rendertest.Page(hung), io.Discard, limit, render.ErrPageFailed},
	} {
		ctx, done := context.WithTimeout(t.Context(), c.limit)
		ctx, cancel := context.WithCancelCause(ctx)
		var lone process
		c.req.Alone, c.req.Progress = true, func(int) {
			if lone.pid != 0 {
				return
			}
			lone = lonely(t, dir, shared)
			switch c.name {
			case "canceled":
				cancel(errShutdown)
			case "crashed":
				for _, p := range renderers(t, lone.group) {
					kill(t, p)
				}
			}
		}
		if _, err := e.Render(ctx, c.out, c.req); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if left := members(t, lone.group); lone.pid == 0 || len(left) != 0 {
			t.Errorf("%s: left of the browser %d: %v", c.name, lone.pid, pids(left))
		}
		checkNothingElse(t, dir, shared)
		cancel(nil)
		done()
	}
	rendertest.Render(t, e, rendertest.Page("still there"))
	checkNothingElse(t, dir, shared)
}

var errFull = errors.New("the disk is full")

// fullDisk takes no document.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestLoneBrowsersAreNoMoreThanThePlacesInThePool(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	e := chromium.New(chromium.Options{DataDir: dir, Pool: 2})
	t.Cleanup(func() { _ = e.Close() })
	var renders sync.WaitGroup
	for range 6 {
		renders.Go(func() {
			req := alone(rendertest.Page(`<script>const end = Date.now() + 200; while (Date.now() < end);</script>`))
			req.Progress = func(int) {
				if now := leaders(t, dir); len(now) > 2 {
					t.Errorf("browsers %v at the same time, want at most two", pids(now))
				}
			}
			if _, err := e.Render(t.Context(), io.Discard, req); err != nil {
				t.Error(err)
			}
		})
	}
	renders.Wait()
	checkNothingElse(t, dir)
}

// faulty is a browser that can be made not to start.
const faulty = "#!/bin/sh\n[ -e DIR/broken ] && exit 3\n[ -e DIR/mute ] && sleep 100\nexec chromium-headless-shell \"$@\"\n"

func TestALoneBrowserThatDoesNotStartLeavesTheSharedOneAlone(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	path := filepath.Join(dir, "browser.sh")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(faulty, "DIR", dir)), 0o755); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, chromium.Options{Path: path, DataDir: dir})
	shared := leaders(t, dir)[0]
	for _, c := range []struct {
		fault string
		limit time.Duration
		want  error
	}{
		{"broken", limit, render.ErrEngineUnavailable},
		{"mute", time.Second, render.ErrTimeout},
	} {
		file := filepath.Join(dir, c.fault)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), c.limit)
		began := time.Now()
		if _, err := e.Render(ctx, io.Discard, alone(rendertest.Page("alone"))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.fault, err, c.want)
		}
		if took := time.Since(began); took > soon {
			t.Errorf("%s: it took %s", c.fault, took)
		}
		cancel()
		checkNothingElse(t, dir, shared)
		if err := e.Probe(t.Context()); err != nil {
			t.Errorf("%s: the shared browser: %v", c.fault, err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	rendertest.Render(t, e, alone(rendertest.Page("repaired")))
	checkNothingElse(t, dir, shared)
}

func TestCloseEndsLoneBrowsersToo(t *testing.T) {
	t.Parallel()
	dir, g := dataDir(t), newGate(t)
	e := newEngine(t, chromium.Options{DataDir: dir, Pool: 1, ProxyAddr: g.addr})
	lone := begin(t, e, alone(g.page("lone")))
	g.await(t, "lone")
	all := leaders(t, dir)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if r := <-lone; !errors.Is(r.err, render.ErrEngineLost) {
		t.Errorf("%v, want engine_lost", r.err)
	}
	for _, p := range all {
		if left := members(t, p.group); len(left) != 0 {
			t.Errorf("left after Close: %v", pids(left))
		}
	}
	if files, _ := os.ReadDir(dir); len(all) != 2 || len(files) != 0 {
		t.Errorf("of the browsers %v the files %v are left", pids(all), files)
	}
	if _, err := e.Render(t.Context(), io.Discard, alone(rendertest.Page("late"))); !errors.Is(err, render.ErrEngineUnavailable) {
		t.Errorf("after Close: %v, want engine_unavailable", err)
	}
}

func TestADocumentHasTheSameBytesAloneAndInCompany(t *testing.T) {
	t.Parallel()
	e := newEngine(t, chromium.Options{})
	req := document(t, "../../../examples/invoice.html")
	_, company := rendertest.Render(t, e, req)
	_, lone := rendertest.Render(t, e, alone(req))
	if !bytes.Equal(company, lone) {
		t.Error("the invoice has other bytes when it is rendered alone")
	}
}
