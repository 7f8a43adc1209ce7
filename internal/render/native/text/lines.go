package text

import (
	"context"
	"math"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

// liner puts one flow in lines.
type liner struct {
	ctx    context.Context //nolint:containedctx // of one call
	flow   *Flow
	room   Room
	single bool // one line without end

	place   cursor
	floated int32                         // pieces before this one have had their floats placed
	atomics map[*piece]*fragment.Fragment // laid out before, for lines that are made again
	started bool                          // there was a line before

	line    line
	frames  []frame
	frameOf []int32 // by inline box; 0 is none
	visual  visual
	sums    []float64 // scratch of cuts
	lines   []*fragment.Line
}

// cursor is a place in the flow: a piece, or what is left of the one before it.
type cursor struct {
	at   int
	rest *piece
}

// Lines puts the content in lines, the first of which begins at top. It returns where the last one ends. The error is the cause of ctx,
// [ErrTooManyParts], pdf.ErrFontInvalid, or comes from the room.
func (f *Flow) Lines(ctx context.Context, room Room, top float64) (lines []*fragment.Line, bottom float64, err error) {
	l := f.setter.liner(ctx, f, room)
	defer f.setter.release(l)
	return l.all(finite(top))
}

// liner returns one that was used before, or a new one. Atomic boxes have lines of their own, so several are in use at a time.
func (s *Setter) liner(ctx context.Context, f *Flow, room Room) *liner {
	var l *liner
	if n := len(s.idle); n > 0 {
		l, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		l = &liner{}
	}
	l.ctx, l.flow, l.room = ctx, f, room
	return l
}

// release keeps the memory of a liner for the next one, and nothing that it points at.
func (s *Setter) release(l *liner) {
	clear(l.line.items[:cap(l.line.items)])
	clear(l.frames[:cap(l.frames)])
	clear(l.visual.leaves[:cap(l.visual.leaves)])
	clear(l.visual.path[:cap(l.visual.path)])
	if cap(l.line.items) > maxIdle || cap(l.frames) > maxIdle {
		return
	}
	kept := liner{sums: l.sums[:0], frames: l.frames[:0]}
	kept.line.items = l.line.items[:0]
	kept.visual.leaves, kept.visual.path = l.visual.leaves[:0], l.visual.path[:0]
	*l = kept
	s.idle = append(s.idle, l)
}

// maxIdle bounds what an idle liner may keep: clearing it must not cost more than most paragraphs do.
const maxIdle = 512

func (l *liner) all(top float64) ([]*fragment.Line, float64, error) {
	if n := len(l.flow.inlines); n > 0 {
		l.frameOf = make([]int32, n)
	}
	for l.place.rest != nil || l.place.at < len(l.flow.pieces) {
		if err := l.ctx.Err(); err != nil {
			return nil, 0, context.Cause(l.ctx)
		}
		bottom, err := l.next(top)
		if err != nil {
			return nil, 0, err
		}
		top = l.cleared(bottom)
	}
	if n := len(l.lines); n > 0 {
		l.lines[n-1].Forced = true
	}
	return l.lines, top, nil
}

// tries is how often a line is made anew because it is higher than was thought, and so has less room.
const tries = 4

// next makes the line that begins at top, or further down when there is no room beside floats.
func (l *liner) next(top float64) (bottom float64, err error) {
	begin, height := l.place, l.flow.look.lineHeight
	for try := 0; ; try++ {
		l.place = begin
		l.edges(top, height)
		if err := l.fill(top, height); err != nil {
			return 0, err
		}
		l.trim()
		if !l.line.wanted {
			l.positioned(l.line.left, top)
			return top, nil
		}
		l.measure()
		if high := l.line.above + l.line.below; high > height && try < tries {
			if left, right := l.roomAt(top, high); left != l.line.left || right != l.line.right {
				height = high
				continue
			}
		}
		if l.line.width > l.line.right-l.line.left+epsilon && !l.single && l.flow.look.wraps { // what does not wrap stays, as in Blink
			if below, ok := l.room.Below(top); ok && below > top {
				top, height, try = below, l.flow.look.lineHeight, 0
				continue
			}
		}
		break
	}
	l.arrange(top)
	if l.flow.setter.parts > maxParts {
		return 0, ErrTooManyParts
	}
	l.started = true
	return finite(top + l.line.above + l.line.below), nil
}

// epsilon is what lengths of Blink differ by without meaning to: its unit is 1/64 pixel.
const epsilon = 1.0 / 64

func (l *liner) edges(top, height float64) {
	l.line.left, l.line.right = l.roomAt(top, height)
}

func (l *liner) roomAt(top, height float64) (left, right float64) {
	if l.single {
		return 0, math.Inf(1)
	}
	left, right = l.room.Edges(top, height)
	left, right = finite(left), finite(right)
	return left, max(left, right)
}

// positioned tells the room of the positioned boxes that are met in no line.
func (l *liner) positioned(x, y float64) {
	for i := range l.line.items {
		if it := &l.line.items[i]; it.piece.kind == mark {
			l.room.Positioned(it.piece.box, x, y)
		}
	}
}
