package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// Deliveries returns the callbacks of a job with each attempt: none before the job has ended, and none for a job
// without a callback URL. Error: [api.CodeJobNotFound].
func (c *Client) Deliveries(ctx context.Context, jobID string) (api.DeliveryList, error) {
	path, err := segment("/jobs/", jobID, "/deliveries")
	if err != nil {
		return api.DeliveryList{}, err
	}
	var list api.DeliveryList
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &list)
	return list, err
}

// DeadDeliveryPage returns one page of the deliveries that were given up, newest first.
func (c *Client) DeadDeliveryPage(ctx context.Context, page Page) (api.DeliveryList, error) {
	var list api.DeliveryList
	query := page.query(url.Values{"status": {string(api.DeliveryDead)}})
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/deliveries", query: query}, &list)
	return list, err
}

// DeadDeliveries goes through all deliveries that were given up, newest first, page by page. After an error it ends.
func (c *Client) DeadDeliveries(ctx context.Context) iter.Seq2[api.Delivery, error] {
	return all(func(page Page) ([]api.Delivery, *string, error) {
		list, err := c.DeadDeliveryPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// Replay delivers an event again, with the same id. When the answer is lost and the request is repeated, a receiver
// may see the event once more, which it must expect anyhow. Errors: [api.CodeDeliveryNotFound],
// [api.CodeDeliveryGone].
func (c *Client) Replay(ctx context.Context, deliveryID string) (api.Delivery, error) {
	path, err := segment("/deliveries/", deliveryID, "/replay")
	if err != nil {
		return api.Delivery{}, err
	}
	var delivery api.Delivery
	_, err = c.do(ctx, request{method: http.MethodPost, path: path}, &delivery)
	return delivery, err
}
