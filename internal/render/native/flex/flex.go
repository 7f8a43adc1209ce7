// Package flex is the algorithm of flex containers (CSS Flexible Box Layout 1, section 9) in numbers: it breaks items into lines,
// resolves their flexible lengths, and says how large lines are and where items stand. It knows neither boxes nor directions:
// there is a main axis, a cross axis and a start of each, and who calls it turns them into left, right, top and bottom.
//
// The caller goes through the steps in this order, and lays out items in between:
//
//	lines := container.Lines(items)          // main sizes
//	…                                        // items get Cross and Baseline by layout at their Main
//	cross := container.Stretch(items, lines) // sizes of lines; stretched items have a new Cross
//	container.Place(items, lines, cross)     // positions
//
// All lengths are finite numbers of any one unit. Nothing in here fails.
package flex

import "github.com/platen-render/platen/internal/render/native/align"

// Indefinite is a size that is not known.
const Indefinite = -1

// Container is what the container says. Its zero value is a container without room.
type Container struct {
	// Main and Cross are the sizes of the content box; each may be Indefinite.
	Main, Cross float64
	// Wrap allows more than one line. Break is the length at which lines are broken when Main is Indefinite, or Indefinite.
	Wrap  bool
	Break float64
	// MinCross and MaxCross limit the only line of a container that does not wrap.
	MinCross, MaxCross float64
	// MainGap is between items, CrossGap between lines.
	MainGap, CrossGap float64
	// Justify is for items along a line, Content for lines.
	Justify, Content align.Mode
	// MainReversed and CrossReversed say that the text begins where the axis ends, as in row-reverse and wrap-reverse.
	MainReversed, CrossReversed bool
}

// Item is one item. Sizes are those of the border box.
type Item struct {
	// Base is the flex base size, Min and Max what the size is kept between; Min wins. Frame is the part of them that is border
	// and padding: it does not shrink.
	Base, Min, Max, Frame float64
	Grow, Shrink          float64
	MainMargin            Margins
	CrossMargin           Margins
	// Align is how it stands in its line. Stretch is only for items that may: those of an automatic size.
	Align align.Mode

	// Cross is the size across, MinCross and MaxCross limit what stretching makes of it. Baseline is how far the baseline is
	// from the start of the border box. All are known once the item has been laid out at Main.
	Cross, MinCross, MaxCross float64
	Baseline                  float64

	// Main is the size along the line: a result, as are the positions of the border box from the content box of the container.
	Main, MainAt, CrossAt float64
}

// Margins are the two of one axis. Automatic ones are 0 and marked.
type Margins struct {
	Start, End         float64
	AutoStart, AutoEnd bool
}

// Sum is that of both.
func (m Margins) Sum() float64 { return m.Start + m.End }

// Auto reports whether one of them takes room that is left over.
func (m Margins) Auto() bool { return m.AutoStart || m.AutoEnd }

func (m Margins) autos() int {
	n := 0
	if m.AutoStart {
		n++
	}
	if m.AutoEnd {
		n++
	}
	return n
}

// Line are the items from First up to, and without, End.
type Line struct {
	First, End int
	// Cross is the size across and At where the line begins: they are known after [Container.Stretch] and [Container.Place].
	Cross, At float64
	// ascent is how far the shared baseline is from the start of the line.
	ascent float64
}

// Hypothetical is the base size within its limits.
func (i *Item) Hypothetical() float64 { return i.clamp(i.Base) }

func (i *Item) clamp(size float64) float64 { return max(min(size, i.Max), i.Min) }

func (i *Item) outer(size float64) float64 { return size + i.MainMargin.Sum() }

func (i *Item) outerCross() float64 { return i.Cross + i.CrossMargin.Sum() }
