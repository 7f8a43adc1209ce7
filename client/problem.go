package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

// ErrArgument says that an argument cannot be sent. Nothing was.
var ErrArgument = errors.New("client: unusable argument")

// ErrDigest says that the bytes that arrived are not the document: their sha256 is another one.
var ErrDigest = errors.New("client: the bytes are not those of the document")

// unusable is an ErrArgument that says what is wrong and no more, since programs show it to people.
type unusable struct{ error }

func (u unusable) Is(target error) bool { return target == ErrArgument }

func (u unusable) Unwrap() error { return u.error }

func argument(format string, args ...any) error { return unusable{fmt.Errorf(format, args...)} }

// Problem is an answer that is not a success. Its Code is empty when the answer did not come from Platen but from
// something in between; Status is always there.
type Problem struct { //nolint:errname // the name is the one of RFC 9457 and of api.Problem
	api.Problem
	// RetryAfter is the pause that the server asks for; zero when it asks for none.
	RetryAfter time.Duration
}

// Error returns the detail, the code and what is wrong in which field, each once.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Detail)
	about := slices.IndexFunc(p.Errors, func(e api.FieldError) bool { return e.Detail == p.Detail })
	switch {
	case p.Code == "":
	case about >= 0 && p.Errors[about].Pointer != "":
		fmt.Fprintf(&b, " (%s at %s)", p.Code, p.Errors[about].Pointer)
	default:
		fmt.Fprintf(&b, " (%s)", p.Code)
	}
	for i, e := range p.Errors {
		if i != about {
			fmt.Fprintf(&b, "\n  %s: %s (%s)", e.Pointer, e.Detail, e.Code)
		}
	}
	return b.String()
}

// Is reports whether target is a Problem with the same code, or the same status when neither has a code.
func (p *Problem) Is(target error) bool {
	other, ok := target.(*Problem)
	if !ok {
		return false
	}
	if p.Code == "" {
		return other.Code == "" && p.Status == other.Status
	}
	return p.Code == other.Code
}

// HasCode reports whether err is, or wraps, a [*Problem] with this code.
func HasCode(err error, code api.ErrorCode) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && p.Code == code
}

// problem reads an answer that is not a success.
func problem(res *http.Response, body []byte) *Problem {
	p := &Problem{}
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || media != api.ProblemType || json.Unmarshal(body, &p.Problem) != nil || p.Detail == "" {
		p.Problem = foreign(res)
	}
	p.Status = res.StatusCode
	p.RetryAfter = retryAfter(res.Header)
	return p
}

// foreign describes an answer that Platen did not make.
func foreign(res *http.Response) api.Problem {
	detail := "The server answered " + res.Status + " without a problem document."
	if location := res.Header.Get("Location"); location != "" && res.StatusCode < http.StatusBadRequest {
		detail = fmt.Sprintf("The server answered %s to %q, and redirects are not followed.", res.Status, location)
	}
	return api.Problem{
		Type: "about:blank", Title: http.StatusText(res.StatusCode), Detail: detail,
		RequestID: res.Header.Get("X-Request-Id"),
	}
}

// retryAfter reads the header in its two forms (RFC 9110, section 10.2.3). Zero means that there is none.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
