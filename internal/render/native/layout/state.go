package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/text"
)

// state is what is known of a box: what does not depend on where it stands, and what became of it.
type state struct {
	flow *text.Flow

	least, most               float64 // of the margin box, once sized
	contentLeast, contentMost float64 // of the content, once contentSized
	sized, contentSized       bool

	// cut says that the box is cleared, so that margins above it do not collapse with its own.
	cut bool
	ink knowledge // whether it has lines with something in them
	// relative says whether there are relative inline boxes in its lines.
	relative knowledge
	depends  knowledge // whether its content depends on whether its height is known

	sight *sight      // of margins; nil is unknown
	table *tableModel // of a TableGrid

	made []outcome
	next int // of made, to be replaced
}

type knowledge uint8

const (
	unknown knowledge = iota
	no
	yes
)

// state returns that of a box, which is changed by who knows more.
func (l *layouter) state(b *box.Box) *state {
	for len(l.states) <= b.Order {
		l.states = append(l.states, nil)
	}
	st := l.states[b.Order]
	if st == nil {
		st = &state{}
		l.states[b.Order] = st
	}
	return st
}
