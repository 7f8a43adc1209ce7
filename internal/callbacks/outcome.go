package callbacks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"syscall"

	"github.com/platen-render/platen/internal/fault"
)

// Outcome is what an attempt means for its delivery. The zero Outcome is Retry: what nobody understood is tried again.
type Outcome uint8

// The outcomes.
const (
	// Retry says that the attempt failed and the next one may not, until the schedule ends.
	Retry Outcome = iota
	// Delivered says that the receiver answered 200 to 299.
	Delivered
	// Dead says that no further attempt is made, because the receiver said so (410) or our policy does.
	Dead
)

// String returns "retry", "delivered" or "dead".
func (o Outcome) String() string {
	switch o {
	case Delivered:
		return "delivered"
	case Dead:
		return "dead"
	default:
		return "retry"
	}
}

// Verdict is an outcome and its reason. Code is short and stable, a metric label; it is empty for Delivered. Detail
// is a sentence for the tenant: it names no address and quotes nothing, the exact cause is for the log.
type Verdict struct {
	Outcome Outcome
	Code    string
	Detail  string
}

// JudgeStatus judges an answer. Only 200 to 299 is success. A redirect is a failure: a followed POST becomes a GET,
// and a login page answers 200. 410 is final. All else is tried again, for deploys answer 404 for a minute.
func JudgeStatus(status int) Verdict {
	answered := fmt.Sprintf("The receiver answered %d.", status)
	switch {
	case status >= 200 && status <= 299:
		return Verdict{Outcome: Delivered}
	case status >= 300 && status <= 399:
		return Verdict{Retry, "redirected", answered + " Redirects are not followed."}
	case status == http.StatusGone:
		return Verdict{Dead, "gone", answered + " It is gone for good."}
	case status == http.StatusTooManyRequests:
		return Verdict{Retry, "throttled", answered}
	case status >= 400 && status <= 499:
		return Verdict{Retry, "client_error", answered}
	case status >= 500 && status <= 599:
		return Verdict{Retry, "server_error", answered}
	default:
		return Verdict{Retry, "status_unexpected", answered}
	}
}

// errTLS marks an error that came up during a TLS handshake; many of those have no type of their own.
var errTLS = errors.New("tls handshake")

// JudgeError judges an attempt that got no complete answer. A refusal of urlguard is final: it is policy, not weather.
func JudgeError(err error) Verdict {
	for _, row := range errorTable {
		if row.is(err) {
			return row.verdict
		}
	}
	return Verdict{Retry, "request_failed", "The request failed."}
}

// errorTable is searched from the top: policy before weather, and our own deadline before what it caused.
var errorTable = []struct {
	is      func(error) bool
	verdict Verdict
}{
	{hasCode("url_denied"), Verdict{Dead, "url_denied", "The URL is not allowed."}},
	{isAny(context.Canceled), Verdict{Retry, "interrupted", "The attempt was interrupted."}},
	{isAny(context.DeadlineExceeded), verdictTimeout},
	{hasCode("host_unresolved", "callback_host_unresolved"), verdictDNS},
	{isType[*net.DNSError], verdictDNS},
	{isTimeout, verdictTimeout},
	{isType[x509.UnknownAuthorityError], tlsError("The certificate is signed by an unknown authority.")},
	{isType[x509.HostnameError], tlsError("The certificate is for another host.")},
	{isExpired, tlsError("The certificate is not valid now.")},
	{isType[*tls.CertificateVerificationError], tlsError("The certificate is not valid.")},
	{isAny(http.ErrSchemeMismatch), tlsError("The receiver does not speak TLS.")},
	{isType[tls.RecordHeaderError], tlsError("The receiver does not speak TLS.")},
	{isAny(syscall.ECONNREFUSED), Verdict{Retry, "connection_refused", "The connection was refused."}},
	{isAny(syscall.EHOSTUNREACH, syscall.ENETUNREACH), Verdict{Retry, "unreachable", "The host cannot be reached."}},
	{isAny(syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF), Verdict{Retry, "connection_closed", "The connection was closed before the answer was complete."}},
	{isAny(errTLS), tlsError("No TLS connection could be agreed on.")},
}

var (
	verdictTimeout = Verdict{Retry, "timeout", "There was no complete answer in time."}
	verdictDNS     = Verdict{Retry, "dns_error", "The host name could not be resolved."}
)

func tlsError(detail string) Verdict { return Verdict{Retry, "tls_error", detail} }

func isAny(targets ...error) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
}

func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// hasCode looks for a fault by its code: urlguard, whose faults these are, need not be imported.
func hasCode(codes ...string) func(error) bool {
	return func(err error) bool {
		f, ok := errors.AsType[*fault.Error](err)
		return ok && slices.Contains(codes, f.Code)
	}
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func isExpired(err error) bool {
	e, ok := errors.AsType[x509.CertificateInvalidError](err)
	return ok && e.Reason == x509.Expired
}
