package fragment

// Extent is the rectangle that a fragment and all that is seen of what is in it take, from the border box of what holds it: margins and
// what is fixed to the page do not count, nor does what a box with overflow hides. A caller that must stop early passes a
// function that says so.
func (f *Fragment) Extent(stop func() bool) Rect {
	return f.extent(stop, f.X+f.ShiftX, f.Y+f.ShiftY)
}

// extent does it for a border box that begins at x, y.
func (f *Fragment) extent(stop func() bool, x, y float64) Rect {
	r := Rect{x, y, x + f.Width, y + f.Height}
	border := r
	if !stop() && !f.clips() {
		for _, line := range f.Lines {
			for _, p := range line.Parts {
				part := p.extent(stop, x, y-f.Lead)
				if p.Atomic == nil { // blanks that hang at the end of a line are no content
					part.X1 = min(part.X1, x+line.Left+line.Width)
				}
				r = r.around(part)
			}
		}
		for _, c := range f.Children {
			if c.Box.Style.Position != "fixed" {
				r = r.around(c.extent(stop, x+c.X+c.ShiftX, y+c.Y+c.ShiftY-f.Lead))
			}
		}
	}
	if len(f.Box.Style.Transform) == 0 {
		return r
	}
	m, visible := Transformation(f.Box.Style, border)
	if !visible {
		return Rect{x, y, x, y}
	}
	return Mapped(m, r)
}

// clips reports whether what reaches out of the box to the right is cut off. On the root, overflow is that of the page.
func (f *Fragment) clips() bool {
	s := f.Box.Style
	return s.OverflowX != "visible" && s.OverflowX != "" && f.Box.Parent != nil
}

func (p Part) extent(stop func() bool, x, y float64) Rect {
	switch {
	case p.Text != nil:
		t := p.Text
		return Rect{x + t.X, y + t.Y - t.Ascent, x + t.X + t.Width, y + t.Y + t.Descent}
	case p.Inline != nil:
		i := p.Inline
		return Rect{x + i.X, y + i.Y, x + i.X + i.Width, y + i.Y + i.Height}
	}
	a := p.Atomic
	return a.extent(stop, x+a.X+a.ShiftX, y+a.Y+a.ShiftY)
}

// around is the smallest rectangle with both in it.
func (r Rect) around(o Rect) Rect {
	return Rect{min(r.X0, o.X0), min(r.Y0, o.Y0), max(r.X1, o.X1), max(r.Y1, o.Y1)}
}
