package redisstore

import (
	"bytes"
	"compress/flate"
	_ "embed" // for the dictionary
	"io"
	"sync"
)

// Receipts stay for ever and in memory, and are alike. They are kept as a byte that names a dictionary and what DEFLATE (RFC 1951)
// makes of them with it: about a quarter. So is what made a document. Nothing in Lua reads them.

// dictionary is that of the version packedV1. It never changes: what was packed with it could not be read any more.
//
//go:embed packed.v1.txt
var dictionary []byte

const (
	packedV1 = 0x01
	// maxUnpacked bounds what a field can grow to, whatever is in it.
	maxUnpacked = 64 << 20
)

// writers are used again: each has more than a megabyte of tables, and every document is packed twice.
var writers = sync.Pool{New: func() any {
	w, _ := flate.NewWriterDict(io.Discard, flate.BestCompression, dictionary) // fails for a level that does not exist
	return w
}}

// pack returns the short form of a JSON text.
func pack(text string) string {
	var b bytes.Buffer
	b.WriteByte(packedV1)
	w, _ := writers.Get().(*flate.Writer)
	if w == nil {
		return text // of a level that does not exist
	}
	defer writers.Put(w)
	w.Reset(&b)                    // with its dictionary
	_, _ = io.WriteString(w, text) // a Buffer takes everything
	_ = w.Close()
	if b.Len() >= len(text) {
		return text
	}
	return b.String()
}

// unpack returns the text; one that is not packed is returned as it is, and a broken one as far as it goes.
func unpack(field string) string {
	if field == "" || field[0] != packedV1 {
		return field
	}
	r := flate.NewReaderDict(bytes.NewReader([]byte(field[1:])), dictionary)
	text, _ := io.ReadAll(io.LimitReader(r, maxUnpacked)) // what is cut is no JSON, which is what its reader says
	return string(text)
}
