package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// check asks the server whether it would take all of a folder, and tells of everything that it would not.
func (t *templateFolder) check(ctx context.Context, c *client.Client) error {
	var wrong error
	for _, file := range t.assets {
		if err := c.CheckAsset(ctx, file); err != nil {
			wrong = errors.Join(wrong, fmt.Errorf("asset %s: %w", line(file.Name), err))
		}
	}
	if err := c.CheckTemplate(ctx, t.name, t.request); err != nil {
		wrong = errors.Join(wrong, fmt.Errorf("template %s: %w", line(t.name), err))
	}
	return wrong
}

// assetMention is a name of an asset in a page, a style sheet or an action.
var assetMention = regexp.MustCompile(`\basset(?::| ")([A-Za-z0-9_][A-Za-z0-9._-]{0,99})`)

// warn tells of assets that the parts name and that nobody has: each job would be refused that loads them. They may still come, so
// that is no reason to store nothing.
func (t *templateFolder) warn(ctx context.Context, c *client.Client, w io.Writer) error {
	for _, name := range t.mentions() {
		_, err := c.Asset(ctx, name, 0)
		if client.HasCode(err, api.CodeAssetNotFound) {
			_, err = fmt.Fprintf(w, "warning: the template names asset:%s, which is neither in the folder nor stored\n", line(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mentions are the assets that the parts name and the folder lacks, in order.
func (t *templateFolder) mentions() []string {
	var names []string
	for _, text := range []*string{t.request.HTML, t.request.CSS, t.request.HeaderHTML, t.request.FooterHTML} {
		if text == nil {
			continue
		}
		for _, found := range assetMention.FindAllStringSubmatch(*text, -1) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		return slices.ContainsFunc(t.assets, func(f client.File) bool { return f.Name == name })
	})
}
