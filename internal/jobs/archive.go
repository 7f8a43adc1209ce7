package jobs

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/platen-render/platen/api"
)

// Archive writes a zip of a batch that has ended: the signed manifest as [api.ArchiveManifest], then the bytes of each document that the
// manifest gives a file, compared with their digest. After an error what was written is no zip: it lacks its directory. [ErrBatchPending]
// comes before anything is written.
//
// Files are stored and not deflated: the streams in a PDF are compressed already, as pictures are, so that it would cost a core and save a
// few percent. Their sizes and checksums stand before them, so that readers that go through a zip from its beginning can read it too.
func (c *CloseOut) Archive(ctx context.Context, w io.Writer, b Batch) error {
	a := archive{zip: zip.NewWriter(w), open: c.Open}
	manifest, err := a.zip.CreateHeader(&zip.FileHeader{Name: api.ArchiveManifest, Method: zip.Deflate, Modified: b.Finished.UTC()})
	if err != nil {
		return fmt.Errorf("begin archive: %w", err)
	}
	listed, err := c.manifest(ctx, manifest, b)
	if err != nil {
		return err
	}
	again := manifestWriter{to: io.Discard, whole: sha256.New(), entries: sha256.New()}
	for f, err := range a.ahead(ctx, c.entries(ctx, b)) {
		if err == nil {
			err = again.add(f.ManifestEntry)
		}
		if err == nil && f.content != nil {
			err = a.add(ctx, f)
		}
		if err != nil {
			return err
		}
	}
	if !bytes.Equal(again.entries.Sum(nil), listed) {
		return errCloseOut.Because(fmt.Errorf("%w: an entry has changed", errChanged))
	}
	if err := a.zip.Close(); err != nil {
		return fmt.Errorf("end archive: %w", err)
	}
	return nil
}

// archive is a zip on its way.
type archive struct {
	zip  *zip.Writer
	open func(ctx context.Context, d Document) (io.ReadSeekCloser, error)
}

// add writes one document whose bytes were found to be the issued ones.
func (a *archive) add(ctx context.Context, f found) error {
	out, err := a.zip.CreateRaw(header(*f.File, *f.content, f.crc))
	if err != nil {
		return fmt.Errorf("file of %s: %w", f.content.ID, err)
	}
	if f.kept != nil {
		_, err = out.Write(f.kept)
		return err
	}
	return a.copy(ctx, out, *f.content)
}

// maxKept is how large a document may be that is kept in memory between the reading that measures it and its writing. A larger one is
// read twice.
const maxKept = 1 << 20

// measure reads a document, finds that its bytes are the issued ones, and keeps them unless they are many.
func (a *archive) measure(ctx context.Context, d Document) (kept []byte, crc uint32, err error) {
	check := crc32.NewIEEE()
	if d.Result.Bytes > maxKept {
		err = a.copy(ctx, check, d)
		return nil, check.Sum32(), err
	}
	b := bytes.NewBuffer(make([]byte, 0, d.Result.Bytes+1))
	err = a.copy(ctx, io.MultiWriter(b, check), d)
	return b.Bytes(), check.Sum32(), err
}

// ErrBytesAltered is the cause when the bytes of an issued document are not those that were issued. That must never be, and is for the
// operator to heal.
var ErrBytesAltered = errors.New("bytes of an issued document were altered")

// copy copies the bytes of a document, and fails unless they are all there and those that were issued.
func (a *archive) copy(ctx context.Context, w io.Writer, d Document) error {
	content, err := a.open(ctx, d)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // nothing was written
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(sum, w), io.LimitReader(issued{content, d}, d.Result.Bytes+1))
	if err == nil && (n != d.Result.Bytes || hex.EncodeToString(sum.Sum(nil)) != d.Result.SHA256) {
		err = unreadable(d, ErrBytesAltered)
	}
	return err
}

// issued reads a document, and tells its errors from those of whom it is written to.
type issued struct {
	io.Reader
	d Document
}

func (r issued) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable(r.d, err)
	}
	return n, err
}

func unreadable(d Document, err error) error {
	return aboutDocument(errUnreadable, d).Because(fmt.Errorf("%w: %s", err, d.Result.Blob))
}

// header is that of a stored file, complete.
func header(name string, d Document, crc uint32) *zip.FileHeader {
	size := uint64(d.Result.Bytes) //nolint:gosec // never negative
	const utf8Name = 0x800         // APPNOTE.TXT, section 4.4.4, bit 11
	h := &zip.FileHeader{Name: name, Method: zip.Store, Flags: utf8Name, CRC32: crc, CompressedSize64: size, UncompressedSize64: size}
	h.ModifiedDate, h.ModifiedTime = dosTime(d.Issued.UTC()) //nolint:staticcheck // CreateRaw writes these and no others
	return h
}

// dosTime is a time as a zip has it, in steps of two seconds from 1980 on (APPNOTE.TXT, section 4.4.6).
func dosTime(t time.Time) (date, clock uint16) {
	const firstYear = 1980
	if t.Year() < firstYear {
		return 1<<5 | 1, 0
	}
	//nolint:gosec // all of them fit until 2107
	return uint16(t.Year()-firstYear)<<9 | uint16(t.Month())<<5 | uint16(t.Day()), uint16(t.Hour())<<11 | uint16(t.Minute())<<5 | uint16(t.Second()/2)
}
