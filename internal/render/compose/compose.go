// Package compose makes the one thing that every engine takes, a page of HTML, out of what a job holds: HTML,
// Markdown, or a template and its data.
package compose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/templates"
)

// Faults.
var (
	// ErrInvalidUTF8 is a text in another encoding.
	ErrInvalidUTF8 = fault.New(fault.Invalid, "html_invalid_utf8", "The document is not valid UTF-8.")
	// ErrMarkdownTooComplex is Markdown that is nested or linked far beyond what a person writes.
	ErrMarkdownTooComplex = fault.New(fault.Invalid, "markdown_too_complex", "The Markdown is too complex.")
)

// Kind is what a source is written in.
type Kind string

// The kinds.
const (
	HTML     Kind = "html"
	Markdown Kind = "markdown"
	Template Kind = "template"
)

// pointers locate the text of each kind in the request.
var pointers = map[Kind]string{HTML: "/html", Markdown: "/markdown", Template: "/template/html"}

// Source is what a page is made of.
type Source struct {
	Kind Kind
	Text string
	// Data fills in a template; other kinds ignore it. Empty is {}.
	Data json.RawMessage
	// Locale and TimeZone are what a template writes its dates and numbers for; en and UTC when empty.
	Locale, TimeZone string
	// Limits bound a template; the zero value means the defaults.
	Limits templates.Limits
}

// Identity is what a template may print about its document.
type Identity = templates.Identity

// Page is what an engine takes.
type Page struct {
	HTML string
	// OwnIdentity is true when the page was given a part of the identity to print.
	OwnIdentity bool
}

// Compose returns the page. Equal input gives equal bytes. The text is UTF-8; a byte order mark is dropped, and
// whatever encoding a <meta> names does not matter, because the page is handed on as text.
//
// HTML stays as it is. Markdown is GitHub's, with footnotes, and is given a style sheet for print; HTML inside
// it is kept: the document is the caller's own and an engine is a sandbox, whatever it renders. A template is
// filled in by package templates.
//
// Errors: [ErrInvalidUTF8], [ErrMarkdownTooComplex], the faults of package templates, [render.ErrTimeout] when
// the deadline of ctx passed, and the cause of ctx when it was canceled.
func Compose(ctx context.Context, src Source, id Identity) (Page, error) {
	pointer, ok := pointers[src.Kind]
	if !ok {
		return Page{}, fmt.Errorf("compose: unknown kind %q", src.Kind)
	}
	text, err := decode(src.Text, pointer)
	if err != nil {
		return Page{}, err
	}
	page := Page{HTML: text}
	switch src.Kind {
	case Markdown:
		page.HTML, err = fromMarkdown(ctx, text)
	case Template:
		page, err = fill(ctx, text, src, id)
	case HTML:
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Page{}, render.ErrTimeout.Because(err)
	}
	return page, err
}

func fill(ctx context.Context, text string, src Source, id Identity) (Page, error) {
	t, err := templates.Parse(text)
	if err != nil {
		return Page{}, fmt.Errorf("parse template: %w", err)
	}
	t.Limits = src.Limits
	var b strings.Builder
	report, err := t.Execute(ctx, &b, src.Data, templates.Environment{Identity: id, Locale: src.Locale, TimeZone: src.TimeZone})
	if err != nil {
		return Page{}, fmt.Errorf("fill in template: %w", err)
	}
	return Page{HTML: b.String(), OwnIdentity: report.OwnIdentity}, nil
}

// decode drops a byte order mark and refuses what is not UTF-8, naming the first bad byte.
func decode(text, pointer string) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if utf8.ValidString(text) {
		return text, nil
	}
	valid := strings.ToValidUTF8(text, "\x00")
	bad := 0
	for bad < len(valid) && valid[bad] == text[bad] {
		bad++
	}
	return "", fault.At(pointer, ErrInvalidUTF8.Code, "The text is not valid UTF-8 at byte %d.", bad)
}
