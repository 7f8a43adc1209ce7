// Package checks judges a finished document before it is issued: by what its owner expects of it, and under strict by what the
// engine has noticed. It looks at the bytes that were made, never at what they were made of.
package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// Faults of documents that are not as their owner expects. Another attempt would make the same bytes.
var (
	ErrPages       = fault.New(fault.Invalid, "expect_pages", "The document has another number of pages than it must have.")
	ErrContains    = fault.New(fault.Invalid, "expect_contains", "The document does not have a text that it must have.")
	ErrNotContains = fault.New(fault.Invalid, "expect_not_contains", "The document has a text that it must not have.")
	ErrMaxBytes    = fault.New(fault.Invalid, "expect_max_bytes", "The document has more bytes than it may have.")
)

// Document is what is known of a finished document.
type Document struct {
	ContentType string
	Pages       int
	Bytes       int64
	Warnings    []render.Warning
	// Text returns the text of each page of a PDF, in order. It is asked once, and only when a text is expected or feared.
	Text func(ctx context.Context) ([]string, error)
}

// Check returns nil when a document may be issued. Otherwise the error has the code of the first check that failed, in the order of
// the fields of [render.Expect] and then of [render.Strict], and its message tells of all of them. An error of [Document.Text] is
// returned as it is.
func Check(ctx context.Context, doc Document, expect render.Expect, strict bool) error {
	failed := pages(doc, expect)
	texts, err := contents(ctx, doc, expect)
	if err != nil {
		return fmt.Errorf("text of the document: %w", err)
	}
	failed = append(failed, texts...)
	if expect.MaxBytes > 0 && doc.Bytes > expect.MaxBytes {
		failed = append(failed, ErrMaxBytes.With("The document has %d bytes, and must have at most %d.", doc.Bytes, expect.MaxBytes))
	}
	if strict {
		failed = append(failed, warned(doc.Warnings)...)
	}
	return together(failed)
}

// together is one fault about all that failed, headed by the first.
func together(failed []*fault.Error) error {
	if len(failed) == 0 {
		return nil
	}
	var messages []string
	for _, f := range failed {
		messages = append(messages, f.Message)
	}
	return failed[0].With("%s", strings.Join(messages, " "))
}

func pages(doc Document, expect render.Expect) []*fault.Error {
	switch {
	case expect.MinPages > 0 && doc.Pages < expect.MinPages:
		return []*fault.Error{ErrPages.With("The document has %s, and must have at least %d.", counted(doc.Pages, "page"), expect.MinPages)}
	case expect.MaxPages > 0 && doc.Pages > expect.MaxPages:
		return []*fault.Error{ErrPages.With("The document has %s, and must have at most %d.", counted(doc.Pages, "page"), expect.MaxPages)}
	}
	return nil
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// warned is what a strict job fails for, in the order of [render.Strict].
func warned(warnings []render.Warning) []*fault.Error {
	var serious []render.Warning
	for _, code := range render.Strict() {
		for _, w := range warnings {
			if w.Code == code {
				serious = append(serious, w)
			}
		}
	}
	if len(serious) == 0 {
		return nil
	}
	var details []string
	for _, w := range serious {
		details = append(details, fmt.Sprintf("%s (%s)", shorten(w.Detail), w.Code))
	}
	return []*fault.Error{fault.New(fault.Invalid, serious[0].Code, "The job is strict, and there are warnings: %s.", listed(details, "; "))}
}

// Bounds of messages.
const (
	maxListed = 10  // entries that are named
	maxShown  = 200 // runes of one of them
)

// listed names the first entries and counts the others.
func listed(entries []string, separator string) string {
	more := len(entries) - maxListed
	if more <= 0 {
		return strings.Join(entries, separator)
	}
	return strings.Join(slices.Concat(entries[:maxListed], []string{fmt.Sprintf("and %d more", more)}), separator)
}

func shorten(text string) string {
	runes := []rune(text)
	if len(runes) <= maxShown {
		return text
	}
	return string(runes[:maxShown]) + "…"
}
