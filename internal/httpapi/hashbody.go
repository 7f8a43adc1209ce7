package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/strictjson"
)

const (
	// filePart is the part of a form that holds the bytes.
	filePart = "file"
	// maxOtherParts bounds how many parts may come before it, and formBytes what they and the boundaries may take.
	maxOtherParts = 10
	formBytes     = 64 << 10
)

var errNoBytes = fault.New(fault.Invalid, string(api.CodeInputMissing), "The bytes of a document are missing: send them as the body, or as the part file of a form.")

// hashed is a body that was read and thrown away.
type hashed struct {
	sha256 string // hex
	bytes  int64
}

// hashBody reads the bytes of a document, whatever their media type is, and keeps none. A form has them in its part file.
func (s *Server) hashBody(c *call) (hashed, error) {
	r := c.Request()
	if coding := r.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
		return hashed{}, errMediaType.With("A compressed body is not taken here.")
	}
	most := s.opts.MaxDocument
	mediaType, params, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	form := err == nil && mediaType == echo.MIMEMultipartForm
	if form {
		most += formBytes
	}
	if r.ContentLength > most {
		if r.Header.Get("Expect") == "" { // as in readBody
			readOn(c)
		}
		return hashed{}, s.documentTooLarge(c)
	}
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(s.opts.BodyTimeout)) // as in readBody
	body := http.MaxBytesReader(c.Response(), r.Body, most)
	var got hashed
	if form {
		got, err = hashForm(body, params["boundary"])
	} else {
		got, err = hashAll(body)
	}
	switch {
	case isType[*http.MaxBytesError](err) || err == nil && got.bytes > s.opts.MaxDocument:
		readOn(c)
		return hashed{}, s.documentTooLarge(c)
	case isType[*fault.Error](err):
		return hashed{}, err
	case err != nil:
		return hashed{}, unfinished(s.opts.BodyTimeout, err)
	case got.bytes == 0:
		return hashed{}, errNoBytes
	}
	return got, nil
}

func (s *Server) documentTooLarge(c *call) error {
	c.Response().Header().Set(echo.HeaderConnection, "close")
	return errBodyTooLarge.With("The body is larger than any document of this server, %d bytes.", s.opts.MaxDocument)
}

// hashForm finds the part file.
func hashForm(body io.Reader, boundary string) (hashed, error) {
	if boundary == "" {
		return hashed{}, errMediaType.With("The Content-Type of a form must name its boundary.")
	}
	parts := multipart.NewReader(body, boundary)
	for range maxOtherParts {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return hashed{}, errNoBytes
		case isType[*http.MaxBytesError](err):
			return hashed{}, err
		case err != nil:
			return hashed{}, strictjson.ErrMalformed.With("The form is not well-formed.").Because(err)
		}
		if part.FormName() != filePart {
			continue
		}
		got, err := hashAll(part)
		if err == nil {
			_, err = io.Copy(io.Discard, body) // the end of the form, and nothing that counts
		}
		return got, err
	}
	return hashed{}, errNoBytes
}

func hashAll(r io.Reader) (hashed, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	return hashed{sha256: hex.EncodeToString(sum.Sum(nil)), bytes: n}, err
}
