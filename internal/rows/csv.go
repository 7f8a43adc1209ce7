package rows

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// CSV is how a table is written (RFC 4180): a heading, then rows. The zero value has commas and texts.
type CSV struct {
	// Delimiter stands between the values; 0 is a comma.
	Delimiter rune
	// Types says which columns are no texts.
	Types map[string]Type
	// OmitEmpty leaves out members whose value is empty, and lists and objects that have no others.
	OmitEmpty bool
}

// Errors of a table. None of its rows can be read.
var (
	ErrNoHeading = errors.New("there is no heading: the first line names the columns")
	ErrDelimiter = errors.New("a delimiter is one character, and not a quote or the end of a line")
)

// Rows goes through the rows of a table. Its heading names members: "employee.name" is name of employee, and "lines.0.text" the text of the first
// of lines. Errors are as with [NDJSON], and those of the heading end it.
func (c CSV) Rows(r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		table := csv.NewReader(unmarked(r))
		table.Comma = cmp.Or(c.Delimiter, ',')
		table.ReuseRecord = true
		if !validDelimiter(table.Comma) {
			yield(Row{Line: 1}, ErrDelimiter)
			return
		}
		shape, line, err := c.heading(table)
		if err != nil {
			yield(Row{Line: line}, err)
			return
		}
		table.FieldsPerRecord = -1 // counted below, where it can be told
		for {
			record, err := table.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			line, err := lineOf(table, err)
			if err != nil {
				yield(Row{Line: line}, err)
				return
			}
			data, err := shape.object(record)
			if !yield(Row{line, data}, err) {
				return
			}
		}
	}
}

func validDelimiter(r rune) bool {
	return r != '"' && r != '\r' && r != '\n' && r != utf8.RuneError && utf8.ValidRune(r)
}

// heading reads the names of the columns.
func (c CSV) heading(table *csv.Reader) (*shape, int, error) {
	names, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, 1, ErrNoHeading
	}
	line, err := lineOf(table, err)
	if err != nil {
		return nil, line, err
	}
	shape, err := newShape(names, c.Types, c.OmitEmpty)
	return shape, line, err
}

// lineOf says where the row that was read begins, and what is wrong with it in words for people.
func lineOf(table *csv.Reader, err error) (int, error) {
	bad, ok := errors.AsType[*csv.ParseError](err)
	switch {
	case ok && errors.Is(bad.Err, csv.ErrQuote) && bad.Line > bad.StartLine:
		return bad.StartLine, fmt.Errorf("a quote in it is not closed, or stands alone; it goes on to line %d", bad.Line)
	case ok && errors.Is(bad.Err, csv.ErrQuote):
		return bad.StartLine, errors.New("a quote in it is not closed, or stands alone; within quotes it is written twice")
	case ok && errors.Is(bad.Err, csv.ErrBareQuote):
		return bad.StartLine, errors.New("a quote stands in a value that is not quoted")
	case ok:
		return bad.StartLine, bad.Err
	case err != nil:
		return 0, err
	}
	line, _ := table.FieldPos(0)
	return line, nil
}

// counted compares a row with the heading.
func counted(record []string, want int) error {
	if len(record) == want {
		return nil
	}
	return fmt.Errorf("it has %d values, and the heading %d", len(record), want)
}

// valid reports whether all values are UTF-8.
func valid(record []string) error {
	for _, value := range record {
		if !utf8.ValidString(value) {
			return fmt.Errorf("%w: %s", ErrNotUTF8, strings.ToValidUTF8(value, "\uFFFD"))
		}
	}
	return nil
}
