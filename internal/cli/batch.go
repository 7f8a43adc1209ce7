package cli

import (
	"context"
	"fmt"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func batchCommands() []Command {
	return []Command{
		{"submit", "Submit a batch from a table (CSV) or from lines of JSON", submitBatch},
		{"list", "List batches, newest first", listBatches},
		{"show", "Show how a batch stands", showBatch},
		{"jobs", "List the items of a batch, those that failed for example", listBatchItems},
		{"wait", "Wait until a batch has ended", waitBatch},
		{"retry", "Try the failed items of a batch again, mended or as they were", retryBatch},
		{"cancel", "Cancel what has not ended of a batch", cancelBatch},
		{"download", "Save the documents of a batch in a folder", downloadBatch},
		{"archive", "Save the documents of a batch as a zip", archiveBatch},
		{"manifest", "Save or check the signed list of what has become of a batch", batchManifest},
	}
}

func showBatch(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch show", "BATCH", "Shows a batch as it is now, and why items failed.")
	asJSON := f.json()
	return onBatch(f, asJSON, args, func(c *client.Client, id string) (api.Batch, error) { return c.Batch(ctx, id) })
}

func cancelBatch(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch cancel", "BATCH", `
Cancels what waits or is queued of a batch, and asks what runs to stop. Documents that are issued stay issued, and so do jobs of other requests that items
wait for.`)
	asJSON := f.json()
	return onBatch(f, asJSON, args, func(c *client.Client, id string) (api.Batch, error) {
		batch, err := c.CancelBatch(ctx, id)
		if err == nil && !client.BatchTerminal(batch.Status) {
			_, _ = fmt.Fprintln(env.Stderr, "cancel requested: the batch ends when what runs has been let go of")
		}
		return batch, err
	})
}

// onBatch parses the flags, calls do with the batch's id and prints the batch.
func onBatch(f *flags, asJSON *bool, args []string, do func(*client.Client, string) (api.Batch, error)) error {
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := f.env.client()
	if err != nil {
		return err
	}
	batch, err := do(c, ids[0])
	if err != nil {
		return err
	}
	return f.env.showBatch(batch, *asJSON)
}

func listBatches(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch list", "", "Lists one page of the tenant's batches, newest first.")
	asJSON := f.json()
	status := f.String("status", "", "only batches of this `STATUS`: running, canceling, completed or canceled")
	page := f.page()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	batches, err := c.BatchPage(ctx, client.BatchFilter{Status: api.BatchStatus(*status)}, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, batches)
	}
	more(env.Stderr, batches.NextCursor)
	return printBatches(env, batches.Data)
}

func listBatchItems(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch jobs", "BATCH", "Lists one page of the items of a batch, in the order in which they were sent. The first one has the number 0.")
	asJSON := f.json()
	status := f.String("status", "", "only items of this `STATUS`: waiting, queued, running, succeeded, reused, failed or canceled")
	page := f.page()
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	items, err := c.BatchItemPage(ctx, ids[0], client.ItemFilter{Status: api.ItemStatus(*status)}, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, items)
	}
	more(env.Stderr, items.NextCursor)
	return printBatchItems(env, items.Data)
}
