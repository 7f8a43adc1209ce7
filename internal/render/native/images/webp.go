package images

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"

	"golang.org/x/image/webp"
)

// Errors of WebP files.
var (
	errNoFrame    = errors.New("webp: no picture in it")
	errLargeFrame = errors.New("webp: a picture larger than the file says")
)

// decodeWebP decodes the first picture of a file. The library knows neither animations nor lossless pictures with a feature
// header, and believes what a picture says of its size: so it is given a plain file of the one picture, once the size is known.
func decodeWebP(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("webp: %w", err)
	}
	sheet, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("webp: header: %w", err)
	}
	f, ok := firstFrame(data)
	if !ok {
		return nil, errNoFrame
	}
	size, err := webp.DecodeConfig(bytes.NewReader(f.still))
	if err != nil {
		return nil, fmt.Errorf("webp: frame: %w", err)
	}
	if size.Width > sheet.Width || size.Height > sheet.Height {
		return nil, errLargeFrame
	}
	img, err := webp.Decode(bytes.NewReader(f.still))
	if err != nil {
		return nil, fmt.Errorf("webp: picture: %w", err)
	}
	if f.x == 0 && f.y == 0 {
		return img, nil
	}
	placed := image.NewNRGBA(img.Bounds().Add(image.Pt(f.x, f.y)))
	draw.Draw(placed, placed.Rect, img, img.Bounds().Min, draw.Src)
	return placed, nil
}

// frame is one picture, as a file of its own, and where it stands.
type frame struct {
	still []byte
	x, y  int
}

// firstFrame looks through the chunks of a file (WebP Container Specification).
func firstFrame(data []byte) (frame, bool) {
	if len(data) < 12 {
		return frame{}, false
	}
	var f frame
	var alpha []byte
	for rest := data[12:]; len(rest) >= 8; {
		size := int(binary.LittleEndian.Uint32(rest[4:]))
		if size < 0 || size > len(rest)-8 {
			return f, false
		}
		chunk, body := rest[:8+size], rest[8:8+size]
		switch kind := string(rest[:4]); {
		case kind == "ANMF" && size > 16:
			f.x, f.y = 2*uint24(body), 2*uint24(body[3:])
			rest = body[16:]
			continue
		case kind == "ALPH":
			alpha = chunk
		case kind == "VP8L":
			f.still = file(chunk)
			return f, true
		case kind == "VP8 " && alpha == nil:
			f.still = file(chunk)
			return f, true
		case kind == "VP8 " && size > 10:
			f.still = file(features(body), alpha, chunk)
			return f, true
		}
		rest = rest[min(8+size+size&1, len(rest)):]
	}
	return f, false
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// features is the header of a picture with alpha, as large as its first frame says (RFC 6386, section 9.1).
func features(body []byte) []byte {
	width, height := binary.LittleEndian.Uint16(body[6:])&0x3fff, binary.LittleEndian.Uint16(body[8:])&0x3fff
	out := append([]byte("VP8X"), 10, 0, 0, 0, 0x10, 0, 0, 0)
	out = append(binary.LittleEndian.AppendUint16(out, width-1), 0)
	return append(binary.LittleEndian.AppendUint16(out, height-1), 0)
}

// file puts chunks into a file.
func file(chunks ...[]byte) []byte {
	body := []byte("WEBP")
	for _, c := range chunks {
		body = append(body, c...)
		if len(c)&1 == 1 {
			body = append(body, 0)
		}
	}
	size := uint32(len(body)) //nolint:gosec // G115: not longer than the file, whose own size has 32 bits
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), size), body...)
}
