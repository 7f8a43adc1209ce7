package pdf

import (
	"bytes"
	"crypto/sha256"
	"image"
	"io"
)

// Image is a picture in the document. It is drawn any number of times and stored once.
type Image struct {
	// Width and Height are in pixels, as the image shows after its EXIF orientation was applied.
	Width, Height int
	name          string
	orientation   orientation
}

// Image stores a PNG or a JPEG: a JPEG as it is, a PNG decoded and compressed anew. The same bytes give the same image. Errors are
// [ErrImageInvalid] and [ErrImageTooLarge], which leave the document usable; and those of [Document.Close].
func (d *Document) Image(data []byte) (*Image, error) {
	if err := d.Err(); err != nil {
		return nil, err
	}
	sum := digest(sha256.Sum256(data))
	if known, ok := d.images[sum]; ok {
		return known, nil
	}
	img, err := d.storeImage(data, sum)
	if err != nil {
		return nil, err
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	d.images[sum] = img
	return img, nil
}

func (d *Document) storeImage(data []byte, sum digest) (*Image, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return d.storePNG(data, sum)
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return d.storeJPEG(data)
	}
	return nil, ErrImageInvalid
}

// roomFor checks the size that an image claims, before anything is decoded.
func (d *Document) roomFor(c image.Config) error {
	if c.Width <= 0 || c.Height <= 0 {
		return ErrImageInvalid
	}
	if int64(c.Width) > d.limits.ImagePixels/int64(c.Height) {
		return ErrImageTooLarge.With("An image has %d × %d pixels, more than this server allows.", c.Width, c.Height)
	}
	return nil
}

// imageEntries are those of an image dictionary (8.9.5).
func imageEntries(c image.Config, space string, more string) []byte {
	b := appendInt([]byte("/Type/XObject/Subtype/Image/BitsPerComponent 8"), "Width", c.Width)
	b = appendInt(b, "Height", c.Height)
	return append(append(append(b, "/ColorSpace"...), space...), more...)
}

// Image draws an image into a rectangle.
func (c *Canvas) Image(img *Image, x, y, width, height float64) {
	if img == nil || !c.ready() {
		return
	}
	c.doc.marks++
	c.Save()
	defer c.Restore()
	if c.state.fill.A != 255 {
		c.setFill(opaqueBlack) // the alpha of an earlier fill would apply to the image too
	}
	c.Transform(Matrix{A: width, D: height, E: x, F: y})
	// An image fills the unit square from its lower left corner upwards; here y grows downwards.
	c.Transform(img.orientation.matrix())
	c.buf = append(appendName(c.buf, img.name), " Do\n"...)
}

// watched is a reader that stops when the document does, so that a decoder that knows no context stops too.
type watched struct {
	r io.Reader
	f *file
}

// Read implements io.Reader.
func (w watched) Read(p []byte) (int, error) {
	if !w.f.alive() {
		return 0, w.f.err
	}
	return w.r.Read(p)
}
