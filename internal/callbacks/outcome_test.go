package callbacks_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/internal/fault"
)

func TestEveryStatusHasItsOutcome(t *testing.T) {
	t.Parallel()
	for status := range 1000 {
		want := callbacks.Retry
		switch {
		case status >= 200 && status <= 299:
			want = callbacks.Delivered
		case status == 410:
			want = callbacks.Dead
		}
		got := callbacks.JudgeStatus(status)
		if got.Outcome != want || (got.Code == "") != (want == callbacks.Delivered) || (got.Detail == "") != (got.Code == "") {
			t.Errorf("%d: got %+v, want %s", status, got, want)
		}
	}
	for status, want := range map[int]string{
		101: "status_unexpected", 200: "", 204: "", 301: "redirected", 308: "redirected", 304: "redirected", 400: "client_error", 404: "client_error",
		408: "client_error", 410: "gone", 425: "client_error", 429: "throttled", 500: "server_error", 503: "server_error", 600: "status_unexpected",
	} {
		if got := callbacks.JudgeStatus(status).Code; got != want {
			t.Errorf("%d: got %q, want %q", status, got, want)
		}
	}
}

func TestEveryErrorHasItsOutcome(t *testing.T) {
	t.Parallel()
	denied := fault.New(fault.Invalid, "url_denied", "The URL is not allowed.")
	unresolved := fault.New(fault.Unavailable, "host_unresolved", "x")
	dial := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://x.example/?token=hunter2", Err: &net.OpError{Op: "dial", Net: "tcp", Err: err}}
	}
	for _, c := range []struct {
		err     error
		outcome callbacks.Outcome
		code    string
	}{
		{denied, callbacks.Dead, "url_denied"},
		{dial(denied.Because(errors.New("10.0.0.1 is private"))), callbacks.Dead, "url_denied"},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, denied), callbacks.Dead, "url_denied"},
		{denied.Because(context.Canceled), callbacks.Dead, "url_denied"},
		{dial(unresolved), callbacks.Retry, "dns_error"},
		{fault.New(fault.Unavailable, "callback_host_unresolved", "x"), callbacks.Retry, "dns_error"},
		{fault.New(fault.Internal, "another", "x"), callbacks.Retry, "request_failed"},
		{dial(&net.DNSError{Err: "no such host", Name: "x.example", IsNotFound: true}), callbacks.Retry, "dns_error"},
		{dial(&net.DNSError{Err: "i/o timeout", IsTimeout: true}), callbacks.Retry, "dns_error"},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, dial(&net.DNSError{IsTimeout: true})), callbacks.Retry, "timeout"},
		{context.Canceled, callbacks.Retry, "interrupted"},
		{dial(os.ErrDeadlineExceeded), callbacks.Retry, "timeout"},
		{dial(syscall.ETIMEDOUT), callbacks.Retry, "timeout"},
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), callbacks.Retry, "connection_refused"},
		{dial(syscall.EHOSTUNREACH), callbacks.Retry, "unreachable"},
		{dial(syscall.ENETUNREACH), callbacks.Retry, "unreachable"},
		{dial(syscall.ECONNRESET), callbacks.Retry, "connection_closed"},
		{dial(syscall.EPIPE), callbacks.Retry, "connection_closed"},
		{io.EOF, callbacks.Retry, "connection_closed"},
		{io.ErrUnexpectedEOF, callbacks.Retry, "connection_closed"},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, callbacks.Retry, "tls_error"},
		{&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}}, callbacks.Retry, "tls_error"},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}}, callbacks.Retry, "tls_error"},
		{&tls.CertificateVerificationError{Err: errors.New("x")}, callbacks.Retry, "tls_error"},
		{http.ErrSchemeMismatch, callbacks.Retry, "tls_error"},
		{tls.RecordHeaderError{Msg: "x"}, callbacks.Retry, "tls_error"},
		{errors.New("anything"), callbacks.Retry, "request_failed"},
	} {
		got := callbacks.JudgeError(c.err)
		if got.Outcome != c.outcome || got.Code != c.code || !strings.HasSuffix(got.Detail, ".") {
			t.Errorf("%v: got %+v, want %s %s", c.err, got, c.outcome, c.code)
		}
		if strings.Contains(got.Detail, "10.0.0.1") || strings.Contains(got.Detail, "hunter2") || strings.Contains(got.Detail, "x.example") {
			t.Errorf("%v: the detail tells too much: %q", c.err, got.Detail)
		}
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	t.Parallel()
	var zero callbacks.Outcome
	if zero != callbacks.Retry || zero.String() != "retry" || callbacks.Delivered.String() != "delivered" || callbacks.Dead.String() != "dead" {
		t.Error("an outcome has another name, or the zero one is not retry")
	}
}

func TestRetryAfterIsReadCautiously(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"":                                0,
		"0":                               0,
		"7":                               7 * time.Second,
		"007":                             7 * time.Second,
		" 7 ":                             7 * time.Second,
		"3600":                            time.Hour,
		"3601":                            time.Hour,
		"99999999999999999999999999999":   time.Hour,
		"9223372036854775807":             time.Hour,
		"-7":                              0,
		"+7":                              0,
		"7.5":                             0,
		"7s":                              0,
		"0x10":                            0,
		"1e3":                             0,
		"soon":                            0,
		"٧":                               0,
		"Fri, 02 Jan 2026 03:05:05 GMT":   time.Minute,
		"Friday, 02-Jan-26 03:05:05 GMT":  time.Minute,
		"Fri Jan  2 03:05:05 2026":        time.Minute,
		"Fri, 02 Jan 2026 03:04:05 GMT":   0,
		"Fri, 02 Jan 2026 03:04:04 GMT":   0,
		"Thu, 01 Jan 1970 00:00:00 GMT":   0,
		"Fri, 31 Dec 9999 23:59:59 GMT":   time.Hour,
		"2026-01-02T03:05:05Z":            0,
		"Fri, 02 Jan 2026 03:05:05 +0100": 0,
	} {
		header := http.Header{}
		header.Set("Retry-After", text)
		for status, counts := range map[int]bool{429: true, 503: true, 500: false, 404: false, 301: false, 200: false} {
			expected := want
			if !counts {
				expected = 0
			}
			if got := callbacks.RetryAfter(status, header, now); got != expected {
				t.Errorf("%d with %q: got %s, want %s", status, text, got, expected)
			}
		}
	}
	if got := callbacks.RetryAfter(503, http.Header{}, now); got != 0 {
		t.Errorf("without the header: %s", got)
	}
}

func FuzzRetryAfterStaysWithinAnHour(f *testing.F) {
	f.Add("120")
	f.Add("Fri, 02 Jan 2026 03:05:05 GMT")
	f.Fuzz(func(t *testing.T, text string) {
		got := callbacks.RetryAfter(503, http.Header{"Retry-After": {text}}, time.Unix(1767225600, 0))
		if got < 0 || got > callbacks.MaxRetryAfter {
			t.Fatalf("%q: %s", text, got)
		}
	})
}
