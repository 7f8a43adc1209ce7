package paint

import (
	"strings"

	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/fragment"
)

// linkOf is the box that makes a link of what is in b, or nil.
func (p *painter) linkOf(b *box.Box) *box.Box {
	if b == nil || b.Link != "" {
		return b
	}
	if p.tree.NoLinks {
		return nil
	}
	if known, ok := p.links[b]; ok {
		return known
	}
	found := p.linkOf(b.Parent)
	if len(b.Children) > 1 { // only one asks for those of others
		p.links[b] = found
	}
	return found
}

// linkTo makes a link of a fragment, if it is that of the link, or stands in a line of it: an image in an <a>. What is deeper in is
// covered by that.
func (b *brush) linkTo(f *fragment.Fragment, area rect) {
	link := b.linkOf(f.Box)
	if link == nil {
		return
	}
	for x := f.Box; x != link; x = x.Parent {
		if x.Parent.Kind != box.Inline {
			return
		}
	}
	b.link(link, area)
}

// schemes are those that a document may lead to.
var schemes = []string{"http:", "https:", "mailto:", "tel:"}

// link makes an area of the page lead somewhere: to a place in the document, or to an address that is harmless to open.
func (b *brush) link(link *box.Box, area rect) {
	if area.empty() || !b.shows(area) {
		return
	}
	to := mapped(b.matrix, area).bounds()
	if name, ok := strings.CutPrefix(link.Link, "#"); ok {
		b.page.LinkTo(to, name)
		return
	}
	for _, scheme := range schemes {
		if len(link.Link) > len(scheme) && strings.EqualFold(link.Link[:len(scheme)], scheme) {
			b.page.Link(to, link.Link)
			return
		}
	}
}

// linkAreas gathers the texts of one link in one line, so that they become one area.
type linkAreas struct {
	inside *box.Box // the link that all of the fragment belongs to, if any
	link   *box.Box
	area   rect
}

// add takes a text into the area of its link.
func (l *linkAreas) add(b *brush, t *fragment.Text, at offset) {
	link := b.linkOf(t.Box.Parent)
	if link != l.link {
		b.flush(l)
	}
	if link == nil || link == l.inside || t.Box.Style.Visibility != "visible" {
		return
	}
	area := rect{at.x + t.X, at.y + t.Y - t.Ascent, at.x + t.X + t.Width, at.y + t.Y + t.Descent}
	if l.link == link {
		old := l.area
		area = rect{min(old.x0, area.x0), min(old.y0, area.y0), max(old.x1, area.x1), max(old.y1, area.y1)}
	}
	l.link, l.area = link, area
}

// flush makes the link of what was gathered.
func (b *brush) flush(l *linkAreas) {
	if l.link != nil {
		b.link(l.link, l.area)
	}
	l.link = nil
}
