package sfnt

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// unpackWOFF makes a font file of a WOFF file (WOFF File Format 1.0): the same tables, each unpacked by itself.
func unpackWOFF(data []byte) ([]byte, error) {
	damaged := fmt.Errorf("%w: WOFF is damaged", ErrInvalid)
	if len(data) < 44 {
		return nil, damaged
	}
	count := int(binary.BigEndian.Uint16(data[12:]))
	entries := data[44:]
	if len(entries) < 20*count {
		return nil, damaged
	}
	tables := make(map[string][]byte, count)
	total := 0
	for ; count > 0; count, entries = count-1, entries[20:] {
		start, packed := int(binary.BigEndian.Uint32(entries[4:])), int(binary.BigEndian.Uint32(entries[8:]))
		size := int(binary.BigEndian.Uint32(entries[12:]))
		total += size
		if start+packed > len(data) || packed > size || total > MaxSize {
			return nil, damaged
		}
		table, err := inflate(data[start:start+packed], size)
		if err != nil {
			return nil, err
		}
		tables[string(entries[:4])] = table
	}
	if len(tables["head"]) < 12 {
		return nil, damaged
	}
	return assemble(string(data[4:8]), tables), nil
}

// inflate unpacks a table; one that is as long as its size is not packed.
func inflate(packed []byte, size int) ([]byte, error) {
	if len(packed) == size {
		return bytes.Clone(packed), nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: WOFF table: %w", ErrInvalid, err)
	}
	table := make([]byte, size)
	if _, err := io.ReadFull(r, table); err != nil {
		return nil, fmt.Errorf("%w: WOFF table: %w", ErrInvalid, err)
	}
	return table, nil
}

// checkBrotli reports packed data that unpack to more than size.
func checkBrotli(packed []byte, size int64) error {
	n, err := io.Copy(io.Discard, io.LimitReader(brotli.NewReader(bytes.NewReader(packed)), size+1))
	if err != nil && n <= size {
		return fmt.Errorf("%w: WOFF2 data: %w", ErrInvalid, err)
	}
	if n != size {
		return fmt.Errorf("%w: WOFF2 data do not match their directory", ErrInvalid)
	}
	return nil
}
