package pdf

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Levels of the compressors. Of the contents of pages, one more takes twice the time and saves a hundredth of the file, and one less costs as much.
// A font program is curves for the most part, of which a compressor makes little: two levels less cost it a hundredth and save a quarter of the time.
const (
	levelOfStreams = 6
	levelOfFonts   = 4
)

// compressor is one, with the room for what it makes. What it makes is valid until it is used again.
type compressor struct {
	*zlib.Writer

	out  bytes.Buffer
	page []byte // room for the content of a page
}

// compressors of one level that wait for work.
type compressors struct{ idle sync.Pool }

// maxIdle bounds the room that an idle compressor keeps, in bytes of each kind.
const maxIdle = 1 << 20

// Press is what documents share so that each need not make it anew: compressors, whose tables take a megabyte, and
// font programs and pictures that were compressed before. No document can tell
// whether there were others before it. The zero Press is ready. It is safe for concurrent use; do not copy it.
type Press struct {
	streams, fonts compressors
	shelf          shelf
}

// New begins a document. It stops when ctx ends. The caller keeps w open until Close has returned.
func (p *Press) New(ctx context.Context, w io.Writer, info Info, limits Limits) *Document {
	limits = limits.withDefaults()
	d := &Document{
		file: newFile(ctx, w, limits.Bytes, p), info: info, limits: limits,
		fontOf: map[Typeface]*fontUse{}, images: map[digest]*Image{}, places: map[string]destination{},
		resources: newResources(),
	}
	d.spare = d.file.streams.page
	d.shared, d.root = d.file.alloc(), d.file.alloc()
	return d
}

// New begins a document that shares nothing with others, as [Press.New] does.
func New(ctx context.Context, w io.Writer, info Info, limits Limits) *Document {
	return new(Press).New(ctx, w, info, limits)
}

// lend returns a compressor, which is to be given back.
func (c *compressors) lend(level int) *compressor {
	if idle, ok := c.idle.Get().(*compressor); ok {
		return idle
	}
	z, err := zlib.NewWriterLevel(io.Discard, level)
	if err != nil {
		z = zlib.NewWriter(io.Discard) // the level is one that exists
	}
	return &compressor{Writer: z}
}

// giveBack takes a compressor back.
func (c *compressors) giveBack(z *compressor) {
	if z.out.Cap() > maxIdle {
		z.out = bytes.Buffer{}
	}
	if cap(z.page) > maxIdle {
		z.page = nil
	}
	c.idle.Put(z)
}

// restart begins another stream.
func (z *compressor) restart() {
	z.out.Reset()
	z.Reset(&z.out)
}
