package e2e_test

import (
	"net"
	"strings"
	"testing"
)

// kind is a way to misbehave, and what is recorded of each attempt at it.
type kind struct {
	name   string
	scheme string // "" is http
	serve  func(net.Conn)
	status int    // 0 is no answer
	why    string // "" for one that counts as delivered, at the first attempt
	code   string // what the metrics call it
	kept   func(response string) bool
	hangs  bool // an attempt ends by its deadline and not before
}

// What is recorded of attempts, as a sentence and as a code.
const (
	noAnswer, timeout           = "There was no complete answer in time.", "timeout"
	answered500, serverError    = "The receiver answered 500.", "server_error"
	redirected302, redirected   = "The receiver answered 302. Redirects are not followed.", "redirected"
	redirected307               = "The receiver answered 307. Redirects are not followed."
	closedEarly, connClosed     = "The connection was closed before the answer was complete.", "connection_closed"
	requestFailed, requestError = "The request failed.", "request_failed"
)

// euros do not divide 1 KiB, so the last one that is read has to go.
const (
	euros     = "€"
	keptEuros = 1023 / len(euros)
)

func nothing(response string) bool  { return response == "" }
func allEuros(response string) bool { return response == strings.Repeat(euros, keptEuros) }
func drops(response string) bool    { return response != "" && strings.Trim(response, "drop") == "" }

// kinds are all of them. The redirects lead to the address where clouds keep credentials, to a trap that may not be called, and to one that
// may.
func kinds(t *testing.T, forbidden, allowed string) []kind {
	t.Helper()
	const ok, failure = "HTTP/1.1 200 OK", "HTTP/1.1 500 Internal Server Error"
	const all, chunked, zipped = "Content-Length: 1073741824", "Transfer-Encoding: chunked", "Content-Encoding: gzip"
	redirect := func(status, location string) func(net.Conn) {
		return after(say("HTTP/1.1 "+status, "Location: "+location, "Content-Length: 0", "Connection: close", ""))
	}
	explosive := bomb(t)
	return []kind{
		{name: "never answers", serve: holdOpen, why: noAnswer, code: timeout, hangs: true},
		{name: "never speaks TLS", scheme: "https", serve: holdOpen, why: noAnswer, code: timeout, hangs: true},
		{name: "drips its status", serve: after(drip("HTTP/1.1 2")), why: noAnswer, code: timeout, hangs: true},
		{name: "drips headers", serve: after(say(ok), drip("X-A: b\r\n")), why: noAnswer, code: timeout, hangs: true},
		{name: "drips its body", serve: after(say(ok, ""), drip("drop")), status: 200, why: noAnswer, code: timeout, kept: drops, hangs: true},
		{name: "drips trailers", serve: after(say(ok, chunked, "", "4", "drop", "0"), drip("X-A: b\r\n")), status: 200, why: noAnswer, code: timeout, kept: drops, hangs: true},
		{name: "fails and drips", serve: after(say(failure, ""), drip("drop")), status: 500, why: answered500, code: serverError, kept: drops, hangs: true},
		{name: "sends 1 GiB", serve: after(say(ok, all, ""), flood(euros)), status: 200, kept: allEuros},
		{name: "fails with 1 GiB", serve: after(say(failure, all, ""), flood(euros)), status: 500, why: answered500, code: serverError, kept: allEuros},
		{name: "sends 1 GiB of headers", serve: after(say(ok), flood("X-A: b\r\n")), why: requestFailed, code: requestError},
		{name: "sends 1 GiB of hints", serve: after(flood("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")), why: requestFailed, code: requestError},
		{name: "gzip bomb", serve: after(say(ok, zipped, ""), say(explosive)), status: 200, kept: nothing},
		{name: "failing gzip bomb", serve: after(say(failure, zipped, ""), say(explosive)), status: 500, why: answered500, code: serverError, kept: nothing},
		{name: "resets", serve: after(reset), why: closedEarly, code: connClosed},
		{name: "redirects to metadata", serve: redirect("302 Found", "http://169.254.169.254/latest/meta-data/"), status: 302, why: redirected302, code: redirected, kept: nothing},
		{name: "redirects to what is refused", serve: redirect("302 Found", forbidden), status: 302, why: redirected302, code: redirected, kept: nothing},
		{name: "redirects to what is allowed", serve: redirect("307 Temporary Redirect", allowed), status: 307, why: redirected307, code: redirected, kept: nothing},
	}
}
