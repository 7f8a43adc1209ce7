package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/strictjson"
)

// Bounds of the files of one job. Each file is one durable write before the answer.
const (
	maxFiles         = 256
	maxFileNameBytes = 255
	maxMediaType     = 255
)

// form is what came with a request for a document. A JSON body is a form that has nothing but the job.
type form struct {
	job     []byte                     // an api.JobRequest in JSON
	jobAt   string                     // where the job stands: the prefix of pointers into it
	source  strictjson.Source          // what messages call it; "" is the body
	members map[string]json.RawMessage // of the job, as they were sent; given in its place where they are known
	texts   []part                     // html and markdown
	uploads []jobs.Upload
}

// part is a text of a form.
type part struct{ name, text string }

// parseForm reads multipart/form-data (RFC 7578). The body is in memory, so every error is one of form.
func parseForm(body []byte, boundary string) (form, error) {
	f := form{jobAt: "/" + api.PartJob, source: "The part job"}
	if boundary == "" {
		return f, malformedForm(nil)
	}
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		p, err := r.NextPart()
		if err == io.EOF { //nolint:errorlint // a wrapped io.EOF is a form without its last boundary
			return f, nil
		}
		if err != nil {
			return f, malformedForm(err)
		}
		content, err := io.ReadAll(p)
		if err != nil {
			return f, malformedForm(err)
		}
		if err := f.add(p, content); err != nil {
			return f, err
		}
	}
}

func malformedForm(err error) error {
	return strictjson.ErrMalformed.With("The body is not a well-formed multipart/form-data form.").Because(err)
}

// add takes one part.
func (f *form) add(p *multipart.Part, content []byte) error {
	switch name := p.FormName(); name {
	case api.PartJob:
		if f.job != nil {
			return duplicatePart(name)
		}
		f.job = append([]byte{}, content...) // not nil, even when it is empty
		return nil
	case api.PartHTML, api.PartMarkdown:
		if slices.ContainsFunc(f.texts, func(t part) bool { return t.name == name }) {
			return duplicatePart(name)
		}
		if err := checkText(p, content); err != nil {
			return err
		}
		f.texts = append(f.texts, part{name, string(content)})
		return nil
	case api.PartFile:
		return f.addFile(p, content)
	default:
		return unknownPart(name)
	}
}

// checkText refuses a part that is no page and no Markdown, by its Content-Type or its bytes. A sender that does not know says
// application/octet-stream, or nothing.
func checkText(p *multipart.Part, content []byte) error {
	name, sent := p.FormName(), p.Header.Get("Content-Type")
	mediaType, params, err := mime.ParseMediaType(sent)
	switch {
	case sent != "" && (err != nil || !strings.HasPrefix(mediaType, "text/") && mediaType != "application/octet-stream"):
		return errMediaType.With("The Content-Type of the part %s must be text/%s, or be left out.", name, name).In("/" + name)
	case !isUTF8(params):
		return errMediaType.With("The charset of the part %s must be utf-8, or be left out.", name).In("/" + name)
	case !utf8.Valid(content):
		return fault.At("/"+name, string(api.CodeHTMLInvalidUTF8), "The part %s is not UTF-8.", name)
	}
	return nil
}

func duplicatePart(name string) error {
	return fault.At("/"+name, string(api.CodeFieldDuplicate), "The part %s is there twice.", name)
}

func unknownPart(name string) error {
	return fault.At(pointerTo(name), string(api.CodeFieldUnknown), "There is no part %q; there are job, html, markdown and file.", shorten(name))
}

// addFile takes a file under the name that the page addresses it by.
func (f *form) addFile(p *multipart.Part, content []byte) error {
	at := fmt.Sprintf("/%s/%d", api.PartFile, len(f.uploads))
	if len(f.uploads) == maxFiles {
		return fault.At("/"+api.PartFile, string(api.CodeFieldInvalid), "There are more than %d files.", maxFiles)
	}
	name := fileName(p)
	if name == "" {
		return fault.At(at, string(api.CodeFieldMissing), "A file needs a file name, by which the page addresses it.")
	}
	if why := wrongFileName(name); why != "" {
		return fault.At(at, string(api.CodeFieldInvalid), "A file name %s.", why)
	}
	if slices.ContainsFunc(f.uploads, func(u jobs.Upload) bool { return u.File.Name == name }) {
		return fault.At(at, string(api.CodeFieldDuplicate), "There are two files named %q.", name)
	}
	sum := sha256.Sum256(content)
	f.uploads = append(f.uploads, jobs.Upload{Body: content, File: jobs.File{
		Name: name, ContentType: contentType(p.Header.Get("Content-Type"), name),
		SHA256: hex.EncodeToString(sum[:]), Size: int64(len(content)),
	}})
	return nil
}

// fileName is the name as it was sent: the standard library would cut the folders off.
func fileName(p *multipart.Part) string {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}

// wrongFileName says what is wrong with a name, or "". A good one is relative, in slashes, and cannot climb.
func wrongFileName(name string) string {
	switch {
	case len(name) > maxFileNameBytes:
		return fmt.Sprintf("has at most %d bytes", maxFileNameBytes)
	case strings.Contains(name, `\`) || strings.ContainsFunc(name, unicode.IsControl):
		return "has no backslashes and no control characters"
	case !fs.ValidPath(name) || name == ".":
		return `is relative, UTF-8, with single slashes between folders, and none of them is "." or ".."`
	}
	return ""
}

// contentType is the media type that a file was sent with, or that of its extension when the sender did not know: curl
// knows few, and a browser refuses a stylesheet that is not text/css.
func contentType(sent, name string) string {
	mediaType, _, err := mime.ParseMediaType(sent)
	if err == nil && len(sent) <= maxMediaType && mediaType != "application/octet-stream" {
		return sent
	}
	if known, ok := typeOfExtension[strings.ToLower(path.Ext(name))]; ok {
		return known
	}
	return "application/octet-stream"
}

// typeOfExtension is a table of our own, since the one of the system differs from machine to machine.
var typeOfExtension = map[string]string{
	".avif": "image/avif", ".css": "text/css", ".gif": "image/gif", ".htm": "text/html", ".html": "text/html",
	".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json",
	".mjs": "text/javascript", ".otf": "font/otf", ".png": "image/png", ".svg": "image/svg+xml", ".ttf": "font/ttf",
	".txt": "text/plain", ".webp": "image/webp", ".woff": "font/woff", ".woff2": "font/woff2",
}
