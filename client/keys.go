package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// CreateKey makes an API key, and its tenant with the first one. It needs a key of scope admin, or the bootstrap key.
// The request is sent once: repeated, it could leave a working key that nobody knows. After an error without an answer
// look at [Client.Keys], and revoke what should not be there.
func (c *Client) CreateKey(ctx context.Context, key api.KeyRequest) (api.KeyCreated, error) {
	req, err := jsonRequest("/admin/keys", key)
	if err != nil {
		return api.KeyCreated{}, err
	}
	req.once = true
	var created api.KeyCreated
	_, err = c.do(ctx, req, &created)
	return created, err
}

// KeyPage returns one page of the keys of all tenants, newest first. It needs what CreateKey needs.
func (c *Client) KeyPage(ctx context.Context, page Page) (api.KeyList, error) {
	var list api.KeyList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/admin/keys", query: page.query(url.Values{})}, &list)
	return list, err
}

// Keys goes through the keys of all tenants, newest first, page by page. After an error it ends.
func (c *Client) Keys(ctx context.Context) iter.Seq2[api.Key, error] {
	return all(func(page Page) ([]api.Key, *string, error) {
		list, err := c.KeyPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// RevokeKey ends a key at once. It needs what CreateKey needs. A key that is gone already is a
// [api.CodeKeyNotFound].
func (c *Client) RevokeKey(ctx context.Context, id string) error {
	path, err := segment("/admin/keys/", id, "")
	if err != nil {
		return err
	}
	_, err = c.do(ctx, request{method: http.MethodDelete, path: path}, nil)
	return err
}
