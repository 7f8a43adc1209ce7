package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
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

// mediaType is the Content-Type of the body, lower case and without parameters, and the parameters. It must be one of those
// given.
func (c *call) mediaType(taken ...string) (string, map[string]string, error) {
	name, params, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	switch {
	case err != nil || !slices.Contains(taken, name):
		return "", nil, errMediaType.With("The Content-Type must be %s.", strings.Join(taken, " or "))
	case !isUTF8(params):
		return "", nil, errMediaType.With("The charset must be utf-8, or be left out.")
	}
	return name, params, nil
}

// isUTF8 reports whether the parameters of a media type promise UTF-8, or nothing.
func isUTF8(params map[string]string) bool {
	charset, ok := params["charset"]
	return !ok || strings.EqualFold(charset, "utf-8")
}

// decode reads a JSON body into v, strictly. Members that are wrong are returned apart: the others can be judged all the
// same.
func (s *Server) decode(c *call, v any) (wrongs, error) {
	if _, _, err := c.mediaType(echo.MIMEApplicationJSON); err != nil {
		return nil, err
	}
	body, err := s.readBody(c)
	if err != nil {
		return nil, err
	}
	return strictjson.Body.Decode(body, v)
}

// readBody reads a body within the bounds on its size and its time.
func (s *Server) readBody(c *call) ([]byte, error) { return s.readUpTo(c, s.opts.MaxBody) }

// readUpTo does the same with another bound on the size.
func (s *Server) readUpTo(c *call, most int64) ([]byte, error) {
	r := c.Request()
	if err := identityCoded(c); err != nil {
		return nil, err
	}
	if r.ContentLength > most {
		if r.Header.Get("Expect") == "" { // or the client waits for our word before it sends
			readOn(c)
		}
		return nil, tooLarge(c, most)
	}
	connection := http.NewResponseController(c.Response())
	// A connection that has no deadlines is one of a test, in memory.
	_ = connection.SetReadDeadline(time.Now().Add(s.opts.BodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, most))
	switch {
	case err == nil:
		_ = connection.SetReadDeadline(time.Time{}) // or it would end the request while it waits
		return body, nil
	case isType[*http.MaxBytesError](err):
		readOn(c)
		return nil, tooLarge(c, most)
	}
	return nil, unfinished(s.opts.BodyTimeout, err)
}

// identityCoded refuses a compressed body.
func identityCoded(c *call) error {
	if coding := c.Request().Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
		return errMediaType.With("A compressed body is not taken here.")
	}
	return nil
}

// tooLarge refuses the body. The rest of it would be taken for the next request, so the connection ends.
func tooLarge(c *call, most int64) error {
	c.Response().Header().Set(echo.HeaderConnection, "close")
	return errBodyTooLarge.With("The body is larger than the %d bytes that this server takes.", most)
}

// Bounds on reading what is thrown away.
const (
	readOnTime  = time.Second
	readOnBytes = 64 << 20
)

// readOn reads on for a moment after a body has turned out too large. A client that writes all before it reads would otherwise
// find a broken connection in the place of the answer.
func readOn(c *call) {
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(readOnTime)) // as in readBody
	_, _ = io.CopyN(io.Discard, c.Request().Body, readOnBytes)                               // whatever it says, the answer is the same
}

// noBody refuses a body where there is none to be: its sender believes that it has a say.
func (s *Server) noBody(c *call) error {
	r := c.Request()
	if r.ContentLength == 0 {
		return nil
	}
	// A length that is not told may be 0.
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(s.opts.BodyTimeout)) // as in readBody
	n, err := io.ReadFull(r.Body, make([]byte, 1))
	switch {
	case n > 0:
		return strictjson.ErrMalformed.With("This request has no body.")
	case !errors.Is(err, io.EOF):
		return unfinished(s.opts.BodyTimeout, err)
	}
	return nil
}

// unfinished says of a body that could not be read to its end that it may be another time.
func unfinished(timeout time.Duration, err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return strictjson.ErrMalformed.With("The body did not arrive within %v.", timeout).ForNow().Because(err)
	}
	return strictjson.ErrMalformed.With("The body ended before its end.").ForNow().Because(err)
}

func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
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
