package flex

import "github.com/platen-render/platen/internal/render/native/align"

// Stretch finds how large the lines are across, stretches what stretches, and returns the size of the content box of the container
// across: its own or, when that is Indefinite, that of the lines (sections 9.4 and 9.6).
func (c *Container) Stretch(items []Item, lines []Line) float64 {
	for i := range lines {
		lines[i].measure(items[lines[i].First:lines[i].End])
	}
	if !c.Wrap && len(lines) > 0 {
		lines[0].Cross = c.within(lines[0].Cross)
	}
	cross := c.Cross
	if cross < 0 {
		cross = c.within(c.depth(lines))
	}
	if c.Wrap && c.Content == align.Stretch {
		c.stretchLines(lines, cross)
	}
	for i := range lines {
		lines[i].stretch(items[lines[i].First:lines[i].End])
	}
	return cross
}

// within keeps a size that the content wants within what the container says.
func (c *Container) within(cross float64) float64 {
	if c.Cross >= 0 {
		return c.Cross
	}
	return max(min(cross, c.MaxCross), c.MinCross)
}

// depth is the size of all lines across, with the gaps between them.
func (c *Container) depth(lines []Line) float64 {
	sum := gaps(len(lines), c.CrossGap)
	for i := range lines {
		sum += lines[i].Cross
	}
	return sum
}

// stretchLines gives each line an equal part of what is left over.
func (c *Container) stretchLines(lines []Line, cross float64) {
	free := cross - c.depth(lines)
	if free <= 0 {
		return
	}
	for i := range lines {
		lines[i].Cross += free / float64(len(lines))
	}
}

// measure finds the size of a line: of its largest item, or of those that stand on a baseline together (section 9.4, step 8).
func (l *Line) measure(on []Item) {
	var above, below float64
	found := false
	l.Cross = 0
	for i := range on {
		item := &on[i]
		if !item.onBaseline() {
			l.Cross = max(l.Cross, item.outerCross())
			continue
		}
		up := item.CrossMargin.Start + item.Baseline
		down := item.outerCross() - up
		if !found {
			above, below, found = up, down, true
		}
		above, below = max(above, up), max(below, down)
	}
	l.ascent = above
	l.Cross = max(l.Cross, above+below)
}

func (i *Item) onBaseline() bool { return i.Align == align.Baseline && !i.CrossMargin.Auto() }

// Stretches reports whether the item takes the size of its line.
func (i *Item) Stretches() bool { return i.Align == align.Stretch && !i.CrossMargin.Auto() }

func (l *Line) stretch(on []Item) {
	for i := range on {
		item := &on[i]
		if item.Stretches() {
			item.Cross = max(min(l.Cross-item.CrossMargin.Sum(), item.MaxCross), item.MinCross, 0)
		}
	}
}
