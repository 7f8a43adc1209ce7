package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
)

// call is one request on its way, with what is found out about it.
type call struct {
	echo.Context
	requestID string
	key       jobs.APIKey  // once authorized; the zero one for a route or a link that needs none
	linked    bool         // a signed link stands in for the key
	jobAt     string       // where the job stands in the body: the prefix of pointers into it
	fault     *fault.Error // what it was refused with
	stack     []byte       // where it panicked
	quiet     bool
	cut       bool   // the answer is not whole, and the client must see it
	ended     string // why a stream ended before its end
}

// observe surrounds every request, also those that no route takes: it names the request, turns errors and panics into
// problems, and accounts for all of it, once.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		begin := time.Now()
		c := &call{Context: ec, requestID: requestID(ec.Request().Header)}
		header := c.Response().Header()
		header.Set("X-Request-Id", c.requestID)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		if err := c.run(next); err != nil {
			c.refuse(err)
		}
		s.account(c, time.Since(begin))
		if c.cut {
			panic(http.ErrAbortHandler)
		}
		return nil
	}
}

// run calls the handler and turns a panic into an error.
func (c *call) run(next echo.HandlerFunc) (err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			panic(p) // net/http's own way to cut a connection
		default:
			c.stack = debug.Stack()
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if allow, ok := c.Get(echo.ContextKeyHeaderAllow).(string); ok {
		return c.methodNotAllowed(allow)
	}
	return next(c)
}

// lasting is the context of what a client's disconnect must not cut in the middle.
func (c *call) lasting() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.Request().Context()), lastingTimeout)
}

// lastingTimeout bounds one change, its look-ups and uploads included.
const lastingTimeout = time.Minute

// id reads the id in the path; notFound is the answer to what is none.
func (c *call) id(kind jobs.Kind, notFound error) (jobs.ID, error) {
	id, err := jobs.ParseID(kind, c.Param("id"))
	if err != nil {
		return "", notFound
	}
	return id, nil
}

// respond answers with JSON. The value is encoded before anything is sent.
func (c *call) respond(status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	return c.Blob(status, echo.MIMEApplicationJSON, body)
}

// encode is JSON without the escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return b.Bytes(), nil
}
