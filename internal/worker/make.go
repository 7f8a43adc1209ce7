package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime/debug"
	"time"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/checks"
)

// Composer makes what an engine is asked from what a client asked: the template is filled in, Markdown becomes HTML,
// resources are fetched.
type Composer func(ctx context.Context, j jobs.Job, s jobs.Spec) (Composed, error)

// Composed is a page that an engine can take.
type Composed struct {
	Request  render.Request
	Warnings []render.Warning
	// OwnIdentity says that the page prints which document it is: no other document has its bytes.
	OwnIdentity bool
	// Made is what is known of the page before it is rendered: all but Fonts and Attempts.
	Made jobs.Provenance
}

// Maker makes bytes of what was asked, and puts them into the blob store: the one way for jobs, for previews and for making a
// document anew, so that all make the same. Safe for concurrent use.
type Maker struct {
	Blobs   jobs.Blobs
	Compose Composer
	Engine  render.Engine
	// MaxBytes bounds a document; 0 is no bound.
	MaxBytes int64
	// Text reads the text of each page of a PDF, for what is expected of a document.
	Text func(ctx context.Context, pdf []byte) ([]string, error)
}

// Making is how one document is made.
type Making struct {
	Blob string // where the bytes go
	// Alone asks for an engine of its own, see [render.Request].
	Alone    bool
	Progress func(percent int) // nil for nobody
}

// Made is what is in the blob store then. Without a document it tells the engine and the warnings at most.
type Made struct {
	Result   jobs.Result
	Warnings []render.Warning
	Online   bool // as in [render.Report]
	// Rendering is how long the engine took, its writing into the blob store included; 0 when it was not asked.
	Rendering time.Duration
}

// Make makes the document of a job, or of a preview that looks like one. It writes nothing but the blob. After an error that may
// be there or not.
func (m *Maker) Make(ctx context.Context, j jobs.Job, s jobs.Spec, how Making) (Made, error) {
	page, err := m.page(ctx, j, s)
	if err != nil {
		return Made{}, err
	}
	return m.bytes(ctx, j, s, page, how)
}

// page is the first half: what an engine takes.
func (m *Maker) page(ctx context.Context, j jobs.Job, s jobs.Spec) (Composed, error) {
	page, err := m.compose(ctx, j, s)
	if err != nil {
		return Composed{}, fmt.Errorf("compose: %w", err)
	}
	return page, nil
}

// bytes is the second half.
func (m *Maker) bytes(ctx context.Context, j jobs.Job, s jobs.Spec, page Composed, how Making) (Made, error) {
	req := page.Request
	req.Engine, req.MaxBytes, req.Alone, req.Progress = s.Engine, m.MaxBytes, how.Alone, how.Progress
	started := time.Now()
	report, sum, err := m.render(ctx, how.Blob, req)
	rendering := time.Since(started)
	warnings := render.MergeWarnings(page.Warnings, report.Warnings)
	failed := Made{Result: jobs.Result{Engine: report.Engine, Reason: report.Reason}, Warnings: warnings, Rendering: rendering}
	if err != nil {
		return failed, err
	}
	finished := checks.Document{
		ContentType: report.ContentType, Pages: report.Pages, Bytes: sum.bytes, Warnings: warnings,
		Text: func(ctx context.Context) ([]string, error) { return m.text(ctx, how.Blob) },
	}
	if err := checks.Check(ctx, finished, s.Expect, s.Strict); err != nil {
		return failed, errors.Join(err, m.discard(ctx, how.Blob))
	}
	page.Made.Fonts, page.Made.Attempts = report.Fonts, j.Attempt
	return Made{
		Warnings: warnings, Online: report.Online, Rendering: rendering,
		Result: jobs.Result{
			Blob: how.Blob, SHA256: sum.hex(), Bytes: sum.bytes, Pages: report.Pages, ContentType: report.ContentType,
			Filename: filename(j, s, report.ContentType), Engine: report.Engine, Version: report.Version, Reason: report.Reason,
			Made: &page.Made,
		},
	}, nil
}

// text is that of a finished document: of the bytes in the blob store, whatever they were made of.
func (m *Maker) text(ctx context.Context, blob string) (pages []string, err error) {
	defer caught(&err)
	pdf, err := jobs.ReadBlob(ctx, m.Blobs, blob)
	if err != nil {
		return nil, err
	}
	return m.Text(ctx, pdf)
}

// discard removes a blob. What is left the janitor finds.
func (m *Maker) discard(ctx context.Context, blob string) error {
	if err := m.Blobs.Delete(context.WithoutCancel(ctx), blob); err != nil {
		return fmt.Errorf("remove what was not issued: %w", err)
	}
	return nil
}

// render streams what the engine writes into the blob store, which keeps all of it or nothing.
func (m *Maker) render(ctx context.Context, blob string, req render.Request) (render.Report, *checksum, error) {
	pr, pw := io.Pipe()
	type answer struct {
		report render.Report
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		report, err := m.engine(ctx, pw, req)
		_ = pw.CloseWithError(err) // never fails
		done <- answer{report, err}
	}()
	sum := &checksum{hash: sha256.New()}
	putErr := m.Blobs.Put(ctx, blob, io.TeeReader(pr, sum))
	_ = pr.CloseWithError(errStorage) // an engine still writing stops
	engine := <-done
	if engine.err != nil && !errors.Is(engine.err, errStorage) {
		return engine.report, sum, engine.err
	}
	if putErr != nil {
		return engine.report, sum, fmt.Errorf("store document: %w", putErr)
	}
	return engine.report, sum, engine.err
}

var errStorage = errors.New("storage ended the document")

func (m *Maker) compose(ctx context.Context, j jobs.Job, s jobs.Spec) (page Composed, err error) {
	defer caught(&err)
	return m.Compose(ctx, j, s)
}

func (m *Maker) engine(ctx context.Context, w io.Writer, req render.Request) (report render.Report, err error) {
	defer caught(&err)
	return m.Engine.Render(ctx, w, req)
}

// caught keeps a panic over one page from taking the worker, and the jobs beside it, with it.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = render.ErrPageFailed.Because(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}

// filename is the caller's, or made of the document's id.
func filename(j jobs.Job, s jobs.Spec, contentType string) string {
	if s.Filename != "" {
		return s.Filename
	}
	ending := string(s.Output.Format)
	if contentType == render.ArchiveType {
		ending = "zip"
	}
	return string(j.Document) + "." + ending
}

// checksum counts and hashes what passes.
type checksum struct {
	hash  hash.Hash
	bytes int64
}

func (c *checksum) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return c.hash.Write(p)
}

func (c *checksum) hex() string { return hex.EncodeToString(c.hash.Sum(nil)) }
