package httpapi

import (
	"bufio"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	// longBuffer is what of a long answer is made before any of it is sent: what fails until then is refused as usual.
	longBuffer = 64 << 10
	// longPatience is how long a reader may take to take something.
	longPatience = time.Minute
)

// long sends what is too long to be made before it is sent. When it fails later, the connection is cut in the middle of the answer, which is
// how the client sees that it is not whole (RFC 9112, section 8).
func (c *call) long(contentType string, write func(io.Writer) error) error {
	out := &reader{ResponseWriter: c.Response(), control: http.NewResponseController(c.Response())}
	buffered := bufio.NewWriterSize(out, longBuffer)
	c.Response().Header().Set(echo.HeaderContentType, contentType)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // of a connection that has deadlines
	if out.gone || c.gone() {
		c.ended, c.cut = "the client has gone or does not read", true
		return nil
	}
	if err != nil && !c.Response().Committed {
		c.Response().Header().Del(echo.HeaderContentDisposition)
	}
	return err
}

// gone reports whether the client has hung up.
func (c *call) gone() bool { return c.Request().Context().Err() != nil }

// reader is the client as somebody who may stop to read.
type reader struct {
	http.ResponseWriter
	control *http.ResponseController
	gone    bool
}

// Write implements io.Writer.
func (r *reader) Write(p []byte) (int, error) {
	_ = r.control.SetWriteDeadline(time.Now().Add(longPatience)) // of a connection that has deadlines
	n, err := r.ResponseWriter.Write(p)
	r.gone = r.gone || err != nil
	return n, err
}
