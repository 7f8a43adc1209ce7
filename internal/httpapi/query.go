package httpapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// errQuery refuses the parameters of a list: a misspelled filter that was ignored would select too much.
var errQuery = fault.New(fault.Malformed, string(api.CodeQueryMalformed), "The query is not valid.")

// query reads the parameters of a list. The first wrong one is kept as err; what is read after it is zero.
type query struct {
	values url.Values
	err    error
}

// query takes the parameters with the given names, each once, and refuses all others.
func (c *call) query(names ...string) *query {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.fail("The query is not well-formed.")
	}
	for name, given := range values {
		switch {
		case !slices.Contains(names, name):
			q.fail("There is no parameter %q; there are %s.", shorten(name), strings.Join(names, ", "))
		case len(given) > 1:
			q.fail("%s is there twice.", name)
		case given[0] == "":
			q.fail("%s must not be empty.", name)
		}
	}
	return q
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = errQuery.With(format, args...)
	}
}

// get is a parameter, or "" when it is left out.
func (q *query) get(name string) string { return q.values.Get(name) }

// oneOf is a parameter with a closed set of values.
func (q *query) oneOf(name string, allowed ...string) string {
	v := q.get(name)
	switch {
	case v == "" || slices.Contains(allowed, v):
	case len(allowed) == 1:
		q.fail("%s must be %s.", name, allowed[0])
	default:
		q.fail("%s must be one of %s.", name, strings.Join(allowed, ", "))
	}
	return v
}

func (q *query) time(name string) time.Time {
	if q.get(name) == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, q.get(name))
	if err != nil {
		q.fail("%s must be a time as 2026-03-02T09:15:00Z.", name)
	}
	return t
}

// since is a time from which on something counts. The filters of the store leave their bounds out, the API takes it in.
func (q *query) since(name string) time.Time { return including(q.time(name)) }

// including is an exclusive bound that takes a time in; zero stays zero.
func including(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-time.Nanosecond)
}

func (q *query) limit() int {
	if q.get("limit") == "" {
		return api.DefaultLimit
	}
	n, err := strconv.Atoi(q.get("limit"))
	if err != nil || n < 1 || n > api.MaxLimit {
		q.fail("limit must be 1 to %d.", api.MaxLimit)
	}
	return n
}

// cursor is the last id of the page before.
func (q *query) cursor(kind jobs.Kind) jobs.ID {
	if q.get("cursor") == "" {
		return ""
	}
	id, err := jobs.ParseID(kind, q.get("cursor"))
	if err != nil {
		q.fail("cursor must be the next_cursor of the page before.")
	}
	return id
}
