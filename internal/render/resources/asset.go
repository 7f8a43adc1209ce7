package resources

import (
	"net/url"
	"slices"
	"strings"
)

// AssetScheme begins the addresses of assets, as in "asset:logo.png".
const AssetScheme = "asset"

// Assets returns the names of the assets that a page loads, in the order in which it does, each once.
func Assets(page string) []string { return assetsOf(scanPage(page).references) }

// SheetAssets returns the same of a style sheet.
func SheetAssets(text string) []string { return assetsOf(scanSheet(text, ownOrigin)) }

func assetsOf(references []reference) []string {
	var names []string
	for _, ref := range references {
		u, err := resolve(ref.base, ref.raw)
		if err == nil && u.Scheme == AssetScheme && !slices.Contains(names, assetName(u)) {
			names = append(names, assetName(u))
		}
	}
	return names
}

// assetName is that of an address, without the query, which an asset does not have.
func assetName(u *url.URL) string {
	name, _, _ := strings.Cut(u.Opaque, "?")
	return name
}

// asset takes an asset, which is among the files under its address.
func (s *session) asset(place int, ref reference, u *url.URL) {
	file, ok := s.files[AssetScheme+":"+assetName(u)]
	if !ok {
		s.warn("resource_missing", display(u), "there is no asset of this name")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded[AssetScheme+":"+u.Opaque] = file
	if ref.sheet {
		s.next[place] = scanSheet(string(file.Body), u)
	}
}
