package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// spot is where the border box of a block stands in the formatting context that it takes part in.
type spot struct {
	floats *shelf
	x, y   float64
}

// blockResult is a block that has been laid out. End are margins at its lower end that collapse with what follows it.
type blockResult struct {
	f   *fragment.Fragment
	end strut
}

// container is a block container while its content is laid out.
type container struct {
	l *layouter
	b *box.Box
	f *fragment.Fragment
	s space
	e edges
	spot
	root bool

	// inner is the space for children.
	inner space
	// height is that of the border box when definite says so; ratio says that it comes from aspect-ratio.
	height          float64
	definite, ratio bool

	pen  pen
	mark int
	own  shelf // of a root
}

// newContainer makes a container, or takes one that is not needed any more.
func (l *layouter) newContainer() *container {
	n := len(l.spare)
	if n == 0 {
		return &container{}
	}
	c := l.spare[n-1]
	l.spare = l.spare[:n-1]
	*c = container{own: shelf{steps: c.own.steps[:0]}}
	return c
}

// pen is where the next child goes.
type pen struct {
	y float64 // below the border box of the child before, from the border box of the container
	// strut are the margins below that.
	strut strut
	// top says that nothing has been there yet and that margins have collapsed with those of the container, which stands where
	// they put it.
	top bool
	// cleared says that the last child is empty and stands below floats: its margins do not leave the container.
	cleared bool
}

// block lays out a block container; at nil it is the root of a formatting context.
func (l *layouter) block(b *box.Box, s space, at *spot) (blockResult, error) {
	if l.depth++; l.depth > l.limits.MaxDepth {
		return blockResult{}, ErrTooDeep
	}
	defer func() { l.depth-- }()
	e := l.edges(b, s)
	c := l.newContainer()
	defer func() { l.spare = append(l.spare, c) }()
	c.l, c.b, c.s, c.e, c.root, c.mark = l, b, s, e, at == nil, len(l.pending)
	c.f = l.newFragment(b, e, l.width(b, s, e))
	if at != nil {
		c.spot = *at
	} else {
		c.floats = c.own.clean()
	}
	c.open()
	if err := c.content(); err != nil {
		return blockResult{}, err
	}
	if err := c.marker(); err != nil {
		return blockResult{}, err
	}
	end := c.close()
	baselines(c.f)
	return blockResult{c.f, end}, l.err()
}

// content lays out what is in the container.
func (c *container) content() error {
	if c.b.HasLines {
		return c.lines()
	}
	if c.l.markerAlone(c.b) {
		if err := c.marker(); err != nil {
			return err
		}
	}
	return c.children()
}

// open finds the space for children and where the first one goes.
func (c *container) open() {
	c.height, c.definite = c.l.height(c.b, c.s, c.e, c.f.Width)
	if c.definite && c.s.fixedHeight < 0 {
		_, styled := c.l.styledHeight(c.b, c.s, c.e)
		c.ratio = !styled
	}
	c.inner = within(max(c.f.Width-c.e.across(), 0), indefinite)
	if c.definite && !(c.s.soft && c.s.fixedHeight >= 0) {
		c.inner.height = max(c.height-c.e.along(), 0)
	}
	if !c.definite {
		c.inner.height, c.inner.passed = c.l.passedHeight(c.b, c.s, c.e, c.root)
	}
	c.pen = pen{y: c.f.ContentY() + c.s.lower, top: !c.root && c.e.border.Top+c.e.padding.Top == 0}
	c.pen.strut.plain = c.l.plain(c.b)
}

// close finds the height. It returns the margins that go on below.
func (c *container) close() strut {
	end, bottom := c.pen.strut, c.pen.y
	frame := c.e.border.Bottom + c.e.padding.Bottom
	if c.root || frame > 0 || c.pen.cleared {
		if c.l.plain(c.b) {
			end.quirks = 0
		}
		bottom += end.sum()
		end = strut{}
	}
	bottom = max(bottom, c.f.ContentY())
	if c.root {
		bottom = max(bottom, c.floats.bottom()-c.y)
	}
	automatic := bounded(bottom + frame)
	if !c.definite && !c.root && c.l.fills(c.b) {
		automatic = max(automatic, c.filled(end))
	}
	if !c.definite {
		c.height = c.l.limitHeight(c.b, automatic, c.s, c.e)
	} else if c.ratio && c.b.Style.MinHeight.Is("auto") && !clips(c.b) { // CSS Sizing 4, section 5.3
		c.height = max(c.height, automatic)
	}
	c.f.Height = c.height
	if c.b.Kind == box.TableCell {
		c.lowerCell(c.height - automatic)
	}
	if c.definite || c.height != automatic {
		return strut{}
	}
	return end
}

// lowerCell moves the content of a table cell that has room to spare as vertical-align wants it.
func (c *container) lowerCell(spare float64) {
	if spare <= 0 {
		return
	}
	switch c.b.Style.VerticalAlign.Keyword {
	case "middle":
		c.move(spare / 2)
	case "bottom":
		c.move(spare)
	}
}

// move moves everything in the container down. Nobody else has seen it yet.
func (c *container) move(down float64) {
	for _, child := range c.f.Children {
		child.Y += down
	}
	for _, line := range c.f.Lines {
		moveLine(line, 0, down)
	}
	if c.f.Marker != nil {
		moveLine(c.f.Marker, 0, down)
	}
	for i := c.mark; i < len(c.l.pending); i++ {
		if p := &c.l.pending[i]; p.holder == c.b {
			p.y += down
		}
	}
}

func moveLine(line *fragment.Line, right, down float64) {
	line.Left += right
	line.Top += down
	line.Baseline += down
	for _, part := range line.Parts {
		switch {
		case part.Text != nil:
			part.Text.X += right
			part.Text.Y += down
		case part.Inline != nil:
			part.Inline.X += right
			part.Inline.Y += down
		case part.Atomic != nil:
			part.Atomic.X += right
			part.Atomic.Y += down
		}
	}
}
