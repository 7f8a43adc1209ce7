package httpapi

import (
	"bytes"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
)

// eventWriter writes server-sent events (HTML standard, section 9.2). Nothing of it is kept between two writes: most streams are quiet
// most of the time.
type eventWriter struct {
	to       http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration // for each write
	buffer   bytes.Buffer
}

// reconnectMS is how long a reader should wait before it comes back, in ms.
const reconnectMS = "2000"

// begin sends the headers and says when to come back.
func (w *eventWriter) begin() error {
	header := w.to.Header()
	header.Set(echo.HeaderContentType, api.StreamType)
	header.Set("X-Accel-Buffering", "no") // nginx would keep events back
	w.to.WriteHeader(http.StatusOK)
	w.buffer.WriteString("retry: " + reconnectMS + "\n\n")
	return w.flush()
}

// event adds an event. Without an id a reader that comes back goes on from the event before.
func (w *eventWriter) event(id string, name api.StreamEvent, data any) error {
	text, err := encode(data) // one line
	if err != nil {
		return err
	}
	if id != "" {
		w.buffer.WriteString("id: " + id + "\n")
	}
	w.buffer.WriteString("event: " + string(name) + "\ndata: ")
	w.buffer.Write(text)
	w.buffer.WriteByte('\n')
	return nil
}

// beat sends a sign of life. Its id lets a reader that comes back go on from here, although no event is dispatched.
func (w *eventWriter) beat(id string) error {
	w.buffer.WriteString(":\nid: " + id + "\n\n")
	return w.flush()
}

// end leaves time for what net/http still sends.
func (w *eventWriter) end() { _ = w.hurry() }

// hurry gives the reader some time from now on.
func (w *eventWriter) hurry() error {
	err := w.control.SetWriteDeadline(time.Now().Add(w.patience))
	if errors.Is(err, http.ErrNotSupported) {
		return nil // not on a socket
	}
	return err
}

// flush sends what was added.
func (w *eventWriter) flush() error {
	if err := w.hurry(); err != nil {
		return err
	}
	_, err := w.to.Write(w.buffer.Bytes())
	w.buffer = bytes.Buffer{}
	if err != nil {
		return err
	}
	return w.control.Flush()
}
