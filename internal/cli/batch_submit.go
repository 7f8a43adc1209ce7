package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const batchSubmitText = `
Submits many documents at once. They are accepted or refused as a whole, and a refusal names what is wrong by the lines of FILE. "-" is the
standard input.

FILE is a table, when its name ends in .csv: the first line names the columns, and each further row is the data of one document. Values are texts
unless --types says otherwise. A column "employee.name" is name in employee, and "lines.0.text" is text in the first of lines.
FILE is lines of JSON, when its name ends in .ndjson or .jsonl: each line is the data of one document. Without --template, --template-html and
--key it is the body of POST /batches as it is: a line about the batch, then one item on each line.

FILE is read twice, first to see that nothing is wrong with it that can be known here, and nothing is sent if there is: rows that do not
fit the heading, values that are not of their type, document keys that come twice.

The idempotency key follows from FILE and the template, so that the same command again takes up the same batch, whenever it was
broken off, and makes no document twice. Where the same documents are really wanted once more, --idempotency-key tells the one batch from the other.

The status is 0 when the batch is accepted, or with --wait when all documents are there; 3 when some are not, because items failed or were
canceled, or keys of --expect-keys were not sent; 1 when something else went wrong, and 2 when the command line is not understood.`

// submitFlags are what "platen batch submit" was asked.
type submitFlags struct {
	batchFlags
	afterwards

	file           string
	expect         string
	webhookURL     string
	events         list
	idempotencyKey string
}

func submitBatch(ctx context.Context, env Env, args []string) (err error) {
	f, err := parseSubmit(env, args)
	if err != nil {
		return err
	}
	file, ofRows, err := f.open(f.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	request, err := f.request(file, ofRows)
	if err != nil {
		return err
	}
	found, err := f.look(file, request)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	request.ItemCount = new(len(found.lines))
	key := f.idempotencyKey
	if key == "" {
		key = "file-" + found.digest[:40]
	}
	m := env.meterOf(c)
	sent, err := c.SubmitBatch(ctx, client.BatchSubmission{Request: request, Items: file.items(m.sent(len(found.lines))), IdempotencyKey: key})
	m.leave()
	if err != nil {
		return env.refused(err, found.lines)
	}
	if sent.Replayed {
		_, _ = fmt.Fprintf(env.Stderr, "this batch was submitted before, at %s; --idempotency-key makes another one\n", moment(sent.Batch.CreatedAt))
	}
	return f.follow(ctx, c, sent.Batch)
}

func parseSubmit(env Env, args []string) (*submitFlags, error) {
	f := &submitFlags{batchFlags: batchFlags{flags: env.flags("batch submit", "FILE", batchSubmitText)}}
	f.rowFlags()
	f.endFlags(f.flags)
	f.BoolVar(&f.wait, "wait", false, "wait until the batch has ended, and show how far it is")
	f.StringVar(&f.expect, "expect-keys", "", "tell which of the document keys in `PATH`, one on each line, are not sent, and which others are")
	f.StringVar(&f.webhookURL, "webhook-url", "", "report to this `URL`")
	f.Var(&f.events, "event", "report what is of this `TYPE`: batch.completed, job.succeeded, job.failed or job.canceled; repeatable, by default batch.completed")
	f.StringVar(&f.idempotencyKey, "idempotency-key", "", "the `KEY` of this batch; by default one that follows from FILE and the template")
	files, err := f.parse(args, 1, 1)
	if err != nil {
		return nil, err
	}
	f.file = files[0]
	return f, f.checkTargets()
}

// request is the batch without its items.
func (f *submitFlags) request(file *batchFile, ofRows bool) (api.BatchRequest, error) {
	var request api.BatchRequest
	var err error
	if ofRows {
		request.Defaults, err = f.common()
	} else {
		err = file.header(&request)
	}
	if err != nil {
		return request, err
	}
	if len(request.Items) > 0 {
		return request, fmt.Errorf("%s: the first line has items; they stand on lines of their own", file.name)
	}
	if f.expect != "" {
		if request.ExpectKeys, err = f.readKeys(); err != nil {
			return request, err
		}
	}
	set(&request.WebhookURL, f.webhookURL)
	if len(f.events) > 0 {
		request.WebhookEvents = f.events
	}
	return request, nil
}

// readKeys reads --expect-keys; empty lines are none.
func (f *submitFlags) readKeys() ([]string, error) {
	text, err := os.ReadFile(f.expect)
	if err != nil {
		return nil, err
	}
	keys := []string{}
	lines := bufio.NewScanner(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	for lines.Scan() {
		if key := strings.TrimSuffix(lines.Text(), "\r"); key != "" {
			keys = append(keys, key)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.expect, err)
	}
	return keys, nil
}

// look goes through the file before it is sent. What is reported to whom is not part of what the batch is.
func (f *submitFlags) look(file *batchFile, request api.BatchRequest) (checked, error) {
	head, err := json.Marshal(api.BatchRequest{Defaults: request.Defaults, ExpectKeys: request.ExpectKeys})
	if err != nil {
		return checked{}, err
	}
	found := file.check(append(head, '\n'))
	if err := found.err(file.name); err != nil {
		return checked{}, err
	}
	if request.ItemCount != nil && *request.ItemCount != len(found.lines) {
		return checked{}, fmt.Errorf("%s has %s, and its first line says %d", file.name, count(len(found.lines), "item"), *request.ItemCount)
	}
	return found, nil
}
