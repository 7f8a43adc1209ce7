package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// stdStream names the standard input or output.
const stdStream = "-"

// The kinds of a page.
const (
	kindHTML     = "html"
	kindMarkdown = "markdown"
	kindTemplate = "template"
	kindURL      = "url"
)

// isAddress reports whether FILE is no file but the address of a page.
func isAddress(file string) bool {
	return strings.HasPrefix(file, "https://") || strings.HasPrefix(file, "http://")
}

// submission reads all that the flags name.
func (f *renderFlags) submission() (client.Submission, error) {
	s := client.Submission{IdempotencyKey: f.key}
	if f.job != "" {
		if err := f.readJob(&s.Request); err != nil {
			return s, err
		}
	}
	if err := f.readPage(&s.Request); err != nil {
		return s, err
	}
	if f.data != "" {
		if err := f.readData(&s.Request); err != nil {
			return s, err
		}
	}
	f.override(&s.Request)
	for _, arg := range f.files {
		file, err := f.readFile(arg)
		if err != nil {
			return s, err
		}
		s.Files = append(s.Files, file)
	}
	return s, nil
}

// readJob reads the part of the request that is in a file. A member that this version does not know is refused, as the
// server would do; it must not get lost on the way.
func (f *renderFlags) readJob(request *api.JobRequest) error {
	text, err := os.ReadFile(f.job)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return fmt.Errorf("%s: %w", f.job, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: there is something behind the JSON", f.job)
	}
	brings := request.HTML != nil || request.Markdown != nil || request.Template != nil || request.URL != nil
	switch {
	case f.stored != nil && brings:
		return fmt.Errorf("%s: the page is that of --template, so no html, markdown, template or url here", f.job)
	case f.file != "" && brings:
		return fmt.Errorf("%s: the page is in FILE, so no html, markdown, template or url here", f.job)
	case f.file == "" && f.stored == nil && !brings:
		return f.usage("FILE is missing, and %s names no page: no html, markdown, template or url", f.job)
	}
	return nil
}

// readData reads what a template is filled in with.
func (f *renderFlags) readData(request *api.JobRequest) error {
	data, err := f.read(f.data)
	if err == nil {
		err = checkJSON(f.data, data)
	}
	request.Data = data
	return err
}

// readPage reads FILE, unless a stored template or the job's file is in its place.
func (f *renderFlags) readPage(request *api.JobRequest) error {
	switch {
	case f.stored != nil:
		request.Template = f.stored
		return nil
	case f.file == "":
		return nil
	case f.kind() == kindURL:
		request.URL = &f.file
		return nil
	}
	page, err := f.read(f.file)
	if err != nil {
		return err
	}
	text := string(page)
	switch kind := f.kind(); kind {
	case kindHTML:
		request.HTML = &text
	case kindMarkdown:
		request.Markdown = &text
	case kindTemplate:
		request.Template = &api.Template{HTML: &text}
	default:
		return f.usage("--as %q is none of html, markdown and template", kind)
	}
	return nil
}

func (f *renderFlags) kind() string {
	switch extension := strings.ToLower(filepath.Ext(f.file)); {
	case f.as != "":
		return f.as
	case isAddress(f.file):
		return kindURL
	case f.data != "" || extension == ".tmpl" || extension == ".gohtml":
		return kindTemplate
	case extension == ".md" || extension == ".markdown":
		return kindMarkdown
	default:
		return kindHTML
	}
}

// set takes a value that a flag has given.
func set[T comparable](to **T, value T) {
	if value != *new(T) {
		*to = &value
	}
}

// override puts what the flags say over what the job's file says.
func (f *renderFlags) override(request *api.JobRequest) {
	set(&request.DocumentKey, f.documentKey)
	set(&request.CallbackURL, f.callbackURL)
	set(&request.Priority, api.Priority(f.priority))
	if f.strict {
		request.Strict = &f.strict
	}
	if f.waitFor != "" {
		if request.WaitFor == nil {
			request.WaitFor = &api.WaitFor{}
		}
		request.WaitFor.Selector = &f.waitFor
	}
	if f.engine != "" {
		engine := api.Engine(f.engine)
		request.Engine = &engine
	}
	f.over(&request.Output)
}

// readFile reads what --file names: NAME, beside the page, or NAME=PATH.
func (f *renderFlags) readFile(arg string) (client.File, error) {
	name, path, named := strings.Cut(arg, "=")
	if !named {
		path = filepath.FromSlash(name)
		if f.file != stdStream {
			path = filepath.Join(filepath.Dir(f.file), path)
		}
	}
	content, err := os.ReadFile(path) //nolint:gosec // the user's own file
	return client.File{Name: name, Content: content}, err
}

func (f *renderFlags) read(path string) ([]byte, error) {
	if path == stdStream {
		return io.ReadAll(f.env.Stdin)
	}
	return os.ReadFile(path) //nolint:gosec // the user's own file
}
