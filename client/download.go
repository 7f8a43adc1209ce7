package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
)

// Download writes the bytes of an issued document to w and returns its record. The sha256 of what was written has been
// compared with the record's, which was asked for separately; when they differ the error is an [ErrDigest]. After any
// error discard what was written, which may be a part: [Client.DownloadFile] does that by itself.
//
// Errors: [api.CodeDocumentPending], [api.CodeDocumentNotIssued], [api.CodeDocumentPurged], [api.CodeDocumentNotFound];
// what w returns.
func (c *Client) Download(ctx context.Context, id string, w io.Writer) (api.Document, error) {
	return c.download(ctx, id, func() (io.Writer, error) { return w, nil }, false)
}

// download fetches a document into what target returns. When that gives an empty writer each time, a transfer that
// breaks off is repeated; otherwise only one that has not begun.
func (c *Client) download(ctx context.Context, id string, target func() (io.Writer, error), restartable bool) (api.Document, error) {
	document, err := c.Document(ctx, id)
	if err != nil {
		return api.Document{}, err
	}
	digest, err := c.fetch(ctx, id, target, restartable)
	if err != nil {
		return api.Document{}, err
	}
	if document.SHA256 == nil { // it was issued between the two requests
		if document, err = c.Document(ctx, id); err != nil {
			return api.Document{}, err
		}
	}
	if document.SHA256 == nil || digest != *document.SHA256 {
		return api.Document{}, otherBytes(digest)
	}
	return document, nil
}

func otherBytes(digest string) error { return fmt.Errorf("%w: their sha256 is %s", ErrDigest, digest) }

// fetch is download without the comparison: it returns the sha256 of what arrived.
func (c *Client) fetch(ctx context.Context, id string, target func() (io.Writer, error), restartable bool) (string, error) {
	path, err := segment("/documents/", id, "/content")
	if err != nil {
		return "", err
	}
	return c.pull(ctx, path, target, restartable)
}

// pull fetches what is long into what target returns, and returns its sha256. When target gives an empty writer each time, a transfer that
// breaks off is repeated; otherwise only one that has not begun.
func (c *Client) pull(ctx context.Context, path string, target func() (io.Writer, error), restartable bool) (string, error) {
	began, digest := false, ""
	err := c.repeat(ctx, false, func() error {
		w, err := target()
		if err != nil {
			return err
		}
		digest, err = c.transfer(ctx, path, w, &began)
		if cut, ok := errors.AsType[unanswered](err); ok && began && !restartable {
			return cut.error
		}
		return err
	})
	return digest, err
}

// transfer fetches the content once and returns its sha256. It sets began when the content starts to arrive.
func (c *Client) transfer(ctx context.Context, path string, w io.Writer, began *bool) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// A transfer may take as long as it likes, as long as it moves.
	stall := time.AfterFunc(patience, func() { cancel(errPatience) })
	defer stall.Stop()

	res, err := c.send(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	*began = true
	digest := sha256.New()
	body := &reader{from: res.Body, moved: func() { stall.Reset(patience) }}
	_, err = io.Copy(io.MultiWriter(w, digest), body)
	switch {
	case body.err != nil:
		return "", classify(ctx, fmt.Errorf("read the content: %w", body.err))
	case err != nil:
		return "", fmt.Errorf("write the content: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// reader tells that bytes have moved, and keeps the error that ended them.
type reader struct {
	from  io.Reader
	moved func()
	err   error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if n > 0 {
		r.moved()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
