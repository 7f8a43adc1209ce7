package layout

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// symbolGap is what browsers leave between a bullet, or an image, and the content.
const symbolGap = 7

// marker places the marker of a list item beside its first line. An item without lines is as high as its marker.
func (c *container) marker() error {
	m := c.b.Marker
	if m == nil {
		return nil
	}
	line, err := c.l.markerLine(m)
	if err != nil {
		return err
	}
	down := c.pen.y - line.Top
	if baseline, ok := firstBaseline(c.f); ok {
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
