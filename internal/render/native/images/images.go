// Package images finds the pictures of a page among its resources and says how large they want to be: PNG, JPEG, GIF and WebP,
// and SVG. It draws nothing.
package images

import "github.com/platen-render/platen/internal/render/native/dom"

// Image is a picture. It is never changed.
type Image struct {
	// Width and Height are what the picture wants to be, in CSS pixels; 0 is no wish, as an SVG may have none.
	Width, Height float64
	// Ratio is width by height, 0 when there is none.
	Ratio float64
	// Data is a PNG or a JPEG; nil of an SVG. A GIF and a WebP have become a PNG.
	Data []byte
	// SVG is the <svg> element, of the page or of a document of its own, in which case Document is that.
	SVG      *dom.Node
	Document *dom.Document
	// Name is the address under which it was found, for warnings; "" of what stands in the page itself.
	Name string
}
