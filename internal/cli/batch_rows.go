package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/rows"
)

// batchFlags are what "platen batch submit" and "retry" have in common: how items are made of FILE.
type batchFlags struct {
	*flags

	template, html, defaults      string
	key, member, types, delimiter string
	format                        string
	without                       list
	omitEmpty                     bool
}

func (f *batchFlags) rowFlags() {
	f.StringVar(&f.template, "template", "", "fill in a stored template, a `NAME` or NAME@VERSION, with each row")
	f.StringVar(&f.html, "template-html", "", "fill in the template in `PATH` with each row")
	f.StringVar(&f.key, "key", "", "make the document key of each row by this `TEMPLATE`, as 'payslip:2026-03:{{.id}}'")
	f.StringVar(&f.defaults, "defaults", "", "give all documents what the JSON in `PATH` says, members of POST /jobs: data, output, engine, and so on")
	f.StringVar(&f.types, "types", "", "take columns of a CSV for other than texts, a `LIST` as amount=number,active=bool,lines=json")
	f.BoolVar(&f.omitEmpty, "omit-empty", false, "leave out empty values of a CSV, and what has no others in it")
	f.Var(&f.without, "without", "leave a `MEMBER` of each row out of the data, as one that only --key needs; repeatable")
	f.StringVar(&f.member, "data-member", "", "make each row the member `NAME` of the data instead of all of it")
	f.StringVar(&f.delimiter, "delimiter", "", "the `CHARACTER` between values of a CSV; by default a comma, and tab is one, too")
	f.StringVar(&f.format, "format", "", "what FILE is, a `FORMAT`: csv or ndjson; by default as its name says")
}

// open opens FILE and prepares how items are made of it. It reports whether each line is a row, and else an item.
func (f *batchFlags) open(name string) (b *batchFile, ofRows bool, err error) {
	kind, known := kindOf(name, f.format)
	if !known {
		return nil, false, f.usage("--format csv or ndjson says what FILE is")
	}
	ofRows = kind == formatCSV || f.template != "" || f.html != "" || f.key != "" || f.member != "" || len(f.without) > 0
	switch {
	case f.template != "" && f.html != "":
		return nil, false, f.usage("the template is that of --template or of --template-html, not both")
	case kind != formatCSV && (f.types != "" || f.omitEmpty || f.delimiter != ""):
		return nil, false, f.usage("--types, --omit-empty and --delimiter are for a CSV")
	case !ofRows && f.defaults != "":
		return nil, false, f.usage("--defaults is for rows; where lines are items, the first line has the defaults")
	}
	table, err := f.table()
	if err != nil {
		return nil, false, err
	}
	key, err := f.parseKey()
	if err != nil {
		return nil, false, err
	}
	if b, err = f.env.openBatch(name); err != nil {
		return nil, false, err
	}
	b.read, b.item = rows.NDJSON, ownKey
	if kind == formatCSV {
		b.read = table.Rows
	}
	if ofRows {
		b.item = f.rowItem(key)
	}
	return b, ofRows, nil
}

// table is how a CSV is written.
func (f *batchFlags) table() (rows.CSV, error) {
	table := rows.CSV{OmitEmpty: f.omitEmpty}
	if f.types != "" {
		var err error
		if table.Types, err = rows.ParseTypes(f.types); err != nil {
			return table, f.usage("--types: %s", err)
		}
	}
	switch character, size := utf8.DecodeRuneInString(f.delimiter); {
	case f.delimiter == "tab" || f.delimiter == `\t`:
		table.Delimiter = '\t'
	case size != len(f.delimiter):
		return table, f.usage("--delimiter is one character")
	case size > 0:
		table.Delimiter = character
	}
	return table, nil
}

// parseKey is what makes document keys, or nil.
func (f *batchFlags) parseKey() (*rows.Key, error) {
	if f.key == "" {
		return nil, nil //nolint:nilnil // no key is no mistake
	}
	key, err := rows.ParseKey(f.key)
	if err != nil {
		return nil, f.usage("--key: %s", err)
	}
	return key, nil
}

// rowItem returns what makes an item of a row.
func (f *batchFlags) rowItem(key *rows.Key) func(json.RawMessage) (json.RawMessage, string, error) {
	return func(row json.RawMessage) (json.RawMessage, string, error) {
		item, name := map[string]json.RawMessage{}, ""
		if key != nil {
			var err error
			if name, err = key.Of(row); err != nil {
				return nil, "", err
			}
			if item["document_key"], err = json.Marshal(name); err != nil {
				return nil, "", err
			}
		}
		data, err := f.data(row)
		if err != nil {
			return nil, "", err
		}
		item["data"] = data
		text, err := json.Marshal(item)
		return text, name, err
	}
}

// data is a row as the data of a document.
func (f *batchFlags) data(row json.RawMessage) (json.RawMessage, error) {
	if len(f.without) > 0 {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(row, &members); err != nil {
			return nil, err
		}
		for _, name := range f.without {
			delete(members, name)
		}
		var err error
		if row, err = json.Marshal(members); err != nil {
			return nil, err
		}
	}
	if f.member == "" {
		return row, nil
	}
	return json.Marshal(map[string]json.RawMessage{f.member: row})
}

// common are the defaults of all documents: what --defaults says, and the template.
func (f *batchFlags) common() (json.RawMessage, error) {
	defaults := map[string]json.RawMessage{}
	if f.defaults != "" {
		text, err := f.env.content(f.defaults)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		if err := decoder.Decode(&defaults); err != nil {
			return nil, fmt.Errorf("%s: %w", f.defaults, err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: there is something behind the JSON", f.defaults)
		}
	}
	template, err := f.namedTemplate()
	if err != nil {
		return nil, err
	}
	given := slices.ContainsFunc([]string{"template", "html", "markdown", "url"}, func(name string) bool { return defaults[name] != nil })
	switch {
	case template != nil && given:
		return nil, f.usage("the page is that of %s or that of --template, not both", f.defaults)
	case template == nil && !given:
		return nil, f.usage("--template or --template-html is missing")
	case template != nil:
		if defaults["template"], err = json.Marshal(template); err != nil {
			return nil, err
		}
	}
	return json.Marshal(defaults)
}

// namedTemplate is that of --template or --template-html, or nil.
func (f *batchFlags) namedTemplate() (*api.Template, error) {
	switch {
	case f.html != "":
		text, err := os.ReadFile(f.html)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(text) {
			return nil, fmt.Errorf("%s is not UTF-8", f.html)
		}
		return &api.Template{HTML: new(string(text))}, nil
	case f.template == "":
		return nil, nil //nolint:nilnil // --defaults may have one
	}
	return storedTemplate(f.flags, f.template)
}

// storedTemplate reads NAME or NAME@VERSION.
func storedTemplate(f *flags, named string) (*api.Template, error) {
	name, version, pinned := strings.Cut(named, "@")
	if !pinned {
		return &api.Template{Name: &name}, nil
	}
	number, err := strconv.Atoi(version)
	if err != nil || number < 1 {
		return nil, f.usage("--template %q: want NAME or NAME@VERSION, a version as 3", named)
	}
	return &api.Template{Name: &name, Version: &number}, nil
}
