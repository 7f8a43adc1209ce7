package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/platen-render/platen/api"
)

// PutAsset stores an image, a font or a style sheet, and makes it the current version of the file's name, by which pages find it as
// "asset:NAME". The same content again is the same version. It reports whether the version is a new one. Errors:
// [api.CodeNameInvalid], [api.CodeAssetInvalid], [api.CodeMediaTypeUnsupported], [api.CodeBodyTooLarge].
func (c *Client) PutAsset(ctx context.Context, file File) (stored api.StoredAsset, created bool, err error) {
	req, err := putAsset(file)
	if err != nil {
		return stored, false, err
	}
	got, err := c.do(ctx, req, &stored)
	return stored, got.status == http.StatusCreated, err
}

// CheckAsset finds out whether PutAsset would be accepted, and stores nothing. Errors are those of PutAsset.
func (c *Client) CheckAsset(ctx context.Context, file File) error {
	req, err := putAsset(file)
	if err != nil {
		return err
	}
	req.query = dryRun()
	_, err = c.do(ctx, req, nil)
	return err
}

func putAsset(file File) (request, error) {
	path, err := itemPath("/assets/", file.Name, 0)
	if err != nil {
		return request{}, err
	}
	mediaType := file.MediaType()
	if !printable(mediaType) {
		return request{}, argument("the content type of %q has characters that none has", file.Name)
	}
	return request{method: http.MethodPut, path: path, body: file.Content, header: map[string]string{"Content-Type": mediaType}}, nil
}

// Asset returns what is known of a version of an asset; 0 is the current one. Error: [api.CodeAssetNotFound].
func (c *Client) Asset(ctx context.Context, name string, version int) (api.StoredAsset, error) {
	var asset api.StoredAsset
	path, err := itemPath("/assets/", name, version)
	if err != nil {
		return asset, err
	}
	_, err = c.do(ctx, request{method: http.MethodGet, path: path}, &asset)
	return asset, err
}

// DeleteAsset deletes a version of an asset; 0 is all of them. Errors: [api.CodeAssetNotFound], and [api.CodeAssetInUse] while a job
// that has not ended uses it.
func (c *Client) DeleteAsset(ctx context.Context, name string, version int) error {
	return c.deleteItem(ctx, "/assets/", name, version)
}

// AssetPage returns one page of the tenant's assets by name, each with its current version.
func (c *Client) AssetPage(ctx context.Context, page Page) (api.AssetList, error) {
	var list api.AssetList
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/assets", query: page.query(url.Values{})}, &list)
	return list, err
}

// Assets goes through the tenant's assets by name, page by page. After an error it ends.
func (c *Client) Assets(ctx context.Context) iter.Seq2[api.StoredAsset, error] {
	return all(func(page Page) ([]api.StoredAsset, *string, error) {
		list, err := c.AssetPage(ctx, page)
		return list.Data, list.NextCursor, err
	})
}

// AssetVersionPage returns one page of the versions of an asset, newest first. Error: [api.CodeAssetNotFound].
func (c *Client) AssetVersionPage(ctx context.Context, name string, page Page) (api.AssetList, error) {
	var list api.AssetList
	path, err := itemPath("/assets/", name, 0)
	if err != nil {
		return list, err
	}
	_, err = c.do(ctx, request{method: http.MethodGet, path: path + "/versions", query: page.query(url.Values{})}, &list)
	return list, err
}

// AssetContent returns the bytes of a version of an asset, counted from 1. Error: [api.CodeAssetNotFound].
func (c *Client) AssetContent(ctx context.Context, name string, version int) ([]byte, error) {
	path, err := itemPath("/assets/", name, max(version, 1))
	if err != nil {
		return nil, err
	}
	got, err := c.do(ctx, request{method: http.MethodGet, path: path + "/content"}, nil)
	return got.body, err
}
