package chromium

import (
	"regexp"
	"strings"

	"github.com/platen-render/platen/internal/render"
)

// Assets have a scheme of their own, "asset:logo.png". The browser asks for them as for everything else, but for fonts: those it
// loads from http and https addresses alone (the Fetch standard, section 4.3). So the addresses of fonts in style sheets are
// replaced by ones at a host that does not exist (RFC 6761), before the browser sees them.

const (
	assetScheme = "asset:"
	assetOrigin = "https://assets.platen.invalid/"
)

// fontAddress is an asset's in the source of a font.
var fontAddress = regexp.MustCompile(`(?i)(url\(\s*["']?)asset:([A-Za-z0-9._-]+)`)

// readable replaces the addresses of fonts among the resources in a page or a style sheet.
func readable(text string, resources map[string]render.Resource) string {
	if !strings.Contains(text, assetScheme) {
		return text
	}
	return fontAddress.ReplaceAllStringFunc(text, func(found string) string {
		parts := fontAddress.FindStringSubmatch(found)
		resource, ok := resources[assetScheme+parts[2]]
		if !ok || !strings.HasPrefix(resource.ContentType, "font/") {
			return found
		}
		return parts[1] + assetOrigin + parts[2]
	})
}

// readableSheet does the same for a resource, if it is a style sheet.
func readableSheet(resource render.Resource, resources map[string]render.Resource) render.Resource {
	if strings.HasPrefix(resource.ContentType, "text/css") {
		resource.Body = []byte(readable(string(resource.Body), resources))
	}
	return resource
}
