package paint

import (
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// layer is what is painted as one (CSS 2.2, appendix E): a stacking context, or what is treated as if it made one but for its
// positioned descendants: a float, an atomic box in a line, an item of a flex box.
type layer struct {
	f    *fragment.Fragment
	x, y float64 // of its border box, on the sheet
	// owner is set when the layer is not the fragment but what of an inline box stands in its lines.
	owner *box.Box
	clip  *clip // around all of it
	z     int
	order int

	below   []*layer // stacking levels under the blocks
	blocks  []step   // backgrounds and borders of blocks
	floats  []*layer
	content []step   // lines and pictures
	above   []*layer // positioned, and stacking levels from 0
	rims    []step   // outlines
}

// stepKind says what a step paints.
type stepKind uint8

const (
	paintBox stepKind = iota
	paintGroup
	paintRules
	paintLines
	paintPicture
	paintMarker
	paintLayer
	paintOutline
)

// step is one thing to paint.
type step struct {
	kind stepKind
	f    *fragment.Fragment
	x, y float64
	clip *clip
	// layer is what a paintLayer paints; atomics are what stands in lines.
	layer   *layer
	atomics map[*fragment.Fragment]*layer
	// owner is the inline box whose parts are painted; nil are those that belong to none with a layer of its own.
	owner *box.Box
}

// builder sorts the fragments of a page into layers.
type builder struct {
	owners map[*box.Box]*box.Box // nearest inline box with a layer of its own, by parent of the part
	// blocks and content are room that painted layers have left behind.
	blocks, content []step
}

// build makes the layers below a fragment whose border box begins here. It is a stacking context whatever its style.
func (b *builder) build(f *fragment.Fragment, x, y float64, around *clip) *layer {
	l := &layer{f: f, x: x, y: y, clip: around, order: f.Box.Order}
	b.fill(l, l, f, x, y, around)
	l.sort()
	return l
}

// page makes the layers of what is painted next to nothing else, in the room of those before. They are given back with done.
func (b *builder) page(f *fragment.Fragment, x, y float64, around *clip) *layer {
	l := &layer{f: f, x: x, y: y, clip: around, order: f.Box.Order, blocks: b.blocks[:0], content: b.content[:0]}
	b.blocks, b.content = nil, nil
	b.fill(l, l, f, x, y, around)
	l.sort()
	return l
}

// done takes the room of a layer that has been painted.
func (b *builder) done(l *layer) {
	clear(l.blocks) // nothing is held on to
	clear(l.content)
	b.blocks, b.content = l.blocks, l.content
}

// sublayer makes the layer of a fragment in a context, which is where positioned descendants go unless it is one itself.
func (b *builder) sublayer(context *layer, f *fragment.Fragment, x, y float64, around *clip) *layer {
	l := &layer{f: f, x: x, y: y, clip: around, order: f.Box.Order}
	inner := context
	if stacks(f.Box) {
		inner = l
	}
	b.fill(l, inner, f, x, y, around)
	if inner == l {
		l.sort()
	}
	return l
}

// sort puts stacking levels in order; equal ones are in that of the document.
func (l *layer) sort() {
	for _, list := range [][]*layer{l.below, l.above} {
		slices.SortStableFunc(list, func(a, b *layer) int {
			if a.z != b.z {
				return a.z - b.z
			}
			return a.order - b.order
		})
	}
}

func (l *layer) raise(child *layer, s *property.Style) {
	child.z = s.ZIndex.Value
	if child.z < 0 {
		l.below = append(l.below, child)
		return
	}
	l.above = append(l.above, child)
}

// stacks reports whether a box makes a stacking context.
func stacks(b *box.Box) bool {
	s := b.Style
	if b.Kind == box.TableGrid { // its wrapper does
		return false
	}
	if s.Opacity < 1 || len(s.Transform) > 0 && b.Kind != box.Inline || s.Position == "fixed" {
		return true
	}
	return s.ZIndex.Set && (s.Position != "static" || isItem(b))
}

// raised reports whether a box is painted after those of the flow.
func raised(b *box.Box) bool {
	return b.Kind != box.TableGrid && b.Style.Position != "static" || stacks(b)
}

// isItem reports whether a box is an item of a flex box or a grid: painted as one, and with a z-index even if it is static.
func isItem(b *box.Box) bool {
	return b.Parent != nil && (b.Parent.Kind == box.Flex || b.Parent.Kind == box.Grid)
}

// fill adds what a fragment paints itself, and its children.
func (b *builder) fill(l, context *layer, f *fragment.Fragment, x, y float64, around *clip) {
	here := step{f: f, x: x, y: y, clip: around}
	switch f.Box.Kind {
	case box.TableRowGroup, box.TableRow:
		l.blocks = append(l.blocks, here.of(paintGroup))
	default:
		l.blocks = append(l.blocks, here.of(paintBox))
	}
	if f.Box.Style.OutlineWidth > 0 && f.Box.Kind != box.Table {
		l.rims = append(l.rims, here.of(paintOutline))
	}
	inner := overflow(f, x, y, around)
	here.clip = inner
	if f.Box.Kind == box.Replaced && (f.Box.Image != nil || f.Box.Widget != box.NoWidget) {
		l.content = append(l.content, here.of(paintPicture))
	}
	if f.Marker != nil {
		l.content = append(l.content, here.of(paintMarker))
	}
	if len(f.Lines) > 0 {
		b.lines(l, context, here)
	}
	if f.Table != nil {
		for _, c := range f.Table.Columns {
			l.blocks = append(l.blocks, step{kind: paintBox, f: c, x: x + c.X, y: y + c.Y, clip: inner})
		}
	}
	for _, c := range inOrder(f) {
		b.child(l, context, c, x+c.X+c.ShiftX, y+c.Y-f.Lead+c.ShiftY, inner)
	}
	if f.Table != nil && len(f.Table.Collapsed) > 0 {
		l.blocks = append(l.blocks, here.of(paintRules))
	}
}

func (s step) of(kind stepKind) step {
	s.kind = kind
	return s
}

// inOrder are the children in the order in which they are painted, which the order property may change.
func inOrder(f *fragment.Fragment) []*fragment.Fragment {
	if f.Box.Kind != box.Flex && f.Box.Kind != box.Grid ||
		!slices.ContainsFunc(f.Children, func(c *fragment.Fragment) bool { return c.Box.Style.Order != 0 }) {
		return f.Children
	}
	sorted := slices.Clone(f.Children)
	slices.SortStableFunc(sorted, func(a, b *fragment.Fragment) int { return a.Box.Style.Order - b.Box.Style.Order })
	return sorted
}

func (b *builder) child(l, context *layer, c *fragment.Fragment, x, y float64, around *clip) {
	switch {
	case raised(c.Box):
		context.raise(b.sublayer(context, c, x, y, around), c.Box.Style)
	case c.Box.Floats():
		l.floats = append(l.floats, b.sublayer(context, c, x, y, around))
	case isItem(c.Box):
		l.content = append(l.content, step{kind: paintLayer, clip: around, layer: b.sublayer(context, c, x, y, around)})
	default:
		b.fill(l, context, c, x, y, around)
	}
}

// lines adds the lines of a fragment: what belongs to inline boxes that are positioned or translucent is painted apart.
func (b *builder) lines(l, context *layer, s step) {
	s.kind = paintLines
	var apart map[*box.Box]*layer
	for _, line := range s.f.Lines {
		for _, p := range line.Parts {
			owner := b.owner(p, s.f.Box)
			if owner != nil && apart == nil { // mostly there is none
				apart = map[*box.Box]*layer{}
			}
			to := b.apart(apart, context, s, owner)
			if a := p.Atomic; a != nil {
				if s.atomics == nil {
					s.atomics = map[*fragment.Fragment]*layer{}
				}
				b.atomic(to, s, a)
			}
		}
	}
	l.content = append(l.content, s)
	for _, made := range apart {
		made.content[0].atomics = s.atomics
		made.sort()
	}
}

func (b *builder) atomic(context *layer, s step, a *fragment.Fragment) {
	x, y := s.x+a.X+a.ShiftX, s.y+a.Y+a.ShiftY-s.f.Lead
	made := b.sublayer(context, a, x, y, s.clip)
	if raised(a.Box) {
		context.raise(made, a.Box.Style)
		return
	}
	s.atomics[a] = made
}

// apart returns the stacking context for what an owner has, and makes the layers of it and of its own owners.
func (b *builder) apart(made map[*box.Box]*layer, context *layer, s step, owner *box.Box) *layer {
	if owner == nil {
		return context
	}
	if known := made[owner]; known != nil {
		if stacks(owner) {
			return known
		}
		return b.apart(made, context, s, b.ownerOf(owner.Parent, s.f.Box))
	}
	outer := b.apart(made, context, s, b.ownerOf(owner.Parent, s.f.Box))
	l := &layer{f: s.f, x: s.x, y: s.y, owner: owner, clip: s.clip, order: owner.Order}
	s.owner = owner
	l.content = []step{s}
	made[owner] = l
	outer.raise(l, owner.Style)
	if stacks(owner) {
		return l
	}
	return outer
}

// owner is the inline box with a layer of its own that a part of a line belongs to, or nil.
func (b *builder) owner(p fragment.Part, top *box.Box) *box.Box {
	switch {
	case p.Inline != nil:
		return b.ownerOf(p.Inline.Box, top)
	case p.Text != nil:
		return b.ownerOf(p.Text.Box.Parent, top)
	}
	return b.ownerOf(p.Atomic.Box.Parent, top)
}

func (b *builder) ownerOf(inline, top *box.Box) *box.Box {
	if inline == nil || inline == top || inline.Kind != box.Inline {
		return nil
	}
	if known, ok := b.owners[inline]; ok {
		return known
	}
	found := inline
	if !raised(inline) {
		found = b.ownerOf(inline.Parent, top)
	}
	b.owners[inline] = found
	return found
}
