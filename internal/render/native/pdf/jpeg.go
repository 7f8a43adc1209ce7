package pdf

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"image/jpeg"
)

// storeJPEG passes a JPEG through: readers decode it themselves (7.4.8).
func (d *Document) storeJPEG(data []byte) (*Image, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, ErrImageInvalid.Because(err)
	}
	if err := d.roomFor(config); err != nil {
		return nil, err
	}
	space, more := "/DeviceRGB", "/Filter/DCTDecode"
	switch config.ColorModel {
	case color.GrayModel:
		space = "/DeviceGray"
	case color.CMYKModel:
		// Programs write CMYK inverted, and say so by an Adobe segment, without which the decoder refuses four components.
		space, more = "/DeviceCMYK", more+"/Decode[1 0 1 0 1 0 1 0]"
	}
	r := d.file.alloc()
	d.file.raw(r, imageEntries(config, space, more), data)
	o := orientationOf(data)
	if o.turned() {
		config.Width, config.Height = config.Height, config.Width
	}
	return &Image{Width: config.Width, Height: config.Height, name: d.resources.objects.add(r), orientation: o}, nil
}

// orientation is how to turn stored pixels to see them upright: the EXIF tag 0x0112, 1–8.
type orientation byte

const upright orientation = 1

// turned reports whether rows become columns.
func (o orientation) turned() bool { return o >= 5 }

// matrix maps the unit square in which readers draw an image to the unit square with y growing downwards.
func (o orientation) matrix() Matrix { return orientations[o-1] }

var orientations = [8]Matrix{
	{1, 0, 0, -1, 0, 1},  // 1: as stored
	{-1, 0, 0, -1, 1, 1}, // 2: mirrored left to right
	{-1, 0, 0, 1, 1, 0},  // 3: half a turn
	{1, 0, 0, 1, 0, 0},   // 4: mirrored top to bottom
	{0, 1, -1, 0, 1, 0},  // 5: mirrored along the main diagonal
	{0, 1, 1, 0, 0, 0},   // 6: a quarter turn clockwise
	{0, -1, 1, 0, 0, 1},  // 7: mirrored along the other diagonal
	{0, -1, -1, 0, 1, 1}, // 8: a quarter turn counterclockwise
}

// orientationOf reads the orientation from the APP1 segment of a JPEG; anything odd in it means upright.
func orientationOf(data []byte) orientation {
	for rest := data[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := rest[1], int(binary.BigEndian.Uint16(rest[2:]))
		if marker == 0xda || size < 2 || len(rest) < 2+size { // the picture itself begins
			return upright
		}
		body := rest[4 : 2+size]
		if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && marker == 0xe1 {
			return tiffOrientation(tiff)
		}
		rest = rest[2+size:]
	}
	return upright
}

// tiffOrientation looks through the first directory of a TIFF file (TIFF 6.0, section 2).
func tiffOrientation(tiff []byte) orientation {
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int(order.Uint32(tiff[4:]))
	if at > len(tiff)-2 {
		return upright
	}
	entries := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= 12; n-- {
		if order.Uint16(entries) == 0x0112 {
			if v := order.Uint16(entries[8:]); v >= 1 && v <= 8 {
				return orientation(v)
			}
			return upright
		}
		entries = entries[12:]
	}
	return upright
}
