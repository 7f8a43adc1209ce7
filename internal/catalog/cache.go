package catalog

import (
	"container/list"
	"sync"
)

// Bounds of what is kept parsed. A parsed template is several times as large as its text.
const (
	maxKept      = 256
	maxKeptBytes = 16 << 20 // of texts
)

// kept are the templates that were used last, by the digest of their content. The zero value is empty. Safe for concurrent use.
type kept struct {
	mu     sync.Mutex
	order  list.List // of *entry, the last used first
	by     map[string]*list.Element
	weight int
}

type entry struct {
	digest   string
	template *Template
	weight   int
}

func (k *kept) get(digest string) *Template {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.by[digest]
	if !ok {
		return nil
	}
	k.order.MoveToFront(e)
	return e.Value.(*entry).template // the list holds nothing else
}

func (k *kept) put(digest string, t *Template, weight int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]*list.Element{}
	}
	if _, there := k.by[digest]; there {
		return
	}
	k.by[digest] = k.order.PushFront(&entry{digest, t, weight})
	k.weight += weight
	for k.order.Len() > 1 && (k.order.Len() > maxKept || k.weight > maxKeptBytes) {
		last := k.order.Back()
		gone := k.order.Remove(last).(*entry)
		delete(k.by, gone.digest)
		k.weight -= gone.weight
	}
}
