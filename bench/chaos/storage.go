package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/platen-render/platen/internal/blobs"
	"github.com/platen-render/platen/internal/jobs"
)

// What the processes and the harness tell each other lies in folders, and in files that are switches.
const (
	onceDir  = "once"  // a file for each page that has failed the one time it had to
	heldDir  = "held"  // in a folder for each process: a file for each attempt whose document it began to store
	wallsDir = "walls" // in a folder for each process: a file for each life that met the full disk

	fullSwitch = "disk-full"
	slowSwitch = "disk-slow"
	slowWrite  = 400 * time.Millisecond
)

// disturbedBlobs is full, or slow, while a switch is on, and leaves word of what it was asked.
type disturbedBlobs struct {
	blobs.Store
	dir  string
	name string // of the process
}

func (d disturbedBlobs) on(name string) bool {
	_, err := os.Stat(filepath.Join(d.dir, name))
	return !errors.Is(err, fs.ErrNotExist)
}

// Put implements [blobs.Store].
func (d disturbedBlobs) Put(ctx context.Context, name string, r io.Reader) (blobs.Info, error) {
	if attempt, ok := attemptOf(name); ok {
		if err := d.leave(heldDir, attempt); err != nil {
			return blobs.Info{}, err
		}
	}
	if d.on(fullSwitch) {
		return blobs.Info{}, d.full(r)
	}
	if d.on(slowSwitch) {
		pause(ctx, slowWrite)
	}
	return d.Store.Put(ctx, name, r)
}

// full lets a document be written to its end, which the disk has no room for.
func (d disturbedBlobs) full(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	if err := d.leave(wallsDir, strconv.Itoa(os.Getpid())); err != nil {
		return err
	}
	return blobs.ErrFull
}

// Probe implements [blobs.Store].
func (d disturbedBlobs) Probe(ctx context.Context) error {
	if d.on(fullSwitch) {
		return blobs.ErrFull
	}
	return d.Store.Probe(ctx)
}

// leave makes an empty file, unless it is there: its time is that of the first one.
func (d disturbedBlobs) leave(folder, file string) error {
	folder = filepath.Join(d.dir, folder, d.name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, file), os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // a folder of our own
	if err != nil {
		return err
	}
	return f.Close()
}

// attemptOf reads job and attempt from the name of a document, as "job.attempt".
func attemptOf(name string) (string, bool) {
	place, ok := jobs.ParsePlace(name)
	if !ok || place.Document == "" {
		return "", false
	}
	return fmt.Sprintf("%s.%d", place.Job, place.Attempt), true
}
