// Package render is the port between a job and the engines that make its document: the [Engine] interface,
// what an engine is asked ([Request]) and what it reports ([Report]). It knows no engine, no browser and no
// network. Engines live below it, one package each, and only workers link them.
package render

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/fault"
)

// Engine turns one page into one document.
type Engine interface {
	// Render writes the document to w and reports what it used. It stops soon after ctx ends and leaves no
	// process behind. After an error the caller discards whatever was written. Equal requests give equal
	// bytes. It reaches nothing outside but through what it was constructed with. Safe for concurrent use.
	//
	// Errors: [ErrTimeout] when the deadline of ctx passed, the cause of ctx when it was canceled,
	// [ErrEngineLost] when a process shared with other jobs died, [ErrEngineUnavailable] when the engine
	// cannot work for anybody now, and other faults for what is wrong with this page. A fault's Kind says
	// whether another attempt can help.
	Render(ctx context.Context, w io.Writer, req Request) (Report, error)

	// Probe reports whether the engine could render now: nil, or why not. It is cheap when all is well.
	Probe(ctx context.Context) error
}

// Faults of engines.
var (
	ErrTimeout           = fault.New(fault.Unavailable, "render_timeout", "The document was not rendered within its time limit.")
	ErrEngineLost        = fault.New(fault.Unavailable, "engine_lost", "The rendering engine died while the document was being rendered.")
	ErrEngineUnavailable = fault.New(fault.Unavailable, "engine_unavailable", "The rendering engine cannot be started at the moment.")
	ErrDocumentTooLarge  = fault.New(fault.Invalid, "document_too_large", "The document is larger than this server allows.")
	ErrPageFailed        = fault.New(fault.Invalid, "page_failed", "The page could not be rendered.")
	ErrPageTooComplex    = fault.New(fault.Invalid, "page_too_complex", "The page is more than the rendering engine takes.")
	ErrOutsideSubset     = fault.New(fault.Invalid, "outside_native_subset", "The page uses what the native engine does not draw.")
	ErrWaitTimeout       = fault.New(fault.Invalid, "wait_for_timeout", "What the job waits for did not come in time.")
	ErrURLFailed         = fault.New(fault.Unavailable, "url_failed", "The page at the URL could not be loaded.")
	ErrURLRefused        = fault.New(fault.Invalid, "url_refused", "The server of the URL refused to show the page.")
	ErrPageRange         = fault.New(fault.Invalid, "page_range_empty", "The document has none of the pages that were asked for.")
)

// ErrNotHere is the cause of an [ErrEngineUnavailable] that is about this worker and the page at hand: an engine that the page needs
// and the worker was never meant to have. The worker is well, and another one may have it.
var ErrNotHere = errors.New("no such engine here")

// ErrDefect is the cause of an error that is the engine's own rather than about the page: it panicked, say. Another engine may
// do better.
var ErrDefect = errors.New("defect of the engine")

// Names of engines, as clients write them and reports tell them.
const (
	Auto     = "auto" // whichever is right for the page
	Native   = "native"
	Chromium = "chromium"
)

// OutsideError is the error of an engine that draws some pages only, for one that is not among them. Such an engine says
// so before it has written anything, so that another one can take its place. It is an [ErrOutsideSubset].
type OutsideError struct {
	Reason string // the first that was found, in a few words: "`columns: 2` at line 12, and 3 more"
	Detail string // all of it, for the owner of the page
}

// Error implements error.
func (e *OutsideError) Error() string { return "outside of the subset: " + e.Reason }

// Unwrap returns the fault with the detail as its message.
func (e *OutsideError) Unwrap() error { return ErrOutsideSubset.With("%s", e.Detail) }

// Request is a page ready to be rendered: a template has been filled in, Markdown has become HTML and the
// resources that the page names have been fetched.
type Request struct {
	HTML string
	// URL is the address of a page on the web, in place of HTML; only a browser renders it.
	URL string
	// Wait is what the page must show before its document is made; only a browser waits.
	Wait Wait
	// Resources holds what the page may load without the network, by the address that the page uses:
	// "logo.png" for a file of the job, "https://…" for one that was fetched. It may be nil.
	Resources map[string]Resource
	Output    Output
	// Engine is which one shall render, for an engine that is several; the zero value is [Auto].
	Engine string
	// MaxBytes bounds the document; more is [ErrDocumentTooLarge]. Zero means no bound.
	MaxBytes int64
	// Alone asks for a process that no other render shares, and that ends with this one: for a page that was there when a
	// shared one died. If it is what killed it, it now kills nobody else; if not, nobody takes it along a second time.
	Alone bool
	// Progress, when not nil, is told 0–100 now and then. It must not block.
	Progress func(percent int)
}

// Resource is one thing that a page loads.
type Resource struct {
	ContentType string // a media type; "" is treated as application/octet-stream
	Body        []byte
}

// Report says what made the bytes.
type Report struct {
	Engine      string // its name; with an error too, once it is known
	Reason      string // why this one, where it was not the first choice; "" otherwise
	Version     string // the engine's own
	Pages       int    // 1 for an image
	ContentType string // of what was written
	// Fonts is the hex SHA-256 of all fonts that the engine could choose from.
	Fonts    string
	Warnings []Warning
	// Online says that the engine has asked the network for something that the request did not bring along: another time it may get
	// something else.
	Online bool
}

