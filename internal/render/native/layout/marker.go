package layout

import (
	"math"
	"slices"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// symbolGap is what browsers leave between a bullet, or an image, and the content.
const symbolGap = 7

// marker places the marker of a list item beside its first line. An item without lines is as high as its marker.
func (c *container) marker() error {
	m := c.b.Marker
	if m == nil || c.f.Marker != nil {
		return nil
	}
	line, err := c.l.markerLine(m)
	if err != nil {
		return err
	}
	down := c.pen.y - line.Top
	if c.l.markerAlone(c.b) {
		c.pen = pen{y: c.pen.y + line.Height}
	} else if baseline, ok := firstBaseline(c.f); ok {
		baseline += c.makeRoom(line)
		down = baseline - line.Baseline
	} else if len(c.f.Children) == 0 {
		c.pen = pen{y: c.pen.y + line.Height}
	}
	from := c.l.markerStart(m, line.Width)
	if c.rtl() {
		e := c.f
		from = e.ContentX() + c.inner.width + e.Padding.Right + e.Border.Right - from - line.Width
	}
	moveLine(line, from-line.Left, down)
	c.f.Marker = line
	return nil
}

// makeRoom moves down what stands in an item when its first line is in a block and begins below where the marker would: it returns how far.
func (c *container) makeRoom(line *fragment.Line) float64 {
	first := slices.IndexFunc(c.f.Children, func(f *fragment.Fragment) bool { return f.HasBaseline && f.InFlow() })
	if len(c.f.Lines) > 0 || first < 0 {
		return 0
	}
	f := c.f.Children[first]
	down := line.Baseline - line.Top - f.Baseline
	if down <= 0 {
		return 0
	}
	for i := c.mark; i < len(c.l.pending); i++ {
		if p := &c.l.pending[i]; p.holder == c.b && p.y > f.Y {
			p.y += down
		}
	}
	for _, f := range c.f.Children[first:] {
		f.Y += down
	}
	c.pen.y = bounded(c.pen.y + down)
	return down
}

// markerAlone reports whether a marker has a line of its own, above the content: in quirks mode, when the item begins with a list.
func (l *layouter) markerAlone(b *box.Box) bool {
	if !l.quirks || b.Marker == nil || b.HasLines {
		return false
	}
	for _, c := range b.Children {
		if !c.OutOfFlow() && !c.Floats() {
			return c.Kind == box.Block && c.Node != nil && !c.Anonymous && (c.Node.Tag == "ul" || c.Node.Tag == "ol")
		}
	}
	return false
}

// markerLine sets a marker on a line of its own at 0, 0.
func (l *layouter) markerLine(m *box.Box) (*fragment.Line, error) {
	if m.Kind != box.Replaced {
		return l.setter.Line(l.ctx, m)
	}
	f, err := l.layout(m, within(indefinite, indefinite))
	if err != nil {
		return nil, err
	}
	return &fragment.Line{Width: f.Width, Height: f.Height, Baseline: f.Height, Parts: []fragment.Part{{Atomic: f}}, Forced: true}, nil
}

// markerStart is where a marker begins, from where the border box of the item does, as in Chromium: markers of text end there, symbols keep a distance
// that depends on the font (see [box.Box.Symbol]).
func (l *layouter) markerStart(m *box.Box, width float64) float64 {
	switch {
	case m.Kind == box.Replaced:
		return -width - symbolGap
	case m.Symbol != "":
		return -math.Floor(l.setter.Metrics(m.Style).Ascent*2/3) - symbolGap - 1
	}
	return -width
}

// firstBaseline is that of the first line in a fragment that is not finished.
func firstBaseline(f *fragment.Fragment) (float64, bool) {
	if len(f.Lines) > 0 {
		return f.Lines[0].Baseline, true
	}
	for _, c := range f.Children {
		if c.HasBaseline && c.InFlow() {
			return c.Y + c.Baseline, true
		}
	}
	return 0, false
}
