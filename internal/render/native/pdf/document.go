package pdf

import "fmt"

// Info holds the properties of a document. Empty fields are left out.
type Info struct {
	Title, Author, Subject, Keywords string
	// Creator is the program that made the input, Producer the one that made the PDF.
	Creator, Producer string
	// Lang is the natural language, a BCP 47 tag.
	Lang string
}

// Document is a PDF that is being written. Make one with [New] or [Press.New]; end it with [Document.Close].
type Document struct {
	file   *file
	info   Info
	limits Limits

	pages     []*pageRecord
	fonts     []*fontUse
	fontOf    map[Typeface]*fontUse
	resources resources
	images    map[digest]*Image
	places    map[string]destination
	outline   []outlineItem
	spare     []byte // buffer of the last finished page
	shared    ref    // the resource dictionary of all pages and forms
	root      ref    // of the page tree
	closed    bool
	marks     int
}

// Marks counts what has been painted so far: areas that are not white, lines, gradients, pictures, but no text.
func (d *Document) Marks() int { return d.marks }

// Err returns the first error so far, so that a long layout can stop early: that of the context, of the writer, or a fault of
// this package.
func (d *Document) Err() error {
	d.file.alive()
	return d.file.err
}

// Close writes fonts, outline, page tree and cross-reference, and returns the first error of the document's life. It does not
// close the writer. After an error the caller discards what was written. Closing twice returns the same.
func (d *Document) Close() error {
	if d.closed {
		return d.file.err
	}
	d.closed = true
	defer d.release()
	d.writeFonts()
	d.writePages()
	d.file.object(d.shared, d.resources.dictionary(d.fonts))
	catalog := d.catalog()
	root, info := d.file.alloc(), d.file.alloc()
	d.file.object(root, catalog)
	d.file.object(info, d.info.dictionary())
	if !d.file.alive() {
		return d.file.err
	}
	return d.file.finish(root, info)
}

// release gives back what the document has of its press.
func (d *Document) release() {
	d.file.release(d.spare)
	d.spare = nil
}

// catalog is the root dictionary (7.7.2). Structure tree, output intents, metadata and attachments have their entries here.
func (d *Document) catalog() []byte {
	b := appendEntry([]byte("<</Type/Catalog"), "Pages", d.root)
	if outline := d.writeOutline(); outline != 0 {
		b = appendEntry(b, "Outlines", outline)
	}
	if d.info.Lang != "" {
		b = appendText(append(b, "/Lang"...), d.info.Lang)
	}
	if d.info.Title != "" {
		b = append(b, "/ViewerPreferences<</DisplayDocTitle true>>"...)
	}
	return append(b, ">>"...)
}

func (i Info) dictionary() []byte {
	b := []byte("<<")
	for _, e := range []struct{ key, value string }{
		{"Title", i.Title},
		{"Author", i.Author},
		{"Subject", i.Subject},
		{"Keywords", i.Keywords},
		{"Creator", i.Creator},
		{"Producer", i.Producer},
	} {
		if e.value != "" {
			b = appendText(appendName(b, e.key), e.value)
		}
	}
	return append(b, ">>"...)
}

// resources are what content streams call by name. One dictionary serves all pages: a name means the same everywhere.
type resources struct {
	states, shadings, objects named
}

// named gives short names to objects, and the same name to the same definition.
type named struct {
	prefix string
	refs   []ref
	names  map[string]string
}

func newResources() resources {
	return resources{
		states:   named{prefix: "G", names: map[string]string{}},
		shadings: named{prefix: "S", names: map[string]string{}},
		objects:  named{prefix: "X", names: map[string]string{}},
	}
}

// name returns the name of the object with this definition, which write makes when it is new.
func (n *named) name(definition string, write func() ref) string {
	if name, ok := n.names[definition]; ok {
		return name
	}
	name := n.add(write())
	n.names[definition] = name
	return name
}

func (n *named) add(r ref) string {
	n.refs = append(n.refs, r)
	return fmt.Sprintf("%s%d", n.prefix, len(n.refs)-1)
}

func (n *named) append(b []byte, category string) []byte {
	if len(n.refs) == 0 {
		return b
	}
	b = append(appendName(b, category), "<<"...)
	for i, r := range n.refs {
		b = appendEntry(b, fmt.Sprintf("%s%d", n.prefix, i), r)
	}
	return append(b, ">>"...)
}

func (r *resources) dictionary(fonts []*fontUse) []byte {
	b := []byte("<<")
	if len(fonts) > 0 {
		b = append(b, "/Font<<"...)
		for _, f := range fonts {
			b = appendEntry(b, f.name, f.ref)
		}
		b = append(b, ">>"...)
	}
	b = r.states.append(b, "ExtGState")
	b = r.shadings.append(b, "Shading")
	b = r.objects.append(b, "XObject")
	return append(b, ">>"...)
}
