package chromium

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what is looked through of a document.
const (
	maxContent   = 64 << 20 // bytes of one page or form
	maxForms     = 8        // forms in each other
	maxTreeDepth = 16       // of pages; their tree is wide and not deep
)

var errContent = errors.New("more than is looked through")

// leaves reads what is drawn on the pages of a PDF, in their order.
func (p *pdf) leaves(ctx context.Context) ([]*drawing, error) {
	catalog, err := p.follow(p.trailer, "Root")
	if err != nil {
		return nil, err
	}
	tree, err := p.follow(catalog, "Pages")
	if err != nil {
		return nil, err
	}
	r := &leafReader{pdf: p, wide: map[int]bool{}, forms: map[int][]string{}}
	if err := r.walk(ctx, tree, maxTreeDepth); err != nil {
		return nil, err
	}
	return r.read, nil
}

// leafReader remembers what pages share.
type leafReader struct {
	pdf   *pdf
	read  []*drawing
	wide  map[int]bool     // fonts, by their object
	forms map[int][]string // what is lost in a form, by its object
}

func (r *leafReader) walk(ctx context.Context, node dict, depth int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	kids, isTree := node["Kids"]
	if !isTree {
		return r.page(node)
	}
	if depth == 0 {
		return fmt.Errorf("page tree: %w", errPDF)
	}
	for _, number := range r.pdf.references(kids) {
		kid, err := r.pdf.object(number)
		if err != nil {
			return err
		}
		if err := r.walk(ctx, kid, depth-1); err != nil {
			return err
		}
	}
	return nil
}

func (r *leafReader) page(page dict) error {
	sheet, err := r.sheet(page)
	if err != nil {
		return err
	}
	contents := r.pdf.references(page["Contents"])
	if len(contents) != 1 {
		return fmt.Errorf("contents of a page: %w", errPDF)
	}
	d := &drawing{sheet: sheet}
	r.read = append(r.read, d)
	return r.draw(d, contents[0], page, maxForms)
}

func (r *leafReader) sheet(page dict) (area, error) {
	corners := strings.Fields(strings.Trim(r.pdf.text(page["MediaBox"]), "[]"))
	var n [4]float64
	if len(corners) != len(n) {
		return area{}, fmt.Errorf("/MediaBox: %w", errPDF)
	}
	for i, corner := range corners {
		var err error
		if n[i], err = strconv.ParseFloat(corner, 64); err != nil {
			return area{}, fmt.Errorf("/MediaBox: %w", errPDF)
		}
	}
	return area{n[0], n[1], n[2], n[3]}, nil
}

// draw traces a content stream with the resources of its owner, and the forms in it.
func (r *leafReader) draw(d *drawing, number int, owner dict, depth int) error {
	content, err := r.pdf.stream(number)
	if err != nil {
		return err
	}
	resources := r.pdf.inner(owner, "Resources")
	if d.wide, err = r.wideFonts(r.pdf.inner(resources, "Font")); err != nil {
		return err
	}
	d.trace(content)
	drawn := r.pdf.inner(resources, "XObject")
	slices.Sort(d.forms)
	for _, name := range slices.Compact(d.forms) {
		lost, err := r.form(r.pdf.references(drawn[name]), depth)
		if err != nil {
			return err
		}
		d.lost = append(d.lost, lost...)
	}
	return nil
}

// form returns what is lost in a form. A picture is none.
func (r *leafReader) form(numbers []int, depth int) ([]string, error) {
	if len(numbers) != 1 || depth == 0 {
		return nil, nil
	}
	number := numbers[0]
	if lost, known := r.forms[number]; known {
		return lost, nil
	}
	form, err := r.pdf.object(number)
	if err != nil {
		return nil, err
	}
	r.forms[number] = nil
	if r.pdf.text(form["Subtype"]) != "/Form" {
		return nil, nil
	}
	inside := &drawing{}
	err = r.draw(inside, number, form, depth-1)
	r.forms[number] = inside.lost
	return inside.lost, err
}

// wideFonts are the names of the fonts whose codes have two bytes (ISO 32000-1, 9.7).
func (r *leafReader) wideFonts(fonts dict) (map[string]bool, error) {
	wide := map[string]bool{}
	for name, entry := range fonts {
		for _, number := range r.pdf.references(entry) {
			if _, known := r.wide[number]; !known {
				font, err := r.pdf.object(number)
				if err != nil {
					return nil, err
				}
				r.wide[number] = r.pdf.text(font["Subtype"]) == "/Type0"
			}
			wide[name] = r.wide[number]
		}
	}
	return wide, nil
}

// references are the numbers of the objects that an entry names.
func (p *pdf) references(e entry) []int {
	var numbers []int
	for _, m := range objectID.FindAllSubmatch(p.bytes[e.value:e.end], -1) {
		number, _ := strconv.Atoi(string(m[1])) // digits
		numbers = append(numbers, number)
	}
	return numbers
}

// object returns the dictionary that an object is, or begins with.
func (p *pdf) object(number int) (dict, error) {
	offset, ok := p.objects[number]
	if !ok || offset <= 0 || offset >= len(p.bytes) {
		return nil, fmt.Errorf("object %d: %w", number, errPDF)
	}
	return readDict(p.bytes, offset)
}

// inner returns the dictionary in an entry, there or elsewhere. It is empty if there is none.
func (p *pdf) inner(d dict, key string) dict {
	e, ok := d[key]
	if !ok {
		return nil
	}
	if bytes.HasPrefix(p.bytes[e.value:e.end], []byte("<<")) {
		inside, _ := readDict(p.bytes, e.value) // the browser's own
		return inside
	}
	inside, _ := p.follow(d, key)
	return inside
}

// stream returns the bytes of a stream (ISO 32000-1, 7.3.8).
func (p *pdf) stream(number int) ([]byte, error) {
	d, err := p.object(number)
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(p.text(d["Length"]))
	if err != nil {
		return nil, fmt.Errorf("/Length: %w", errPDF)
	}
	open := p.objects[number] + bytes.Index(p.bytes[p.objects[number]:], []byte("<<"))
	rest := p.bytes[skipValue(p.bytes, open):]
	at := bytes.Index(rest[:min(len(rest), 16)], []byte("stream"))
	if at < 0 {
		return nil, fmt.Errorf("stream: %w", errPDF)
	}
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest[at+len("stream"):], []byte("\r")), []byte("\n"))
	if length < 0 || length > len(rest) {
		return nil, fmt.Errorf("/Length: %w", errPDF)
	}
	return inflate(rest[:length], p.text(d["Filter"]))
}

func inflate(raw []byte, filter string) ([]byte, error) {
	if filter == "" {
		return raw, nil
	}
	if filter != "/FlateDecode" {
		return nil, fmt.Errorf("/Filter %s: %w", filter, errPDF)
	}
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("inflate: %w", err)
	}
	content, err := io.ReadAll(io.LimitReader(z, maxContent+1))
	if err != nil {
		return nil, fmt.Errorf("inflate: %w", err)
	}
	if len(content) > maxContent {
		return nil, errContent
	}
	return content, nil
}
