package paint

import (
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// show paints a layer with its opacity and its transformation, within its clip.
func (b *brush) show(l *layer) {
	if b.stopped() {
		return
	}
	style := l.f.Box.Style
	if l.owner != nil {
		style = l.owner.Style
	}
	if style.Opacity <= 0 {
		return
	}
	m := identity
	if l.owner == nil {
		var ok bool
		if m, ok = fragment.Transformation(style, fragment.Rect{X0: l.x, Y0: l.y, X1: l.x + l.f.Width, Y1: l.y + l.f.Height}); !ok {
			return
		}
	}
	b.use(l.clip)
	if m == identity && style.Opacity >= 1 {
		b.order(l)
		b.use(l.clip)
		return
	}
	b.c.Save()
	defer b.c.Restore()
	if m != identity {
		b.c.Transform(m)
	}
	inner := &brush{painter: b.painter, c: b.c, matrix: fragment.Times(b.matrix, m), base: l.clip, now: l.clip}
	inner.around = b.around.and(mapped(b.matrix, b.seen()))
	if style.Opacity >= 1 {
		inner.order(l)
		inner.use(l.clip)
		return
	}
	b.c.Group(everywhere, style.Opacity, func(c *pdf.Canvas) {
		inner.c = c
		inner.order(l)
		inner.use(l.clip)
	})
}

// everywhere does not bound a group: the sheet does.
var everywhere = pdf.Bounds{X0: -1e5, Y0: -1e5, X1: 1e5, Y1: 1e5}

// order paints the parts of a layer (CSS 2.2, appendix E.2).
func (b *brush) order(l *layer) {
	own := 0
	if l.owner == nil && len(l.blocks) > 0 {
		own = 1 // its own background is under everything
	}
	b.steps(l.blocks[:own])
	b.layers(l.below)
	b.steps(l.blocks[own:])
	b.layers(l.floats)
	b.steps(l.content)
	b.steps(l.rims)
	b.layers(l.above)
}

func (b *brush) layers(list []*layer) {
	for _, l := range list {
		b.show(l)
	}
}

func (b *brush) steps(list []step) {
	for i := range list {
		if b.stopped() {
			return
		}
		s := &list[i]
		if s.kind == paintLayer {
			b.show(s.layer)
			continue
		}
		b.use(s.clip)
		b.step(s)
	}
}

func (b *brush) step(s *step) {
	switch s.kind {
	case paintBox:
		b.box(s)
	case paintGroup:
		b.cellsOf(s)
	case paintRules:
		b.rules(s)
	case paintLines:
		b.lines(s)
	case paintPicture:
		b.picture(s)
	case paintMarker:
		b.marker(s)
	case paintOutline:
		b.outline(s)
	case paintLayer:
	}
}
