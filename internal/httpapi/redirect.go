package httpapi

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/jobs"
)

// redirectTime is how long an address at the storage is good for: long enough to begin, too short to be passed on. Whoever wants another one
// asks again.
const redirectTime = time.Minute

// wantsRedirect reports whether the caller of a GET would rather be sent to the storage. An address there is for GET alone.
func wantsRedirect(c *call) (bool, error) {
	if c.Request().Method != http.MethodGet {
		return false, nil
	}
	switch given := c.QueryParam("redirect"); given {
	case "", "false":
		return false, nil
	case "true":
		header := c.Request().Header // of conditions the storage knows nothing
		return header.Get("If-None-Match") == "" && header.Get("If-Match") == "", nil
	default:
		return false, errQuery.With("redirect must be true or false.")
	}
}

// redirect sends the caller to the storage for the bytes of a document, and reports whether it did: some storages give nothing to strangers. The bytes have been
// found to be there. The ETag is that of the document, so that the bytes can be held against it wherever they come from.
func (s *Server) redirect(c *call, d jobs.Document) (bool, error) {
	header := c.Response().Header()
	address, err := s.service.ContentLink(c.Request().Context(), d, jobs.BlobLink{
		Expires: redirectTime, ContentType: d.Result.ContentType, Disposition: header.Get(echo.HeaderContentDisposition), CacheControl: immutable,
	})
	if err != nil || address == "" {
		return false, err
	}
	for _, name := range []string{echo.HeaderContentType, echo.HeaderContentDisposition} {
		header.Del(name) // they are the storage's to send
	}
	header.Set(echo.HeaderCacheControl, "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	return true, c.Redirect(http.StatusTemporaryRedirect, address)
}
