package jobs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/platen-render/platen/internal/fault"
)

// Bounds of what is told of wrong items: of how many there are, and of how much is wrong with one.
const (
	maxWrongItems  = 100
	maxWrongOfItem = 5
)

// wrongItems are items that cannot be accepted. The zero value is none.
type wrongItems struct {
	all    map[int]bool
	told   []wrongItem
	severe bool // one of them is wrong for good
}

type wrongItem struct {
	index int
	*fault.Error
}

func (w *wrongItems) any() bool { return len(w.all) > 0 }

// add notes an item. Pointers of the error are into it.
func (w *wrongItems) add(index int, err error) {
	f := fault.From(err)
	if w.all == nil {
		w.all = map[int]bool{}
	}
	if !w.all[index] && len(w.told) < maxWrongItems {
		w.told = append(w.told, wrongItem{index, f})
	}
	w.all[index] = true
	w.severe = w.severe || !f.Retryable()
}

// refusal is the fault of all of them. When time heals each, it is that of the first; else an [ErrBatchRefused].
func (w *wrongItems) refusal(what string) error {
	slices.SortStableFunc(w.told, func(a, b wrongItem) int { return cmp.Compare(a.index, b.index) })
	first := w.told[0]
	f := ErrBatchRefused
	if !w.severe {
		f = first.Error
	}
	items := "items are"
	if len(w.all) == 1 {
		items = "item is"
	}
	return w.detailed(f.With("%s: %d %s wrong. The first is item %d: %s", what, len(w.all), items, first.index, first.Message))
}

// reused is the fault of items that differ from what came before under the same idempotency key.
func (w *wrongItems) reused() error {
	slices.SortStableFunc(w.told, func(a, b wrongItem) int { return cmp.Compare(a.index, b.index) })
	return w.detailed(ErrKeyReused.With("Item %d differs from the one that was sent before under this Idempotency-Key.", w.told[0].index))
}

// detailed adds what is wrong with the items.
func (w *wrongItems) detailed(f *fault.Error) error {
	f.Fields, f.Total = nil, len(w.all)
	for _, item := range w.told {
		fields := item.Fields
		if len(fields) == 0 {
			fields = []fault.Field{{Code: item.Code, Detail: item.Message}}
		}
		for _, field := range fields[:min(len(fields), maxWrongOfItem)] {
			if len(f.Fields) == maxWrongItems {
				return f
			}
			field.Pointer = fmt.Sprintf("/items/%d%s", item.index, field.Pointer)
			f.Fields = append(f.Fields, field)
		}
	}
	return f
}
