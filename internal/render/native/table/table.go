// Package table finds the widths of the columns and the heights of the rows of a table, where its cells stand, and which of the
// borders that meet win when borders collapse. It knows numbers only: no boxes, no fragments, no fonts.
//
// The order of events is that of CSS Tables 3: [Grid.Place] gives each cell its row and columns, [Grid.Measure] makes the
// constraints of columns from what cells want, [Grid.MinMax] is what the table wants from its surroundings, [Grid.Distribute] and
// [Grid.Locate] fix the columns, [Grid.Heights] makes rows from cells that have been laid out at their widths, [Grid.Grow] gives
// out the height that the table has beyond that. [Grid.Edges] and [Grid.Rules] are for collapsed borders. Where the
// specification leaves a choice, the one of Chromium is taken; rules that are Chromium's alone are marked so.
//
// Lengths are CSS pixels. All that the package returns are whole 64ths of a pixel, so that sums are exact and no text that was
// measured breaks anew for a rounding. Time is linear in cells, spans and, for collapsed borders, rows × columns; what would take
// too long is refused with [ErrTooComplex].
package table

import "github.com/platen-render/platen/internal/fault"

// Caps on what one table may ask for.
const (
	// MaxColumns is the greatest number of columns that take room.
	MaxColumns = 10_000
	// maxWork bounds the steps that spans cost and collapsed borders cost: some seconds.
	maxWork = 20_000_000
	// maxSpan is the greatest colspan, of HTML.
	maxSpan = 1000
)

// Faults.
var (
	ErrTooManyColumns = fault.New(fault.Invalid, "table_too_wide", "A table has more than %d columns.", MaxColumns)
	ErrTooComplex     = fault.New(fault.Invalid, "table_too_complex", "The cells of a table span too many rows and columns.")
)

// Unit says what the value of a [Length] is.
type Unit uint8

// The units. Auto is no length at all.
const (
	Auto Unit = iota
	Pixels
	Percent
)

// Length is a size that a style asks for. The zero value is auto.
type Length struct {
	Unit  Unit
	Value float64
}

// Px is a length of pixels.
func Px(v float64) Length { return Length{Unit: Pixels, Value: v} }

// Share is a percentage.
func Share(v float64) Length { return Length{Unit: Percent, Value: v} }

// Grid is a table. Groups, Rows, Cells, Given, Fixed and the spacing are for the caller to fill, in the order of layout: the
// head first, the foot last. It is not safe for concurrent use.
type Grid struct {
	Groups []Group
	Rows   []Row
	Cells  []Cell
	// Given are the column elements in order.
	Given []ColumnElement
	// Fixed is table-layout: fixed with a width.
	Fixed bool
	// SpacingX and SpacingY are between columns and rows, and around them: 0 when borders collapse. Place makes them 0 if there
	// are no columns.
	SpacingX, SpacingY float64
	// Err is asked now and then whether to go on; nil is always.
	Err func() error

	// Columns are those that take room; Place makes them.
	Columns []Column
	// kept are their numbers in the table as written: columns in which no cell begins take no room, unless the layout is fixed.
	kept []int
	// total is how many columns there are as written, and empty what those of them ask for that take no room.
	total        int
	empty        float64
	work, unseen int
}

// Group is a row group: the next Rows rows.
type Group struct {
	Rows   int
	Height Length
	// Body says that the group is neither the head nor the foot.
	Body bool

	// Size is the height that it has; Heights and Grow set it.
	Size float64
}

// Row is a row: the next Cells cells.
type Row struct {
	Cells  int
	Height Length
	// Collapsed is visibility: collapse: the row takes no room.
	Collapsed bool

	// Size is its height and Baseline where the baselines of its cells meet, from its top; Heights and Grow set them.
	Size, Baseline float64

	percent     float64
	hasPercent  bool
	constrained bool
	spanStarts  bool
}

// Cell is a cell. ColSpan and RowSpan are what is written, at least 1; RowSpan 0 is to the end of the group.
type Cell struct {
	ColSpan, RowSpan int
	// Row and Column are where it begins, Rows and Columns how many it covers, of the columns that take room; Place sets them.
	Row, Column, Rows, Columns int
}

// ColumnElement is what <col> says of Span columns.
type ColumnElement struct {
	Span                      int
	Width, MinWidth, MaxWidth Length
	// Collapsed is visibility: collapse.
	Collapsed bool
}

// spend counts steps. It fails when there are too many of them, or when Err does.
func (g *Grid) spend(n int) error {
	g.work += n
	g.unseen += n
	if g.work > maxWork {
		return ErrTooComplex
	}
	if g.Err == nil || g.unseen < 10_000 {
		return nil
	}
	g.unseen = 0
	return g.Err()
}
