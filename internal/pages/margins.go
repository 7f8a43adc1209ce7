package pages

import (
	"encoding/base64"
	"regexp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/resources"
)

// assetAddress is that of an asset where an address stands: in an attribute, or in a url().
var assetAddress = regexp.MustCompile(`(?i)([=("']\s*)` + resources.AssetScheme + `:([A-Za-z0-9_][A-Za-z0-9._-]*)`)

// inlined is the HTML of a margin with its assets in it. A browser loads nothing for headers and footers.
func inlined(html string, files map[string]render.Resource) string {
	return assetAddress.ReplaceAllStringFunc(html, func(found string) string {
		parts := assetAddress.FindStringSubmatch(found)
		asset, ok := files[resources.AssetScheme+":"+parts[2]]
		if !ok {
			return found
		}
		return parts[1] + "data:" + asset.ContentType + ";base64," + base64.StdEncoding.EncodeToString(asset.Body)
	})
}
