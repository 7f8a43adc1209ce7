package paint

import (
	"math"

	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// artwork is what a background or a list marker shows: an image or a gradient.
type artwork struct {
	image    *images.Image
	gradient *value.Gradient
	ratio    float64
}

// artwork finds an image; it is false when the image is not to be had.
func (p *painter) artwork(img value.Image) (artwork, bool) {
	if img.Gradient != nil {
		return artwork{gradient: img.Gradient}, true
	}
	if p.options.Pictures == nil || img.URL == "" {
		return artwork{}, false
	}
	found, err := p.options.Pictures.Find("", img.URL) // the cascade has made it relative to the page
	if err != nil {
		return artwork{}, false
	}
	return artwork{image: found, ratio: found.Ratio}, true
}

// size is how large it is by itself: what has no size fills the room (CSS Images 3, section 5.3).
func (a artwork) size(room rect) rect {
	if a.image == nil {
		return rect{0, 0, room.width(), room.height()}
	}
	w, h := a.image.Width, a.image.Height
	switch {
	case w > 0 && h > 0:
	case w > 0 && a.ratio > 0:
		h = w / a.ratio
	case h > 0 && a.ratio > 0:
		w = h * a.ratio
	case w > 0:
		h = room.height()
	case h > 0:
		w = room.width()
	case a.ratio > 0: // as large as fits
		w = min(room.width(), room.height()*a.ratio)
		h = w / a.ratio
	default:
		w, h = room.width(), room.height()
	}
	return rect{0, 0, w, h}
}

// tiling is where tiles go: over an area, in rows and columns.
type tiling struct {
	area          rect
	width, height float64
	x, y          track
}

// mostTiles bounds the tiles of one axis: smaller ones are drawn up to there.
const mostTiles = 20_000

// from returns the first tile of an axis that is seen and how many there are.
func (t track) from(low, high, size float64) (start float64, count int) {
	if !t.repeated || t.step <= 0 {
		if t.start >= high || t.start+size <= low {
			return 0, 0
		}
		return t.start, 1
	}
	start = t.start + float64(math.Floor((low-t.start)/t.step)*t.step)
	return start, int(min(math.Ceil((high-start)/t.step), mostTiles))
}

// merged makes one tile of those that look like one: readers show seams between areas that only touch.
func (t tiling) merged(a artwork) tiling {
	if a.gradient == nil {
		return t
	}
	across, down := plain(a.gradient)
	if across {
		t.x.merge(t.area.x0, t.area.x1, &t.width)
	}
	if down {
		t.y.merge(t.area.y0, t.area.y1, &t.height)
	}
	return t
}

// merge makes one tile of all that are seen, if they leave no room between them.
func (t *track) merge(low, high float64, size *float64) {
	if !t.repeated || t.step <= 0 || t.step > *size {
		return
	}
	last := t.start + float64(math.Ceil((high-t.start)/t.step)*t.step)
	t.start += float64(math.Floor((low-t.start)/t.step) * t.step)
	t.repeated, *size = false, last-t.start
}

// tiles draws an artwork again and again. One tile is drawn where it stands; more are stored once, as a tile and a row of tiles.
func (b *brush) tiles(a artwork, t tiling) {
	t = t.merged(a)
	x, columns := t.x.from(t.area.x0, t.area.x1, t.width)
	y, rows := t.y.from(t.area.y0, t.area.y1, t.height)
	if columns <= 0 || rows <= 0 {
		return
	}
	if columns*rows == 1 {
		b.draw(b.c, a, rect{x, y, x + t.width, y + t.height})
		return
	}
	tile := b.doc.Form(pdf.Bounds{X1: t.width, Y1: t.height}, func(c *pdf.Canvas) {
		b.draw(c, a, rect{0, 0, t.width, t.height})
	})
	row, height := tile, t.height
	if columns > 1 && rows > 1 {
		row = b.doc.Form(pdf.Bounds{X1: float64(t.x.step*float64(columns)) + t.width, Y1: height}, func(c *pdf.Canvas) {
			for i := range columns {
				c.Show(tile, float64(t.x.step*float64(i)), 0)
			}
		})
		columns = 1
	}
	for j := range rows {
		for i := range columns {
			if b.stopped() {
				return
			}
			b.c.Show(row, x+float64(t.x.step*float64(i)), y+float64(t.y.step*float64(j)))
		}
	}
}

// draw puts an artwork into a rectangle.
func (b *brush) draw(c *pdf.Canvas, a artwork, r rect) {
	if a.gradient != nil {
		gradient(c, a.gradient, r)
		return
	}
	b.drawImage(c, a.image, r)
}
