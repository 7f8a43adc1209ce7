package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
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

// decode reads a JSON body into v, strictly.
func (s *Server) decode(c *call, v any) error {
	if name, _ := c.mediaType(); name != echo.MIMEApplicationJSON {
		return errMediaType.With("The Content-Type must be application/json.")
	}
	body, err := s.readBody(c)
	if err != nil {
		return err
	}
	return strictjson.Decode(body, v)
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

// wrongs collects what is wrong with a body, so that its sender hears of all of it at once.
type wrongs []fault.Field

// add notes a member with a wrong value.
func (w *wrongs) add(pointer, format string, args ...any) {
	w.addCode(pointer, api.CodeFieldInvalid, format, args...)
}

func (w *wrongs) addCode(pointer string, code api.ErrorCode, format string, args ...any) {
	*w = append(*w, fault.Field{Pointer: pointer, Code: string(code), Detail: fmt.Sprintf(format, args...)})
}

// take notes the fields of a fault that somebody else found.
func (w *wrongs) take(err error) {
	if err != nil {
		*w = append(*w, fault.From(err).Fields...)
	}
}

// upTo notes a number that is not 1 to most. Nil is none, and fine.
func upTo(w *wrongs, pointer string, n *int, most int) bool {
	if n != nil && (*n < 1 || *n > most) {
		w.add(pointer, "%s must be 1 to %d.", pointer[1:], most)
		return false
	}
	return n != nil
}

// err is nil, or one fault about all fields, headed by the first.
func (w wrongs) err() error {
	if len(w) == 0 {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Code: w[0].Code, Message: w[0].Detail, Fields: w}
}

// below puts what an error says about a part of the body under the name of that part.
func below(prefix string, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || prefix == "" {
		return err
	}
	moved := *f
	moved.Fields = nil
	for _, field := range f.Fields {
		field.Pointer = prefix + field.Pointer
		moved.Fields = append(moved.Fields, field)
	}
	return &moved
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
