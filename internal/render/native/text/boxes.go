package text

import "github.com/platen-render/platen/internal/render/native/fragment"

// opened is an inline box that is being placed.
type opened struct {
	inline int32
	part   *fragment.Inline
}

// moveTo closes and opens inline boxes until the pen is in this one.
func (l *liner) moveTo(inline int32) {
	v := &l.visual
	if n := len(v.path); n > 0 && v.path[n-1].inline == inline || n == 0 && inline < 0 {
		return
	}
	l.closeTo(l.commonWith(inline))
	l.openDown(inline)
}

// commonWith is the innermost open box that is around this one too, or it.
func (l *liner) commonWith(inline int32) int32 {
	v := &l.visual
	depth := len(v.path) - 1
	for inline >= 0 {
		in := &l.flow.inlines[inline]
		if d := int(in.depth); d <= depth && v.path[d].inline == inline {
			return inline
		}
		inline = in.parent
	}
	return -1
}

// openDown opens the boxes that are between the innermost open one and this one, and this.
func (l *liner) openDown(inline int32) {
	v := &l.visual
	if inline < 0 || len(v.path) > 0 && v.path[len(v.path)-1].inline == inline {
		return
	}
	in := &l.flow.inlines[inline]
	l.openDown(in.parent)
	frame := &l.frames[l.frameFor(inline)]
	style := in.box.Style
	left, _ := sides(in.box, l.room.Base())
	has := frame.start
	if style.Direction == "rtl" {
		has = frame.end
	}
	if has = has && !frame.drawn(); !has {
		left = side{}
	}
	v.x += left.margin
	top := v.out.Baseline + frame.shift - in.look.metrics.Ascent - style.BorderWidth.Top - max(0, style.Padding.Top.Resolve(l.room.Base()))
	bottom := v.out.Baseline + frame.shift + in.look.metrics.Descent + style.BorderWidth.Bottom + max(0, style.Padding.Bottom.Resolve(l.room.Base()))
	part := &fragment.Inline{Box: in.box, X: finite(v.x), Y: finite(top), Height: finite(bottom - top)}
	part.Start = has
	frame.seen = false // from now on: drawn
	l.flow.setter.parts++
	v.out.Parts = append(v.out.Parts, fragment.Part{Inline: part})
	v.path = append(v.path, opened{inline, part})
	v.x += left.border + left.padding
	l.endText()
}

// drawn reports whether a part of the box was placed in this line before.
func (f *frame) drawn() bool { return !f.seen }

// closeTo closes the boxes inside of this one.
func (l *liner) closeTo(inline int32) {
	v := &l.visual
	for len(v.path) > 0 {
		last := v.path[len(v.path)-1]
		if last.inline == inline {
			return
		}
		in := &l.flow.inlines[last.inline]
		frame := &l.frames[l.frameOf[last.inline]]
		_, right := sides(in.box, l.room.Base())
		has := frame.end
		if in.box.Style.Direction == "rtl" {
			has = frame.start
		}
		if has = has && frame.leaves <= 0; !has {
			right = side{}
		}
		v.x += right.padding + right.border
		last.part.Width = max(0, finite(v.x-last.part.X))
		last.part.End = has
		v.x += right.margin
		v.path = v.path[:len(v.path)-1]
		l.endText()
	}
}
