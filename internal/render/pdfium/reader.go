package pdfium

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/platen-render/platen/internal/render"
)

// Options of a [Reader]. The zero value reads one document at a time.
type Options struct {
	// Dir keeps the compiled program from one process to the next. Whoever can write there can make this process run what they like. "" is
	// a folder of this process' own, which goes with it.
	Dir string
	// Pool is how many documents are read at the same time; 0 is one.
	Pool int
	// Memory bounds what PDFium takes for one document, the document itself included, in bytes; 0 is [DefaultMemory].
	Memory int64
	Logger *slog.Logger // nil logs nothing
}

// DefaultMemory holds a document of a hundred megabytes, and a page of [MaxPixels] beside it.
const DefaultMemory = 768 << 20

// Reader reads documents. PDFium starts with the first of them; each has an instance of its own, which is thrown away after it. End it with
// [Reader.Close]. Safe for concurrent use.
type Reader struct {
	opts  Options
	slots chan struct{}

	mu      sync.Mutex
	closed  bool
	current *program // the latest; it may have failed
	running sync.WaitGroup
}

// New returns a reader. Nothing is started and nothing can fail until it is used.
func New(o Options) *Reader {
	if o.Pool <= 0 {
		o.Pool = 1
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Reader{opts: o, slots: make(chan struct{}, o.Pool)}
}

var errClosed = errors.New("the reader of documents is closed")

// Start starts PDFium, where the first document would, and reports whether it has started.
func (r *Reader) Start(ctx context.Context) error {
	p, err := r.program() //nolint:contextcheck // a start belongs to the reader, not to who causes it
	if err != nil {
		return err
	}
	defer r.running.Done()
	return p.await(ctx)
}

// Read opens a document and calls do with it, which must not keep it. It waits for a free place first. When ctx ends it returns soon, with
// the cause of ctx; a document that PDFium cannot open is [ErrUnreadable], and PDFium that cannot be had a [render.ErrEngineUnavailable].
func (r *Reader) Read(ctx context.Context, pdf []byte, do func(*Document) error) error {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p, err := r.program() //nolint:contextcheck // a start belongs to the reader, not to who causes it
	if err != nil {
		return render.ErrEngineUnavailable.Because(err)
	}
	defer r.running.Done()
	if err := p.await(ctx); err != nil {
		return unavailable(ctx, err)
	}
	err = r.read(ctx, p, pdf, do)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// unavailable is the error of a start that failed: no document is to blame for it. That of a context that has ended stays.
func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return render.ErrEngineUnavailable.Because(err)
}

// read gives the document an instance, and ends that with ctx: nothing else stops a page that takes for ever.
func (r *Reader) read(ctx context.Context, p *program, pdf []byte, do func(*Document) error) error {
	if int64(len(pdf)) > r.opts.Memory/2 {
		return ErrTooLarge
	}
	instance, err := p.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return unavailable(ctx, fmt.Errorf("start a reader: %w", err))
	}
	end := sync.OnceFunc(func() { _ = instance.Kill() }) // that it has ended already is no error
	defer end()
	defer context.AfterFunc(ctx, end)()
	d, err := open(instance, pdf)
	if err != nil {
		return err
	}
	return do(d)
}

// program returns PDFium, and starts it when there is none or the last start failed. The caller calls r.running.Done when it is through with it.
func (r *Reader) program() (*program, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	r.running.Add(1)
	if r.current == nil || r.current.failed() {
		p := newProgram()
		r.current = p
		r.running.Go(func() { p.start(r.opts) })
	}
	return r.current, nil
}

// Close waits for documents that are being read and ends PDFium. Later ones are not read. It may be called more than once.
func (r *Reader) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.running.Wait()

	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.current
	r.current = nil
	if p == nil {
		return nil
	}
	return p.stop()
}

// Text returns the text of each page of a document.
func (r *Reader) Text(ctx context.Context, pdf []byte) (pages []string, err error) {
	err = r.Read(ctx, pdf, func(d *Document) error {
		for page := range d.Pages() {
			text, err := d.Text(page + 1)
			if err != nil {
				return err
			}
			pages = append(pages, text)
		}
		return nil
	})
	return pages, err
}
