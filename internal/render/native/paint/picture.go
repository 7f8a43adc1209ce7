package paint

import (
	"errors"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
	"github.com/platen-render/platen/internal/render/native/pdf"
	"github.com/platen-render/platen/internal/render/native/svg"
)

// picture paints a replaced box (CSS Images 3, section 5.5).
func (b *brush) picture(s *step) {
	f := s.f
	style := f.Box.Style
	if style.Visibility != "visible" {
		return
	}
	border := panelOf(f, s.x, s.y)
	content := border.border.inside(border.edges("content-box"))
	// A picture keeps its own proportions: the edges of its box are only snapped for what clips it.
	place := rect{s.x, s.y - f.Before, s.x + f.Width, s.y + f.Height}.snapped().shrunk(border.edges("content-box"))
	if content.empty() || place.empty() || !b.shows(content.rect) {
		return
	}
	if f.Box.Image == nil {
		b.widget(f.Box.Widget, content.rect)
		return
	}
	placed := fitted(style, artwork{image: f.Box.Image, ratio: f.Box.Image.Ratio}, place)
	if inline := f.Box.Image.SVG != nil && f.Box.Image.Document == nil; inline && !f.CutTop && !f.CutBottom {
		// A drawing of the page itself keeps its size, and is cut off at the edges.
		placed = rect{place.x0, place.y0, place.x0 + f.ContentWidth(), place.y0 + f.ContentHeight()}
	}
	b.c.Save()
	defer b.c.Restore()
	if content.round() || f.CutTop || f.CutBottom || placed.and(place) != placed {
		b.c.Clip(content.path(), pdf.NonZero)
	}
	b.drawImage(b.c, f.Box.Image, placed)
}

// fitted is where a picture stands in its box.
func fitted(s *property.Style, a artwork, room rect) rect {
	if a.image.SVG != nil && a.ratio == 0 {
		return room
	}
	own := a.size(room)
	width, height := room.width(), room.height()
	contain := func() {
		if ratio := own.width() / own.height(); width > height*ratio {
			width = height * ratio
		} else {
			height = width / ratio
		}
	}
	switch s.ObjectFit {
	case "contain":
		contain()
	case "cover":
		if ratio := own.width() / own.height(); width > height*ratio {
			height = width / ratio
		} else {
			width = height * ratio
		}
	case "none":
		width, height = own.width(), own.height()
	case "scale-down":
		if own.width() <= width && own.height() <= height {
			width, height = own.width(), own.height()
		} else {
			contain()
		}
	default: // it fills the box; only pixels of its position move it
		if p := s.ObjectPosition; p.X.Resolve(0) == 0 && p.Y.Resolve(0) == 0 {
			return room
		}
	}
	x := room.x0 + s.ObjectPosition.X.Resolve(room.width()-width)
	y := room.y0 + s.ObjectPosition.Y.Resolve(room.height()-height)
	return rect{x, y, x + width, y + height}
}

// drawImage draws a picture into a rectangle. One that turns out to be damaged is left out and told.
func (p *painter) drawImage(c *pdf.Canvas, img *images.Image, r rect) {
	if img.SVG != nil {
		source, err := p.source(img)
		if err == nil {
			err = svg.Draw(p.ctx, c, source, img.SVG, svg.Frame{X: r.x0, Y: r.y0, Width: r.width(), Height: r.height()})
		}
		p.fail(err)
		return
	}
	stored, ok := p.stored[img]
	if !ok {
		var err error
		stored, err = p.doc.Image(img.Data)
		switch {
		case errors.Is(err, pdf.ErrImageInvalid):
			p.broken = append(p.broken, img.Name)
		case err != nil:
			p.fail(err)
		}
		p.stored[img] = stored
	}
	c.Image(stored, r.x0, r.y0, r.width(), r.height())
}

// source is the document of an SVG, with its styles.
func (p *painter) source(img *images.Image) (*svg.Source, error) {
	if known := p.sources[img.Document]; known != nil {
		return known, nil
	}
	doc, styles := p.options.Document, p.options.Styles
	if img.Document != nil {
		computed, err := cascade.Compute(p.ctx, img.Document, cascade.Options{})
		if err != nil {
			return nil, err
		}
		doc = img.Document
		styles = func(n *dom.Node) *property.Style { return computed.Of(n).Style }
	}
	p.sources[img.Document] = svg.NewSource(doc, styles)
	return p.sources[img.Document], nil
}
