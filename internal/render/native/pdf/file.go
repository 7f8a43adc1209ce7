package pdf

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/klauspost/compress/zlib"

	"github.com/platen-render/platen/internal/render"
)

// file is the frame of a PDF: numbered objects and where they stand. Streams go out at once; other objects are gathered in object
// streams (7.5.7), and a cross-reference stream (7.5.8) ends the file.
type file struct {
	ctx    context.Context
	w      io.Writer
	max    int64 // 0 means no bound
	size   int64
	digest hash.Hash
	places []place // by object number
	err    error

	gathered []byte // bodies of the object stream that is being filled
	members  []member
	press    *Press
	streams  *compressor // of everything but font programs
}

// place says where an object stands: at an offset, or as a member of an object stream.
type place struct {
	kind   byte // 0 nowhere, 1 at offset, 2 in the stream numbered at
	at     int64
	member int
}

type member struct {
	ref    ref
	offset int
}

// membersPerStream is a compromise: a reader unpacks a whole object stream to get at one member.
const membersPerStream = 200

func newFile(ctx context.Context, w io.Writer, limit int64, press *Press) *file {
	f := &file{ctx: ctx, w: w, max: limit, digest: sha256.New(), places: make([]place, 1), press: press, streams: press.streams.lend(levelOfStreams)}
	// The four bytes tell transfer programs that the file is binary (7.5.2).
	f.write([]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"))
	return f
}

// release gives the compressor back, with room for pages, for one that has made nothing yet.
func (f *file) release(spare []byte) {
	f.streams.page = spare[:0]
	f.press.streams.giveBack(f.streams)
	f.streams = &compressor{Writer: zlib.NewWriter(io.Discard)}
}

// fail keeps the first error.
func (f *file) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// alive reports whether work still makes sense.
func (f *file) alive() bool {
	if f.err == nil && f.ctx.Err() != nil {
		f.err = context.Cause(f.ctx)
	}
	return f.err == nil
}

func (f *file) write(p []byte) {
	if !f.alive() {
		return
	}
	if f.max > 0 && f.size+int64(len(p)) > f.max {
		f.fail(render.ErrDocumentTooLarge)
		return
	}
	f.digest.Write(p)
	n, err := f.w.Write(p)
	f.size += int64(n)
	if err != nil {
		f.fail(fmt.Errorf("write document: %w", err))
	}
}

// alloc gives the next object number, to be referred to before the object is written.
func (f *file) alloc() ref {
	f.places = append(f.places, place{})
	return ref(len(f.places) - 1)
}

// object writes an object that is no stream.
func (f *file) object(r ref, body []byte) {
	f.members = append(f.members, member{r, len(f.gathered)})
	f.gathered = append(f.gathered, body...)
	f.gathered = append(f.gathered, '\n')
	if len(f.members) == membersPerStream {
		f.flushMembers()
	}
}

func (f *file) flushMembers() {
	if len(f.members) == 0 {
		return
	}
	self := f.alloc()
	var index []byte
	for i, m := range f.members {
		index = strconv.AppendInt(index, int64(m.ref), 10)
		index = append(index, ' ')
		index = strconv.AppendInt(index, int64(m.offset), 10)
		index = append(index, ' ')
		f.places[m.ref] = place{kind: 2, at: int64(self), member: i}
	}
	entries := fmt.Appendf(nil, "/Type/ObjStm/N %d/First %d", len(f.members), len(index))
	f.stream(self, entries, append(index, f.gathered...))
	f.members, f.gathered = f.members[:0], f.gathered[:0]
}

// stream writes a stream, compressed. Entries are those of its dictionary beyond length and filter.
func (f *file) stream(r ref, entries, data []byte) {
	f.raw(r, append([]byte("/Filter/FlateDecode"), entries...), f.deflate(f.streams, data))
}

// raw writes a stream whose data are encoded already. Its dictionary names the filter.
func (f *file) raw(r ref, entries, data []byte) {
	f.places[r] = place{kind: 1, at: f.size}
	f.write(fmt.Appendf(nil, "%d 0 obj\n<<%s/Length %d>>\nstream\n", r, entries, len(data)))
	f.write(data)
	f.write([]byte("\nendstream\nendobj\n"))
}

// deflate compresses data. The result is valid until z is used again.
func (f *file) deflate(z *compressor, data []byte) []byte {
	z.restart()
	for len(data) > 0 && f.alive() {
		n := min(len(data), 1<<20)
		f.deflateSome(z, data[:n])
		data = data[n:]
	}
	return f.deflated(z)
}

func (f *file) deflateSome(z *compressor, data []byte) {
	if _, err := z.Write(data); err != nil {
		f.fail(fmt.Errorf("compress: %w", err))
	}
}

// deflated ends a stream.
func (f *file) deflated(z *compressor) []byte {
	if err := z.Close(); err != nil {
		f.fail(fmt.Errorf("compress: %w", err))
	}
	return z.out.Bytes()
}

// finish writes the cross-reference stream and the end of the file.
func (f *file) finish(root, info ref) error {
	f.flushMembers()
	id := f.digest.Sum(nil)[:16]
	self := f.alloc()
	start := f.size
	f.places[self] = place{kind: 1, at: start}
	rows := make([]byte, 0, 11*len(f.places))
	for _, p := range f.places {
		rows = append(rows, p.kind)
		rows = appendBigEndian(rows, p.at, 8)
		rows = appendBigEndian(rows, int64(p.member), 2)
	}
	entries := fmt.Appendf(nil, "/Type/XRef/Size %d/W[1 8 2]/Root %d 0 R/Info %d 0 R/ID[<%X><%X>]", len(f.places), root, info, id, id)
	f.stream(self, entries, rows)
	f.write(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
	return f.err
}

func appendBigEndian(b []byte, v int64, width int) []byte {
	for shift := 8 * (width - 1); shift >= 0; shift -= 8 {
		b = append(b, byte(v>>shift)) //nolint:gosec // G115: one byte after the other is the point
	}
	return b
}
