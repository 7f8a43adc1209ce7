package table

// Content is what a cell says of its width.
type Content struct {
	// Sizes are the min-content and the max-content width of the border box. It is called only if they matter.
	Sizes func() (least, most float64)
	// Edges are border and padding of both sides.
	Edges                     float64
	Width, MinWidth, MaxWidth Length
	BorderBox                 bool
	// Nowrap is the attribute in quirks mode: a width is the least width then (Quirks, section 3.8).
	Nowrap bool
}

// Measure is what a cell wants of its columns (CSS Tables 3, section 3.8.1).
type Measure struct {
	Min, Max    float64
	Percent     float64
	HasPercent  bool
	Edges       float64 // are added to what the percentage makes: in fixed layout
	Constrained bool    // a width in pixels was asked for
}

// measure makes a Measure. A maximal width goes before the content; in fixed layout the content has no least width.
func (c *Content) measure(fixed bool) Measure {
	width, least, most := c.outer(c.Width), c.outer(c.MinWidth), c.outer(c.MaxWidth)
	if most >= 0 && least >= 0 {
		most = max(most, least)
	}
	var m Measure
	m.Constrained = width >= 0
	m.Percent, m.HasPercent = percentOf(c.Width, c.MaxWidth)
	var contentMin, contentMax float64
	if !fixed || width < 0 {
		contentMin, contentMax = c.Sizes()
	}
	if !fixed {
		m.Min = max(up(contentMin), least)
		if c.Nowrap {
			m.Min = max(m.Min, width)
		}
	}
	m.Max = up(contentMax)
	if width >= 0 {
		m.Max = width
	}
	if most >= 0 {
		m.Max, m.Min = min(m.Max, most), min(m.Min, most)
	}
	m.Max = max(m.Max, m.Min)
	if fixed && m.HasPercent && !c.BorderBox {
		m.Edges = up(c.Edges)
	}
	return m
}

// outer is a length of pixels as a width of the border box, or unset.
func (c *Content) outer(l Length) float64 {
	switch {
	case l.Unit != Pixels:
		return unset
	case c.BorderBox:
		return up(max(l.Value, c.Edges))
	}
	return up(max(l.Value, 0) + c.Edges)
}

func percentOf(width, most Length) (float64, bool) {
	if width.Unit != Percent {
		return 0, false
	}
	p := max(0, sane(width.Value))
	if most.Unit == Percent {
		p = min(p, max(0, sane(most.Value)))
	}
	return p, true
}

// and combines what two cells of one column want. Of a column in which one cell has a width the others' longest lines do not
// count, only their longest words.
func (m Measure) and(o Measure) Measure {
	m.Min = max(m.Min, o.Min)
	switch {
	case m.Constrained == o.Constrained:
		m.Max = max(m.Max, o.Max)
	case m.Constrained:
		m.Max = max(m.Max, o.Min)
	default:
		m.Max = max(m.Min, o.Max)
	}
	m.Constrained = m.Constrained || o.Constrained
	if o.HasPercent && (!m.HasPercent || o.Percent > m.Percent) {
		m.HasPercent, m.Percent, m.Edges = true, o.Percent, o.Edges
	}
	return m
}
