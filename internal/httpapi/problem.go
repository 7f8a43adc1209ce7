package httpapi

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
)

// This file alone knows which status a fault has. Each kind has one; what only HTTP can refuse has its own.

var statusOfKind = map[fault.Kind]int{
	fault.Internal:     http.StatusInternalServerError,
	fault.Malformed:    http.StatusBadRequest,
	fault.Invalid:      http.StatusUnprocessableEntity,
	fault.Unauthorized: http.StatusUnauthorized,
	fault.Forbidden:    http.StatusForbidden,
	fault.NotFound:     http.StatusNotFound,
	fault.Conflict:     http.StatusConflict,
	fault.Gone:         http.StatusGone,
	fault.TooLarge:     http.StatusRequestEntityTooLarge,
	fault.Throttled:    http.StatusTooManyRequests,
	fault.Unavailable:  http.StatusServiceUnavailable,
}

var statusOfCode = map[string]int{
	errMethodNotAllowed.Code: http.StatusMethodNotAllowed,
	errPrecondition.Code:     http.StatusPreconditionFailed,
	errMediaType.Code:        http.StatusUnsupportedMediaType,
	errRange.Code:            http.StatusRequestedRangeNotSatisfiable,
}

// Faults of HTTP itself.
var (
	errInternal         = fault.New(fault.Internal, string(api.CodeInternal), "The server failed. Its log has the cause under this request's id.")
	errRouteNotFound    = fault.New(fault.NotFound, string(api.CodeRouteNotFound), "There is no such path.")
	errMethodNotAllowed = fault.New(fault.Malformed, string(api.CodeMethodNotAllowed), "This path does not have this method.")
	errPrecondition     = fault.New(fault.Malformed, string(api.CodePreconditionFailed), "The content has none of the ETags in If-Match.")
	errMediaType        = fault.New(fault.Malformed, string(api.CodeMediaTypeUnsupported), "This Content-Type is not taken here.")
	errRange            = fault.New(fault.Malformed, string(api.CodeRangeNotSatisfiable), "The range lies outside the document.")
)

// retryLater is what a caller is asked to wait when the fault does not say.
const retryLater = 5 * time.Second

// refuse answers with the problem that err is. Whatever is not a fault, or is an internal one, becomes a bland 500.
func (c *call) refuse(err error) {
	c.fault = asFault(err)
	if c.Response().Committed {
		c.cut = true // too late for another answer
		return
	}
	status := statusOf(c.fault)
	c.explain(status)
	if c.Request().Method == http.MethodHead {
		_ = c.NoContent(status) // never fails
		return
	}
	c.Response().Header().Set(echo.HeaderContentType, api.ProblemType) // in the place of the content's
	body, _ := encode(problem(status, c.fault, c.requestID))           // strings always encode
	_ = c.Blob(status, api.ProblemType, body)                          // a client that is gone needs no answer
}

// explain sets the headers that a status must have.
func (c *call) explain(status int) {
	header := c.Response().Header()
	header.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		header.Set(echo.HeaderWWWAuthenticate, challenge(c.fault))
	}
	wait := c.fault.RetryAfter
	if wait == 0 && (status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests) {
		wait = retryLater
	}
	if wait > 0 {
		header.Set(echo.HeaderRetryAfter, seconds(wait))
	}
}

func (c *call) methodNotAllowed(allow string) error {
	// The router adds OPTIONS, which no path has.
	c.Response().Header().Set(echo.HeaderAllow, strings.TrimPrefix(allow, http.MethodOptions+", "))
	return errMethodNotAllowed
}

// Bounds of a problem, whose size must not be the caller's choice.
const (
	maxErrors  = 20
	maxOfItems = api.MaxBatchErrors // when they are about items of a batch
	maxPointer = 1000
)

func asFault(err error) *fault.Error {
	if errors.Is(err, echo.ErrNotFound) {
		return errRouteNotFound
	}
	if f := fault.From(err); f.Kind != fault.Internal {
		return f
	}
	return errInternal.Because(err)
}

func statusOf(f *fault.Error) int {
	if status, ok := statusOfCode[f.Code]; ok {
		return status
	}
	return statusOfKind[f.Kind]
}

func problem(status int, f *fault.Error, requestID string) api.Problem {
	p := api.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: f.Message, Code: api.ErrorCode(f.Code), RequestID: requestID, Retryable: f.Retryable(),
		Errors: []api.FieldError{}, JobID: orNil(f.Refs["job_id"]), DocumentID: orNil(f.Refs["document_id"]),
		BatchID: orNil(f.Refs["batch_id"]), ErrorCount: orNil(f.Total),
	}
	most := maxErrors
	if f.Total > 0 {
		most = maxOfItems
	}
	for _, field := range f.Fields[:min(len(f.Fields), most)] {
		p.Errors = append(p.Errors, api.FieldError{Pointer: nearest(field.Pointer), Code: api.ErrorCode(field.Code), Detail: field.Detail})
	}
	aboutLimit(&p, f)
	return p
}

// nearest is a pointer, or when it is too long that of the innermost value around it which has a short one.
func nearest(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return pointer[:max(0, strings.LastIndexByte(pointer[:maxPointer+1], '/'))]
}

// seconds is a wait as Retry-After has it: whole ones, rounded up, at least 1.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}
