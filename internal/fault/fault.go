// Package fault is the one error type of Platen. A package that knows the cause of an error gives it a
// [Kind] and a public code; the edges (HTTP, queue, worker) decide by the Kind alone what answer to give
// and whether trying again can help.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// Kind says whose mistake an error is and whether time heals it. The zero Kind is Internal.
type Kind uint8

// The kinds. Each has one HTTP status (httpapi) and one answer to "retry?" ([Kind.Retryable]), unless [Error.Passing] differs.
const (
	Internal Kind = iota
	Malformed
	Invalid
	Unauthorized
	Forbidden
	NotFound
	Conflict
	Gone
	TooLarge
	Throttled
	Unavailable
)

// Retryable reports whether time heals errors of this kind.
func (k Kind) Retryable() bool {
	return k == Internal || k == Throttled || k == Unavailable
}

// Error is a classified error. Code and Message are safe to show to a caller; Err is for the log only.
type Error struct {
	Kind    Kind
	Code    string // stable, snake_case; also a metric label
	Message string
	// Fields names each part of the request that is wrong, when the fault lies in some of them.
	Fields []Field
	// Total is how many things of the request are wrong where Fields names only some of them; 0 when it names all.
	Total int
	// Passing says that time heals this one, although it does not heal others of its Kind.
	Passing bool
	// RetryAfter is how long a caller should wait; zero leaves it to the edge.
	RetryAfter time.Duration
	// Refs names the records the error is about ("job_id", "document_id"). It becomes members of the problem.
	Refs map[string]string
	Err  error
}

// Field is one wrong part of a request.
type Field struct {
	Pointer string // RFC 6901 JSON pointer into the body, or "" for the whole
	Code    string
	Detail  string
}

// New makes a fault; use it for package-level values that errors.Is can find.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// At makes an Invalid fault about one field, whose detail is also the message.
func At(pointer, code, format string, args ...any) *Error {
	return New(Invalid, code, format, args...).In(pointer)
}

// Error gives the code, the message and the cause: a text for logs.
func (e *Error) Error() string { return e.Code + ": " + e.sentence() }

// sentence is the message and, when there is one, the cause, without a full stop between them.
func (e *Error) sentence() string {
	if e.Err == nil {
		return e.Message
	}
	return strings.TrimSuffix(e.Message, ".") + ": " + e.Err.Error()
}

// Text is the text of err for the person at the terminal, whose own machine it is about: causes and all, but without
// the codes, which are for programs.
func Text(err error) string {
	text := err.Error()
	for cause := err; cause != nil; {
		e, ok := errors.AsType[*Error](cause)
		if !ok {
			break
		}
		text = strings.Replace(text, e.Error(), e.sentence(), 1)
		cause = e.Err
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is a fault with the same code, so that a copy still matches its origin.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Because returns a copy with a cause.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// With returns a copy with another message.
func (e *Error) With(format string, args ...any) *Error {
	c := *e
	c.Message = fmt.Sprintf(format, args...)
	return &c
}

// After returns a copy that asks the caller to wait d.
func (e *Error) After(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// In returns a copy that names the one part of the request that is wrong.
func (e *Error) In(pointer string) *Error {
	c := *e
	c.Fields = []Field{{Pointer: pointer, Code: e.Code, Detail: e.Message}}
	return &c
}

// ForNow returns a copy that is [Error.Passing].
func (e *Error) ForNow() *Error {
	c := *e
	c.Passing = true
	return &c
}

// Retryable reports whether the same request may succeed later without being changed.
func (e *Error) Retryable() bool { return e.Passing || e.Kind.Retryable() }

// About returns a copy that names a record, for example About("document_id", id).
func (e *Error) About(name, id string) *Error {
	c := *e
	c.Refs = maps.Clone(e.Refs)
	if c.Refs == nil {
		c.Refs = map[string]string{}
	}
	c.Refs[name] = id
	return &c
}

// From finds the fault in err. Anything else becomes Internal with a bland message and err as its cause.
// From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Kind: Internal, Code: "internal", Message: "An internal error occurred.", Err: err}
}

// Retryable reports whether the same call may succeed later.
func Retryable(err error) bool { return err != nil && From(err).Retryable() }
