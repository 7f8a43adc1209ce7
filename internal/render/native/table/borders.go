package table

// LineStyle is the style of a border. Of two borders of one width the greater style wins (CSS 2.2, section 17.6.2.1).
type LineStyle uint8

// The styles. Hidden wins against all and is not drawn; where borders collapse, inset is drawn as a ridge and outset as a groove.
const (
	None LineStyle = iota
	Hidden
	Inset
	Groove
	Outset
	Ridge
	Dotted
	Dashed
	Solid
	Double
)

// Border is one side of a part of the table.
type Border struct {
	Style LineStyle
	Width float64
	Color [4]float64
}

// Sides are the borders of a part. Start is the left one, or the right one of a table that is written from right to left.
type Sides struct{ Top, End, Bottom, Start Border }

// Parts tells the borders of all parts, each by its number in the [Grid]. Nothing is nil but what is not there.
type Parts struct {
	Cell, Row, Group, Column func(i int) *Sides
	// ColumnGroups are those of <colgroup>s.
	ColumnGroups []ColumnGroup
	Table        *Sides
}

// ColumnGroup is a stretch of columns, as written, with borders.
type ColumnGroup struct {
	From, Span int
	Sides      *Sides
}

// edge is the border that has won a place so far. Order tells who came first.
type edge struct {
	*Border
	order int
}

// paints reports whether there is anything to see.
func (e edge) paints() bool { return e.Border != nil && e.Style > Hidden && e.Width > 0 }

// width is what the edge takes: nothing if it does not show.
func (e edge) width() float64 {
	if !e.paints() {
		return 0
	}
	return e.Width
}

// drawn is the style that is compared and drawn.
func (s LineStyle) drawn() LineStyle {
	switch s {
	case Inset:
		return Ridge
	case Outset:
		return Groove
	default:
		return s
	}
}

// offer lets a border take the place if it is stronger than what is there: hidden, wider, or of a greater style. Of equals the
// first stays, so cells are offered before rows, and what is above and at the start before the rest.
func (e *edge) offer(b *Border, order int) {
	if b.Style == None {
		return
	}
	if e.Border != nil && b.Style != Hidden {
		if e.Style == Hidden || b.Width < e.Width || b.Width == e.Width && b.Style.drawn() <= e.Style.drawn() {
			return
		}
	} else if e.Border != nil && e.Style == Hidden {
		return
	}
	e.Border, e.order = b, order
}
