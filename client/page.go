package client

import (
	"iter"
	"net/url"
	"strconv"

	"github.com/platen-render/platen/api"
)

// Page says which part of a list to return. The zero Page is the first one, of the server's usual size.
type Page struct {
	Limit  int    // at most [api.MaxLimit] entries; 0 means [api.DefaultLimit]
	Cursor string // NextCursor of the page before
}

// query adds the page to the filters of a list.
func (p Page) query(filter url.Values) url.Values {
	if p.Limit != 0 {
		filter.Set("limit", strconv.Itoa(p.Limit))
	}
	if p.Cursor != "" {
		filter.Set("cursor", p.Cursor)
	}
	return filter
}

// all goes through all entries of a list.
func all[T any](load func(Page) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page := Page{Limit: api.MaxLimit}
		for {
			entries, next, err := load(page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
			if next == nil || *next == "" {
				return
			}
			page.Cursor = *next
		}
	}
}
