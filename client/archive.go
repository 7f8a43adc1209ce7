package client

import (
	"context"
	"io"
	"os"
)

// Archive writes to w a zip of a batch that has ended: its signed manifest and the documents that were issued. After an error discard what
// was written, which may be a part: [Client.ArchiveFile] does that by itself. Errors: [api.CodeBatchPending], [api.CodeBatchNotFound]; what
// w returns.
func (c *Client) Archive(ctx context.Context, batch string, w io.Writer) error {
	return c.archive(ctx, batch, func() (io.Writer, error) { return w, nil }, false)
}

// ArchiveFile is [Client.Archive] into a file, in one step, as [Client.DownloadFile] does it. A transfer that breaks off is repeated.
func (c *Client) ArchiveFile(ctx context.Context, batch, path string) error {
	return ReplaceFile(path, func(f *os.File) error { return c.archive(ctx, batch, emptied(f), true) })
}

func (c *Client) archive(ctx context.Context, batch string, target func() (io.Writer, error), restartable bool) error {
	path, err := segment("/batches/", batch, "/archive")
	if err != nil {
		return err
	}
	_, err = c.pull(ctx, path, target, restartable)
	return err
}
