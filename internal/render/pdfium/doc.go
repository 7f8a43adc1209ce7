// Package pdfium reads finished PDFs with PDFium, the reader of Chromium: their pages, their text and how they look. It is the home of
// go-pdfium, which runs PDFium as WebAssembly inside of this process: no cgo, and nothing that a document does to it reaches
// beyond its own sandbox, in which there are no files, no clock to trust and no network.
//
// PDFium is compiled when the first document comes. That takes seconds and a third of a gigabyte, or a tenth of a second where an earlier process has
// left the result in the folder of [Options.Dir].
package pdfium

import "github.com/platen-render/platen/internal/fault"

// Faults of documents.
var (
	ErrUnreadable = fault.New(fault.Invalid, "pdf_unreadable", "The document is no PDF that can be read.")
	ErrTooLarge   = fault.New(fault.Invalid, "pdf_too_large", "The document needs more memory than a reader has.")
	ErrNoPage     = fault.New(fault.Invalid, "pdf_page_unknown", "The document has no such page.")
)

// Version is that of the library, which other pixels may come with.
const Version = "1.21.4"
