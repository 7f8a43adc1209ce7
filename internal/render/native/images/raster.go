package images

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"github.com/platen-render/platen/internal/render/native/pdf"
)

// format is a kind of picture made of pixels.
type format struct {
	is     func(data []byte) bool
	config func(r io.Reader) (image.Config, error)
	// decode is nil of what a PDF takes as it is.
	decode func(r io.Reader) (image.Image, error)
}

// formats are those that are read.
var formats = []format{
	{is: begins("\x89PNG\r\n\x1a\n"), config: png.DecodeConfig},
	{is: begins(jpegMagic), config: jpeg.DecodeConfig},
	{is: begins("GIF8"), config: gif.DecodeConfig, decode: gif.Decode},
	{is: isWebP, config: webp.DecodeConfig, decode: decodeWebP},
}

func isWebP(data []byte) bool {
	return len(data) >= 14 && string(data[:4]) == "RIFF" && string(data[8:14]) == "WEBPVP"
}

// Decoded is how many pixels are in memory when a picture is read or drawn; 0 when none are, or it is no picture.
func Decoded(data []byte) int {
	for _, f := range formats {
		if !f.is(data) {
			continue
		}
		config, err := f.config(bytes.NewReader(data))
		if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > defaultPixels/config.Height || begins(jpegMagic)(data) {
			return 0
		}
		return config.Width * config.Height
	}
	return 0
}

// jpegMagic begins a JPEG, which is put into a PDF as it is.
const jpegMagic = "\xff\xd8\xff"

// raster reads the header, and the pixels only if they must become a PNG: of an animation, the first picture.
func (l *Loader) raster(f format, data []byte) (*Image, error) {
	config, err := f.config(bytes.NewReader(data))
	if err != nil {
		return nil, ErrBroken.Because(err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return nil, ErrBroken
	}
	if config.Width > l.maxPixels/config.Height {
		return nil, ErrTooLarge.With("An image has %d × %d pixels, more than this server allows.", config.Width, config.Height)
	}
	if f.decode != nil {
		if data, err = l.toPNG(f, data, config); err != nil {
			return nil, err
		}
	} else if pdf.Turned(data) {
		config.Width, config.Height = config.Height, config.Width
	}
	width, height := float64(config.Width), float64(config.Height)
	return &Image{Width: width, Height: height, Ratio: width / height, Data: data}, nil
}

// toPNG decodes a picture and writes it as PNG, as large as its header says: a frame of a GIF may be smaller.
func (l *Loader) toPNG(f format, data []byte, config image.Config) ([]byte, error) {
	decoded, err := f.decode(watched{bytes.NewReader(data), l.ctx})
	if l.ctx.Err() != nil {
		err = context.Cause(l.ctx) // which a decoder may have hidden
	}
	if err != nil {
		return nil, ErrBroken.Because(err)
	}
	if sheet := image.Rect(0, 0, config.Width, config.Height); decoded.Bounds() != sheet {
		whole := image.NewNRGBA(sheet)
		draw.Draw(whole, decoded.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
		decoded = whole
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // the PDF compresses anew
	if err := encoder.Encode(&out, decoded); err != nil {
		return nil, ErrBroken.Because(err)
	}
	return out.Bytes(), nil
}

// watched is a reader that stops when the render does, so that a decoder that knows no context stops too.
type watched struct {
	r   io.Reader
	ctx context.Context // io.Reader has no other way to be told
}

// Read implements [io.Reader].
func (w watched) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, fmt.Errorf("read the image: %w", context.Cause(w.ctx))
	}
	return w.r.Read(p)
}
