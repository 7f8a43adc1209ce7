package dev

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"
)

const (
	tailLines = 5
	tailBytes = 16 << 10
	lookEvery = 200 * time.Millisecond
	maxUnread = 1 << 20 // more than this between two looks is skipped
)

// What a worker says of itself in its log.
const (
	takesNoWork    = "worker takes no work"
	takesWorkAgain = "worker takes work again"
)

// tail is the end of a file behind an offset: at most so many lines, each indented.
func tail(path string, offset int64, lines int) string {
	f, err := os.Open(path) //nolint:gosec // our own log
	if err != nil {
		return "  " + err.Error()
	}
	defer func() { _ = f.Close() }() // it was only read
	offset = max(offset, sizeOf(path)-tailBytes)
	text, err := io.ReadAll(io.NewSectionReader(f, offset, tailBytes))
	if err != nil {
		return "  " + err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return "  " + strings.Join(all[max(0, len(all)-lines):], "\n  ")
}

// logLine is what matters here of a line that API or worker log.
type logLine struct {
	Message string `json:"msg"`
	Error   string `json:"error"`
}

// watchLog tells each line that is written to a log from an offset on, until ctx ends. What is not such a line is skipped.
func watchLog(ctx context.Context, path string, offset int64, tell func(logLine)) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		offset = look(path, offset, tell)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// look tells the whole lines behind an offset, and returns where the next look begins.
func look(path string, offset int64, tell func(logLine)) int64 {
	f, err := os.Open(path) //nolint:gosec // our own log
	if err != nil {
		return offset // not yet there
	}
	defer func() { _ = f.Close() }() // it was only read
	text := make([]byte, maxUnread)
	n, err := f.ReadAt(text, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return offset
	}
	end := bytes.LastIndexByte(text[:n], '\n') + 1
	if end == 0 && n == maxUnread {
		return offset + int64(n)
	}
	for line := range bytes.Lines(text[:end]) {
		var l logLine
		if json.Unmarshal(line, &l) == nil {
			tell(l)
		}
	}
	return offset + int64(end)
}

// sizeOf is how long a file is; one that is not there has nothing in it.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
