package sfnt

import (
	"encoding/binary"
	"fmt"

	"github.com/tdewolff/font"
)

// MaxSize bounds a font, packed and unpacked. The largest fonts that cover all of Chinese have some 20 MB.
const MaxSize = 30 << 20

// Unpack returns the font file in a WOFF or WOFF2 file. What is neither comes back as it is.
func Unpack(data []byte) ([]byte, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrInvalid, MaxSize)
	}
	if len(data) < 12 {
		return nil, fmt.Errorf("%w: %d bytes", ErrInvalid, len(data))
	}
	switch string(data[:4]) {
	case "wOFF":
		return unpackWOFF(data)
	case "wOF2":
		return unpackWOFF2(data)
	}
	return data, nil
}

// unpackWOFF2 leaves the transformed tables to the library, after a look at what it does not bound: its decompressor.
func unpackWOFF2(data []byte) (unpacked []byte, err error) {
	if err := checkWOFF2(data); err != nil {
		return nil, err
	}
	// The library is not ours and was made for honest files.
	defer func() {
		if p := recover(); p != nil {
			unpacked, err = nil, fmt.Errorf("%w: WOFF2 decoder stopped: %v", ErrInvalid, p)
		}
	}()
	unpacked, err = font.ParseWOFF2(data)
	if err != nil {
		return nil, fmt.Errorf("%w: WOFF2: %w", ErrInvalid, err)
	}
	return unpacked, nil
}

// checkWOFF2 walks the table directory (WOFF File Format 2.0, section 4) and unpacks the data behind it into nothing, to see that
// they are no longer than the directory says.
func checkWOFF2(data []byte) error {
	damaged := fmt.Errorf("%w: WOFF2 directory is damaged", ErrInvalid)
	if len(data) < 48 || binary.BigEndian.Uint32(data[16:]) > MaxSize {
		return damaged
	}
	total := 0
	rest := data[48:]
	for count := binary.BigEndian.Uint16(data[12:]); count > 0; count-- {
		size, next, ok := tableSize(rest)
		if !ok || total+size > MaxSize {
			return damaged
		}
		total, rest = total+size, next
	}
	packed := int64(binary.BigEndian.Uint32(data[20:]))
	if packed > int64(len(rest)) {
		return damaged
	}
	return checkBrotli(rest[:packed], int64(total)) // what follows is padding, or metadata
}

// tableSize reads an entry of the directory: how many bytes the table has in the packed data.
func tableSize(b []byte) (size int, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	tag, transform := b[0]&0x3f, b[0]>>6
	b = b[1:]
	if tag == 63 {
		if len(b) < 4 {
			return 0, nil, false
		}
		b = b[4:]
	}
	if size, b, ok = base128(b); !ok {
		return 0, nil, false
	}
	const glyf, loca, hmtx = 10, 11, 3
	if (tag == glyf || tag == loca) && transform == 0 || tag == hmtx && transform == 1 {
		size, b, ok = base128(b)
	}
	return size, b, ok
}

// base128 reads a UIntBase128 (section 4.1).
func base128(b []byte) (v int, rest []byte, ok bool) {
	for i := range min(len(b), 5) {
		v = v<<7 | int(b[i]&0x7f)
		if b[i]&0x80 == 0 {
			return v, b[i+1:], true
		}
	}
	return 0, nil, false
}
