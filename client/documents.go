package client

import (
	"context"
	"net/http"
	"time"

	"github.com/platen-render/platen/api"
)

// Document returns what is known about a document, purged or not. Error: [api.CodeDocumentNotFound].
func (c *Client) Document(ctx context.Context, id string) (api.Document, error) {
	return c.document(ctx, http.MethodGet, id)
}

// Purge deletes the bytes and the input of a document for good; its identity stays. Purging again is fine. Errors:
// [api.CodeDocumentPending], [api.CodeDocumentNotFound].
func (c *Client) Purge(ctx context.Context, id string) (api.Document, error) {
	return c.document(ctx, http.MethodDelete, id)
}

func (c *Client) document(ctx context.Context, method, id string) (api.Document, error) {
	path, err := segment("/documents/", id, "")
	if err != nil {
		return api.Document{}, err
	}
	var document api.Document
	_, err = c.do(ctx, request{method: method, path: path}, &document)
	return document, err
}

// Link makes an address of the document's content that needs no key and works for the given time, in whole seconds up
// to [api.MaxLinkSeconds]. Errors: those of [Client.Download].
func (c *Client) Link(ctx context.Context, id string, works time.Duration) (api.Link, error) {
	path, err := segment("/documents/", id, "/links")
	if err != nil {
		return api.Link{}, err
	}
	seconds := int(works / time.Second)
	req, err := jsonRequest(path, api.LinkRequest{ExpiresInSeconds: &seconds})
	if err != nil {
		return api.Link{}, err
	}
	var link api.Link
	_, err = c.do(ctx, req, &link)
	return link, err
}

// jsonRequest is a POST with a JSON body.
func jsonRequest(path string, body any) (request, error) {
	encoded, err := marshal(body)
	return request{
		method: http.MethodPost, path: path, body: encoded,
		header: map[string]string{"Content-Type": "application/json"},
	}, err
}
