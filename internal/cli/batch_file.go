package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/rows"
)

// batchFile is FILE of a batch, which is gone through once before anything is sent, and again for each sending.
type batchFile struct {
	name string
	file *os.File
	size int64
	temp bool
	// read goes through the lines that are items or rows.
	read func(io.Reader) iter.Seq2[rows.Row, error]
	// item makes an item of a line, and says what its document key is.
	item func(json.RawMessage) (item json.RawMessage, key string, err error)
}

// openBatch opens FILE. What comes from the standard input is kept in a temporary file, because it may have to be sent twice.
func (env Env) openBatch(name string) (*batchFile, error) {
	b := &batchFile{name: name, temp: name == stdStream}
	var err error
	if b.temp {
		b.name = "the standard input"
		b.file, err = env.spool()
	} else {
		b.file, err = os.Open(name) //nolint:gosec // the user's own file
	}
	if err != nil {
		return nil, err
	}
	info, err := b.file.Stat()
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	if !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a regular file; - is the standard input", name), b.close())
	}
	b.size = info.Size()
	return b, nil
}

func (env Env) spool() (*os.File, error) {
	f, err := os.CreateTemp("", "platen-batch-*")
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, env.Stdin); err != nil {
		return nil, errors.Join(fmt.Errorf("keep the standard input: %w", err), f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

func (b *batchFile) close() error {
	err := b.file.Close()
	if b.temp {
		err = errors.Join(err, os.Remove(b.file.Name()))
	}
	return err
}

// lines goes through the file from its start.
func (b *batchFile) lines() iter.Seq2[rows.Row, error] {
	return b.read(io.NewSectionReader(b.file, 0, b.size))
}

// kindOf is "csv" or "ndjson", as --format or the name of the file says.
func kindOf(name, format string) (string, bool) {
	kinds := map[string]string{".csv": formatCSV, ".ndjson": formatNDJSON, ".jsonl": formatNDJSON}
	kind := cmp.Or(format, kinds[strings.ToLower(filepath.Ext(name))])
	return kind, kind == formatCSV || kind == formatNDJSON
}

const (
	formatCSV    = "csv"
	formatNDJSON = "ndjson"
)

// checked is what going through a file has found.
type checked struct {
	lines  []int          // of each item
	keys   map[string]int // the index of each document key
	digest string         // of everything that makes the documents
	wrong  []wrongLine
	more   int // wrong lines that wrong does not have
}

// wrongLine is why a line is no item.
type wrongLine struct {
	line int
	text string
}

// maxWrongLines bounds how many are told: whoever has a million mistakes has made one.
const maxWrongLines = 50

// check goes through all items, so that what can be known to be wrong is told before anything is sent. The digest begins
// with head.
func (b *batchFile) check(head []byte) checked {
	c := checked{keys: map[string]int{}}
	digest := sha256.New()
	_, _ = digest.Write(head) // never fails
	for row, err := range b.lines() {
		item, key := json.RawMessage(nil), ""
		if err == nil {
			item, key, err = b.item(row.Data)
		}
		if err == nil {
			err = c.add(row.Line, key)
		}
		if err != nil {
			c.refuse(row.Line, err)
			continue
		}
		_, _ = digest.Write(item)
		_, _ = digest.Write([]byte{'\n'})
	}
	if len(c.lines) > api.MaxBatchItems {
		c.refuse(c.lines[api.MaxBatchItems], fmt.Errorf("it is one too many: a batch has at most %d items", api.MaxBatchItems))
	}
	c.digest = hex.EncodeToString(digest.Sum(nil))
	return c
}

// add takes an item, unless its key cannot be that of a document, or is another's.
func (c *checked) add(line int, key string) error {
	index := len(c.lines)
	c.lines = append(c.lines, line)
	if key == "" {
		return nil
	}
	if other, taken := c.keys[key]; taken {
		return fmt.Errorf("the document key %q is that of line %d, too", key, c.lines[other])
	}
	c.keys[key] = index
	if len(key) > api.MaxDocumentKeyBytes || !utf8.ValidString(key) {
		return fmt.Errorf("the document key %q is not UTF-8 of at most %d bytes", key, api.MaxDocumentKeyBytes)
	}
	return nil
}

func (c *checked) refuse(line int, err error) {
	if len(c.wrong) == maxWrongLines {
		c.more++
		return
	}
	c.wrong = append(c.wrong, wrongLine{line, err.Error()})
}

// err is what is wrong with the file, or nil.
func (c checked) err(name string) error {
	if len(c.wrong) == 0 && len(c.lines) == 0 {
		return fmt.Errorf("%s has no items", name)
	}
	if len(c.wrong) == 0 {
		return nil
	}
	var b strings.Builder
	for _, w := range c.wrong {
		_, _ = fmt.Fprintf(&b, "\n  line %d: %s", w.line, line(w.text))
	}
	if c.more > 0 {
		_, _ = fmt.Fprintf(&b, "\n  and %s more", count(c.more, "line"))
	}
	return fmt.Errorf("nothing was sent, for there is something wrong in %s:%s", name, b.String())
}

// items are what is sent, each told to sent with its number from 1.
func (b *batchFile) items(sent func(int)) client.Items {
	return func() iter.Seq2[json.RawMessage, error] {
		return func(yield func(json.RawMessage, error) bool) {
			n := 0
			for row, err := range b.lines() {
				var item json.RawMessage
				if err == nil {
					item, _, err = b.item(row.Data)
				}
				if err != nil {
					err = fmt.Errorf("%s was changed meanwhile: line %d: %w", b.name, row.Line, err)
				}
				n++
				sent(n)
				if !yield(item, err) || err != nil {
					return
				}
			}
		}
	}
}

// header takes the first line away that is not empty: what it says is about all items. Line numbers stay those of the file.
func (b *batchFile) header(to any) (err error) {
	for row, err := range b.lines() {
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", b.name, row.Line, err)
		}
		decoder := json.NewDecoder(bytes.NewReader(row.Data))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(to); err != nil {
			return fmt.Errorf("%s: line %d, which is about the batch: %w", b.name, row.Line, err)
		}
		break
	}
	all := b.read
	b.read = func(r io.Reader) iter.Seq2[rows.Row, error] {
		return func(yield func(rows.Row, error) bool) {
			first := true
			for row, err := range all(r) {
				if first {
					first = false
					continue
				}
				if !yield(row, err) {
					return
				}
			}
		}
	}
	return nil
}

// ownKey is the document key that an item has by itself.
func ownKey(item json.RawMessage) (json.RawMessage, string, error) {
	var keyed struct {
		DocumentKey string `json:"document_key"`
	}
	err := json.Unmarshal(item, &keyed)
	return item, keyed.DocumentKey, err
}
