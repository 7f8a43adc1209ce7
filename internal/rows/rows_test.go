package rows_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/rows"
)

// told is each row as "line: data", or "line! error".
func told(found iter.Seq2[rows.Row, error]) []string {
	var all []string
	for row, err := range found {
		if err != nil {
			all = append(all, fmt.Sprintf("%d! %v", row.Line, err))
			continue
		}
		all = append(all, fmt.Sprintf("%d: %s", row.Line, row.Data))
	}
	return all
}

func TestATableBecomesObjects(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		csv  rows.CSV
		text string
		want []string
	}{
		"texts, quotes and lines within": {
			rows.CSV{},
			"\xef\xbb\xbfid,note\r\n007,\"a \"\"b\"\"\r\nc, <d>\"\r\n\r\n8,\r\n",
			[]string{`2: {"id":"007","note":"a \"b\"\nc, <d>"}`, `5: {"id":"8","note":""}`},
		},
		"objects and lists": {
			rows.CSV{Types: types(t, "n.0.v=number,on=bool,raw=json")},
			"id,n.1.t,n.0.t,n.0.v,who.name,who.at.zip,on,raw\n1,b,a,1.10,Ada,20457,true,\"{\"\"x\"\": [1,2]}\"\n2,,,,,,,\n",
			[]string{
				`2: {"id":"1","n":[{"t":"a","v":1.10},{"t":"b"}],"who":{"name":"Ada","at":{"zip":"20457"}},"on":true,"raw":{"x":[1,2]}}`,
				`3: {"id":"2","n":[{"t":""},{"t":""}],"who":{"name":"","at":{"zip":""}}}`,
			},
		},
		"what is empty is left out": {
			rows.CSV{OmitEmpty: true, Delimiter: ';'},
			"id;n.0.t;n.1.t;who.name\n1;a;;\n2;;b;Ada\n;;;\n",
			[]string{`2: {"id":"1","n":[{"t":"a"}]}`, `3: {"id":"2","n":[{"t":"b"}],"who":{"name":"Ada"}}`, "4: {}"},
		},
		"numbers as names of columns": {rows.CSV{}, "id,2026\n1,x\n", []string{`2: {"2026":"x","id":"1"}`}},
		"a bad row leaves the others": {
			rows.CSV{Types: types(t, "v=number")},
			"id,v\n1,1\n2\n3,1.000,5\n4,\"1,5\"\n5,01\n6, 1\n7,NaN\n8,-2e3\n",
			[]string{
				`2: {"id":"1","v":1}`, "3! it has 1 values, and the heading 2", "4! it has 3 values, and the heading 2",
				`5! v: "1,5" is no number as JSON writes it, like -1234.50`, `6! v: "01" is no number as JSON writes it, like -1234.50`,
				`7! v: " 1" is no number as JSON writes it, like -1234.50`, `8! v: "NaN" is no number as JSON writes it, like -1234.50`, `9: {"id":"8","v":-2e3}`,
			},
		},
		"a quote that is not closed":   {rows.CSV{}, "id,note\n1,a\n2,\"b\n3,c\n", []string{`2: {"id":"1","note":"a"}`, "3! a quote in it is not closed, or stands alone; it goes on to line 4"}},
		"a quote in the middle":        {rows.CSV{}, "id\na\"b\n", []string{"2! a quote stands in a value that is not quoted"}},
		"bits that are no text":        {rows.CSV{}, "id\na\xffb\n", []string{"2! it is not UTF-8: a\uFFFDb"}},
		"no heading":                   {rows.CSV{}, "", []string{"1! there is no heading: the first line names the columns"}},
		"a name twice":                 {rows.CSV{}, "id,id\n1,2\n", []string{`1! column 2: "id" is there already`}},
		"a value and an object":        {rows.CSV{}, "a,a.b\n1,2\n", []string{`1! column 2: "a.b" is there already`}},
		"an object and a value":        {rows.CSV{}, "a.b,a\n1,2\n", []string{`1! column 2: "a" is there already`}},
		"a column without a name":      {rows.CSV{}, "a,,b\n", []string{`1! column 2: "" has an empty name`}},
		"half a name":                  {rows.CSV{}, "a.\n", []string{`1! column 1: "a." has an empty name`}},
		"a list with a gap":            {rows.CSV{}, "a.0,a.2\n", []string{`1! the numbers in "a.…" are not those of a list: 0, 1, 2 and so on, and nothing else`}},
		"a list with a name":           {rows.CSV{}, "x.a.0,x.a.b\n", []string{`1! the numbers in "x.a.…" are not those of a list: 0, 1, 2 and so on, and nothing else`}},
		"a type for no column":         {rows.CSV{Types: types(t, "c=number")}, "a\n", []string{`1! there is no column "c", for which there is a type`}},
		"a delimiter that is none":     {rows.CSV{Delimiter: '"'}, "a\n", []string{"1! " + rows.ErrDelimiter.Error()}},
		"neither true nor false":       {rows.CSV{Types: types(t, "a=bool")}, "a\nyes\n", []string{`2! a: "yes" is neither true nor false`}},
		"a value that is no JSON":      {rows.CSV{Types: types(t, "a=json")}, "a\n{\n", []string{"2! a: it is no JSON: unexpected end of JSON input"}},
		"a table that is only heading": {rows.CSV{}, "a,b\n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, told(test.csv.Rows(strings.NewReader(test.text)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func types(t *testing.T, list string) map[string]rows.Type {
	t.Helper()
	parsed, err := rows.ParseTypes(list)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestTypesAreNamedInFull(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"amount": `"amount" is not like amount=number`, "=number": `"=number" is not like amount=number`, "a=int": `"int" is none of text, number, bool and json`,
	} {
		if _, err := rows.ParseTypes(list); err == nil || err.Error() != want {
			t.Errorf("%s: %v", list, err)
		}
	}
}

func TestLinesOfJSONStayAsTheyAre(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf{\"a\": 1.10}\r\n\n[1]\n{\"a\":\n{}\n{\"a\":\"\xff\"}\nnull"
	want := []string{`1: {"a": 1.10}`, "3! it is no JSON object", "4! it is no JSON object", "5: {}", "6! it is not UTF-8", "7! it is no JSON object"}
	if diff := cmp.Diff(want, told(rows.NDJSON(strings.NewReader(text)))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAFileThatBreaksOffIsAnError(t *testing.T) {
	t.Parallel()
	gone := errors.New("the disk is gone")
	broken := func(text string) io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone)) }
	for name, found := range map[string]iter.Seq2[rows.Row, error]{"lines": rows.NDJSON(broken("{}\n")), "table": rows.CSV{}.Rows(broken("a\n1\n"))} {
		var last error
		for _, err := range found {
			last = err
		}
		if !errors.Is(last, gone) {
			t.Errorf("%s: %v", name, last)
		}
	}
}

func TestAKeyIsMadeOfARow(t *testing.T) {
	t.Parallel()
	row := json.RawMessage(`{"id":"007","n":12345678901234567890.10,"who":{"name":"Ada"},"none":null,"blank":" ","facts":[{"v":"x"}]}`)
	for text, want := range map[string]string{
		"payslip:2026-03:{{.id}}": "payslip:2026-03:007", "{{.n}}": "12345678901234567890.10", "{{.who.name}}": "Ada", "{{(index .facts 0).v}}": "x",
		`{{printf "%s-%s" .id .who.name}}`: "007-Ada",
		"{{.no}}":                          `! the key: map has no entry for key "no"`, "{{.who.no}}": `! the key: map has no entry for key "no"`,
		"{{.none}}": "! the key uses a value that is null", "{{.blank}}": "! the key is empty",
	} {
		key, err := rows.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := key.Of(row)
		if err != nil {
			got = "! " + err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if _, err := rows.ParseKey("{{.id"); err == nil || err.Error() != "unclosed action" {
		t.Errorf("the error is %v", err)
	}
}

// FuzzATableIsObjects holds what comes out to be JSON whose texts are those of the table.
func FuzzATableIsObjects(f *testing.F) {
	f.Add("a,b.0.c,b.1.c\n1,\"2\",3\n")
	f.Add("a;b\n1;2\n")
	f.Fuzz(func(t *testing.T, text string) {
		before := 0
		for row, err := range (rows.CSV{}).Rows(strings.NewReader(text)) {
			if row.Line < before {
				t.Fatalf("line %d comes after line %d", row.Line, before)
			}
			before = row.Line
			if err == nil && !json.Valid(row.Data) {
				t.Fatalf("no JSON: %s", row.Data)
			}
		}
	})
}
