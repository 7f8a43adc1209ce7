package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/strictjson"
)

// errBodyTooLarge refuses a body beyond the server's limit.
var errBodyTooLarge = fault.New(fault.TooLarge, string(api.CodeBodyTooLarge), "The body is too large.")

// mediaType is the Content-Type of the body, lower case and without parameters, and the parameters.
func (c *call) mediaType() (string, map[string]string) {
	name, params, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err != nil {
		return "", nil
	}
	return name, params
}

// decode reads a JSON body into v, strictly. Members that are wrong are returned apart: the others can be judged all the
// same.
func (s *Server) decode(c *call, v any) (wrongs, error) {
	if name, _ := c.mediaType(); name != echo.MIMEApplicationJSON {
		return nil, errMediaType.With("The Content-Type must be application/json.")
	}
	body, err := s.readBody(c)
	if err != nil {
		return nil, err
	}
	return strictjson.Body.Decode(body, v)
}

// readBody reads a body within the bounds on its size and its time.
func (s *Server) readBody(c *call) ([]byte, error) {
	r := c.Request()
	tooLarge := errBodyTooLarge.With("The body is larger than the %d bytes that this server takes.", s.opts.MaxBody)
	if coding := r.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, errMediaType.With("A compressed body is not taken here.")
	}
	if r.ContentLength > s.opts.MaxBody {
		return nil, tooLarge
	}
	connection := http.NewResponseController(c.Response())
	// A connection that has no deadlines is one of a test, in memory.
	_ = connection.SetReadDeadline(time.Now().Add(s.opts.BodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, s.opts.MaxBody))
	switch {
	case err == nil:
		_ = connection.SetReadDeadline(time.Time{}) // or it would end the request while it waits
		return body, nil
	case isType[*http.MaxBytesError](err):
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, strictjson.ErrMalformed.With("The body did not arrive within %v.", s.opts.BodyTimeout).ForNow().Because(err)
	}
	return nil, strictjson.ErrMalformed.With("The body ended before its end.").ForNow().Because(err)
}

func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// membersOf splits an object into its members as they were sent.
func membersOf(raw []byte) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // what is no object has none
	return members
}

// shorten cuts a caller's text for a message.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// pointerTo is a JSON pointer to a member (RFC 6901, section 3).
func pointerTo(name string) string {
	if !utf8.ValidString(name) {
		return ""
	}
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
