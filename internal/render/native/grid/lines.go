package grid

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// Request is what an item asks for in one axis.
type Request struct{ Start, End property.GridLine }

// slot is a request that has been resolved: a span, and where it begins if that is definite. Lines are counted from the first
// explicit one.
type slot struct {
	start, span int
	definite    bool
}

// resolve applies section 8.3.1. reach is how far lines may be from the explicit grid.
func (a *Axis) resolve(q Request, reach int) slot {
	start, end := q.Start, q.End
	if start.Span && end.Span {
		end = property.GridLine{}
	}
	first, hasFirst := a.line(start, "-start", reach)
	last, hasLast := a.line(end, "-end", reach)
	switch {
	case hasFirst && hasLast:
		if first > last {
			first, last = last, first
		}
		if first == last {
			last = first + 1
		}
	case hasFirst:
		last = a.clamp(a.from(first, end, 1), reach)
	case hasLast:
		first = a.clamp(a.from(last, start, -1), reach)
	default:
		return slot{span: loose(start, end)}
	}
	return slot{start: first, span: min(max(last-first, 1), maxTracks), definite: true}
}

// loose is the span of an item without lines: one that counts names has nothing to count from.
func loose(start, end property.GridLine) int {
	for _, l := range []property.GridLine{start, end} {
		if l.Span && l.Name == "" {
			return min(max(l.Line, 1), maxTracks)
		}
	}
	return 1
}

// line returns where a line is that is named or numbered; ok is false of auto and spans.
func (a *Axis) line(l property.GridLine, side string, reach int) (at int, ok bool) {
	switch {
	case l.IsAuto() || l.Span:
		return 0, false
	case l.Name == "":
		return a.clamp(a.numbered(l.Line), reach), true
	case l.Line == 0:
		if list := a.lines[l.Name+side]; len(list) > 0 {
			return list[0], true
		}
		return a.clamp(a.named(l.Name, 1), reach), true
	}
	return a.clamp(a.named(l.Name, l.Line), reach), true
}

// numbered is the nth line; negative numbers count from the end of the explicit grid.
func (a *Axis) numbered(n int) int {
	if n < 0 {
		return len(a.Explicit) + 1 + n
	}
	return n - 1
}

// named is the nth line of a name; when there are too few, all implicit lines have it.
func (a *Axis) named(name string, n int) int {
	list := a.lines[name]
	switch {
	case n > 0 && n <= len(list):
		return list[n-1]
	case n > 0:
		return len(a.Explicit) + n - len(list)
	case -n <= len(list):
		return list[len(list)+n]
	}
	return n + len(list)
}

// from counts a span from a line, forwards or backwards; auto is a span of 1.
func (a *Axis) from(line int, l property.GridLine, step int) int {
	n := max(l.Line, 1)
	if !l.Span {
		n = 1
	}
	if !l.Span || l.Name == "" {
		return line + step*n
	}
	if step > 0 {
		return a.forwards(line, l.Name, n)
	}
	return a.backwards(line, l.Name, n)
}

func (a *Axis) forwards(line int, name string, n int) int {
	for _, at := range a.lines[name] {
		if at > line {
			if n--; n == 0 {
				return at
			}
		}
	}
	return max(line, len(a.Explicit)) + n
}

func (a *Axis) backwards(line int, name string, n int) int {
	list := a.lines[name]
	for _, at := range slices.Backward(list) {
		if at < line {
			if n--; n == 0 {
				return at
			}
		}
	}
	return min(line, 0) - n
}

func (a *Axis) clamp(line, reach int) int {
	return max(min(line, len(a.Explicit)+reach), -reach)
}

// NoLine is a line that there is not.
const NoLine = -1

// Lines says between which lines of a grid a positioned child stands: NoLine where it said nothing, or named a line that there is
// not; it reaches to the edge of the container then (section 9). Before and count are those of the grid.
func (a *Axis) Lines(q Request, before, count int) (start, end int) {
	first, hasFirst := a.line(q.Start, "-start", maxTracks)
	last, hasLast := a.line(q.End, "-end", maxTracks)
	if hasFirst && hasLast && first > last {
		first, last = last, first
	}
	switch {
	case hasFirst && q.End.Span:
		last, hasLast = a.from(first, q.End, 1), true
	case hasLast && q.Start.Span:
		first, hasFirst = a.from(last, q.Start, -1), true
	}
	return existing(first+before, count, hasFirst), existing(last+before, count, hasLast)
}

func existing(line, count int, ok bool) int {
	if !ok || line < 0 || line > count {
		return NoLine
	}
	return line
}
