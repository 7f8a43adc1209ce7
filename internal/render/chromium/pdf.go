package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// pdf is a file as Chromium writes it: one cross-reference table, dictionaries in the clear (ISO 32000-1,
// 7.5). Whatever a page can put into it, a title say, is inside strings, and those are never searched.
type pdf struct {
	bytes   []byte
	objects map[int]int // offset of each object
	trailer dict
	table   int // offset of the cross-reference table
}

// dict holds the entries of a dictionary by their keys without the slash.
type dict map[string]entry

// entry says where the file spells an entry of a dictionary.
type entry struct{ start, value, end int }

var errPDF = errors.New("it is not as Chromium writes it")

var startXref = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`)

// parsePDF reads the cross-reference table and the trailer.
func parsePDF(file []byte) (*pdf, error) {
	m := startXref.FindSubmatch(file[max(0, len(file)-64):])
	if m == nil {
		return nil, fmt.Errorf("startxref: %w", errPDF)
	}
	at, err := strconv.Atoi(string(m[1]))
	if err != nil || at >= len(file) {
		return nil, fmt.Errorf("startxref: %w", errPDF)
	}
	length := bytes.Index(file[at:], []byte("trailer"))
	if length < 0 {
		return nil, fmt.Errorf("trailer: %w", errPDF)
	}
	p := &pdf{bytes: file, objects: map[int]int{}, table: at}
	if err := p.readTable(file[at : at+length]); err != nil {
		return nil, err
	}
	p.trailer, err = readDict(file, at+length)
	return p, err
}

// readTable reads "xref", then sections of "first count" and one line "offset generation n|f" per object.
func (p *pdf) readTable(table []byte) error {
	words := bytes.Fields(table)
	if len(words) == 0 || string(words[0]) != "xref" {
		return fmt.Errorf("xref: %w", errPDF)
	}
	for words = words[1:]; len(words) >= 2; {
		first, err1 := strconv.Atoi(string(words[0]))
		count, err2 := strconv.Atoi(string(words[1]))
		words = words[2:]
		if err1 != nil || err2 != nil || count < 0 || count > len(words)/3 {
			return fmt.Errorf("xref section: %w", errPDF)
		}
		for i := range count {
			offset, err := strconv.Atoi(string(words[3*i]))
			if err != nil {
				return fmt.Errorf("xref entry: %w", errPDF)
			}
			p.objects[first+i] = offset
		}
		words = words[3*count:]
	}
	return nil
}

func (p *pdf) text(e entry) string { return string(p.bytes[e.value:e.end]) }

// follow returns the dictionary that an entry refers to.
func (p *pdf) follow(d dict, key string) (dict, error) {
	var number, generation int
	if _, err := fmt.Sscanf(p.text(d[key]), "%d %d R", &number, &generation); err != nil {
		return nil, fmt.Errorf("reference /%s: %w", key, errPDF)
	}
	offset, ok := p.objects[number]
	if !ok || offset < 0 || offset >= len(p.bytes) {
		return nil, fmt.Errorf("object /%s: %w", key, errPDF)
	}
	return readDict(p.bytes, offset)
}

// pages returns the number of pages that the root of the page tree names.
func (p *pdf) pages() (int, error) {
	catalog, err := p.follow(p.trailer, "Root")
	if err != nil {
		return 0, err
	}
	tree, err := p.follow(catalog, "Pages")
	if err != nil {
		return 0, err
	}
	count, err := strconv.Atoi(p.text(tree["Count"]))
	if err != nil || count < 1 {
		return 0, fmt.Errorf("/Count: %w", errPDF)
	}
	return count, nil
}

// blankDates overwrites the two dates of the file with spaces. No offset changes.
func (p *pdf) blankDates() error {
	info, err := p.follow(p.trailer, "Info")
	if err != nil {
		return err
	}
	for _, key := range []string{"CreationDate", "ModDate"} {
		date := info[key]
		for i := date.start; i < date.end; i++ {
			p.bytes[i] = ' '
		}
	}
	return nil
}

// readDict reads the first dictionary in b from at on, skipping what is before it ("12 0 obj"), but not another object.
func readDict(b []byte, at int) (dict, error) {
	open := bytes.Index(b[at:], []byte("<<"))
	if open < 0 || bytes.Contains(b[at:at+open], []byte("endobj")) {
		return nil, fmt.Errorf("dictionary: %w", errPDF)
	}
	d := dict{}
	for at = skipSpace(b, at+open+2); at < len(b) && b[at] == '/'; at = skipSpace(b, at) {
		keyEnd := skipValue(b, at)
		value := skipSpace(b, keyEnd)
		end := skipValue(b, value)
		d[string(b[at+1:keyEnd])] = entry{start: at, value: value, end: end}
		at = end
	}
	if !bytes.HasPrefix(b[at:], []byte(">>")) {
		return nil, fmt.Errorf("dictionary: %w", errPDF)
	}
	return d, nil
}

func skipSpace(b []byte, at int) int {
	for at < len(b) && bytes.IndexByte([]byte(" \t\r\n\f\x00"), b[at]) >= 0 {
		at++
	}
	return at
}

var reference = regexp.MustCompile(`^\d+\s+\d+\s+R\b`)

// skipValue returns the end of the value that starts at b[at].
func skipValue(b []byte, at int) int {
	if at >= len(b) {
		return at
	}
	switch {
	case b[at] == '(':
		return skipString(b, at)
	case bytes.HasPrefix(b[at:], []byte("<<")):
		return skipNested(b, at+2, ">>")
	case b[at] == '[':
		return skipNested(b, at+1, "]")
	case b[at] == '<':
		return skipHex(b, at)
	}
	if m := reference.Find(b[at:min(len(b), at+32)]); m != nil {
		return at + len(m)
	}
	end := at + 1
	for end < len(b) && bytes.IndexByte([]byte(" \t\r\n\f\x00/<>[]()"), b[end]) < 0 {
		end++
	}
	return end
}

// skipString returns the end of a literal string, whose parentheses nest unless they are escaped.
func skipString(b []byte, at int) int {
	depth := 0
	for ; at < len(b); at++ {
		switch b[at] {
		case '\\':
			at++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(b)
}

func skipHex(b []byte, at int) int {
	length := bytes.IndexByte(b[at:], '>')
	if length < 0 {
		return len(b)
	}
	return at + length + 1
}

func skipNested(b []byte, at int, end string) int {
	for at = skipSpace(b, at); at < len(b); at = skipSpace(b, at) {
		if bytes.HasPrefix(b[at:], []byte(end)) {
			return at + len(end)
		}
		at = skipValue(b, at)
	}
	return len(b)
}
