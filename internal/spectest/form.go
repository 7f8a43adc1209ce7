package spectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/platen-render/platen/api"
)

// decodeForm decodes a form as kin-openapi does, but takes a part "job" without a Content-Type for JSON. The spec
// allows that, for people who type curl, and OpenAPI has no words for it.
func decodeForm(body io.Reader, header http.Header, schema *openapi3.SchemaRef, enc openapi3filter.EncodingFn) (any, error) {
	_, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return nil, fmt.Errorf("content type: %w", err)
	}
	typed := new(bytes.Buffer)
	w := multipart.NewWriter(typed)
	if err := w.SetBoundary(params["boundary"]); err != nil {
		return nil, fmt.Errorf("boundary: %w", err)
	}
	if err := copyParts(w, multipart.NewReader(body, params["boundary"])); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("end of the form: %w", err)
	}
	return openapi3filter.MultipartBodyDecoder(typed, header, schema, enc)
}

// copyParts copies each part, and gives a bare job its type.
func copyParts(w *multipart.Writer, r *multipart.Reader) error {
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("next part: %w", err)
		}
		if part.FormName() == api.PartJob && part.Header.Get("Content-Type") == "" {
			part.Header.Set("Content-Type", "application/json")
		}
		to, err := w.CreatePart(part.Header)
		if err != nil {
			return fmt.Errorf("copy a part: %w", err)
		}
		if _, err := io.Copy(to, part); err != nil {
			return fmt.Errorf("copy a part: %w", err)
		}
	}
}
