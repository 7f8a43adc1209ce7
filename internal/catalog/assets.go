package catalog

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render/resources"
)

// Text is a part of a page, and where it stands in the request.
type Text struct{ Pointer, HTML string }

// mention is a name in a text that nothing seems to load: a script may.
var mention = regexp.MustCompile(resources.AssetScheme + `:([A-Za-z0-9_][A-Za-z0-9._-]*)`)

// Assets finds the assets that a page needs, those that its style sheets name included, in their current versions. What the page
// loads must be there: asset_unknown otherwise. What it only mentions is brought along when it is there.
func (l *Library) Assets(ctx context.Context, tenant string, texts ...Text) ([]jobs.AssetRef, error) {
	c := &collector{library: l, tenant: tenant, seen: map[string]bool{}}
	var naming []Text
	for _, t := range texts {
		if strings.Contains(t.HTML, resources.AssetScheme+":") {
			naming = append(naming, t)
		}
	}
	for _, t := range naming {
		for _, name := range resources.Assets(t.HTML) {
			if err := c.need(ctx, name, t.Pointer); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range naming {
		for _, found := range mention.FindAllStringSubmatch(t.HTML, -1) {
			if err := c.want(ctx, found[1]); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(c.found, func(a, b jobs.AssetRef) int { return strings.Compare(a.Name, b.Name) })
	return c.found, nil
}

// collector looks names up, each once.
type collector struct {
	library *Library
	tenant  string
	seen    map[string]bool
	found   []jobs.AssetRef
	lookups int
}

// need takes an asset that must be there.
func (c *collector) need(ctx context.Context, name, pointer string) error {
	if c.seen[name] {
		return nil
	}
	c.seen[name] = true
	if len(c.found) == api.MaxJobAssets {
		return jobs.ErrAssetUnknown.With("The page uses more than %d assets.", api.MaxJobAssets).In(pointer)
	}
	there, err := c.take(ctx, name, pointer)
	if err == nil && !there {
		err = jobs.ErrAssetUnknown.With("There is no asset named %q.", shorten(name)).In(pointer)
	}
	return err
}

// want takes an asset if it is there. A text may mention any number of things that look like one.
func (c *collector) want(ctx context.Context, name string) error {
	if c.seen[name] || c.lookups == api.MaxJobAssets || len(c.found) == api.MaxJobAssets {
		return nil
	}
	c.seen[name] = true
	c.lookups++
	_, err := c.take(ctx, name, "")
	return err
}

func (c *collector) take(ctx context.Context, name, pointer string) (bool, error) {
	if !jobs.IsItemName(name) {
		return false, nil
	}
	v, err := c.library.Store.Version(ctx, jobs.Item{Tenant: c.tenant, Shelf: jobs.AssetShelf, Name: name}, 0)
	if f := fault.From(err); f != nil && f.Kind == fault.NotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up asset: %w", err)
	}
	ref := jobs.AssetRef{Name: name, Version: v.Version, ContentType: v.ContentType, SHA256: v.SHA256, Size: v.Size, Blob: v.Blob}
	c.found = append(c.found, ref)
	if v.ContentType != sheetType {
		return true, nil
	}
	names, err := c.library.memory.sheetAssets(ref.SHA256, func() ([]byte, error) { return c.library.Asset(ctx, ref) })
	if err != nil {
		return false, err
	}
	for _, further := range names {
		if err := c.need(ctx, further, pointer); err != nil {
			return false, err
		}
	}
	return true, nil
}
