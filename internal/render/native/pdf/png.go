package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

func (d *Document) storePNG(data []byte, sum digest) (*Image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, ErrImageInvalid.Because(err)
	}
	if err := d.roomFor(config); err != nil {
		return nil, err
	}
	planes := d.file.press.shelf.find(sum)
	if planes == nil {
		if planes, err = d.pressPNG(data, config); err != nil {
			return nil, err
		}
		d.file.press.shelf.keep(sum, planes)
	}
	r := d.file.alloc()
	var mask []byte
	if planes.mask != nil {
		m := d.file.alloc()
		d.file.raw(m, imageEntries(config, "/DeviceGray", "/Filter/FlateDecode"), planes.mask)
		mask = appendEntry(nil, "SMask", m)
	}
	d.file.raw(r, imageEntries(config, planes.space, "/Filter/FlateDecode"+string(mask)), planes.data)
	return &Image{Width: config.Width, Height: config.Height, name: d.resources.objects.add(r), orientation: upright}, nil
}

// pressPNG decodes a picture and compresses its planes.
func (d *Document) pressPNG(data []byte, config image.Config) (*pressed, error) {
	picture, err := png.Decode(watched{bytes.NewReader(data), d.file})
	if stopped := d.Err(); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, ErrImageInvalid.Because(err)
	}
	p := &pressed{space: "/DeviceRGB"}
	if !opaque(picture) {
		p.mask = bytes.Clone(d.encode(config, planeOf(picture, alpha)))
	}
	colors := planeOf(picture, rgb)
	if gray, ok := picture.(*image.Gray); ok {
		p.space, colors = "/DeviceGray", grayPlane(gray)
	}
	p.data = d.encode(config, colors) // valid until something else is compressed
	return p, d.Err()
}

func opaque(picture image.Image) bool {
	o, ok := picture.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// plane appends the samples of one row.
type plane func(row []byte, y int) []byte

// encode compresses the rows of an image.
func (d *Document) encode(c image.Config, rows plane) []byte {
	z := d.file.streams
	z.restart()
	var row []byte
	for y := range c.Height {
		if !d.file.alive() {
			return nil
		}
		row = rows(row[:0], y)
		d.file.deflateSome(z, row)
	}
	return d.file.deflated(z)
}

func grayPlane(g *image.Gray) plane {
	return func(row []byte, y int) []byte {
		at := y * g.Stride
		return append(row, g.Pix[at:at+g.Rect.Dx()]...)
	}
}

func rgb(row []byte, c color.NRGBA) []byte   { return append(row, c.R, c.G, c.B) }
func alpha(row []byte, c color.NRGBA) []byte { return append(row, c.A) }

// planeOf reads what samples takes of each pixel. The kinds that PNG files mostly have go without conversion.
func planeOf(picture image.Image, samples func([]byte, color.NRGBA) []byte) plane {
	switch p := picture.(type) {
	case *image.Paletted:
		return palettedPlane(p, samples)
	case *image.RGBA: // the decoder's kind for images without alpha
		return pixelPlane(p.Pix, p.Stride, p.Rect.Dx(), samples)
	case *image.NRGBA:
		return pixelPlane(p.Pix, p.Stride, p.Rect.Dx(), samples)
	}
	// 16 bits to a sample: one row at a time becomes 8.
	bounds := picture.Bounds()
	line := image.NewNRGBA(image.Rect(0, 0, bounds.Dx(), 1))
	return func(row []byte, y int) []byte {
		draw.Draw(line, line.Rect, picture, image.Pt(bounds.Min.X, bounds.Min.Y+y), draw.Src)
		return pixelPlane(line.Pix, line.Stride, bounds.Dx(), samples)(row, 0)
	}
}

func pixelPlane(pix []byte, stride, width int, samples func([]byte, color.NRGBA) []byte) plane {
	return func(row []byte, y int) []byte {
		line := pix[y*stride : y*stride+4*width]
		for ; len(line) > 0; line = line[4:] {
			row = samples(row, color.NRGBA{line[0], line[1], line[2], line[3]})
		}
		return row
	}
}

func palettedPlane(p *image.Paletted, samples func([]byte, color.NRGBA) []byte) plane {
	colors := make([]color.NRGBA, 256) // an index beyond the palette is black and opaque, as in the decoder's bounds check
	for i := range colors {
		colors[i] = opaqueBlack
	}
	for i, c := range p.Palette {
		colors[i], _ = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	return func(row []byte, y int) []byte {
		for _, i := range p.Pix[y*p.Stride : y*p.Stride+p.Rect.Dx()] {
			row = samples(row, colors[i])
		}
		return row
	}
}
