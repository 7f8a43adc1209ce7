package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// incompleteError says that a batch has ended and that not every document of it is there.
type incompleteError struct{ text string }

func (e incompleteError) Error() string { return e.text }

// afterwards is what is done with a batch once it is accepted.
type afterwards struct {
	command           *flags
	wait, asJSON      bool
	manifest, archive string
	folder            string
}

func (e *afterwards) endFlags(f *flags) {
	e.command = f
	f.StringVar(&e.manifest, "manifest", "", "wait, and save the signed manifest as `PATH`")
	f.StringVar(&e.archive, "archive", "", "wait, and save the documents as a zip, `PATH`")
	f.StringVar(&e.folder, "save", "", "wait, and save the documents in a `FOLDER`")
	f.BoolVar(&e.asJSON, "json", false, "print the batch as the JSON of the API")
}

// checkTargets reports what cannot be saved, for that must be known before anything is issued.
func (e *afterwards) checkTargets() error {
	for _, path := range []string{e.manifest, e.archive} {
		if path == "" {
			continue
		}
		if err := checkTarget(path); err != nil {
			return err
		}
	}
	if e.folder == "" {
		return nil
	}
	return os.MkdirAll(e.folder, 0o755) //nolint:gosec // the umask says who may read it, as for any folder
}

// follow waits for a batch if that was asked, saves what was asked, and prints it.
func (e *afterwards) follow(ctx context.Context, c *client.Client, batch api.Batch) error {
	env := e.command.env
	if !e.wait && e.manifest == "" && e.archive == "" && e.folder == "" {
		return env.showBatch(batch, e.asJSON)
	}
	_, _ = fmt.Fprintf(env.Stderr, "%s: %s\n", batch.ID, count(batch.Items, "item"))
	m := env.meterOf(c)
	m.last = time.Time{} // the first look is shown
	batch, err := c.WaitBatch(ctx, batch.ID, func(b api.Batch) {
		if client.BatchTerminal(b.Status) {
			m.end(ended(b.Counts), b.Items, howFar(b))
			return
		}
		m.show(ended(b.Counts), b.Items, howFar(b))
	})
	m.leave()
	if err != nil {
		return fmt.Errorf("%w\nThe batch goes on: platen batch wait %s", err, batch.ID)
	}
	if err := e.save(ctx, c, batch); err != nil {
		return err
	}
	if err := env.showBatch(batch, e.asJSON); err != nil {
		return err
	}
	return complete(batch)
}

// save saves all that was asked.
func (e *afterwards) save(ctx context.Context, c *client.Client, b api.Batch) error {
	if e.manifest != "" {
		if err := e.command.env.saveManifest(ctx, b.ID, "", e.manifest); err != nil {
			return err
		}
	}
	if e.archive != "" {
		if err := c.ArchiveFile(ctx, b.ID, e.archive); err != nil {
			return err
		}
	}
	if e.folder == "" {
		return nil
	}
	return saveBatch(ctx, e.command.env, c, b, e.folder)
}

// saveBatch saves all documents in a folder, and shows how that goes on.
func saveBatch(ctx context.Context, env Env, c *client.Client, b api.Batch, folder string) error {
	m := env.meterOf(c)
	all, seen, kept := issued(b.Counts), 0, 0
	_, err := c.DownloadBatch(ctx, b.ID, folder, client.BatchDownload{Each: func(f client.BatchFile) {
		if f.Err != nil {
			m.leave()
			_, _ = fmt.Fprintln(env.Stderr, line(fmt.Sprintf("%s: %v", *f.Entry.DocumentID, f.Err)))
			return
		}
		if f.Kept {
			kept++
		}
		seen++
		m.show(seen, all, fmt.Sprintf("saved %d of %d", seen, all))
	}})
	m.end(seen, all, fmt.Sprintf("%s in %s, %d of them from before", count(seen, "document"), folder, kept))
	return err
}

// complete is nil when a batch has all its documents.
func complete(b api.Batch) error {
	gone := b.Items - issued(b.Counts)
	switch {
	case b.Counts.Failed > 0:
		return incompleteError{fmt.Sprintf("%s: %d of %s failed or were canceled. \"platen batch jobs %s --status failed\" shows what failed, and \"platen batch retry %s\" tries that again",
			b.ID, gone, count(b.Items, "item"), b.ID, b.ID)}
	case gone > 0:
		return incompleteError{fmt.Sprintf("%s: %d of %s were canceled. A new batch makes them, \"platen batch submit\" with another --idempotency-key; what was issued is not made again",
			b.ID, gone, count(b.Items, "item"))}
	case b.Expected != nil && b.Expected.Missing > 0:
		return incompleteError{fmt.Sprintf("%s: %s expected and not sent; \"platen batch manifest %s\" names them", b.ID, count(b.Expected.Missing, "document key"), b.ID)}
	}
	return nil
}

func waitBatch(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch wait", "BATCH", `
Waits until each item of a batch has ended, shows how far it is, and then the batch. The status is 3 when not every document is there.`)
	var e afterwards
	e.endFlags(f)
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	if err := e.checkTargets(); err != nil {
		return err
	}
	e.wait = true
	return onEnd(ctx, &e, ids[0])
}

// onEnd follows a batch that is there.
func onEnd(ctx context.Context, e *afterwards, id string) error {
	c, err := e.command.env.client()
	if err != nil {
		return err
	}
	batch, err := c.Batch(ctx, id)
	if err != nil {
		return err
	}
	return e.follow(ctx, c, batch)
}

func downloadBatch(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch download", "BATCH FOLDER", `
Saves the documents of a batch that has ended in FOLDER, each under its name in the archive, and at last the signed manifest. What is there already with the right
bytes is not fetched again, so the same command goes on with what was broken off.`)
	names, err := f.parse(args, 2, 2)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	batch, err := c.Batch(ctx, names[0])
	if err != nil {
		return err
	}
	return saveBatch(ctx, env, c, batch, names[1])
}

func archiveBatch(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch archive", "BATCH", `
Saves the documents of a batch that has ended as a zip, with the signed manifest. The file is saved only when it is whole.`)
	out := f.String("o", "", "save as `PATH`, which is replaced; - is the standard output, and the default is the batch's id with .zip")
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if *out == stdStream {
		return c.Archive(ctx, ids[0], env.Stdout)
	}
	path := cmp.Or(*out, ids[0]+".zip")
	if err := checkTarget(path); err != nil {
		return err
	}
	if err := c.ArchiveFile(ctx, ids[0], path); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, path)
	return err
}
