package images

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/render/native/dom"
)

// Bounds of an SVG that is a file.
const (
	maxFileBytes = 16 << 20
	maxFileNodes = 500_000
)

// looksLikeSVG reports whether the first element is <svg>: before it stand declarations and comments at most.
func looksLikeSVG(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for {
		data = bytes.TrimLeft(data, " \t\r\n\f")
		end := ">"
		switch {
		case bytes.HasPrefix(data, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(data, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(data, []byte("<!")):
			if open := bytes.IndexAny(data, "[>"); open >= 0 && data[open] == '[' { // a DTD inside of the declaration
				end = "]"
			}
		default:
			return bytes.HasPrefix(data, []byte("<svg")) && len(data) > 4 && strings.IndexByte(" \t\r\n\f/>", data[4]) >= 0
		}
		at := bytes.Index(data, []byte(end))
		if at < 0 {
			return false
		}
		data = data[at+len(end):]
		if end == "]" {
			data = bytes.TrimLeft(data, " \t\r\n\f>")
		}
	}
}

// file reads a document whose root is an <svg>.
func (l *Loader) file(data []byte) (*Image, error) {
	text := string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	doc, err := dom.Parse(l.ctx, text, dom.Limits{MaxBytes: maxFileBytes, MaxNodes: maxFileNodes})
	if err != nil {
		return nil, ErrBroken.Because(err)
	}
	for _, n := range doc.Elements {
		if n.Tag == "svg" && n.Namespace == "svg" {
			image := size(n)
			image.Document = doc
			if aspect, _ := n.Attr("preserveAspectRatio"); strings.HasPrefix(strings.TrimSpace(aspect), "none") && (image.Width == 0 || image.Height == 0) {
				image.Ratio = 0
			}
			return image, nil
		}
	}
	return nil, ErrBroken
}

// Inline returns the picture that an <svg> of the page is.
func (l *Loader) Inline(svg *dom.Node) *Image {
	if known, ok := l.inline[svg]; ok {
		return known
	}
	image := size(svg)
	l.inline[svg] = image
	return image
}

// size finds what an <svg> wants to be (SVG 2, section 7.2; CSS Images 3, section 4.1): the attributes say it unless they are
// percentages; the ratio is that of both, or of the viewBox. Of a file that may be stretched as one likes it is none, as in Blink.
func size(svg *dom.Node) *Image {
	image := &Image{SVG: svg}
	if v, ok := svg.Attr("width"); ok {
		image.Width = length(v)
	}
	if v, ok := svg.Attr("height"); ok {
		image.Height = length(v)
	}
	if image.Width > 0 && image.Height > 0 {
		image.Ratio = image.Width / image.Height
	} else if _, _, w, h, ok := ViewBox(svg); ok {
		image.Ratio = w / h
	}
	return image
}

// ViewBox returns what the attribute of an <svg> says; ok is false without one, or when it has no size.
func ViewBox(svg *dom.Node) (x, y, width, height float64, ok bool) {
	text, _ := svg.Attr("viewBox")
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f,", r) })
	if len(parts) != 4 {
		return 0, 0, 0, 0, false
	}
	var v [4]float64
	for i, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil || math.IsNaN(n) || math.Abs(n) > largest {
			return 0, 0, 0, 0, false
		}
		v[i] = n
	}
	return v[0], v[1], v[2], v[3], v[2] > smallest && v[3] > smallest
}

// Bounds of numbers, so that ratios of them stay finite.
const (
	largest  = 1e6
	smallest = 1e-6
)

// perUnit are the pixels of a unit; those of fonts are of the initial font, for there is no other in a file.
var perUnit = map[string]float64{
	"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 96.0 / 72, "pc": 16,
	"em": 16, "rem": 16, "ex": 8, "ch": 8,
}

// length reads a length (SVG 2, section 4.2). What is a percentage, or wrong, is no wish: 0.
func length(text string) float64 {
	text = strings.ToLower(strings.TrimSpace(text))
	end := len(text)
	for end > 0 && (text[end-1] >= 'a' && text[end-1] <= 'z' || text[end-1] == '%') {
		end--
	}
	factor, ok := perUnit[text[end:]]
	n, err := strconv.ParseFloat(text[:end], 64)
	if !ok || err != nil || !(n > smallest) {
		return 0
	}
	return min(float64(n*factor), largest)
}
