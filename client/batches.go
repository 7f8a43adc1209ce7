package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/platen-render/platen/api"
)

// BatchFilter says which batches to list; a zero field filters nothing.
type BatchFilter struct {
	Status api.BatchStatus
}

// ItemFilter says which items of a batch to list; a zero field filters nothing.
type ItemFilter struct {
	Status api.ItemStatus
}

// Batch returns a batch as it is now. Error: [api.CodeBatchNotFound], for one that is still being uploaded too.
func (c *Client) Batch(ctx context.Context, id string) (api.Batch, error) {
	return c.batch(ctx, http.MethodGet, id)
}

// CancelBatch cancels all items that have not ended: at once what waits, and what runs is asked to stop. Canceling again
// is fine. Errors: [api.CodeBatchFinished], [api.CodeBatchNotFound].
func (c *Client) CancelBatch(ctx context.Context, id string) (api.Batch, error) {
	return c.batch(ctx, http.MethodDelete, id)
}

func (c *Client) batch(ctx context.Context, method, id string) (api.Batch, error) {
	path, err := segment("/batches/", id, "")
	if err != nil {
		return api.Batch{}, err
	}
	var batch api.Batch
	_, err = c.do(ctx, request{method: method, path: path}, &batch)
	return batch, err
}

// BatchPage returns one page of the tenant's batches, newest first.
func (c *Client) BatchPage(ctx context.Context, filter BatchFilter, page Page) (api.BatchList, error) {
	query := url.Values{}
	set(query, "status", string(filter.Status))
	var list api.BatchList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/batches", query: page.query(query)}, &list)
	return list, err
}

// Batches goes through all batches of the tenant, newest first, page by page. After an error it ends.
func (c *Client) Batches(ctx context.Context, filter BatchFilter) iter.Seq2[api.Batch, error] {
	return all(func(page Page) ([]api.Batch, *string, error) {
		list, err := c.BatchPage(ctx, filter, page)
		return list.Data, list.NextCursor, err
	})
}

// BatchItemPage returns one page of the items of a batch, in their order. Error: [api.CodeBatchNotFound].
func (c *Client) BatchItemPage(ctx context.Context, id string, filter ItemFilter, page Page) (api.BatchItemList, error) {
	path, err := segment("/batches/", id, "/jobs")
	if err != nil {
		return api.BatchItemList{}, err
	}
	query := url.Values{}
	set(query, "status", string(filter.Status))
	var list api.BatchItemList
	_, err = c.do(ctx, request{method: http.MethodGet, path: path, query: page.query(query)}, &list)
	return list, err
}

// BatchItems goes through the items of a batch in their order, page by page. After an error it ends. An item that moves
// to or from the status of the filter meanwhile may be there or not.
func (c *Client) BatchItems(ctx context.Context, id string, filter ItemFilter) iter.Seq2[api.BatchItem, error] {
	return all(func(page Page) ([]api.BatchItem, *string, error) {
		list, err := c.BatchItemPage(ctx, id, filter, page)
		return list.Data, list.NextCursor, err
	})
}

// ItemError is what a refusal says about one item of a batch.
type ItemError struct {
	Index   int    // from 0, as it was sent
	Pointer string // within the item (RFC 6901); "" is all of it
	Code    api.ErrorCode
	Detail  string
}

// Items returns what a refusal says about items, in its order, and what is wrong with the batch itself. At most
// [api.MaxBatchErrors] members are named; ErrorCount says how many items are wrong.
func (p *Problem) Items() (items []ItemError, batch []api.FieldError) {
	for _, e := range p.Errors {
		rest, about := strings.CutPrefix(e.Pointer, "/items/")
		number, pointer, deeper := strings.Cut(rest, "/")
		index, ok := position(number)
		if !about || !ok {
			batch = append(batch, e)
			continue
		}
		if deeper {
			pointer = "/" + pointer
		}
		items = append(items, ItemError{index, pointer, e.Code, e.Detail})
	}
	return items, batch
}

// position reads a number of RFC 6901: digits without a zero in front.
func position(text string) (int, bool) {
	if text == "" || len(text) > 1 && text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// BatchTerminal reports whether each item of a batch of this status has ended. An unknown status is none. Only a retry
// takes a batch back from there.
func BatchTerminal(status api.BatchStatus) bool {
	return status == api.BatchCompleted || status == api.BatchCanceled
}
