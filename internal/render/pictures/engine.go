// Package pictures is the engine that makes images of chosen pages: another engine prints them, and they are drawn from the bytes that it
// has made. So a picture shows what the document would be on paper, whichever engine made it; a screen is for the browser.
package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/pdfium"
)

// Engine implements [render.Engine] by another one: images of chosen pages are drawn from what that prints, and all else is the other one's.
// Safe for concurrent use as both of them are.
type Engine struct {
	Printer render.Engine
	Reader  *pdfium.Reader
}

// Probe implements [render.Engine].
func (e *Engine) Probe(ctx context.Context) error { return e.Printer.Probe(ctx) }

// printed is the share of the way, in percent, that is behind when the pages are printed.
const printed = 60

// Render implements [render.Engine]. The bound on the document is also one on the PDF that it is drawn from.
func (e *Engine) Render(ctx context.Context, w io.Writer, req render.Request) (render.Report, error) {
	if !req.Output.Format.IsImage() || !req.Output.Printed() {
		return e.Printer.Render(ctx, w, req)
	}
	sheets := req
	sheets.Output.Format = render.PDF
	if req.Progress != nil {
		sheets.Progress = func(percent int) { req.Progress(percent * printed / 100) }
	}
	var pdf bytes.Buffer
	report, err := e.Printer.Render(ctx, &pdf, sheets)
	if err != nil {
		return report, err
	}
	report.Version += ", PDFium " + pdfium.Version
	out := &bounded{w: w, max: req.MaxBytes}
	report.ContentType, report.Pages, err = e.draw(ctx, out, req, pdf.Bytes())
	return report, ended(ctx, err)
}

// draw writes one picture, or an archive of several.
func (e *Engine) draw(ctx context.Context, w io.Writer, req render.Request, pdf []byte) (contentType string, count int, err error) {
	err = e.Reader.Read(ctx, pdf, func(d *pdfium.Document) error {
		count = d.Pages()
		drawn := func(page int) {
			if req.Progress != nil {
				req.Progress(printed + (100-printed)*page/count)
			}
		}
		if count == 1 {
			contentType = req.Output.Format.ContentType()
			defer drawn(1)
			return one(w, d, 1, req.Output)
		}
		contentType = render.ArchiveType
		return archive(ctx, w, d, req.Output, drawn)
	})
	return contentType, count, err
}

// ended names the reason of a failure: the end of ctx before the page, and the page before the reader.
func ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return render.ErrTimeout.Because(context.Cause(ctx))
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, pdfium.ErrTooLarge):
		return render.ErrDocumentTooLarge.With("A page would be a larger image than this server draws: choose fewer dots an inch.").Because(err)
	case errors.Is(err, pdfium.ErrUnreadable):
		return render.ErrPageFailed.With("The pages could not be drawn as images.").Because(err)
	}
	return err
}

// bounded refuses what is too much.
type bounded struct {
	w         io.Writer
	size, max int64 // a max of 0 is no bound
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.size += int64(len(p)); b.max > 0 && b.size > b.max {
		return 0, render.ErrDocumentTooLarge
	}
	n, err := b.w.Write(p)
	if err != nil {
		return n, fmt.Errorf("write the pictures: %w", err)
	}
	return n, nil
}
