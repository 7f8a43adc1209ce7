package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// What is in this file needs a key of scope admin, or the bootstrap key.

// TenantPage returns one page of all tenants, by name.
func (c *Client) TenantPage(ctx context.Context, page Page) (api.TenantList, error) {
	var list api.TenantList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/admin/tenants", query: page.query(url.Values{})}, &list)
	return list, err
}

// Tenants goes through all tenants, by name, page by page. After an error it ends.
func (c *Client) Tenants(ctx context.Context) iter.Seq2[api.Tenant, error] {
	return all(func(page Page) ([]api.Tenant, *string, error) {
		list, err := c.TenantPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// Tenant returns a tenant without its secrets. Error: [api.CodeTenantNotFound].
func (c *Client) Tenant(ctx context.Context, name string) (api.Tenant, error) {
	path, err := segment("/admin/tenants/", name, "")
	if err != nil {
		return api.Tenant{}, err
	}
	var tenant api.Tenant
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &tenant)
	return tenant, err
}

// UpdateTenant changes what the patch names. Errors: [api.CodeTenantNotFound], [api.CodeURLDenied],
// [api.CodeCallbackHostUnresolved].
func (c *Client) UpdateTenant(ctx context.Context, name string, patch api.TenantPatch) (api.Tenant, error) {
	path, err := segment("/admin/tenants/", name, "")
	if err != nil {
		return api.Tenant{}, err
	}
	req, err := jsonRequest(path, patch)
	if err != nil {
		return api.Tenant{}, err
	}
	req.method = http.MethodPatch
	var tenant api.Tenant
	_, err = c.do(ctx, req, &tenant)
	return tenant, err
}

// RotateSecret changes the secret that signs the callbacks of a tenant; the answer is the only place where a secret that the
// server makes is shown. Without a secret in the request it is sent once: repeated, it could leave a secret that
// nobody knows. After an error without an answer rotate again. Errors: [api.CodeTenantNotFound],
// [api.CodeCallbackSecretConfigured], [api.CodeCallbackSecretLimit].
func (c *Client) RotateSecret(ctx context.Context, tenant string, secret api.SecretRequest) (api.SecretCreated, error) {
	path, err := segment("/admin/tenants/", tenant, "/secrets")
	if err != nil {
		return api.SecretCreated{}, err
	}
	req, err := jsonRequest(path, secret)
	if err != nil {
		return api.SecretCreated{}, err
	}
	req.once = secret.Secret == nil
	var created api.SecretCreated
	_, err = c.do(ctx, req, &created)
	return created, err
}

// Reseal makes a whole pass over what the server keeps encrypted, and encrypts anew what the current master key did not. It
// returns the sums; when ctx ends or a request fails, those so far. Progress, when not nil, is told them after each part.
func (c *Client) Reseal(ctx context.Context, progress func(api.Resealed)) (api.Resealed, error) {
	var sum api.Resealed
	var cursor *string
	for {
		req, err := jsonRequest("/admin/reseal", api.ResealRequest{Cursor: cursor})
		if err != nil {
			return sum, err
		}
		var part api.Resealed
		if _, err := c.do(ctx, req, &part); err != nil {
			return sum, err
		}
		sum.Checked += part.Checked
		sum.Rewritten += part.Rewritten
		sum.Contended += part.Contended
		sum.Unreadable += part.Unreadable
		sum.NextCursor = part.NextCursor
		if progress != nil {
			progress(sum)
		}
		if cursor = part.NextCursor; cursor == nil {
			return sum, nil
		}
	}
}
