package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// Receipt returns the signed receipt of a document that was issued, purged or not. To keep it, take [Client.ReceiptJSON]: a receipt of
// a later version may have members that this package does not know, and that are signed. Errors: those of [Client.ReceiptJSON].
func (c *Client) Receipt(ctx context.Context, id string) (api.SignedReceipt, error) {
	var receipt api.SignedReceipt
	_, err := c.receipt(ctx, id, &receipt)
	return receipt, err
}

// ReceiptJSON returns the signed receipt as the server sends it. Errors: [api.CodeDocumentPending], [api.CodeDocumentNotIssued],
// [api.CodeDocumentPurged] for one that was never issued, [api.CodeDocumentNotFound].
func (c *Client) ReceiptJSON(ctx context.Context, id string) ([]byte, error) {
	return c.receipt(ctx, id, nil)
}

func (c *Client) receipt(ctx context.Context, id string, out any) ([]byte, error) {
	path, err := segment("/documents/", id, "/receipt")
	if err != nil {
		return nil, err
	}
	got, err := c.do(ctx, request{method: http.MethodGet, path: path}, out)
	return got.body, err
}

// Verify asks what bytes are: those of a document of the tenant, or unknown.
func (c *Client) Verify(ctx context.Context, content []byte) (api.Verification, error) {
	return c.verify(ctx, "/verify", content)
}

// VerifyDocument asks whether bytes are those of a document. Error: [api.CodeDocumentNotFound].
func (c *Client) VerifyDocument(ctx context.Context, id string, content []byte) (api.Verification, error) {
	path, err := segment("/documents/", id, "/verify")
	if err != nil {
		return api.Verification{}, err
	}
	return c.verify(ctx, path, content)
}

func (c *Client) verify(ctx context.Context, path string, content []byte) (api.Verification, error) {
	var verification api.Verification
	req := request{method: http.MethodPost, path: path, body: content, header: map[string]string{"Content-Type": "application/octet-stream"}}
	_, err := c.do(ctx, req, &verification)
	return verification, err
}

// SigningKeys returns the public keys that ever signed receipts of the tenant, the first one first.
func (c *Client) SigningKeys(ctx context.Context) (api.SigningKeyList, error) {
	var keys api.SigningKeyList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/keys/signing"}, &keys)
	return keys, err
}

// NumberPage returns one page of the tenant's issue numbers, the lowest first. The cursor may be any number: the page begins after it.
func (c *Client) NumberPage(ctx context.Context, page Page) (api.IssuedNumberList, error) {
	var list api.IssuedNumberList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/receipts", query: page.query(url.Values{})}, &list)
	return list, err
}

// Numbers goes through all issue numbers of the tenant, the lowest first, page by page. After an error it ends.
func (c *Client) Numbers(ctx context.Context) iter.Seq2[api.IssuedNumber, error] {
	return all(func(page Page) ([]api.IssuedNumber, *string, error) {
		list, err := c.NumberPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// RotateSigningKey gives a tenant a new key to sign receipts with. It needs a key of scope admin, or the bootstrap key, and is sent once.
// Errors: [api.CodeTenantNotFound], [api.CodeTenantChanged].
func (c *Client) RotateSigningKey(ctx context.Context, tenant string) (api.SigningKey, error) {
	path, err := segment("/admin/tenants/", tenant, "/signing-keys")
	if err != nil {
		return api.SigningKey{}, err
	}
	var made api.SigningKey
	_, err = c.do(ctx, request{method: http.MethodPost, path: path, once: true}, &made)
	return made, err
}
