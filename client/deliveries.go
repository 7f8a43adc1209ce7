package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/platen-render/platen/api"
)

// DeliveryFilter says which deliveries to list. Status is required; another zero field filters nothing.
type DeliveryFilter struct {
	Status        api.DeliveryStatus
	URLHost       string // with its port, if the URL has one
	Type          api.EventType
	CreatedAfter  time.Time // of the job, at or after
	CreatedBefore time.Time
}

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

// Delivery returns one delivery with each attempt. Error: [api.CodeDeliveryNotFound].
func (c *Client) Delivery(ctx context.Context, id string) (api.Delivery, error) {
	path, err := segment("/deliveries/", id, "")
	if err != nil {
		return api.Delivery{}, err
	}
	var delivery api.Delivery
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &delivery)
	return delivery, err
}

// DeliveryPage returns one page of the tenant's deliveries, those of the newest job first.
func (c *Client) DeliveryPage(ctx context.Context, filter DeliveryFilter, page Page) (api.DeliveryList, error) {
	var list api.DeliveryList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/deliveries", query: page.query(filter.query())}, &list)
	return list, err
}

// AllDeliveries goes through all deliveries that a filter selects, those of the newest job first, page by page. After an
// error it ends.
func (c *Client) AllDeliveries(ctx context.Context, filter DeliveryFilter) iter.Seq2[api.Delivery, error] {
	return all(func(page Page) ([]api.Delivery, *string, error) {
		list, err := c.DeliveryPage(ctx, filter, page)
		return list.Data, list.NextCursor, err
	})
}

// DeadDeliveries goes through all dead letters: the deliveries that were given up.
func (c *Client) DeadDeliveries(ctx context.Context) iter.Seq2[api.Delivery, error] {
	return c.AllDeliveries(ctx, DeliveryFilter{Status: api.DeliveryDead})
}

func (f DeliveryFilter) query() url.Values {
	query := url.Values{}
	set(query, "status", string(f.Status))
	set(query, "url_host", f.URLHost)
	set(query, "type", string(f.Type))
	setTime(query, "created_after", f.CreatedAfter)
	setTime(query, "created_before", f.CreatedBefore)
	return query
}

// Replay delivers an event again, with the same id. When the answer is lost and the request is repeated, a receiver
// may see the event once more, which it must expect anyhow. Errors: [api.CodeDeliveryNotFound],
// [api.CodeDeliveryGone], [api.CodeURLGone].
func (c *Client) Replay(ctx context.Context, deliveryID string) (api.Delivery, error) {
	path, err := segment("/deliveries/", deliveryID, "/replay")
	if err != nil {
		return api.Delivery{}, err
	}
	var delivery api.Delivery
	_, err = c.do(ctx, request{method: http.MethodPost, path: path}, &delivery)
	return delivery, err
}

// TestCallback sends a test to a callback URL, and waits for the outcome of its one attempt for up to wait, in whole
// seconds and [api.MaxWaitSeconds] at most; look at its Status and Log. One that has not ended is pending: [Client.Delivery]
// tells later. Errors: [api.CodeURLDenied], [api.CodeCallbackHostUnresolved].
func (c *Client) TestCallback(ctx context.Context, test api.TestRequest, wait time.Duration) (api.Delivery, error) {
	req, err := jsonRequest("/deliveries/test", test)
	if err != nil {
		return api.Delivery{}, err
	}
	req.hold(wait)
	var delivery api.Delivery
	_, err = c.do(ctx, req, &delivery)
	return delivery, err
}

// GoneURLs returns the callback URLs that answered 410: events to them are dead letters at once.
func (c *Client) GoneURLs(ctx context.Context) (api.GoneURLList, error) {
	var list api.GoneURLList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/gone-urls"}, &list)
	return list, err
}

// LiftGoneURL lets events go to such a URL again. Error: [api.CodeGoneURLNotFound], also when it was lifted before.
func (c *Client) LiftGoneURL(ctx context.Context, id string) error {
	path, err := segment("/gone-urls/", id, "")
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path}, nil)
	return err
}
