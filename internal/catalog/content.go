// Package catalog reads, checks and fills in what tenants store under names: templates and assets. The server uses it to refuse
// what cannot work and to freeze what a job names; the worker uses it to make the page.
package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
	"github.com/platen-render/platen/internal/strictjson"
)

// Template is a stored template, parsed. Safe for concurrent use.
type Template struct {
	api.TemplateRequest

	html, header, footer *templates.Template // the last two nil when there are none
	schema               *schema             // nil without one
}

// Names reports whether a text stands in one of the parts that are filled in: a function that none of them names none of them calls.
func (t *Template) Names(text string) bool {
	return slices.ContainsFunc([]*string{t.HTML, t.HeaderHTML, t.FooterHTML}, func(part *string) bool {
		return part != nil && strings.Contains(*part, text)
	})
}

// Filled is a template with its data.
type Filled struct {
	HTML, Header, Footer string
	// OwnIdentity says that a part of it prints which document it is.
	OwnIdentity bool
}

// Parse reads the content of a template: a [api.TemplateRequest] in JSON that was checked as one.
func Parse(content []byte) (*Template, error) {
	var request api.TemplateRequest
	if err := json.Unmarshal(content, &request); err != nil {
		return nil, fmt.Errorf("content of a template: %w", err)
	}
	t, wrong := parse(request)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("content of a template: %s %s", wrong[0].Pointer, wrong[0].Detail)
	}
	return t, nil
}

// parse reads the parts, and tells of each that is wrong.
func parse(request api.TemplateRequest) (*Template, []fault.Field) {
	t := &Template{TemplateRequest: request}
	var wrong []fault.Field
	for _, part := range []struct {
		pointer string
		text    *string
		to      **templates.Template
	}{
		{"/html", request.HTML, &t.html},
		{"/header_html", request.HeaderHTML, &t.header},
		{"/footer_html", request.FooterHTML, &t.footer},
	} {
		if part.text == nil || *part.text == "" {
			continue
		}
		var err error
		if *part.to, err = templates.Parse(*part.text); err != nil {
			wrong = append(wrong, fault.From(err).In(part.pointer).Fields...)
		}
	}
	if request.Schema != nil {
		var err error
		t.schema, err = compile(request.Schema)
		wrong = append(wrong, fieldsAt("/schema", err)...)
	}
	return t, wrong
}

// fieldsAt are what a fault is about: a part of the body at a pointer, or what it says itself. An error that is none is a defect.
func fieldsAt(pointer string, err error) []fault.Field {
	if err == nil {
		return nil
	}
	f := fault.From(err)
	if len(f.Fields) == 0 {
		f = f.In(pointer)
	}
	return f.Fields
}

// CheckData holds data against the schema. Empty data is {}. The error is a template_data_invalid whose pointers begin with prefix.
// It ends with ctx, whose cause it returns.
func (t *Template) CheckData(ctx context.Context, data json.RawMessage, prefix string) error {
	_, err := t.readData(ctx, data, prefix)
	return err
}

// readData reads data and holds it against the schema, as [Template.CheckData] says.
func (t *Template) readData(ctx context.Context, data json.RawMessage, prefix string) (templates.Data, error) {
	read, err := templates.ReadData(data, func(v any) error {
		if t.schema == nil {
			return nil
		}
		return t.schema.check(ctx, v, prefix)
	})
	if f, ok := errors.AsType[*fault.Error](err); ok && len(f.Fields) == 0 {
		err = f.In(prefix)
	}
	return read, err
}

// Fill fills all parts in, and puts the style sheet into the head of the page.
func (t *Template) Fill(ctx context.Context, data json.RawMessage, env templates.Environment) (Filled, error) {
	read, err := templates.ReadData(data, nil)
	if err != nil {
		return Filled{}, inPart("/html", err)
	}
	return t.fill(ctx, read, env)
}

func (t *Template) fill(ctx context.Context, data templates.Data, env templates.Environment) (Filled, error) {
	var filled Filled
	for _, part := range []struct {
		pointer string
		from    *templates.Template
		to      *string
	}{{"/html", t.html, &filled.HTML}, {"/header_html", t.header, &filled.Header}, {"/footer_html", t.footer, &filled.Footer}} {
		if part.from == nil {
			continue
		}
		var b strings.Builder
		report, err := part.from.Fill(ctx, &b, data, env)
		if err != nil {
			return Filled{}, inPart(part.pointer, err)
		}
		*part.to, filled.OwnIdentity = b.String(), filled.OwnIdentity || report.OwnIdentity
	}
	if t.CSS != nil {
		filled.HTML = withStyle(filled.HTML, *t.CSS)
	}
	return filled, nil
}

// partError says in which part of a template something is wrong.
type partError struct {
	pointer string
	err     error
}

func inPart(pointer string, err error) error { return partError{pointer, err} }

// Error implements error.
func (e partError) Error() string { return e.pointer + ": " + e.err.Error() }

// Unwrap returns what is wrong.
func (e partError) Unwrap() error { return e.err }

// placed points a fault of filling in to where it is: into the data when that lacks something, else into the part, whose name comes
// behind a prefix.
func placed(err error, prefix, data string) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || len(f.Fields) > 0 {
		return err
	}
	if errors.Is(err, templates.ErrDataMissing) {
		return f.In(data)
	}
	pointer := prefix
	if part, ok := errors.AsType[partError](err); ok {
		pointer += part.pointer
	}
	return f.In(pointer)
}

// Canonical is the content of a template as it is kept: what was sent, in the one spelling that JSON has for it.
func Canonical(request api.TemplateRequest) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(request); err != nil {
		return nil, fmt.Errorf("encode template: %w", err)
	}
	return strictjson.Canonical(b.Bytes())
}
