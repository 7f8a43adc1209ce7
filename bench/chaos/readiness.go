package main

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/platen-render/platen/internal/blobs"
)

const (
	fullFor = 3 * time.Second
	// unreadyWithin is how soon a worker says that it is not ready once a document of it met the full disk, and readyWithin
	// how soon it is again: it probes every second, on a machine that is busy.
	unreadyWithin = 500 * time.Millisecond
	readyWithin   = 5 * time.Second
	askEvery      = 50 * time.Millisecond
)

// fillDisk makes the disk full for a while. A worker that met it must not call itself ready until there is room again, so
// that nobody sends it work and no job uses up its retries.
func (in *installation) fillDisk(ctx context.Context, _ *rand.Rand) bool {
	for _, w := range in.workers {
		_ = removeAll(filepath.Join(in.dir, wallsDir, w.name))
	}
	if !in.turnOn(fullSwitch) {
		return false
	}
	full, room := context.WithCancel(ctx)
	var group sync.WaitGroup
	for _, w := range in.workers {
		group.Go(func() { in.watchReadiness(ctx, full, w) })
	}
	pause(ctx, fullFor)
	room()
	in.turnOff(fullSwitch)
	group.Wait()
	return true
}

// watchReadiness asks one life of a worker whether it is ready, while the disk is full and until there is room again. One that
// met no full disk is ready with right.
func (in *installation) watchReadiness(ctx, full context.Context, w *process) {
	pid, unready := w.pid(), false
	for ; full.Err() == nil; pause(full, askEvery) {
		met := in.metWall(w.name, pid)
		ill, answered := saysFull(ctx, w.addr)
		if full.Err() != nil {
			break
		}
		if w.pid() != pid {
			return // killed: the next life is another
		}
		if answered && met && !ill {
			in.report.broken(&in.report.ReadinessWrong, "%s met a full disk and calls itself ready", w.name)
			return
		}
		unready = unready || ill
	}
	if unready {
		in.report.sawUnready()
	}
	for end := time.Now().Add(readyWithin); ; pause(ctx, askEvery) {
		ill, answered := saysFull(ctx, w.addr)
		if ctx.Err() != nil || w.pid() != pid || answered && !ill {
			return
		}
		if answered && time.Now().After(end) {
			in.report.broken(&in.report.ReadinessWrong, "%s still calls the disk full, %v after there was room", w.name, readyWithin)
			return
		}
		if time.Now().After(end.Add(readyWithin)) {
			return // it does not answer, while Redis does not
		}
	}
}

// metWall reports whether a document of this life of a worker met the full disk long enough ago.
func (in *installation) metWall(name string, pid int) bool {
	info, err := os.Stat(filepath.Join(in.dir, wallsDir, name, strconv.Itoa(pid)))
	return err == nil && time.Since(info.ModTime()) > unreadyWithin
}

// saysFull asks a worker whether it is ready: it may be unready for another reason, too.
func saysFull(ctx context.Context, addr string) (full, answered bool) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return false, false
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return false, false
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return false, false
	}
	return res.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(body), blobs.ErrFull.Code), true
}
