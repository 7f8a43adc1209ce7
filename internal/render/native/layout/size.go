package layout

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/css/property"
)

// width returns the width of the border box: as the parent has decided, or as the style wants it (CSS 2.2, sections 10.3 and 10.4).
func (l *layouter) width(b *box.Box, s space, e edges) float64 {
	if s.fixedWidth >= 0 {
		return bounded(s.fixedWidth)
	}
	width, ok := l.sizeAcross(b, b.Style.Width, s, e)
	if !ok {
		width = l.automaticWidth(b, s, e)
	}
	return l.limitWidth(b, width, s, e)
}

// limitWidth applies min-width and max-width to the width of a border box.
func (l *layouter) limitWidth(b *box.Box, width float64, s space, e edges) float64 {
	if most, ok := l.sizeAcross(b, b.Style.MaxWidth, s, e); ok {
		width = min(width, most)
	}
	if least, ok := l.sizeAcross(b, b.Style.MinWidth, s, e); ok {
		width = max(width, least)
	}
	return bounded(max(width, e.across()))
}

// automaticWidth fills the space, fits the content, or follows from the height by the aspect ratio.
func (l *layouter) automaticWidth(b *box.Box, s space, e edges) float64 {
	if ratio := ratioOf(b); ratio > 0 {
		if height, ok := l.styledHeight(b, s, e); ok {
			return throughRatio(b, height, ratio, e.along(), e.across())
		}
	}
	width := max(s.room()-e.margin.Across(), 0)
	if s.shrink {
		least, most := l.content(b)
		width = min(max(least+e.across(), width), most+e.across())
	}
	return transferred(b, width, s, e)
}

// transferred applies the limits of the height to an automatic width, through the aspect ratio (CSS Sizing 4, section 5.2).
func transferred(b *box.Box, width float64, s space, e edges) float64 {
	ratio := ratioOf(b)
	if ratio <= 0 {
		return width
	}
	if most, ok := sizeAlong(b, b.Style.MaxHeight, s, e); ok {
		width = min(width, throughRatio(b, most, ratio, e.along(), e.across()))
	}
	if least, ok := sizeAlong(b, b.Style.MinHeight, s, e); ok {
		width = max(width, throughRatio(b, least, ratio, e.along(), e.across()))
	}
	return width
}

// sizeAcross resolves one of the sizes of a width to that of the border box; ok is false when it says nothing.
func (l *layouter) sizeAcross(b *box.Box, size property.Size, s space, e edges) (width float64, ok bool) {
	switch size.Keyword {
	case "":
		if size.Length.HasPercent() && s.width < 0 {
			return 0, false
		}
		return outer(b, size.Length.Resolve(max(s.width, 0)), e.across()), true
	case "min-content":
		least, _ := l.content(b)
		return least + e.across(), true
	case "max-content":
		_, most := l.content(b)
		return most + e.across(), true
	case "fit-content":
		least, most := l.content(b)
		free := s.room() - e.margin.Across() - e.across()
		return min(max(least, free), most) + e.across(), true
	}
	return 0, false
}

// outer turns a length of the style into that of the border box; frame is what borders and padding take.
func outer(b *box.Box, length, frame float64) float64 {
	if b.Style.BoxSizing == "border-box" {
		return bounded(max(length, frame))
	}
	return bounded(max(length, 0) + frame)
}

// height returns the height of the border box when it does not depend on the content: as the parent has decided, as the style
// wants it, or as the aspect ratio makes it of the width.
func (l *layouter) height(b *box.Box, s space, e edges, width float64) (height float64, ok bool) {
	if s.fixedHeight >= 0 {
		return bounded(s.fixedHeight), true
	}
	if height, ok = l.styledHeight(b, s, e); ok {
		return height, true
	}
	if ratio := ratioOf(b); ratio > 0 {
		return l.limitHeight(b, throughRatio(b, width, 1/ratio, e.across(), e.along()), s, e), true
	}
	return 0, false
}

// styledHeight is the height that the style alone wants, within its limits.
func (l *layouter) styledHeight(b *box.Box, s space, e edges) (height float64, ok bool) {
	if b.Kind == box.TableCell { // the row has it
		return 0, false
	}
	if height, ok = sizeAlong(b, b.Style.Height, s, e); !ok || s.natural {
		return 0, false
	}
	return l.limitHeight(b, height, s, e), true
}

// limitHeight applies min-height, max-height and what the parent wants at least to the height of a border box.
func (l *layouter) limitHeight(b *box.Box, height float64, s space, e edges) float64 {
	if b.Kind == box.TableCell { // as in Chromium, whatever its style says
		return bounded(max(height, s.minHeight, e.along()))
	}
	if most, ok := sizeAlong(b, b.Style.MaxHeight, s, e); ok && !s.natural {
		height = min(height, most)
	}
	if least, ok := sizeAlong(b, b.Style.MinHeight, s, e); ok && !s.natural {
		height = max(height, least)
	}
	return bounded(max(height, s.minHeight, e.along()))
}

// sizeAlong resolves one of the sizes of a height to that of the border box. A percentage of what is not known says nothing.
func sizeAlong(b *box.Box, size property.Size, s space, e edges) (height float64, ok bool) {
	if size.Keyword != "" || size.Length.HasPercent() && s.height < 0 {
		return 0, false
	}
	return outer(b, size.Length.Resolve(max(s.height, 0)), e.along()), true
}

// ratioOf is the aspect-ratio of a box that is no image, 0 when there is none.
func ratioOf(b *box.Box) float64 {
	r := b.Style.AspectRatio
	if r.Width <= 0 || r.Height <= 0 || tablePart(b.Kind) || b.Kind == box.TableGrid || b.Kind == box.Table {
		return 0
	}
	if ratio := r.Width / r.Height; !math.IsInf(ratio, 0) {
		return ratio
	}
	return 0
}

// throughRatio makes of one side of a border box the other: the ratio, of the other to this one, holds for the box that box-sizing
// names (CSS Sizing 4, section 5.1).
func throughRatio(b *box.Box, side, ratio, frame, otherFrame float64) float64 {
	if b.Style.BoxSizing == "border-box" && !b.Style.AspectRatio.Auto {
		return bounded(max(side*ratio, otherFrame))
	}
	return bounded(max(side-frame, 0)*ratio) + otherFrame
}
