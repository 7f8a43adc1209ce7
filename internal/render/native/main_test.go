package native_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
)

// childVariable makes the test binary a process that renders what it is asked and tells what that took.
const childVariable = "PLATEN_NATIVE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := serve(os.Stdin, os.Stdout); err != nil {
		slog.Error("child", slog.Any("error", err))
		os.Exit(1)
	}
}

// order asks a process to render one page.
type order struct {
	Request  render.Request
	FontDir  string
	MaxPages int
	Limit    time.Duration
	// Ends are when further renders of the page are canceled: parts of the time that the first took, from 0 to 1.
	Ends []float64
}

// outcome is what became of it.
type outcome struct {
	Code     string // of the fault; "" when there is a document
	Detail   string
	Sum      string // of its bytes
	Pages    int
	Whole    bool
	Panics   int
	Took     time.Duration
	Memory   int64 // the most that the process had in memory, in bytes
	Late     time.Duration
	LateEnd  float64 // the one of Ends after which it took longest to return
	Warnings []render.Warning
}

// serve renders what stands in r, one after the other in one engine, and writes what became of it to w.
func serve(r io.Reader, w io.Writer) error {
	in, out := gob.NewDecoder(r), json.NewEncoder(w)
	var e *native.Engine
	log := &alarm{Handler: slog.NewTextHandler(os.Stderr, nil)}
	for {
		var o order
		if err := in.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read an order: %w", err)
		}
		if e == nil {
			var err error
			if e, err = native.New(context.Background(), native.Options{FontDir: o.FontDir, MaxPages: o.MaxPages, Logger: slog.New(log)}); err != nil {
				return fmt.Errorf("make the engine: %w", err)
			}
		}
		result := carryOut(e, o)
		result.Panics = int(log.panics.Load())
		result.Memory = peak()
		if err := out.Encode(result); err != nil {
			return fmt.Errorf("write an outcome: %w", err)
		}
	}
}

func carryOut(e *native.Engine, o order) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), o.Limit)
	defer cancel()
	var pdf bytes.Buffer
	start := time.Now()
	report, err := e.Render(ctx, &pdf, o.Request)
	result := outcome{Took: time.Since(start), Pages: report.Pages, Whole: whole(pdf.Bytes()), Warnings: report.Warnings}
	if err != nil {
		result.Code, result.Detail = fault.From(err).Code, err.Error()
	} else {
		sum := sha256.Sum256(pdf.Bytes())
		result.Sum = hex.EncodeToString(sum[:])
	}
	for _, part := range o.Ends {
		if result.Took < 500*time.Millisecond {
			break
		}
		if late := lateness(e, o.Request, time.Duration(part*float64(result.Took))); late > result.Late {
			result.Late, result.LateEnd = late, part
		}
	}
	return result
}

// lateness is how long after its context a render returned.
func lateness(e *native.Engine, req render.Request, after time.Duration) time.Duration {
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	end := time.Now().Add(after)
	_, _ = e.Render(ctx, io.Discard, req)
	return time.Since(end)
}

// peak is the most memory that this process has had (proc(5), VmHWM).
func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kilobytes, _ := strconv.ParseInt(number, 10, 64)
	return kilobytes << 10
}

// apart carries orders out in a process of its own.
func apart(tb testing.TB, env []string, orders ...order) []outcome {
	tb.Helper()
	var in, out, log bytes.Buffer
	encoder := gob.NewEncoder(&in)
	for _, o := range orders {
		if err := encoder.Encode(o); err != nil {
			tb.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(tb.Context(), 2*limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // it says where it is
	cmd.Env = append(append(os.Environ(), childVariable+"=1"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &log
	if err := cmd.Run(); err != nil {
		tb.Fatalf("%v\n%.4000s", err, log.String())
	}
	results, decoder := make([]outcome, len(orders)), json.NewDecoder(&out)
	for i := range results {
		if err := decoder.Decode(&results[i]); err != nil {
			tb.Fatalf("outcome %d: %v\n%.4000s", i, err, log.String())
		}
		if results[i].Panics > 0 {
			tb.Errorf("the engine panicked:\n%.4000s", log.String())
		}
	}
	return results
}
