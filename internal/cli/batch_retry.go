package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const batchRetryText = `
Tries the failed items of a batch that has ended again, and no others: the same documents, in the same batch. Without FILE each has the input that it had.

FILE has new inputs, and is like that of "platen batch submit" with the same flags: it may be the whole mended table, of which only the rows of failed
items are taken. Rows and items belong together by the document key with --key, and by their order without. What FILE does not have is tried
with the input that it had. Without --template, --template-html and --key FILE is the body of POST /batches/BATCH/retry.

The status is as with "platen batch submit".`

// retryFlags are what "platen batch retry" was asked.
type retryFlags struct {
	batchFlags
	afterwards

	idempotencyKey string
}

func retryBatch(ctx context.Context, env Env, args []string) error {
	f := &retryFlags{batchFlags: batchFlags{flags: env.flags("batch retry", "BATCH [FILE]", batchRetryText)}}
	f.rowFlags()
	f.endFlags(f.flags)
	f.BoolVar(&f.wait, "wait", false, "wait until the batch has ended, and show how far it is")
	f.StringVar(&f.idempotencyKey, "idempotency-key", "", "the `KEY` of this retry: the same again does not try once more; by default one of its own")
	names, err := f.parse(args, 1, 2)
	if err != nil {
		return err
	}
	if err := f.checkTargets(); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	var sent client.BatchSubmitted
	if len(names) == 1 {
		sent, err = c.RetryBatch(ctx, names[0], client.BatchRetry{IdempotencyKey: f.idempotencyKey})
	} else {
		sent, err = f.mend(ctx, c, names[0], names[1])
	}
	if errors.Is(err, errNothingFailed) { // as when the same command is given again
		if sent.Batch, err = c.Batch(ctx, names[0]); err == nil {
			_, _ = fmt.Fprintf(env.Stderr, "nothing of %s has failed: it is %s\n", sent.Batch.ID, sent.Batch.Status)
		}
	}
	if err != nil {
		return err
	}
	return f.follow(ctx, c, sent.Batch)
}

var errNothingFailed = errors.New("nothing has failed")

// mend sends the new inputs of a file.
func (f *retryFlags) mend(ctx context.Context, c *client.Client, id, name string) (sent client.BatchSubmitted, err error) {
	file, ofRows, err := f.open(name)
	if err != nil {
		return sent, err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	retry := client.BatchRetry{IdempotencyKey: f.idempotencyKey}
	var header api.BatchRetryRequest
	if ofRows {
		header.Defaults, err = f.common()
	} else {
		err = file.header(&header)
	}
	if err != nil {
		return sent, err
	}
	retry.Defaults = header.Defaults
	found := file.check(nil)
	if err := found.err(file.name); err != nil {
		return sent, err
	}
	retry.Items, found.lines, err = f.mended(ctx, c, id, file, found, ofRows)
	if err != nil {
		return sent, err
	}
	m := f.env.meterOf(c)
	sent, err = c.RetryBatch(ctx, id, retry)
	m.leave()
	if err != nil {
		return sent, f.env.refused(err, found.lines)
	}
	return sent, nil
}

// mended are the items of a file to be sent, and their lines: all, or the rows of those that failed.
func (f *retryFlags) mended(ctx context.Context, c *client.Client, id string, file *batchFile, found checked, ofRows bool) (client.Items, []int, error) {
	if !ofRows {
		return file.items(func(int) {}), found.lines, nil
	}
	failed, all := map[int]int{}, 0 // the index of an item by that of its row
	for item, err := range c.BatchItems(ctx, id, client.ItemFilter{Status: api.ItemFailed}) {
		if err != nil {
			return nil, nil, err
		}
		all++
		row := item.Index
		if f.key != "" {
			var there bool
			if row, there = found.keys[*cmp.Or(item.DocumentKey, new(""))]; !there {
				continue
			}
		}
		if row < len(found.lines) {
			failed[row] = item.Index
		}
	}
	if all == 0 {
		return nil, nil, errNothingFailed
	}
	if len(failed) == 0 {
		return nil, nil, fmt.Errorf("%s has none of the %s that failed", file.name, count(all, "item"))
	}
	_, _ = fmt.Fprintf(f.env.Stderr, "%d of %s that failed have new inputs in %s\n", len(failed), count(all, "item"), file.name)
	var lines []int
	for row, line := range found.lines {
		if _, ok := failed[row]; ok {
			lines = append(lines, line)
		}
	}
	return only(file.items(func(int) {}), failed), lines, nil
}

// only are the items of some rows, each with its index in the batch.
func only(all client.Items, indexes map[int]int) client.Items {
	return func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			row := 0
			for item, err := range all() {
				index, wanted := indexes[row]
				row++
				if err == nil && !wanted {
					continue
				}
				if err == nil {
					item = append([]byte(`{"index":`+strconv.Itoa(index)+","), item[1:]...)
				}
				if !yield(item, err) {
					return
				}
			}
		}
	}
}
