package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// program is PDFium, compiled.
type program struct {
	ready chan struct{} // closed when it has started, or not
	err   error
	pool  pdfium.Pool
	cache wazero.CompilationCache
	own   string // a folder that goes with it
}

func newProgram() *program { return &program{ready: make(chan struct{})} }

// await waits for the start.
func (p *program) await(ctx context.Context) error {
	select {
	case <-p.ready:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *program) failed() bool {
	select {
	case <-p.ready:
		return p.err != nil
	default:
		return false
	}
}

// start compiles PDFium. After an error nothing of it is left.
func (p *program) start(o Options) {
	defer close(p.ready)
	began := time.Now()
	if err := p.compile(o); err != nil {
		p.err = errors.Join(fmt.Errorf("start PDFium: %w", err), p.stop())
		return
	}
	o.Logger.Info("PDFium started", slog.Duration("took", time.Since(began)))
}

// compile looks into the folder first. One that is of no use costs time and nothing else.
func (p *program) compile(o Options) error {
	if o.Dir != "" {
		err := private(o.Dir)
		if err == nil {
			err = p.compileIn(o.Dir, o)
		}
		if err == nil {
			return nil
		}
		o.Logger.Warn("the folder for compiled programs is not used", slog.String("path", o.Dir), slog.Any("error", errors.Join(err, p.stop())))
	}
	own, err := os.MkdirTemp("", "platen-pdfium-")
	if err != nil {
		return err
	}
	p.own = own
	if err := p.compileIn(own, o); err != nil {
		return err
	}
	debug.FreeOSMemory() // the compiler has taken more than all documents will
	return nil
}

func (p *program) compileIn(dir string, o Options) (err error) {
	if p.cache, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
		return err
	}
	p.pool, err = webassembly.Init(webassembly.Config{
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCompilationCache(p.cache).
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling). // PDFium does setjmp and longjmp by exceptions
			WithMemoryLimitPages(uint32(min(o.Memory, maxMemory) >> pageBits)).                //nolint:gosec // it fits
			WithCloseOnContextDone(true),
		FSConfig: wazero.NewFSConfig(), // none: the default of the library is all of the machine
		Stdout:   io.Discard, Stderr: io.Discard, RandomSource: zeros{},
		MaxTotal: o.Pool,
	})
	return err
}

// The memory of a program of 32 bits has at most 4 GiB, in pages of 64 KiB.
const (
	maxMemory = 4<<30 - 1
	pageBits  = 16
)

// private makes a folder if need be, and reports whether others could put a program of theirs into it.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Stat(dir, &stat); err != nil {
		return &os.PathError{Op: "stat", Path: dir, Err: err}
	}
	if uid := os.Geteuid(); int(stat.Uid) != uid && stat.Uid != 0 || stat.Mode&0o022 != 0 {
		return errNotPrivate
	}
	return nil
}

var errNotPrivate = errors.New("others can write there")

// stop ends what has started. Instances that are in use must have ended.
func (p *program) stop() error {
	var errs []error
	if p.pool != nil {
		errs = append(errs, p.pool.Close())
	}
	if p.cache != nil {
		errs = append(errs, p.cache.Close(context.Background()))
	}
	if p.own != "" {
		errs = append(errs, os.RemoveAll(p.own))
	}
	p.pool, p.cache, p.own = nil, nil, ""
	return errors.Join(errs...)
}

// zeros is what PDFium gets for chance, so that equal documents look alike.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
