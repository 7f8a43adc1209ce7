// Package rows reads tables and lines of JSON as objects, one for each document, and says on which line of the file something is wrong.
package rows

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// Row is one object of a file.
type Row struct {
	Line int             // where it begins, from 1
	Data json.RawMessage // until the next row is asked for
}

// MaxLine bounds a line of JSON in bytes; a server takes no larger ones.
const MaxLine = 64 << 20

// Errors of rows.
var (
	ErrNotUTF8   = errors.New("it is not UTF-8")
	ErrNotObject = errors.New("it is no JSON object")
	ErrTooLong   = fmt.Errorf("it is longer than %d MiB", MaxLine>>20)
)

// byteOrderMark begins files of some programs. It means nothing in UTF-8 (RFC 3629, section 6).
var byteOrderMark = []byte("\xef\xbb\xbf")

// NDJSON goes through lines of JSON objects, each as it is written; empty lines are left out. With the error of a row its line is given and
// the rows behind it follow; only when the file itself cannot be read does it end.
func NDJSON(r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		lines := bufio.NewScanner(unmarked(r))
		lines.Buffer(nil, MaxLine)
		number := 0
		for lines.Scan() {
			number++
			text := bytes.TrimSpace(lines.Bytes())
			if len(text) == 0 {
				continue
			}
			if !yield(Row{number, json.RawMessage(text)}, checkObject(text)) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Row{Line: number + 1}, ErrTooLong)
		case err != nil:
			yield(Row{Line: number + 1}, err)
		}
	}
}

func checkObject(text []byte) error {
	switch {
	case !utf8.Valid(text):
		return ErrNotUTF8
	case text[0] != '{' || !json.Valid(text):
		return ErrNotObject
	}
	return nil
}

// unmarked is r without a byte order mark.
func unmarked(r io.Reader) *bufio.Reader {
	b := bufio.NewReader(r)
	if mark, err := b.Peek(len(byteOrderMark)); err == nil && bytes.Equal(mark, byteOrderMark) {
		_, _ = b.Discard(len(byteOrderMark)) // it was read already
	}
	return b
}
