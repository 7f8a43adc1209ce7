package pdf

import "fmt"

// link is a place on a page that leads somewhere.
type link struct {
	area Bounds
	uri  string
	name string // of a destination, when uri is empty
}

// destination is a place that links and the outline lead to.
type destination struct {
	page *pageRecord
	x, y float64
}

// Link makes an area of the page lead to a URI. Areas are in the coordinates of the page, whatever the transformation.
func (p *Page) Link(area Bounds, uri string) {
	p.record.links = append(p.record.links, link{area: area, uri: uri})
}

// LinkTo makes an area of the page lead to the destination of this name, which may come later in the document. If it never
// comes, there is no link.
func (p *Page) LinkTo(area Bounds, name string) {
	p.record.links = append(p.record.links, link{area: area, name: name})
}

// Destination names a place. The first of a name wins, as the first id of an HTML document does.
func (p *Page) Destination(name string, x, y float64) {
	if _, ok := p.doc.places[name]; !ok {
		p.doc.places[name] = destination{p.record, x, y}
	}
}

// append writes an explicit destination (12.3.2.2). Its y grows upwards.
func (t destination) append(b []byte) []byte {
	b = append(appendRef(append(b, "/Dest["...), t.page.ref), "/XYZ "...)
	return append(appendNumbers(b, t.x, t.page.height-t.y), " null]"...)
}

// appendLinks writes the annotations of a page (12.5) and its entry for them.
func (d *Document) appendLinks(b []byte, p *pageRecord) []byte {
	var refs []byte
	for _, l := range p.links {
		target, known := d.places[l.name]
		if l.uri == "" && !known {
			continue
		}
		r := d.file.alloc()
		body := []byte("<</Type/Annot/Subtype/Link/Border[0 0 0]/F 4/Rect[")
		body = append(appendNumbers(body, l.area.X0, p.height-l.area.Y1, l.area.X1, p.height-l.area.Y0), ']')
		if l.uri != "" {
			body = append(appendBytes(append(body, "/A<</S/URI/URI"...), sevenBit(l.uri)), ">>"...)
		} else {
			body = target.append(body)
		}
		d.file.object(r, append(body, ">>"...))
		refs = append(appendRef(refs, r), ' ')
	}
	if refs == nil {
		return b
	}
	return fmt.Appendf(b, "/Annots[%s]", refs)
}

// sevenBit escapes what a URI must not hold (RFC 3986 section 2.1); an IRI becomes a URI.
func sevenBit(uri string) string {
	b := make([]byte, 0, len(uri))
	for i := range len(uri) {
		if c := uri[i]; c > ' ' && c < 0x7f {
			b = append(b, c)
			continue
		}
		b = append(b, '%', hexDigits[uri[i]>>4], hexDigits[uri[i]&15])
	}
	return string(b)
}
