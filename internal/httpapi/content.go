package httpapi

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/jobs"
)

// getContent gives the bytes of a document, whole or in ranges (RFC 9110, sections 13 and 14), for GET and HEAD.
// With redirect=true a GET may be sent to the storage for them.
func (s *Server) getContent(c *call) error {
	elsewhere, err := wantsRedirect(c)
	if err != nil {
		return err
	}
	d, err := s.readableDocument(c)
	if err != nil {
		return err
	}
	content, err := s.service.Content(c.Request().Context(), d)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // nothing was written
	describe(c.Response().Header(), *d.Result)
	if elsewhere {
		if sent, err := s.redirect(c, d); sent || err != nil {
			return err
		}
	}
	return serveContent(c, content)
}

// serveContent gives bytes whose headers are set.
func serveContent(c *call, content io.ReadSeeker) error {
	w := &judged{ResponseWriter: c.Response()}
	r := c.Request()
	if ranges := readableRange(r.Header); ranges != "" {
		r.Header.Set("Range", ranges)
	} else {
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return w.refusal(c.Response().Header())
}

// readableDocument is the one in the path, for its tenant or for who has a link to it.
func (s *Server) readableDocument(c *call) (jobs.Document, error) {
	if !c.linked {
		return s.ownDocument(c)
	}
	id, err := c.id(jobs.KindDocument, jobs.ErrLinkInvalid) // no link was ever made for what is no id
	if err != nil {
		return jobs.Document{}, err
	}
	return s.service.LinkedDocument(c.Request().Context(), id, c.QueryParam("expires"), c.QueryParam("signature"))
}

// immutable says that bytes never change.
const immutable = "private, max-age=31536000, immutable"

// describe sets what is known of the bytes without looking at them. They never change, and are a stranger's: a browser
// runs nothing in them, guesses nothing about them and does not show them in the place of a page.
func describe(header http.Header, r jobs.Result) {
	header.Set("ETag", `"`+r.SHA256+`"`)
	header.Set(echo.HeaderContentType, r.ContentType)
	header.Set(echo.HeaderContentDisposition, disposition(r.Filename))
	header.Set(echo.HeaderCacheControl, immutable)
	header.Set(echo.HeaderContentSecurityPolicy, "sandbox; default-src 'none'")
}

// disposition offers a file name as RFC 6266 says, with the encoding of RFC 8187 for what is not plain ASCII.
func disposition(filename string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
			return '_'
		}
		return r
	}, filename)
	if plain == filename {
		return `attachment; filename="` + filename + `"`
	}
	return `attachment; filename="` + plain + `"; filename*=UTF-8''` + extValue(filename)
}

// extValue percent-encodes everything but the attr-char of RFC 8187, section 3.2.1.
func extValue(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString(string([]byte{'%', hex[c>>4], hex[c&15]}))
	}
	return b.String()
}

// judged passes an answer of http.ServeContent on unless it is a refusal, which is plain text there.
type judged struct {
	http.ResponseWriter
	refused int
}

// WriteHeader implements http.ResponseWriter.
func (w *judged) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.refused = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *judged) Write(p []byte) (int, error) {
	if w.refused != 0 {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// refusal is the fault that was refused with, or nil. Headers that describe the bytes go: they are not sent.
func (w *judged) refusal(header http.Header) error {
	if w.refused == 0 {
		return nil
	}
	for _, name := range []string{"ETag", echo.HeaderContentDisposition, "Accept-Ranges", echo.HeaderContentLength} {
		header.Del(name)
	}
	switch w.refused {
	case http.StatusPreconditionFailed:
		return errPrecondition
	case http.StatusRequestedRangeNotSatisfiable:
		return errRange // Content-Range says how long the document is
	}
	return errInternal
}
