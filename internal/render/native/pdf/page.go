package pdf

import (
	"fmt"
	"slices"
)

// Page is a page that is being drawn. Several may be open at once; they appear in the order of [Document.Page].
type Page struct {
	*Canvas
	record *pageRecord
}

// pageRecord is what is known of a page after its content has been written.
type pageRecord struct {
	ref           ref
	width, height float64
	content       ref
	links         []link
}

// Page begins a page of this size.
func (d *Document) Page(width, height float64) *Page {
	r := &pageRecord{ref: d.file.alloc(), width: width, height: height, content: d.file.alloc()}
	d.pages = append(d.pages, r)
	c := newCanvas(d, d.spare[:0])
	d.spare = nil
	// From here on y grows downwards.
	c.buf = append(c.buf, "1 0 0 -1 0 "...)
	c.buf = appendNumber(c.buf, height)
	c.buf = append(c.buf, " cm\n"...)
	return &Page{Canvas: c, record: r}
}

// Finish writes the content of the page. Nothing can be drawn on it afterwards; links and destinations can be added until the
// document is closed. A page that is not finished is empty.
func (p *Page) Finish() {
	if p.finished {
		return
	}
	p.end()
	p.doc.file.stream(p.record.content, nil, p.buf)
	p.doc.spare, p.buf = p.buf, nil
}

// pagesPerNode keeps the page tree shallow and its nodes short (7.7.3.3).
const pagesPerNode = 100

// node is a page or an inner node of the page tree. Its body lacks the entry for its parent.
type node struct {
	ref   ref
	count int // of pages
	body  []byte
}

// writePages writes the pages and the balanced tree above them.
func (d *Document) writePages() {
	level := make([]node, 0, len(d.pages))
	for _, p := range d.pages {
		if !d.file.alive() {
			return
		}
		level = append(level, node{p.ref, 1, d.pageBody(p)})
	}
	for len(level) > pagesPerNode {
		var above []node
		for kids := range slices.Chunk(level, pagesPerNode) {
			above = append(above, d.parent(d.file.alloc(), kids))
		}
		level = above
	}
	root := d.parent(d.root, level)
	d.file.object(root.ref, append(append([]byte("<<"), root.body...), ">>"...))
}

// parent writes the kids, whose parent is now known, and returns it.
func (d *Document) parent(self ref, kids []node) node {
	p := node{ref: self, body: []byte("/Type/Pages/Kids[")}
	for _, k := range kids {
		k.body = appendEntry(append([]byte("<<"), k.body...), "Parent", self)
		d.file.object(k.ref, append(k.body, ">>"...))
		p.count += k.count
		p.body = append(appendRef(p.body, k.ref), ' ')
	}
	p.body = fmt.Appendf(p.body, "]/Count %d", p.count)
	return p
}

func (d *Document) pageBody(p *pageRecord) []byte {
	b := append([]byte("/Type/Page/MediaBox[0 0 "), appendNumbers(nil, p.width, p.height)...)
	b = appendEntry(append(b, ']'), "Resources", d.shared)
	if d.file.places[p.content].kind != 0 {
		b = appendEntry(b, "Contents", p.content)
	}
	return d.appendLinks(b, p)
}
