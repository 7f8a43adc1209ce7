package resources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// problem is why a resource did not come.
type problem struct{ code, what string }

// Error makes it an error.
func (p problem) Error() string { return p.code + ": " + p.what }

// fetch gets one resource and notes what its style sheet names, or why it did not come.
func (s *session) fetch(ctx context.Context, place int, ref reference, u *url.URL) {
	key := u.String()
	s.mu.Lock()
	resource, known := s.loaded[key]
	s.mu.Unlock()
	from := u
	if !known {
		var err error
		if resource, from, err = s.get(ctx, ref, u); err != nil {
			p := explain(ctx, err)
			s.warn(p.code, display(u), p.what)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded[key] = resource
	if ref.sheet {
		s.next[place] = scanSheet(string(resource.Body), from)
	}
}

// get makes the request. It returns where the answer came from, after redirects.
func (s *session) get(ctx context.Context, ref reference, u *url.URL) (render.Resource, *url.URL, error) {
	if s.client == nil {
		return render.Resource{}, nil, problem{"resource_denied", "the network is not used"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return render.Resource{}, nil, problem{"resource_failed", "the address is malformed"}
	}
	req.Header.Set("Accept", "image/avif,image/webp,image/*,font/*,text/css,*/*;q=0.5")
	if ref.sheet {
		req.Header.Set("Accept", "text/css,*/*;q=0.1")
	}
	res, err := s.client.Do(req)
	if err != nil {
		return render.Resource{}, nil, fmt.Errorf("request: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return render.Resource{}, nil, problem{"resource_failed", fmt.Sprintf("the server answered %d", res.StatusCode)}
	}
	body, err := s.read(res)
	if err != nil {
		return render.Resource{}, nil, err
	}
	return render.Resource{ContentType: contentType(res.Header.Get("Content-Type"), u.Path, body), Body: body}, res.Request.URL, nil
}

// read reads a body within the bounds. What was read counts, whether it is kept or not.
func (s *session) read(res *http.Response) ([]byte, error) {
	tooLarge := problem{"resource_too_large", fmt.Sprintf("it is larger than %d bytes", s.limits.MaxBytes)}
	if res.ContentLength > s.limits.MaxBytes {
		return nil, tooLarge
	}
	body, err := io.ReadAll(&sharedReader{s, io.LimitReader(res.Body, s.limits.MaxBytes+1)})
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if int64(len(body)) > s.limits.MaxBytes {
		return nil, tooLarge
	}
	return body, nil
}

// sharedReader takes what it reads off the bytes that all resources have together.
type sharedReader struct {
	s *session
	r io.Reader
}

// Read implements io.Reader.
func (r *sharedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.s.left -= int64(n); r.s.left < 0 {
		return n, problem{"resource_too_large", fmt.Sprintf("all resources together are larger than %d bytes", r.s.limits.MaxTotal)}
	}
	return n, err //nolint:wrapcheck // io.EOF must stay what it is
}

// explain tells the owner of the page what happened, and nothing about the network that the server stands in.
func explain(ctx context.Context, err error) problem {
	if p, ok := errors.AsType[problem](err); ok {
		return p
	}
	if ctx.Err() != nil {
		return problem{"resource_unfinished", "it did not come in time"}
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == "url_denied" {
		return problem{"resource_denied", "the address may not be called"}
	}
	return problem{"resource_failed", "it could not be fetched"}
}

// byExtension are media types that servers often get wrong or leave out.
var byExtension = map[string]string{
	".css": "text/css", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".svg": "image/svg+xml", ".webp": "image/webp", ".avif": "image/avif", ".bmp": "image/bmp", ".ico": "image/x-icon",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf", ".ttc": "font/collection",
}

// contentType believes a header that says something, then the name, then the first bytes.
func contentType(header, name string, body []byte) string {
	kind, _, err := mime.ParseMediaType(header)
	if err == nil && kind != "application/octet-stream" && kind != "text/plain" && kind != "binary/octet-stream" {
		return header
	}
	if known := byExtension[strings.ToLower(path.Ext(name))]; known != "" {
		return known
	}
	return http.DetectContentType(body)
}
