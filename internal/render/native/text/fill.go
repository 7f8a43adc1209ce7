package text

import (
	"context"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// line is the line that is made.
type line struct {
	left, right float64 // between which it may stand
	indent      float64
	items       []item
	width       float64 // without blanks at its end
	wanted      bool    // there is something that makes it a line
	forced      bool    // it ends with a break that must be
	above       float64 // its base line
	below       float64
	level       uint8 // of the paragraph: odd ones begin at the right
}

// item is a piece in a line.
type item struct {
	piece  *piece
	width  float64
	frame  int32
	gone   bool // a blank at the end of a line that collapses
	hangs  bool // a blank at the end that is preserved
	atomic *fragment.Fragment
}

// stop is a place where a line may end.
type stop struct {
	ok    bool
	items int
	width float64
	place cursor
}

// filler is the state of filling one line.
type filler struct {
	*liner
	top, height float64
	width       float64 // of all items
	before      *piece  // the last one that is content
	after       stop    // behind that, and the ends of boxes that follow it
	last        stop    // the last one where breaking is allowed
}

// fill takes pieces until the line is full, or ends for another reason.
func (l *liner) fill(top, height float64) error {
	l.line.items = l.line.items[:0]
	l.line.forced, l.line.indent = false, 0
	if !l.started && l.flow.indented() {
		l.line.indent = finite(l.flow.box.Style.TextIndent.Resolve(l.room.Base()))
	}
	l.line.level = l.flow.level
	if p := l.peek(); p != nil && len(l.flow.bases) > 0 {
		l.line.level = l.flow.baseAt(p.start)
	}
	f := filler{liner: l, top: top, height: height, width: l.line.indent}
	for steps := 1; ; steps++ {
		if steps%every == 0 && l.ctx.Err() != nil {
			return context.Cause(l.ctx)
		}
		p := l.peek()
		if p == nil {
			return nil
		}
		full, err := f.take(p)
		if full || err != nil {
			return err
		}
	}
}

func (l *liner) peek() *piece {
	switch {
	case l.place.rest != nil:
		return l.place.rest
	case l.place.at < len(l.flow.pieces):
		return &l.flow.pieces[l.place.at]
	}
	return nil
}

// advance goes to the next piece.
func (l *liner) advance() {
	if l.place.rest == nil {
		l.place.at++
	}
	l.place.rest = nil
}

// indented reports whether the first line is that of a block container, and not of an anonymous box further down in one.
func (f *Flow) indented() bool {
	b := f.box
	later := b.Anonymous && b.Parent != nil && b.Parent.Children[0] != b
	return !later && !b.Style.TextIndent.IsZero()
}

// take adds a piece to the line; full says that the line ends, with it or before it.
func (f *filler) take(p *piece) (full bool, err error) {
	switch p.kind {
	case wordPiece:
		return f.takeWord(p)
	case atomic:
		return f.takeAtomic(p)
	case blank:
		return f.takeBlank(p, p.width), nil
	case tab:
		return f.takeBlank(p, f.tab(p.look)), nil
	case newline:
		f.push(item{piece: p})
		f.line.forced = true
		return true, nil
	case float:
		return false, f.takeFloat(p)
	case open:
		f.push(item{piece: p, width: f.flow.edge(p, f.room.Base())})
	case closing:
		return f.takeClosing(p), nil
	default:
		f.pass(p)
	}
	return false, nil
}

// push adds an item.
func (f *filler) push(i item) {
	f.line.items = append(f.line.items, i)
	f.width = finite(f.width + i.width)
	f.advance()
}

// pass adds an item that goes with the content before it.
func (f *filler) pass(p *piece) {
	follows := f.after.place == f.place
	f.push(item{piece: p})
	if follows && p.kind == invisible {
		f.mark()
	}
}

// mark notes the place behind what was just added.
func (f *filler) mark() {
	f.after = stop{true, len(f.line.items), f.width, f.place}
}

// add adds content.
func (f *filler) add(i item) {
	f.push(i)
	f.before = i.piece
	f.mark()
}

// fits reports whether there is room for this much more.
func (f *filler) fits(width float64) bool {
	return f.single || f.width+width <= f.line.right-f.line.left+epsilon
}

// allow notes the place before a piece, if the line may end there.
func (f *filler) allow(p *piece) {
	b := f.before
	if b == nil {
		return
	}
	if f.flow.canEnd(b, p) {
		f.last = f.after
	}
}

// canEnd reports whether a line may end between two pieces that follow each other.
func (f *Flow) canEnd(b, p *piece) bool {
	if b.kind == blank || b.kind == tab {
		return b.look.wraps
	}
	return (b.look.wraps || p.look.wraps) && f.canBreak(int(p.start), p.look)
}

// back ends the line at the last place where it may end.
func (f *filler) back() bool {
	if !f.last.ok {
		return false
	}
	f.line.items = f.line.items[:f.last.items]
	f.width, f.place = f.last.width, f.last.place
	f.hyphenate()
	return true
}

// takeBlank adds a blank: it never ends a line, but where all of them are to be seen.
func (f *filler) takeBlank(p *piece, width float64) (full bool) {
	if p.look.collapse && f.before == nil && f.started {
		f.push(item{piece: p, gone: true})
		return false
	}
	if p.look.breakSpace {
		if f.before != nil && (f.before.kind == blank || f.before.kind == tab) && f.before.look.wraps {
			f.last = f.after
		}
		if !f.fits(width) && f.back() {
			return true
		}
	}
	f.add(item{piece: p, width: width})
	return false
}

func (f *filler) takeClosing(p *piece) (full bool) {
	width := f.flow.edge(p, f.room.Base())
	if width > 0 && !f.fits(width) && f.before != nil && f.before.kind != blank && f.back() {
		return true
	}
	follows := f.after.place == f.place
	f.push(item{piece: p, width: width})
	if follows {
		f.mark()
	}
	return false
}
