package client

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

const (
	// previewHeld is how long a server waits for a worker that makes a preview.
	previewHeld = 30 * time.Second
	// rerenderHeld is how long it waits for one that makes a document anew: as long as its job might take.
	rerenderHeld = api.MaxTimeoutSeconds * time.Second
)

// Preview renders a stored template, with the data of req or its own sample, and returns what it looks like and the bytes. No document is
// made. Errors: [api.CodeTemplateNotFound]; what a job would fail with, like [api.CodePageFailed]; [api.CodePreviewTimeout] and
// [api.CodePreviewBusy] when it was repeated for as long as [Client.RetryFor] allows.
func (c *Client) Preview(ctx context.Context, template string, req api.PreviewRequest) (api.Preview, []byte, error) {
	path, err := previewPath(template)
	if err != nil {
		return api.Preview{}, nil, err
	}
	r, err := jsonRequest(path, req)
	if err != nil {
		return api.Preview{}, nil, err
	}
	r.header["Accept"], r.held = "application/json, application/problem+json", previewHeld
	var preview api.Preview
	if _, err := c.do(ctx, r, &preview); err != nil {
		return api.Preview{}, nil, err
	}
	content, err := base64.StdEncoding.DecodeString(preview.Content)
	if err != nil {
		return api.Preview{}, nil, fmt.Errorf("decode the content of the preview: %w", err)
	}
	return preview, content, nil
}

// Rerender makes an issued document anew from the input that the server still has, and tells whether the bytes are the same, or what differs
// first. Restore puts them back where the server has lost them, if they are the same. Errors: [api.CodeInputPurged],
// [api.CodeDocumentPurged], [api.CodeDocumentPending], [api.CodeDocumentNotIssued], and those of [Client.Preview].
func (c *Client) Rerender(ctx context.Context, documentID string, restore bool) (api.Rerender, error) {
	path, err := segment("/documents/", documentID, "/rerender")
	if err != nil {
		return api.Rerender{}, err
	}
	r, err := jsonRequest(path, api.RerenderRequest{Restore: &restore})
	if err != nil {
		return api.Rerender{}, err
	}
	r.held = rerenderHeld
	var remade api.Rerender
	_, err = c.do(ctx, r, &remade)
	return remade, err
}

// Lost reports whether the server does not have the bytes of an issued document at the moment. It asks once and repeats nothing: a server
// whose storage is away for a while has lost all of them as long as that lasts. Errors: as of [Client.Download].
func (c *Client) Lost(ctx context.Context, documentID string) (bool, error) {
	path, err := segment("/documents/", documentID, "/content")
	if err != nil {
		return false, err
	}
	_, err = c.do(ctx, request{method: http.MethodGet, path: path, header: map[string]string{"Range": "bytes=0-0"}, once: true}, nil)
	if HasCode(err, api.CodeStorageUnavailable) {
		return true, nil
	}
	return false, err
}

// previewPath is the path of a template's preview. Names are letters, digits, dots, hyphens and underscores; another text could lead to
// another route.
func previewPath(template string) (string, error) {
	plain := strings.ReplaceAll(template, ".", "")
	if _, err := segment("", plain, ""); err != nil || strings.HasPrefix(template, ".") {
		return "", argument("%q is not the name of a template", template)
	}
	return "/templates/" + template + "/preview", nil
}
