package layout

import (
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/images"
)

// What a replaced box is that has no size at all (CSS 2.2, section 10.3.2).
const (
	defaultWidth  = 300
	defaultHeight = 150
)

// replaced lays out an image.
func (l *layouter) replaced(b *box.Box, s space) *fragment.Fragment {
	e := l.edges(b, s)
	width, height := l.replacedSize(b, s, e)
	f := l.newFragment(b, e, width)
	f.Height = max(bounded(height), 0)
	return f
}

// replacedSize returns the size of the border box (CSS 2.2, sections 10.3.2, 10.4 and 10.6.2).
func (l *layouter) replacedSize(b *box.Box, s space, e edges) (width, height float64) {
	across, along := e.across(), e.along()
	width, wide := s.fixedWidth, s.fixedWidth >= 0
	if !wide && definite(b.Style.Width) { // its content is no narrower and no wider than it is by itself
		width, wide = l.sizeAcross(b, b.Style.Width, s, e)
	}
	height, high := s.fixedHeight, s.fixedHeight >= 0
	if !high {
		height, high = sizeAlong(b, b.Style.Height, s, e)
	}
	ratio := imageRatio(b)
	switch {
	case wide && high:
	case wide:
		width = l.limitFixed(b, width, s, e)
		height = heightOf(b, width-across, ratio) + along
	case high:
		height = l.limitHeight(b, height, s, e)
		width = widthOf(b, height-along, ratio) + across
	default:
		return l.naturalSize(b, ratio, s, e)
	}
	if s.fixedHeight < 0 {
		height = l.limitHeight(b, height, s, e)
	}
	return l.limitFixed(b, width, s, e), height
}

func (l *layouter) limitFixed(b *box.Box, width float64, s space, e edges) float64 {
	if s.fixedWidth >= 0 {
		return s.fixedWidth
	}
	return l.limitWidth(b, width, s, e)
}

// naturalSize is that of an image both of whose sizes are automatic.
func (l *layouter) naturalSize(b *box.Box, ratio float64, s space, e edges) (width, height float64) {
	width = naturalWidth(b)
	if image := picture(b); image.Width <= 0 && image.Height <= 0 && ratio > 0 && s.width >= 0 {
		width = max(s.room()-e.margin.Across()-e.across(), 0)
	}
	height = heightOf(b, width, ratio)
	if picture(b).Width > 0 && picture(b).Height > 0 && b.Style.AspectRatio.Width <= 0 {
		height = picture(b).Height
	}
	least, most := l.limitsOf(b, s, e)
	if ratio <= 0 {
		width, height = min(max(width, least[0]), most[0]), min(max(height, least[1]), most[1])
	} else {
		width, height = constrain(width, height, least, most)
	}
	return width + e.across(), height + e.along()
}

// limitsOf returns the limits of the content box in both directions.
func (l *layouter) limitsOf(b *box.Box, s space, e edges) (least, most [2]float64) {
	most = [2]float64{farthest, farthest}
	if w, ok := l.sizeAcross(b, b.Style.MaxWidth, s, e); ok {
		most[0] = w - e.across()
	}
	if h, ok := sizeAlong(b, b.Style.MaxHeight, s, e); ok {
		most[1] = h - e.along()
	}
	if w, ok := l.sizeAcross(b, b.Style.MinWidth, s, e); ok {
		least[0] = w - e.across()
	}
	if h, ok := sizeAlong(b, b.Style.MinHeight, s, e); ok {
		least[1] = h - e.along()
	}
	most[0], most[1] = max(most[0], least[0]), max(most[1], least[1])
	return least, most
}

// constrain keeps a size within limits and its ratio as far as they allow: the table of CSS 2.2, section 10.4.
func constrain(w, h float64, least, most [2]float64) (width, height float64) {
	if w <= 0 || h <= 0 {
		return min(max(w, least[0]), most[0]), min(max(h, least[1]), most[1])
	}
	tooWide, tooHigh, tooNarrow, tooLow := w > most[0], h > most[1], w < least[0], h < least[1]
	switch {
	case tooWide && tooHigh && most[0]/w <= most[1]/h, tooWide && !tooHigh && !tooLow:
		return most[0], max(most[0]*h/w, least[1])
	case tooWide && tooHigh, tooHigh && !tooWide && !tooNarrow:
		return max(most[1]*w/h, least[0]), most[1]
	case tooNarrow && tooLow && least[0]/w <= least[1]/h, tooLow && !tooWide && !tooNarrow:
		return min(least[1]*w/h, most[0]), least[1]
	case tooNarrow && tooLow, tooNarrow && !tooHigh:
		return least[0], min(least[0]*h/w, most[1])
	case tooNarrow && tooHigh:
		return least[0], most[1]
	case tooWide && tooLow:
		return most[0], least[1]
	}
	return w, h
}

// picture is the image of a replaced box; that of a widget has no size of its own.
func picture(b *box.Box) images.Image {
	if b.Image == nil {
		return images.Image{}
	}
	return *b.Image
}

// imageRatio is the ratio of width to height, 0 when there is none.
func imageRatio(b *box.Box) float64 {
	r := b.Style.AspectRatio
	if styled := r.Width > 0 && r.Height > 0; styled && (!r.Auto || picture(b).Ratio <= 0) {
		return min(r.Width/r.Height, farthest)
	}
	return max(picture(b).Ratio, 0)
}

// naturalWidth is the width of an image whose style says nothing.
func naturalWidth(b *box.Box) float64 {
	switch image := picture(b); {
	case image.Width > 0:
		return image.Width
	case image.Height > 0:
		return widthOf(b, image.Height, imageRatio(b))
	}
	return defaultWidth
}

func widthOf(b *box.Box, height, ratio float64) float64 {
	switch {
	case ratio > 0:
		return bounded(height * ratio)
	case picture(b).Width > 0:
		return picture(b).Width
	}
	return defaultWidth
}

func heightOf(b *box.Box, width, ratio float64) float64 {
	switch {
	case ratio > 0:
		return bounded(width / ratio)
	case picture(b).Height > 0:
		return picture(b).Height
	}
	return defaultHeight
}

// replacedMinMax returns what the border box of an image wants. One whose width, or greatest width, is a percentage can become as
// small as one likes (CSS Sizing 3, section 5.2.2).
func (l *layouter) replacedMinMax(b *box.Box, e edges) (least, most float64) {
	most, _ = l.replacedSize(b, within(indefinite, indefinite), e)
	if b.Style.Width.Length.HasPercent() || b.Style.MaxWidth.Length.HasPercent() {
		return l.limitWidth(b, e.across(), within(indefinite, indefinite), e), most
	}
	return most, most
}
