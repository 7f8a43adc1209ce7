package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fragment"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// shows reports whether there is a background at all.
func (p panel) shows() bool {
	if p.style.BackgroundColor.A > 0 {
		return true
	}
	for _, img := range p.style.BackgroundImage {
		if !img.IsNone() {
			return true
		}
	}
	return false
}

// at returns what a list says of a layer: lists repeat.
func at[T any](list []T, i int) T {
	if len(list) == 0 {
		var none T
		return none
	}
	return list[i%len(list)]
}

// background paints the color and the images of a panel, the last one first (CSS Backgrounds 3, section 2).
func (b *brush) background(p panel) {
	s := p.style
	if !p.shows() || p.border.empty() || !b.backgrounds(s) {
		return
	}
	last := max(len(s.BackgroundImage)-1, 0)
	if under := p.area(at(s.BackgroundClip, last)); !under.empty() {
		b.c.Fill(under.path(), ink(s.BackgroundColor))
	}
	for i := last; i >= 0 && len(s.BackgroundImage) > 0; i-- {
		img := s.BackgroundImage[i]
		area := p.area(at(s.BackgroundClip, i))
		if img.IsNone() || area.empty() || b.stopped() {
			continue
		}
		place := shape{rect: p.whole}.inside(p.edges(at(s.BackgroundOrigin, i))).rect
		b.image(img, area, place, layout{at(s.BackgroundSize, i), at(s.BackgroundPosition, i), at(s.BackgroundRepeat, i)})
	}
}

// edges is what lies between the border box and the box of this name.
func (p panel) edges(name property.Keyword) fragment.Edges {
	w := p.widths
	switch name {
	case "border-box":
		return fragment.Edges{}
	case "content-box":
		return fragment.Edges{
			Top: w.Top + p.padding.Top, Right: w.Right + p.padding.Right, Bottom: w.Bottom + p.padding.Bottom, Left: w.Left + p.padding.Left,
		}
	}
	return w
}

// area is where a layer is seen.
func (p panel) area(name property.Keyword) shape {
	if name == "padding-box" || name == "content-box" {
		return p.border.inside(p.edges(name))
	}
	return p.border
}

// layout is how an image is repeated in a box.
type layout struct {
	size     property.BackgroundSize
	position value.Position
	repeat   property.Repeat
}

// image paints one layer: an image or a gradient in tiles.
func (b *brush) image(img value.Image, area shape, place rect, l layout) {
	pic, ok := b.artwork(img)
	if !ok || place.empty() {
		return
	}
	width, height := l.tile(place, pic)
	if width <= 0 || height <= 0 {
		return
	}
	x := axis(place.x0, place.width(), &width, l.position.X, l.repeat.X)
	y := axis(place.y0, place.height(), &height, l.position.Y, l.repeat.Y)
	b.c.Save()
	defer b.c.Restore()
	b.c.Clip(area.path(), pdf.NonZero)
	b.tiles(pic, tiling{area.rect, width, height, x, y})
}

// track is where the tiles of one axis stand: the first one, how far apart, and whether there are more.
type track struct {
	start, step float64
	repeated    bool
}

// axis places the tiles of one axis (CSS Backgrounds 3, section 3.4). Round changes their size.
func axis(start, room float64, size *float64, position value.Length, repeat property.Keyword) track {
	if repeat == "round" && room > 0 {
		*size = room / max(math.Round(room / *size), 1)
	}
	t := track{start: start + position.Resolve(room-*size), step: *size, repeated: repeat == "repeat" || repeat == "round"}
	if repeat == "space" {
		if n := math.Floor(room / *size); n >= 2 {
			t = track{start, (room - *size) / (n - 1), true}
		}
	}
	return t
}

// tile is the size of one tile (section 3.9).
func (l layout) tile(place rect, a artwork) (width, height float64) {
	own := a.size(place)
	ratio := a.ratio
	switch l.size.Keyword {
	case "contain", "cover":
		if ratio == 0 {
			return place.width(), place.height()
		}
		k := place.width() / place.height()
		if (ratio > k) == (l.size.Keyword == "contain") {
			return place.width(), place.width() / ratio
		}
		return place.height() * ratio, place.height()
	}
	autoX, autoY := l.size.Width.Keyword == "auto", l.size.Height.Keyword == "auto"
	width, height = l.size.Width.Length.Resolve(place.width()), l.size.Height.Length.Resolve(place.height())
	switch {
	case autoX && autoY:
		return own.width(), own.height()
	case autoX && ratio > 0:
		return height * ratio, height
	case autoX:
		return own.width(), height
	case autoY && ratio > 0:
		return width, width / ratio
	case autoY:
		return width, own.height()
	}
	return width, height
}
