package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

var errBusy = fault.New(fault.Unavailable, "busy", "The store is busy.")

func TestACopyStillMatchesItsOrigin(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("accept: %w", errBusy.Because(io.EOF).After(time.Second).About("job_id", "job_1").With("The %s is busy.", "disk"))
	if !errors.Is(err, errBusy) || !errors.Is(err, io.EOF) {
		t.Fatalf("%v does not match its origin and its cause", err)
	}
	got := fault.From(err)
	if got.Message != "The disk is busy." || got.RetryAfter != time.Second || got.Refs["job_id"] != "job_1" {
		t.Fatalf("From lost something: %+v", got)
	}
	if errBusy.Refs != nil || errBusy.Err != nil || errBusy.RetryAfter != 0 {
		t.Fatal("a copy changed its origin")
	}
}

func TestAnUnknownErrorIsInternalAndBland(t *testing.T) {
	t.Parallel()
	got := fault.From(errors.New("dial tcp 10.0.0.1: refused"))
	if got.Kind != fault.Internal || got.Message != "An internal error occurred." {
		t.Fatalf("got %+v", got)
	}
	if fault.From(nil) != nil || fault.Retryable(nil) {
		t.Fatal("no error is a fault")
	}
}

func TestOnlyWeatherIsRetryable(t *testing.T) {
	t.Parallel()
	for kind := fault.Internal; kind <= fault.Unavailable; kind++ {
		want := kind == fault.Internal || kind == fault.Throttled || kind == fault.Unavailable
		if kind.Retryable() != want {
			t.Errorf("kind %d: retryable %v, want %v", kind, !want, want)
		}
	}
}

func TestAFaultThatPassesIsRetryableWhateverItsKind(t *testing.T) {
	t.Parallel()
	pending := fault.New(fault.Conflict, "pending", "Not yet.")
	if passing := pending.ForNow().About("job_id", "job_1"); !passing.Retryable() || !fault.Retryable(passing) || !errors.Is(passing, pending) {
		t.Errorf("%+v does not pass", passing)
	}
	if pending.Retryable() {
		t.Error("a copy changed its origin")
	}
}

func TestTheTextOfAnErrorIsOneSentenceWithItsCause(t *testing.T) {
	t.Parallel()
	inner := errBusy.Because(io.EOF)
	tests := []struct {
		err              error
		forLogs, forEyes string
	}{
		{errBusy, "busy: The store is busy.", "The store is busy."},
		{inner, "busy: The store is busy: EOF", "The store is busy: EOF"},
		{fmt.Errorf("accept: %w", inner), "accept: busy: The store is busy: EOF", "accept: The store is busy: EOF"},
		{errBusy.With("All is busy.").Because(inner), "busy: All is busy: busy: The store is busy: EOF", "All is busy: The store is busy: EOF"},
		{io.EOF, "EOF", "EOF"},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.forLogs {
			t.Errorf("got %q, want %q", got, test.forLogs)
		}
		if got := fault.Text(test.err); got != test.forEyes {
			t.Errorf("got %q, want %q", got, test.forEyes)
		}
	}
}
