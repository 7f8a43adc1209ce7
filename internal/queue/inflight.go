package queue

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
)

// errStopping gives a task back that was taken in the moment of stopping.
var errStopping = errors.New("server is stopping")

// inFlight counts running handlers and, once closed, lets none begin.
type inFlight struct {
	mu     sync.Mutex
	n      int
	closed bool
	idle   chan struct{}
}

func newInFlight() *inFlight { return &inFlight{idle: make(chan struct{})} }

func (f *inFlight) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.n++
	return true
}

func (f *inFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n--; f.n == 0 && f.closed {
		close(f.idle)
	}
}

// close lets no handler begin any more and returns a channel that is closed when the last one has ended.
func (f *inFlight) close() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed = true; f.n == 0 {
		close(f.idle)
	}
	return f.idle
}

// asynqLogger passes on what asynq has to say. Its messages are texts, so they become an attribute.
type asynqLogger struct{ logger *slog.Logger }

func (l asynqLogger) Debug(args ...any) { l.logger.Debug("asynq", message(args)) }
func (l asynqLogger) Info(args ...any)  { l.logger.Info("asynq", message(args)) }
func (l asynqLogger) Warn(args ...any)  { l.logger.Warn("asynq", message(args)) }
func (l asynqLogger) Error(args ...any) { l.logger.Error("asynq", message(args)) }

// Fatal does not end the process: that is for main to decide.
func (l asynqLogger) Fatal(args ...any) { l.logger.Error("asynq", message(args)) }

func message(args []any) slog.Attr {
	var b strings.Builder
	for _, a := range args {
		if s, ok := a.(string); ok {
			b.WriteString(s)
		} else if err, ok := a.(error); ok {
			b.WriteString(err.Error())
		}
	}
	return slog.String("message", b.String())
}
