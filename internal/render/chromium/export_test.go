package chromium

import (
	"io"

	"github.com/platen-render/platen/internal/render"
)

// NewMessages reads what a browser says, without what is longer than limit.
func NewMessages(from io.ReadCloser, limit int) io.Reader { return newMessages(from, limit) }

// IsServed reports whether a page would be served at an origin of its own.
func IsServed(html string) bool { return newSite(render.Request{HTML: html}).served }

// CountPages counts the pages of a PDF and blanks its dates.
func CountPages(file []byte) (int, error) {
	p, err := parsePDF(file)
	if err != nil {
		return 0, err
	}
	if err := p.blankDates(); err != nil {
		return 0, err
	}
	return p.pages()
}
