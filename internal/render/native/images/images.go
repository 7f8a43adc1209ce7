// Package images finds the pictures of a page among its resources and says how large they want to be: PNG, JPEG, GIF and WebP,
// and SVG. It draws nothing.
package images

import (
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// Faults of images. None of them ends a document: a browser goes on without the picture, and so does package box.
var (
	ErrMissing  = fault.New(fault.Invalid, "image_missing", "An image is not among the resources of the page.")
	ErrBroken   = fault.New(fault.Invalid, "image_invalid", "An image is damaged or of an unknown kind.")
	ErrTooLarge = fault.New(fault.Invalid, "image_too_large", "An image has more pixels than this server allows.")
)

// Image is a picture. It is never changed.
type Image struct {
	// Width and Height are what the picture wants to be, in CSS pixels; 0 is no wish, as an SVG may have none. Those of a JPEG
	// are of the upright picture: its EXIF orientation counts.
	Width, Height float64
	// Ratio is width by height, 0 when there is none.
	Ratio float64
	// Data is a PNG or a JPEG; nil of an SVG. A GIF and a WebP have become a PNG. Only the header of a PNG and of a JPEG has
	// been read: the rest may still turn out to be damaged when it is drawn.
	Data []byte
	// SVG is the <svg> element, of the page or of a document of its own, in which case Document is that.
	SVG      *dom.Node
	Document *dom.Document
	// Name is the address under which it was found, for warnings; "" of what stands in the page itself.
	Name string
}
