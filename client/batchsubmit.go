package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/platen-render/platen/api"
)

// BatchSubmission is a batch to be submitted. The items are those of Request, or they come from Items.
type BatchSubmission struct {
	Request api.BatchRequest
	// Items gives up to [api.MaxBatchItems]; they are sent as they come, and no more than one is kept in memory.
	Items Items
	// IdempotencyKey is as in [Submission]: with one of your own, a program that died and comes back goes on with the
	// batch that it had begun.
	IdempotencyKey string
}

// BatchSubmitted is what became of a submission.
type BatchSubmitted struct {
	Batch api.Batch
	// Replayed says that an earlier request made the batch, or for a retry that it began it.
	Replayed bool
	// IdempotencyKey is the one that was sent.
	IdempotencyKey string
}

// SubmitBatch submits a batch, which is accepted or refused as a whole. When it returns without an error it is accepted and
// will not be forgotten. An upload that is cut off is sent again from its start, under the same key, and is still one
// batch; RetryFor bounds the pauses in between.
//
// A refusal is a [*Problem], and its method Items tells which items are wrong. Of the batch there is nothing then, and a mended one
// needs another key. On an error IdempotencyKey is set all the same, as with [Client.Submit].
func (c *Client) SubmitBatch(ctx context.Context, s BatchSubmission) (BatchSubmitted, error) {
	items, header := s.Items, s.Request
	if items != nil && len(header.Items) > 0 {
		return BatchSubmitted{}, argument("the items are those of the request or come from Items, not both")
	}
	if items == nil {
		items = listed(header.Items)
		header.ItemCount = cmp.Or(header.ItemCount, new(len(header.Items)))
	}
	header.Items = nil
	line, err := marshal(header)
	if err != nil {
		return BatchSubmitted{}, err
	}
	return c.sendBatch(ctx, "/batches", line, items, s.IdempotencyKey)
}

// BatchRetry is what a retry of a batch may change.
type BatchRetry struct {
	// Items are new inputs of failed items, made by [Mend]. What they do not name is tried with its old input.
	Items Items
	// Defaults are as in an [api.BatchRequest], for Items alone.
	Defaults json.RawMessage
	// IdempotencyKey is as in [BatchSubmission].
	IdempotencyKey string
}

// Mend makes an item of a [BatchRetry]: the index of a failed item and its new input. The document key may be left out; it
// stays what it is.
func Mend(index int, request api.JobRequest) (json.RawMessage, error) {
	item, err := encode(Submission{Request: request})
	if err != nil {
		return nil, err
	}
	head := `{"index":` + strconv.Itoa(index)
	rest := bytes.TrimSpace(item.bytes)[1:]
	if len(rest) > 1 {
		head += ","
	}
	return append([]byte(head), rest...), nil
}

// RetryBatch begins to make the failed items of a finished batch again: the same documents, in the same batch, whose
// Sequence grows by one. Errors: [api.CodeBatchPending] (wait for it first), [api.CodeBatchNothingFailed], and those of SubmitBatch.
func (c *Client) RetryBatch(ctx context.Context, id string, retry BatchRetry) (BatchSubmitted, error) {
	path, err := segment("/batches/", id, "/retry")
	if err != nil {
		return BatchSubmitted{}, err
	}
	if retry.Items == nil {
		return c.sendBatch(ctx, path, nil, nil, retry.IdempotencyKey)
	}
	line, err := marshal(api.BatchRetryRequest{Defaults: retry.Defaults})
	if err != nil {
		return BatchSubmitted{}, err
	}
	return c.sendBatch(ctx, path, line, retry.Items, retry.IdempotencyKey)
}

// sendBatch sends lines, or nothing without items, under a key.
func (c *Client) sendBatch(ctx context.Context, path string, header []byte, items Items, key string) (BatchSubmitted, error) {
	key, err := idempotencyKey(key)
	if err != nil {
		return BatchSubmitted{}, err
	}
	sent := BatchSubmitted{IdempotencyKey: key}
	req := request{method: http.MethodPost, path: path, header: map[string]string{"Idempotency-Key": key}}
	var got answer
	if items == nil {
		got, err = c.do(ctx, req, &sent.Batch)
	} else {
		got, err = c.upload(ctx, req, header, items, &sent.Batch)
	}
	if err != nil {
		return BatchSubmitted{IdempotencyKey: key}, err
	}
	sent.Replayed = got.header.Get("Idempotency-Replayed") == "true"
	return sent, nil
}
