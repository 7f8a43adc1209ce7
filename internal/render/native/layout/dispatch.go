package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// remembered is how many spaces a box remembers: who lays out a box twice does so in two spaces, again and again.
const remembered = 4

// outcome is what became of a box in a space.
type outcome struct {
	space    space
	fragment *fragment.Fragment
	pending  []pending // what has its containing block further out
}

func (st *state) find(s space) *outcome {
	for i := range st.made {
		if o := &st.made[i]; o.space == s {
			return o
		}
	}
	return nil
}

func (st *state) remember(o outcome) {
	if len(st.made) < remembered {
		st.made = append(st.made, o)
		return
	}
	st.made[st.next] = o
	st.next = (st.next + 1) % remembered
}

// layout lays out a box by itself: as the root of a formatting context. The fragment is for who asked: X and Y may be set, nothing
// below it may be changed.
func (l *layouter) layout(b *box.Box, s space) (*fragment.Fragment, error) {
	if err := l.err(); err != nil {
		return nil, err
	}
	st := l.state(b)
	if o := st.find(s); o != nil {
		l.pending = append(l.pending, o.pending...)
		again := *o.fragment
		return &again, nil
	}
	if l.depth++; l.depth > l.limits.MaxDepth {
		return nil, ErrTooDeep
	}
	defer func() { l.depth-- }()
	mark := len(l.pending)
	f, err := l.dispatch(b, s)
	if err != nil {
		return nil, err
	}
	if err := l.finish(f, s, mark); err != nil {
		return nil, err
	}
	if simpleCell(b) {
		return f, nil
	}
	st.remember(outcome{s, f, append([]pending(nil), l.pending[mark:]...)})
	again := *f
	return &again, nil
}

// simpleCell reports whether a box is a table cell with nothing but text in it. There are many, and nobody but the table lays them out, which
// remembers them itself.
func simpleCell(b *box.Box) bool {
	if b.Kind != box.TableCell {
		return false
	}
	for _, c := range b.Children {
		if c.Kind != box.Text && c.Kind != box.Break {
			return false
		}
	}
	return true
}

// dispatch lays out a box as its kind wants.
func (l *layouter) dispatch(b *box.Box, s space) (*fragment.Fragment, error) {
	switch b.Kind {
	case box.Flex:
		return l.flex(b, s)
	case box.Grid:
		return l.grid(b, s)
	case box.Table:
		return l.table(b, s)
	case box.TableGrid:
		return l.tableGrid(b, s)
	case box.Replaced:
		return l.replaced(b, s), nil
	default:
	}
	r, err := l.block(b, s, nil)
	return r.f, err
}

// finish does what is left to do once a fragment has its size: it moves it if it is relative, and lays out the positioned boxes, of
// those that are pending since mark, whose containing block it is.
func (l *layouter) finish(f *fragment.Fragment, s space, mark int) error {
	shift(f, s)
	if err := l.adopt(f, mark); err != nil {
		return err
	}
	f.Overflow = reach(f)
	return l.err()
}

// reach is how far the content of a fragment reaches down.
func reach(f *fragment.Fragment) float64 {
	if f.Box.Style.OverflowY != "visible" && !isBody(f.Box) {
		return f.Height
	}
	down := f.Height
	for _, c := range f.Children {
		if c.Box.Style.Position != "fixed" {
			down = max(down, c.Y+c.Overflow)
		}
	}
	for _, line := range f.Lines {
		down = max(down, line.Top+line.Height)
	}
	return down
}

// baselines takes over the baselines of the lines or of the children in flow. As in browsers those of tables count for nothing in an
// inline-block, and what cuts its content off has its first one not outside of it and its last one where its margin ends.
func baselines(f *fragment.Fragment) {
	if n := len(f.Lines); n > 0 {
		f.HasBaseline, f.Baseline, f.LastBaseline = true, f.Lines[0].Baseline, f.Lines[n-1].Baseline
	}
	for _, c := range f.Children {
		if !c.InFlow() || c.Box.Kind == box.Table && inInlineBlock(f.Box) {
			continue
		}
		if c.HasBaseline && !f.HasBaseline {
			f.HasBaseline, f.Baseline = true, c.Y+c.Baseline
		}
		switch {
		case clips(c.Box) && c.Box.Kind == box.Block:
			f.LastBaseline = c.Y + c.Height + c.Margin.Bottom
			if !f.HasBaseline && inInlineBlock(f.Box) {
				f.HasBaseline, f.Baseline = true, f.LastBaseline
			}
		case c.HasBaseline:
			f.LastBaseline = c.Y + c.LastBaseline
		}
	}
	if f.HasBaseline && clips(f.Box) {
		f.Baseline = min(max(f.Baseline, 0), f.Height)
	}
}

// inInlineBlock reports whether a block is an inline-block or stands in one, with nothing but blocks between.
func inInlineBlock(b *box.Box) bool {
	for ; b != nil && b.Kind == box.Block; b = b.Parent {
		if b.Inline {
			return true
		}
	}
	return false
}
