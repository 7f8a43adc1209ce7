package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
)

// File is something that a page uses.
type File struct {
	// Name is how the page addresses it: relative, with / between folders, without "..".
	Name string
	// ContentType is its media type; empty means the one of the name's extension, as far as it is known.
	ContentType string
	Content     []byte
}

// contentTypes are the media types of what pages use. The table of the machine is not asked, because it differs from
// machine to machine.
var contentTypes = map[string]string{
	".avif": "image/avif", ".css": "text/css", ".csv": "text/csv", ".gif": "image/gif", ".html": "text/html",
	".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json",
	".otf": "font/otf", ".png": "image/png", ".svg": "image/svg+xml", ".ttf": "font/ttf", ".webp": "image/webp",
	".woff": "font/woff", ".woff2": "font/woff2",
}

// MediaType returns what the file is sent as: ContentType, or the type of the name's extension, or
// application/octet-stream.
func (f File) MediaType() string {
	return cmp.Or(f.ContentType, contentTypes[strings.ToLower(path.Ext(f.Name))], "application/octet-stream")
}

// payload is an encoded submission.
type payload struct {
	mediaType string
	bytes     []byte
}

// encode writes a submission as JSON, or as a form when it has files.
func encode(s Submission) (payload, error) {
	// JSON has no way to write what is not UTF-8; the encoder would put in U+FFFD, and so another document.
	for name, text := range texts(s.Request) {
		if text != nil && !utf8.ValidString(*text) {
			return payload{}, argument("%s is not UTF-8", name)
		}
	}
	if len(s.Files) == 0 {
		body, err := marshal(s.Request)
		return payload{"application/json", body}, err
	}
	return encodeForm(s)
}

// texts returns the texts of a request that end up in the document or name it.
func texts(r api.JobRequest) map[string]*string {
	all := map[string]*string{"html": r.HTML, "markdown": r.Markdown, "document_key": r.DocumentKey}
	if r.Template != nil {
		all["template"] = r.Template.HTML
	}
	if r.Output != nil {
		all["header_html"], all["footer_html"], all["filename"] = r.Output.HeaderHTML, r.Output.FooterHTML, r.Output.Filename
	}
	return all
}

// encodeForm writes a submission as multipart/form-data. The page is a part of its own, as it is.
func encodeForm(s Submission) (payload, error) {
	var buf bytes.Buffer
	form := multipart.NewWriter(&buf)
	job := s.Request
	pages := []struct {
		part, mediaType string
		text            *string
	}{
		{api.PartHTML, "text/html; charset=utf-8", job.HTML},
		{api.PartMarkdown, "text/markdown; charset=utf-8", job.Markdown},
	}
	job.HTML, job.Markdown = nil, nil
	body, err := marshal(job)
	if err != nil {
		return payload{}, err
	}
	if err := addPart(form, multipartField(api.PartJob), "application/json", body); err != nil {
		return payload{}, err
	}
	for _, p := range pages {
		if p.text == nil {
			continue
		}
		if err := addPart(form, multipartField(p.part), p.mediaType, []byte(*p.text)); err != nil {
			return payload{}, err
		}
	}
	for _, f := range s.Files {
		if err := addFile(form, f); err != nil {
			return payload{}, err
		}
	}
	if err := form.Close(); err != nil {
		return payload{}, err
	}
	return payload{form.FormDataContentType(), buf.Bytes()}, nil
}

func addFile(form *multipart.Writer, f File) error {
	if !utf8.ValidString(f.Name) || strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return argument("the file name %q has characters that no name has", f.Name)
	}
	if f.Name == "" {
		return argument("a file has no name")
	}
	mediaType := f.MediaType()
	if !printable(mediaType) {
		return argument("the content type of %q has characters that none has", f.Name)
	}
	return addPart(form, multipart.FileContentDisposition(api.PartFile, f.Name), mediaType, f.Content)
}

func addPart(form *multipart.Writer, disposition, mediaType string, content []byte) error {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {disposition},
		"Content-Type":        {mediaType},
	})
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	return err
}

func multipartField(name string) string { return `form-data; name="` + name + `"` }

// marshal writes JSON with data and metadata as they were given, number for number and without HTML escapes.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, argument("encode: %w", err)
	}
	return buf.Bytes(), nil
}
