package pdf

import "math"

// outlineItem is an entry of the outline: what readers show beside the pages.
type outlineItem struct {
	level       int
	title, name string

	ref                       ref
	parent                    *outlineItem
	first, last, before, next *outlineItem
	below                     int // entries at all depths
}

// Outline adds an entry that leads to the destination of this name. Entries come in reading order; one with a larger level than
// the entry before belongs below it, as headings do.
func (d *Document) Outline(level int, title, name string) {
	d.outline = append(d.outline, outlineItem{level: level, title: title, name: name})
}

// writeOutline writes the tree of entries (12.3.3) and returns its root, or 0 without entries.
func (d *Document) writeOutline() ref {
	if len(d.outline) == 0 {
		return 0
	}
	top := &outlineItem{level: math.MinInt, ref: d.file.alloc()}
	d.plantOutline(top)
	for i := range d.outline {
		if !d.file.alive() {
			return 0
		}
		d.file.object(d.outline[i].ref, d.outlineEntry(&d.outline[i]))
	}
	b := appendEntry([]byte("<</Type/Outlines"), "First", top.first.ref)
	b = appendEntry(b, "Last", top.last.ref)
	d.file.object(top.ref, append(appendInt(b, "Count", top.below), ">>"...))
	return top.ref
}

// plantOutline links the entries to each other below top.
func (d *Document) plantOutline(top *outlineItem) {
	open := []*outlineItem{top} // the entries that the next one may belong to
	for i := range d.outline {
		item := &d.outline[i]
		item.ref = d.file.alloc()
		for len(open) > 1 && open[len(open)-1].level >= item.level {
			open = open[:len(open)-1]
		}
		item.parent = open[len(open)-1]
		item.parent.adopt(item)
		for _, above := range open {
			above.below++
		}
		open = append(open, item)
	}
}

func (o *outlineItem) adopt(child *outlineItem) {
	if o.last == nil {
		o.first, o.last = child, child
		return
	}
	child.before, o.last.next = o.last, child
	o.last = child
}

func (d *Document) outlineEntry(o *outlineItem) []byte {
	b := appendText([]byte("<</Title"), o.title)
	b = appendEntry(b, "Parent", o.parent.ref)
	for _, e := range []struct {
		key  string
		item *outlineItem
	}{{"Prev", o.before}, {"Next", o.next}, {"First", o.first}, {"Last", o.last}} {
		if e.item != nil {
			b = appendEntry(b, e.key, e.item.ref)
		}
	}
	if o.below > 0 {
		b = appendInt(b, "Count", o.below)
	}
	if target, ok := d.places[o.name]; ok {
		b = target.append(b)
	}
	return append(b, ">>"...)
}
