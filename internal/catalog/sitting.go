package catalog

import (
	"cmp"
	"context"
	"sync"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/render/templates"
)

// Sitting is a library in which many documents are frozen in a row, as those of a batch: what a name meant once it means until
// [Sitting.Forget], and what was read and parsed once is not so again. Safe for concurrent use.
type Sitting struct {
	*Library
	memory *memory
}

// Sit begins a sitting.
func (l *Library) Sit() *Sitting {
	m := &memory{Catalog: l.Store}
	m.inline.most = 1 // it may be large
	return &Sitting{Library: &Library{Store: m, Blobs: l.Blobs, memory: m}, memory: m}
}

// Forget makes the next look-up of each name a new one: something was deleted meanwhile.
func (s *Sitting) Forget() {
	s.memory.versions.clear()
	s.memory.there.clear()
}

// memory is what a sitting knows already. A nil one knows nothing, and learns nothing.
type memory struct {
	jobs.Catalog

	versions notes[asked, found]
	there    notes[string, bool] // places of templates that had their bytes
	inline   notes[string, *templates.Template]
	sheets   notes[string, []string] // what style sheets name, by their digest
}

type asked struct {
	item    jobs.Item
	version int
}

type found struct {
	stored jobs.Stored
	err    error
}

// Version implements [jobs.Catalog].
func (m *memory) Version(ctx context.Context, i jobs.Item, version int) (jobs.Stored, error) {
	if f, ok := m.versions.get(asked{i, version}); ok {
		return f.stored, f.err
	}
	v, err := m.Catalog.Version(ctx, i, version)
	if f := fault.From(err); f == nil || f.Kind == fault.NotFound {
		m.versions.put(asked{i, version}, found{v, err})
	}
	return v, err
}

// parse is templates.Parse. The items of a batch mostly have one inline template between them, if any.
func (m *memory) parse(text string) (*templates.Template, error) {
	if m == nil {
		return templates.Parse(text)
	}
	if t, ok := m.inline.get(text); ok {
		return t, nil
	}
	t, err := templates.Parse(text)
	if err == nil {
		m.inline.put(text, t)
	}
	return t, err
}

// sheetAssets are the assets that a style sheet names, which read gives.
func (m *memory) sheetAssets(digest string, read func() ([]byte, error)) ([]string, error) {
	if m != nil {
		if names, ok := m.sheets.get(digest); ok {
			return names, nil
		}
	}
	content, err := read()
	if err != nil {
		return nil, err
	}
	names := resources.SheetAssets(string(content))
	if m != nil {
		m.sheets.put(digest, names)
	}
	return names, nil
}

// once does look unless it has succeeded for a place.
func (m *memory) once(blob string, look func() error) error {
	if m == nil {
		return look()
	}
	if _, ok := m.there.get(blob); ok {
		return nil
	}
	err := look()
	if err == nil {
		m.there.put(blob, true)
	}
	return err
}

// maxNotes bounds what is known: names come from outside.
const maxNotes = 500

// notes are a bounded map. The zero value is empty. Safe for concurrent use.
type notes[K comparable, V any] struct {
	most  int // 0 is maxNotes
	mu    sync.Mutex
	known map[K]V
}

func (n *notes[K, V]) get(key K) (V, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.known[key]
	return v, ok
}

func (n *notes[K, V]) put(key K, v V) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil || len(n.known) >= cmp.Or(n.most, maxNotes) {
		n.known = map[K]V{}
	}
	n.known[key] = v
}

func (n *notes[K, V]) clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.known = nil
}