// Warning is something that did not stop the document but that its owner must know: a missing image, say. [Strict] says which
// of them stop a document that shall have none.
type Warning struct {
	Code   string // stable, snake_case: one of those below, or another that stops nothing
	Detail string // "NAME: what happened", where it is about a resource
}

// MergeWarnings appends the warnings that are about something new: what the resource step could not fetch the engine often
// misses again.
func MergeWarnings(warnings, more []Warning) []Warning {
	about := func(w Warning) string {
		name, _, _ := strings.Cut(w.Detail, ": ")
		return name
	}
	known := map[string]bool{}
	for _, w := range warnings {
		known[about(w)] = true
	}
	for _, w := range more {
		if !known[about(w)] {
			warnings = append(warnings, w)
		}
	}
	return warnings
}

// Format is what kind of document is made.
type Format string

// The formats.
const (
	PDF  Format = "pdf"
	PNG  Format = "png"
	JPEG Format = "jpeg"
)

// contentTypes are the media types of the formats.
var contentTypes = map[Format]string{PDF: "application/pdf", PNG: "image/png", JPEG: "image/jpeg"}

// ContentType returns the media type of a format. Several images of one document come as [ArchiveType] instead.
func (f Format) ContentType() string { return contentTypes[f] }

// IsImage reports whether a format is a picture.
func (f Format) IsImage() bool { return f == PNG || f == JPEG }

// ArchiveType is the media type of a document that is several pictures, one for each page.
const ArchiveType = "application/zip"

// Output is how the document shall look. Lengths are millimetres. Use [DefaultOutput] as a base: the zero
// value has no paper.
type Output struct {
	Format Format
	// Width and Height are those of the paper in portrait; an @page size of the document wins over them.
	Width, Height float64
	Landscape     bool
	Margin        Margin
	Scale         float64 // 0.1–2
	// Header and Footer are HTML for the margins, with the browser's classes (pageNumber, totalPages, …).
	Header, Footer string
	Background     bool
	Tagged         bool
	Locale         string // BCP 47
	TimeZone       string // IANA name
	FullPage       bool   // images only: the whole page instead of one sheet
	// Pages are those that the document has of all that there would be, ascending and without overlap; none is all. An image of chosen pages is drawn from the
	// printed sheets: one picture, or an archive of several. An image without is of the page as a screen shows it.
	Pages []PageRange `json:",omitempty"`
	// Meta is what a PDF says about itself.
	Meta    Meta `json:",omitzero"`
	Outline bool `json:",omitempty"` // PDF only: bookmarks made of the headings
	DPI     int  `json:",omitempty"` // images only: dots an inch of a chosen page; 0 is [DefaultDPI]
	Quality int  `json:",omitempty"` // JPEG only: 1–100; 0 is [DefaultQuality]
}

// Defaults of images.
const (
	DefaultDPI     = 144
	DefaultQuality = 85
)

// PageRange is a run of pages, both ends included and counted from 1. A Last of 0 is the end of the document.
type PageRange struct{ First, Last int }

// Number is the number that the nth page of the document has among all that there would be. Both count from 1.
func (o Output) Number(nth int) int {
	for _, r := range o.Pages {
		if many := r.Last - r.First + 1; r.Last != 0 && nth > many {
			nth -= many
			continue
		}
		return r.First + nth - 1
	}
	return nth
}

// Printed reports whether the document is made of sheets: a PDF, or images of chosen pages.
func (o Output) Printed() bool { return o.Format == PDF || len(o.Pages) > 0 }

// Chosen reports whether a page, counted from 1, is among those that the document has.
func (o Output) Chosen(page int) bool {
	return len(o.Pages) == 0 || slices.ContainsFunc(o.Pages, func(r PageRange) bool {
		return r.First <= page && (page <= r.Last || r.Last == 0)
	})
}

// Meta is what a PDF says about itself (ISO 32000-1, 14.3.3). An empty Title is that of the page.
type Meta struct{ Title, Author, Subject, Keywords string }

// Margin holds the four margins in millimetres.
type Margin struct{ Top, Right, Bottom, Left float64 }

// DefaultOutput is a PDF on A4 with 20 mm margins, backgrounds printed, untagged, en, UTC: never the
// machine's locale or zone.
func DefaultOutput() Output {
	return Output{
		Format: PDF, Width: Papers["a4"].Width, Height: Papers["a4"].Height,
		Margin: Margin{20, 20, 20, 20}, Scale: 1, Background: true,
		Locale: "en", TimeZone: "UTC", FullPage: true,
	}
}

// Paper is a sheet in portrait, in millimetres.
type Paper struct{ Width, Height float64 }

// Papers are the named sizes (ISO 216 and ANSI).
var Papers = map[string]Paper{
	"a3":      {297, 420},
	"a4":      {210, 297},
	"a5":      {148, 210},
	"a6":      {105, 148},
	"letter":  {215.9, 279.4},
	"legal":   {215.9, 355.6},
	"tabloid": {279.4, 431.8},
}
