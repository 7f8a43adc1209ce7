package webhook

import (
	"errors"
	"net/http"
)

// Why a Handler refuses a message, besides the errors of [Receive].
var (
	errUnreadable = errors.New("the body was not read")
	errTooLarge   = errors.New("the body is over the limit")
	errConflict   = errors.New("the inbox has another body under this id")
	errStorage    = errors.New("keep in the inbox")
	errUnhandled  = errors.New("handle")
	errSetup      = errors.New("webhook: a Handler needs either an Inbox or a Handle")
)

// refusal is how one cause is answered and counted.
type refusal struct {
	cause   error
	status  int
	counter func(*Counts) *int64
}

// refusals are asked in this order: what a function or a store returns may wrap anything.
var refusals = []refusal{
	{errUnhandled, http.StatusServiceUnavailable, func(c *Counts) *int64 { return &c.Unhandled }},
	{errStorage, http.StatusServiceUnavailable, func(c *Counts) *int64 { return &c.Storage }},
	{errConflict, http.StatusConflict, func(c *Counts) *int64 { return &c.Conflict }},
	{errTooLarge, http.StatusRequestEntityTooLarge, func(c *Counts) *int64 { return &c.Unreadable }},
	{errUnreadable, http.StatusBadRequest, func(c *Counts) *int64 { return &c.Unreadable }},
	{ErrEvent, http.StatusBadRequest, func(c *Counts) *int64 { return &c.NotEvent }},
	{ErrHeader, http.StatusUnauthorized, func(c *Counts) *int64 { return &c.Malformed }},
	{ErrStale, http.StatusUnauthorized, func(c *Counts) *int64 { return &c.Stale }},
	{ErrSignature, http.StatusUnauthorized, func(c *Counts) *int64 { return &c.Signature }},
}

// refusalOf is total: what is left is a mistake of ours, as is an ErrSecret, and the sender should keep the event.
func refusalOf(err error) refusal {
	for _, r := range refusals {
		if errors.Is(err, r.cause) {
			return r
		}
	}
	return refusal{err, http.StatusServiceUnavailable, func(c *Counts) *int64 { return &c.Setup }}
}

// messages are all that the sender is told: a forger must not learn how far he got.
var messages = map[int]string{
	http.StatusBadRequest:            "The body is not an event.",
	http.StatusUnauthorized:          "The signature is not accepted.",
	http.StatusConflict:              "This id came with another body before.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusServiceUnavailable:    "The event was not processed. Send it again later.",
}
