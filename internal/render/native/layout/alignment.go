package layout

import (
	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// modes are the words of CSS Box Alignment 3 whose meaning depends on no direction.
var modes = map[property.Keyword]align.Mode{
	"normal": align.Stretch, "stretch": align.Stretch, "center": align.Center, "baseline": align.Baseline,
	"space-between": align.Between, "space-around": align.Around, "space-evenly": align.Evenly,
}

// side says how words of sides are to be read along an axis: where it begins and where the container and the item do.
type side struct {
	reversed bool // flex-start is where the axis begins; start is at its other end
	right    bool // the axis begins at the right
	vertical bool
	turned   bool // the item begins at the other end than the container
}

// mode reads a word.
func (d side) mode(word property.Keyword) align.Mode {
	if m, ok := modes[word]; ok {
		return m
	}
	start := align.Start
	if d.reversed {
		start = align.End
	}
	switch word {
	case "flex-end":
		return align.End
	case "start":
		return start
	case "end":
		return start.Turn()
	case "self-start":
		return d.self(start)
	case "self-end":
		return d.self(start).Turn()
	case "left":
		return d.physical(start, d.right)
	case "right":
		return d.physical(start, !d.right)
	}
	return align.Start
}

func (d side) self(start align.Mode) align.Mode {
	if d.turned {
		return start.Turn()
	}
	return start
}

// physical is where left or right is; along a vertical axis both are at the start.
func (d side) physical(start align.Mode, end bool) align.Mode {
	switch {
	case d.vertical:
		return start
	case end:
		return align.End
	}
	return align.Start
}

// alignOf is the align-self of a child, which may be that of all children.
func alignOf(child, parent *box.Box) property.Keyword {
	if k := child.Style.AlignSelf; k != "auto" {
		return k
	}
	return parent.Style.AlignItems
}

// justifyOf is the justify-self of a child.
func justifyOf(child, parent *box.Box) property.Keyword {
	k := child.Style.JustifySelf
	if k == "auto" {
		k = parent.Style.JustifyItems
	}
	if k == "legacy" {
		return "normal"
	}
	return k
}

func rtl(b *box.Box) bool { return b.Style.Direction == "rtl" }

// gap resolves row-gap or column-gap; a share of what is not known is nothing.
func gap(size property.Size, base float64) float64 {
	if size.Keyword != "" || size.Length.HasPercent() && base < 0 {
		return 0
	}
	return max(bounded(size.Length.Resolve(max(base, 0))), 0)
}

// staticShare is which part of a box stands at the place that a mode means: what [layouter.positionedAt] wants.
func staticShare(m align.Mode) float64 {
	switch m {
	case align.End:
		return 1
	case align.Center, align.Around, align.Evenly:
		return 0.5
	case align.Start, align.Stretch, align.Baseline, align.Between:
	}
	return 0
}
