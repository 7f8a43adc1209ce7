package jobs

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/fault"
)

// Shelf is a kind of things that a tenant stores under names.
type Shelf string

// The shelves. Names of different shelves have nothing to do with each other.
const (
	TemplateShelf Shelf = "template"
	AssetShelf    Shelf = "asset"
)

// Shelves lists them.
var Shelves = []Shelf{TemplateShelf, AssetShelf}

// Faults of the catalog.
var (
	ErrTemplateNotFound = fault.New(fault.NotFound, "template_not_found", "There is no such template, or no such version of it.")
	ErrAssetNotFound    = fault.New(fault.NotFound, "asset_not_found", "There is no such asset, or no such version of it.")
	ErrTemplateInUse    = fault.New(fault.Conflict, "template_in_use", "Jobs that have not ended use this template.")
	ErrAssetInUse       = fault.New(fault.Conflict, "asset_in_use", "Jobs that have not ended use this asset.")
	ErrTemplateUnknown  = fault.New(fault.Invalid, "template_unknown", "There is no such template, or no such version of it.")
	ErrAssetUnknown     = fault.New(fault.Invalid, "asset_unknown", "There is no such asset.")
)

// missing, used and unknown say of each shelf that something is not there, cannot go, and cannot be named.
var (
	missing = map[Shelf]*fault.Error{TemplateShelf: ErrTemplateNotFound, AssetShelf: ErrAssetNotFound}
	used    = map[Shelf]*fault.Error{TemplateShelf: ErrTemplateInUse, AssetShelf: ErrAssetInUse}
	unknown = map[Shelf]*fault.Error{TemplateShelf: ErrTemplateUnknown, AssetShelf: ErrAssetUnknown}
)

// ErrNotStored is the error of a shelf that does not have what was asked for.
func ErrNotStored(s Shelf) *fault.Error { return missing[s] }

// ErrUsed is the error of a shelf on which something must stay.
func ErrUsed(s Shelf) *fault.Error { return used[s] }

// Item names something on a shelf of a tenant.
type Item struct {
	Tenant string
	Shelf  Shelf
	Name   string
}

// Stored is a version of an item. All of it but Current and Uses stays as it is.
type Stored struct {
	Item
	Version     int // counted from 1; a number is never used again
	SHA256      string
	Size        int64
	ContentType string // of an asset
	Blob        string
	Created     time.Time
	Current     bool // a name alone means this version
	Uses        int  // jobs that need it and have not ended
}

// Use is a version that a job needs until its end.
type Use struct {
	Shelf   Shelf
	Name    string
	Version int
}

// String is the use as the store keeps it. Names have neither colons nor blanks.
func (u Use) String() string { return fmt.Sprintf("%s:%s:%d", u.Shelf, u.Name, u.Version) }

// Catalog holds what tenants store under names: versions that never change, of which one is current. The bytes are in the blob
// store, at a place of each version's own, so that the end of one version cannot touch another that has the same bytes.
type Catalog interface {
	// StoreVersion makes the current version of an item out of what is given of it: the digest, the size, the media type and the
	// place. The same digest again is the same version, wherever its bytes are now, and becomes the current one. Without a place
	// nothing new is made: [ErrNotStored] then.
	StoreVersion(ctx context.Context, v Stored) (Stored, error)
	// Version returns a version of an item, 0 being the current one, or [ErrNotStored].
	Version(ctx context.Context, i Item, version int) (Stored, error)
	// VersionOf returns the version of an item with a digest, or [ErrNotStored].
	VersionOf(ctx context.Context, i Item, sha256 string) (Stored, error)
	// KnowsItem reports whether an item was ever stored, deleted or not.
	KnowsItem(ctx context.Context, i Item) (bool, error)
	// Items returns a page of the current versions on a shelf, by name; the cursor is the last name of the page before.
	Items(ctx context.Context, tenant string, s Shelf, cursor string, limit int) (Page[Stored], error)
	// Versions returns a page of the versions of an item, newest first, or [ErrNotStored] when there is none at all. A cursor is the
	// number of the last version of the page before; 0 begins.
	Versions(ctx context.Context, i Item, cursor, limit int) (Page[Stored], error)
	// RemoveVersion forgets a version, 0 being all of them, and returns the places that are free. [ErrUsed] while a job needs it,
	// or one of them: then nothing is forgotten. After the current one the highest number that is left is current.
	RemoveVersion(ctx context.Context, i Item, version int) (blobs []string, err error)
}

// itemName is the shape of names: they stand in paths, in addresses of pages and in names of blobs.
var itemName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)

// IsItemName reports whether a text can be the name of a template or an asset: 1–100 letters, digits, dots, hyphens and
// underscores, beginning with neither a dot nor a hyphen, without two dots in a row.
func IsItemName(name string) bool {
	return itemName.MatchString(name) && !strings.Contains(name, "..")
}

// uses are what a spec needs until its job has ended.
func uses(s Spec) []Use {
	var all []Use
	if s.Template != nil {
		all = append(all, Use{TemplateShelf, s.Template.Name, s.Template.Version})
	}
	for _, a := range s.Assets {
		all = append(all, Use{AssetShelf, a.Name, a.Version})
	}
	return all
}

// errGone says of a use that what it is of was deleted.
func errGone(use string) error {
	shelf, rest, _ := strings.Cut(use, ":")
	name, _, _ := strings.Cut(rest, ":")
	if f := unknown[Shelf(shelf)]; f != nil {
		return f.With("The %s %s was deleted while the job was accepted.", shelf, name)
	}
	return fault.From(fmt.Errorf("accept misses %q", use))
}
