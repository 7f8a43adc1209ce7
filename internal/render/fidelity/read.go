package fidelity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"

	"golang.org/x/net/html"
)

// Document is what pdftotext sees of a PDF.
type Document struct {
	Pages []Page
	Words []Word // of all pages, in reading order
}

// Page is the size of a page in points.
type Page struct{ Width, Height float64 }

// Word is a run of glyphs without a gap.
type Word struct {
	Text string
	Page int // from 1
	Box  Box
}

// Box is where a word stands, in points from the top left of its page. Left and right are the pens before and after the
// word; top and bottom come from the ascent and descent that the font states, not from the ink.
type Box struct{ Left, Top, Right, Bottom float64 }

// ErrNoReader says that the tool that reads PDFs is not installed.
var ErrNoReader = errors.New("pdftotext is missing: install the Debian package poppler-utils")

// Read lists the pages and the words of a PDF. Its order of words is that of pdftotext, which goes by their places on the
// paper rather than by the order in the file. Errors: [ErrNoReader], and whatever pdftotext says about a PDF that it cannot read.
func Read(ctx context.Context, pdf []byte) (Document, error) {
	path, err := exec.LookPath("pdftotext")
	if err != nil {
		return Document{}, ErrNoReader
	}
	cmd := exec.CommandContext(ctx, path, "-bbox", "-enc", "UTF-8", "-", "-") //nolint:gosec // nothing of it comes from outside
	cmd.Stdin = bytes.NewReader(pdf)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return Document{}, fmt.Errorf("pdftotext: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	return Parse(out)
}

// Parse reads the output of pdftotext -bbox.
func Parse(bbox []byte) (Document, error) {
	var d Document
	z := html.NewTokenizer(bytes.NewReader(bbox)) // control characters in a text would stop a parser of XML
	inWord := false
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: the reader below has no errors of its own
			return d, nil
		case html.StartTagToken:
			name, _ := z.TagName()
			var err error
			switch string(name) {
			case "page":
				err = d.addPage(numbers(z))
			case "word":
				inWord, err = true, d.addWord(numbers(z))
			}
			if err != nil {
				return Document{}, err
			}
		case html.TextToken:
			if inWord {
				d.Words[len(d.Words)-1].Text += string(z.Text())
			}
		case html.EndTagToken:
			inWord = false
		default: // the document type, and empty elements of the head
		}
	}
}

func (d *Document) addPage(attrs map[string]float64, err error) error {
	if err != nil {
		return fmt.Errorf("page %d: %w", len(d.Pages)+1, err)
	}
	d.Pages = append(d.Pages, Page{attrs["width"], attrs["height"]})
	return nil
}

func (d *Document) addWord(attrs map[string]float64, err error) error {
	if err != nil {
		return fmt.Errorf("word %d: %w", len(d.Words)+1, err)
	}
	box := Box{attrs["xmin"], attrs["ymin"], attrs["xmax"], attrs["ymax"]}
	d.Words = append(d.Words, Word{Page: len(d.Pages), Box: box})
	return nil
}

// numbers returns the attributes of a tag, all of which are lengths.
func numbers(z *html.Tokenizer) (map[string]float64, error) {
	attrs := map[string]float64{}
	for more := true; more; {
		var key, value []byte
		if key, value, more = z.TagAttr(); len(key) == 0 {
			continue
		}
		n, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", key, err)
		}
		attrs[string(key)] = n
	}
	return attrs, nil
}
