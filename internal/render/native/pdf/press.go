package pdf

import (
	"context"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// level is that of the compressor. One more takes twice the time and saves a hundredth of the file.
const level = 6

// Press is what documents share so that each need not make it anew: compressors, whose tables take a megabyte, and
// font programs and pictures that were compressed before. No document can tell
// whether there were others before it. The zero Press is ready. It is safe for concurrent use; do not copy it.
type Press struct {
	idle  sync.Pool // of *zlib.Writer
	shelf shelf
}

// New begins a document. It stops when ctx ends. The caller keeps w open until Close has returned.
func (p *Press) New(ctx context.Context, w io.Writer, info Info, limits Limits) *Document {
	limits = limits.withDefaults()
	d := &Document{
		file: newFile(ctx, w, limits.Bytes, p), info: info, limits: limits,
		fontOf: map[Typeface]*fontUse{}, images: map[digest]*Image{}, places: map[string]destination{},
		resources: newResources(),
	}
	d.shared, d.root = d.file.alloc(), d.file.alloc()
	return d
}

// New begins a document that shares nothing with others, as [Press.New] does.
func New(ctx context.Context, w io.Writer, info Info, limits Limits) *Document {
	return new(Press).New(ctx, w, info, limits)
}

// deflater lends a compressor.
func (p *Press) deflater() *zlib.Writer {
	if idle, ok := p.idle.Get().(*zlib.Writer); ok {
		return idle
	}
	z, err := zlib.NewWriterLevel(io.Discard, level)
	if err != nil {
		return zlib.NewWriter(io.Discard) // the level is one that exists
	}
	return z
}

// giveBack takes a compressor back, which must not hold on to what it was used for.
func (p *Press) giveBack(z *zlib.Writer) {
	z.Reset(io.Discard)
	p.idle.Put(z)
}
