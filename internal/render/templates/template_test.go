package templates_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

var environment = templates.Environment{Identity: templates.Identity{
	DocumentID: "doc_1", DocumentKey: "invoice:2026-1", JobID: "job_1", VerifyURL: "https://example.com/verify/doc_1?code=0f&x=1",
}}

// fill parses and executes, and returns the first error.
func fill(tb testing.TB, text, data string) (string, error) {
	tb.Helper()
	tmpl, err := templates.Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	_, err = tmpl.Execute(tb.Context(), &b, json.RawMessage(data), environment)
	return b.String(), err
}

const numbers = `{"price": 1.10, "big": 12345678901234567890, "zero": 0.00, "neg": -2.5, "exp": 1e3, "n": 2,
	"huge": 1e999999999, "null": null, "text": "a<b", "yes": true, "list": [10, 20.0, 30], "o": {"k": 7.70}}`

func TestValuesAndFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"numbers stay as written", `{{.price}} {{.big}} {{.zero}} {{.neg}} {{.exp}} {{.huge}}`, "1.10 12345678901234567890 0.00 -2.5 1e3 1e999999999"},
		{"zero is false", `{{if .zero}}a{{else}}b{{end}}{{if .price}}c{{end}}{{not .zero}}{{or .zero 5}}{{and .zero 5}}{{with .zero}}x{{end}}`, "bctrue50.00"},
		{"identity", `{{documentID}} {{documentKey}} {{jobID}} {{verifyURL}} <a href="{{verifyURL}}">`, `doc_1 invoice:2026-1 job_1 https://example.com/verify/doc_1?code=0f&amp;x=1 <a href="https://example.com/verify/doc_1?code=0f&amp;x=1">`},
		{"text is escaped", `{{.text}} <i title="{{.text}}">`, `a&lt;b <i title="a&lt;b">`},
		{"null prints nothing", `[{{.null}}][{{print .null}}][{{printf "%s" .null}}]`, "[][][]"},
		{"numbers are equal by value", `{{eq .price 1.1}} {{eq .n 2}} {{eq .n 1 2 3}} {{ne .big 12345678901234567}} {{eq .exp 1000}} {{eq .zero 0}}`, "true true true true true true"},
		{"numbers have an order", `{{lt .neg .zero}} {{gt .big 1}} {{le .price 1.1}} {{ge .price 1.11}}`, "true true true false"},
		{"others compare", `{{eq .text "a<b"}} {{eq .yes true}} {{eq .null nil}} {{eq .text nil}} {{lt "a" "b"}} {{ne .yes true}}`, "true true true false true false"},
		{"decimals add up exactly", `{{add 0.1 0.2}} {{add .big 1}} {{sub .price 2}} {{mul .price 3}} {{mul .price 1.10}} {{add .exp .n}}`, "0.3 12345678901234567891 -0.90 3.30 1.210 1002"},
		{"fixed rounds half away from zero", `{{fixed 0 .neg}} {{fixed 0 2.5}} {{fixed 2 1.005}} {{fixed 2 2.675}} {{.n | fixed 2}} {{fixed 2 -0.004}} {{fixed .n .big}}`, "-3 3 1.01 2.68 2.00 0.00 12345678901234567890.00"},
		{"printf is exact", `{{printf "%d|%5d|%05d|%.2f|%f|%s|%v|%8.1f|%-8.1f|%q|%5s|%%|%t" .big 3 .n .neg .price .price .big .neg .neg .text "x" .yes}}`, "12345678901234567890|    3|00002|-2.50|1.100000|1.10|12345678901234567890|    -2.5|-2.5    |&#34;a&lt;b&#34;|    x|%|true"},
		{"printf takes whole decimals for integers", `{{printf "%d %+d %.0f %+.1f" .exp .n 0.5 .n}}`, "1000 &#43;2 1 &#43;2.0"},
		{"index", `{{index .list 1}} {{index .list .n}} {{index .o "k"}} {{with index .o "x"}}x{{else}}none{{end}} {{index . "a" "b"}}|{{index .list 9}}`, "20.0 30 7.70 none |"},
		{"a list", `{{range $i, $x := .list}}{{if $i}}, {{end}}{{$i}}:{{$x}}{{end}} {{len .list}} {{range 3}}.{{end}}`, "0:10, 1:20.0, 2:30 3 ..."},
		{"loops can be left", `{{range .list}}{{if gt . 10}}{{break}}{{end}}{{.}}{{end}}`, "10"},
		{"html and the like", `{{html .text}}|{{.text | html}}|{{js "'"}}|{{urlquery "a b"}}|{{println "x"}}`, "a&lt;b|a&lt;b|\\&#39;|a&#43;b|x\n"},
		{"slices", `{{slice .text 0 1}}{{len (slice .list 1)}}`, "a2"},
		{"template in a template", `{{define "row"}}<td>{{.}}</td>{{end}}{{range .list}}{{template "row" .}}{{end}}`, "<td>10</td><td>20.0</td><td>30</td>"},
		{"nothing", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := fill(t, c.text, numbers); err != nil || got != c.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestANumberIsRightWhereverItStands(t *testing.T) {
	t.Parallel()
	data := `{"n": 1.10, "z": 0.00, "m": -12345678901234567890, "e": 1E+5, "o": {"b": 1.10, "a": [0.0, 20000000000000000001]}}`
	for _, c := range []struct{ name, text, want string }{
		{"script", `<script>f({{.n}},{{.z}},{{.m}},{{.e}});</script>`, `<script>f( 1.10 , 0.00 , -12345678901234567890 , 1E+5 );</script>`},
		{"script, whole data", `<script>x={{.o}}</script>`, `<script>x={"a":[0.0,20000000000000000001],"b":1.10}</script>`},
		{"script string", `<script>x="{{.n}} {{.e}}"</script>`, `<script>x="1.10 1E\u002b5"</script>`},
		{"event handler", `<a onclick="f({{.n}})">`, `<a onclick="f( 1.10 )">`},
		{"template literal", "<script>`${ {{.n}} }`</script>", "<script>`${  1.10  }`</script>"},
		{"attribute", `<td data-n="{{.n}}" width={{.z}} class='{{.m}}'>`, `<td data-n="1.10" width=0.00 class='-12345678901234567890'>`},
		{"style sheet", `<style>p{width:{{.n}}px;margin:{{.m}}px;top:{{.z}}}</style>`, `<style>p{width:1.10px;margin:-12345678901234567890px;top:0.00}</style>`},
		{"style attribute", `<p style="width:{{.n}}mm">`, `<p style="width:1.10mm">`},
		{"URL", `<a href="/x/{{.n}}?m={{.m}}&e={{.e}}">`, `<a href="/x/1.10?m=-12345678901234567890&e=1E%2b5">`},
		{"title", `<title>{{.n}}</title>`, `<title>1.10</title>`},
		{"calculated", `<script>x={{mul .n 3}}</script>`, `<script>x= 3.30 </script>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := fill(t, c.text, data); err != nil || got != c.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestTextIsEscapedForItsPlace(t *testing.T) {
	t.Parallel()
	got, err := fill(t, `<script>x={{.t}}</script><a href="{{.u}}" style="color:{{.t}}">{{.t}}</a>`,
		`{"t": "</script><b>", "u": "javascript:alert(1)"}`)
	want := `<script>x="\u003c/script\u003e\u003cb\u003e"</script><a href="#ZgotmplZ" style="color:ZgotmplZ">&lt;/script&gt;&lt;b&gt;</a>`
	if err != nil || got != want {
		t.Fatalf("got  %q, %v\nwant %q", got, err, want)
	}
}

func TestNoFaultShowsTheEscapersOwnWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{{if .x}}<a href=\"{{end}}", "<b", "{{range .x}}<a href=\"{{end}}", "<a b\"c=d>", "<script>{{if .x}}var x{{end}} / 7;</script>",
		"{{define \"a\"}}{{if .x}}<a href=\"{{template \"a\"}}{{end}}{{end}}{{template \"a\"}}", "<a href={{.x}}\"y>",
	} {
		_, err := templates.Parse(text)
		f := fault.From(err)
		if f == nil || f.Code != templates.ErrInvalid.Code {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, word := range []string{"context", "state", "{", "jsCtx", "html/template", "attr:"} {
			if strings.Contains(f.Message, word) {
				t.Errorf("%s: %s", text, f.Message)
			}
		}
	}
}

func TestFaultsSayWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, data string
		want             *fault.Error
		message          string
	}{
		{"unknown function", "<p>\n<b>é {{foo .x}} {{.y}}", "", templates.ErrInvalid, `Line 2, column 8: there is no function "foo"; a member of the data is written .foo`},
		{"second action of a line", "{{.a}} {{.b}} {{$x}}", "", templates.ErrInvalid, `Line 1, column 17: undefined variable "$x"`},
		{"unclosed block", "a\n{{if .x}}\nb", "", templates.ErrInvalid, "Line 2, column 1: the {{if}} that opened at line 2 is not closed: its {{end}} is missing."},
		{"unclosed block in a closed one", "{{with .x}}\n{{- range .y}}{{if .z}}{{else if .a}}{{end}}\n{{end}}\n", "", templates.ErrInvalid, "Line 1, column 1: the {{with}} that opened"},
		{"unclosed block behind a closed one", "{{range .x}}{{end}}\n {{ range .y}}", "", templates.ErrInvalid, "Line 2, column 2: the {{range}} that opened at line 2"},
		{"unclosed definition", "{{define \"x\"}}a", "", templates.ErrInvalid, "Line 1, column 1: the {{define}} that opened at line 1"},
		{"braces that close nothing", "{{if .x}}{{/* {{end}} */}}{{\"}} {{end}}\"}}{{`}}{{end}}`}}", "", templates.ErrInvalid, "Line 1, column 1: the {{if}}"},
		{"unclosed action", "a\nb {{.x", "", templates.ErrInvalid, "Line 2, column 5: unclosed action"},
		{"call is unknown", "{{call .x}}", "", templates.ErrInvalid, `Line 1, column 3: there is no function "call"`},
		{"our functions are unknown", "{{leave}}", "", templates.ErrInvalid, `there is no function "leave"`},
		{"include is unknown", `{{include "x" .}}`, "", templates.ErrInvalid, `there is no function "include"`},
		{"escapers are unknown", "{{. | _html_template_htmlescaper}}", "", templates.ErrInvalid, "there is no function"},
		{"variable of the steps", "{{$ step}}", "", templates.ErrInvalid, `there is no function "step"`},
		{"branches that differ", "<p>\n {{if .x}}<a href=\"{{end}}", "", templates.ErrInvalid, "Line 2, column 7: The branches do not end at the same kind of place"},
		{"ends in a tag", "<p>\n<b", "", templates.ErrInvalid, "Line 2, column 3: The text ends inside of a tag"},
		{"a loop that leaves a tag open", "<p>\n{{range .x}}<a href=\"{{end}}\">", "", templates.ErrInvalid, "Line 2, column 9: "},
		{"a value in an ambiguous place", "<p>\n<a href=\"{{if .x}}/a{{else}}/b?c={{end}}{{.y}}\">", "", templates.ErrInvalid, "which part of the URL it is."},
		{"a tag that is not well-formed", "<p>\n<a b\"c=d>", "", templates.ErrInvalid, "Line 2, column 3: The tag is not well-formed"},
		{"a tag that is nowhere to be told", "<a b\"c=d>x<a b\"c=d>", "", templates.ErrInvalid, "The tag is not well-formed"},
		{"a slash that may be two things", "<script>\n{{if .x}}var x{{end}} / 7;</script>", "", templates.ErrInvalid, "Line 2"},
		{"an escape that is cut", "<script>var x = '\\{{.x}}';</script>", "", templates.ErrInvalid, "escape sequence"},
		{"a set that is cut", "<script>var x = /[{{.x}}]/;</script>", "", templates.ErrInvalid, "regular expression"},
		{"an escaper that is not the last", "{{.x | html | print}}", "", templates.ErrInvalid, "html and urlquery"},
		{"no such template", "{{template \"x\"}}", "", templates.ErrInvalid, `no such template "x"`},
		{"missing", "<p>\n  {{.customer.name}}", `{"customer": {}}`, templates.ErrDataMissing, "Line 2, column 14: the data has no .customer.name."},
		{"missing outer", "{{.customer.name}}", ``, templates.ErrDataMissing, "the data has no .customer"},
		{"null outer", "é {{.customer.name}}", `{"customer": null}`, templates.ErrDataMissing, "Line 1, column 14: the data has no .customer.name."},
		{"missing in a variable", "{{$c := .c}}{{$c.x}}", `{"c": {}}`, templates.ErrDataMissing, "the data has no $c.x."},
		{"missing in an if", "{{if .x}}{{end}}", `{}`, templates.ErrDataMissing, "the data has no .x."},
		{"missing in a called template", "{{define \"a\"}}<i>\n{{.x}}</i>{{end}}\n{{template \"a\" .}}", `{}`, templates.ErrDataMissing, "Line 2, column 3: the data has no .x."},
		{"missing in an attribute's template", "{{define \"a\"}}b\n{{.x}}{{end}}\n<p title=\"{{template \"a\" .}}\">", `{}`, templates.ErrDataMissing, "Line 2, column 3: the data has no .x."},
		{"missing in a recursive template", "{{define \"a\"}}{{if .l}}{{range .l}}{{template \"a\" .}}{{end}}{{else}}\n{{.x}}{{end}}{{end}}{{template \"a\" .}}", `{"l": [{"l": null}]}`, templates.ErrDataMissing, "Line 2, column 3: the data has no .x."},
		{"missing in a list", "{{.name}}", `[1]`, templates.ErrFailed, "can't evaluate field name"},
		{"field of a text", "{{.a.b}}", `{"a": "x"}`, templates.ErrFailed, "Line 1, column 5: can't evaluate field b"},
		{"range over a number", "{{range .a}}{{end}}", `{"a": 3}`, templates.ErrFailed, "Line 1, column 9: range can't iterate over 3"},
		{"huge exponent", "{{add .a 1}}", `{"a": 1e999999999}`, templates.ErrFailed, "Line 1, column 3: The number 1e999999999 has too many digits"},
		{"many digits", "{{lt .a 1}}", `{"a": 1` + strings.Repeat("0", 5000) + `}`, templates.ErrFailed, "too many digits"},
		{"growing product", `{{$x := .a}}{{range 30}}{{$x = mul $x $x}}{{end}}`, `{"a": 99}`, templates.ErrFailed, "digits"},
		{"different kinds", `{{eq .a "x"}}`, `{"a": 1}`, templates.ErrFailed, `1 and the text "x" cannot be compared`},
		{"objects", `{{eq . .}}`, `{}`, templates.ErrFailed, `an object and an object cannot be compared`},
		{"not a number", `{{add "1" 2}}`, ``, templates.ErrFailed, `add: the text "1" is not a number`},
		{"printf %d of a fraction", `{{printf "%d" .a}}`, `{"a": 1.5}`, templates.ErrFailed, `printf: %d cannot print 1.5`},
		{"printf %d of a text", `{{printf "%d" .a}}`, `{"a": "x"}`, templates.ErrFailed, `printf: %d cannot print the text "x"`},
		{"printf without a value", `{{printf "%d"}}`, ``, templates.ErrFailed, `nothing is left for %d`},
		{"printf with a value too many", `{{printf "x" 1}}`, ``, templates.ErrFailed, `1 values are left over`},
		{"printf with a star", `{{printf "%*d" 1 2}}`, ``, templates.ErrFailed, `is not a format`},
		{"printf with a huge width", `{{printf "%9999d" 1}}`, ``, templates.ErrFailed, `is not a format`},
		{"too many places", `{{fixed 101 1}}`, ``, templates.ErrFailed, `between 0 and 100`},
		{"bad data", `x`, `{`, templates.ErrDataInvalid, ``},
		{"two values", `x`, `{} {}`, templates.ErrDataInvalid, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := fill(t, c.text, c.data)
			if !errors.Is(err, c.want) || !strings.Contains(fault.From(err).Message, c.message) {
				t.Fatalf("got  %v\nwant %s %q", err, c.want.Code, c.message)
			}
			if errors.Is(err, templates.ErrInvalid) && fault.From(err).Fields[0].Pointer != "/template/html" {
				t.Fatalf("the fault points to %q", fault.From(err).Fields[0].Pointer)
			}
		})
	}
}

func TestATemplateMayCallItself(t *testing.T) {
	t.Parallel()
	text := `{{define "node"}}<li>{{.name}}{{with index . "children"}}<ul>{{range .}}{{template "node" .}}{{end}}</ul>{{end}}</li>{{end}}` +
		`<ul>{{template "node" .}}</ul>`
	got, err := fill(t, text, `{"name": "a&b", "children": [{"name": 1.0, "children": [{"name": "c"}]}, {"name": "d"}]}`)
	want := `<ul><li>a&amp;b<ul><li>1.0<ul><li>c</li></ul></li><li>d</li></ul></li></ul>`
	if err != nil || got != want {
		t.Fatalf("got  %q, %v\nwant %q", got, err, want)
	}
}

func TestATemplateCallsItselfInHTMLTextOnly(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"script":           "{{define `u`}}` ${ {{template `u`}} }`{{end}}<script>x={{template `u`}}</script>",
		"attribute":        `{{define "a"}}{{if .}}<b title="{{template "a" .}}">{{end}}{{end}}{{template "a" .}}`,
		"called in a tag":  `{{define "a"}}{{if .}}{{template "a" .}}{{end}}{{end}}<b {{template "a" .}}>`,
		"called in script": `{{define "b"}}{{template "a" .}}{{end}}{{define "a"}}{{if .}}{{template "a" .}}{{end}}{{end}}<script>{{template "b" .}}</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := templates.Parse(text); !errors.Is(err, templates.ErrInvalid) {
				t.Fatalf("got %v, want template_invalid", err)
			}
		})
	}
}

func TestTheReportTellsWhetherTheIdentityWasAskedFor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`x`: false, `{{.a}}`: false, `{{if .a}}{{documentID}}{{end}}`: false, `{{documentID}}`: true, `{{documentKey | len}}`: true,
		`{{define "n"}}{{range .}}{{template "n" .}}{{end}}{{jobID}}{{end}}{{template "n" .a}}`: true, `{{if verifyURL}}{{end}}`: true,
	} {
		tmpl, err := templates.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		report, err := tmpl.Execute(t.Context(), io.Discard, json.RawMessage(`{"a": []}`), environment)
		if err != nil || report.OwnIdentity != want {
			t.Errorf("%s: got %+v, %v", text, report, err)
		}
	}
}

func TestEqualInputGivesEqualBytes(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse(`<script>{{.}}</script>{{range $k, $v := .}}{{$k}}={{$v}} {{end}}{{.}}`)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for range 20 {
		var b bytes.Buffer
		if _, err := tmpl.Execute(t.Context(), &b, json.RawMessage(`{"c": 1, "a": 2, "b": {"y": 1, "x": 2}, "d": [], "e": null}`), environment); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Fatalf("%q and %q", first, b.String())
		}
	}
}

func TestATemplateIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse(`{{define "n"}}{{.}}{{range 0}}{{template "n" .}}{{end}}{{end}}<b title="{{.x}}">{{template "n" .x}} {{documentID}}`)
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan error)
	for i := range 8 {
		go func() {
			id := templates.Identity{DocumentID: strings.Repeat("d", i+1)}
			var b bytes.Buffer
			_, err := tmpl.Execute(t.Context(), &b, json.RawMessage(`{"x": 1.0}`), templates.Environment{Identity: id})
			if want := `<b title="1.0">1.0 ` + id.DocumentID; err == nil && b.String() != want {
				err = errors.New(b.String())
			}
			results <- err
		}()
	}
	for range 8 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

func TestAnErrorOfTheWriterIsReturned(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse("x")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("disk full")
	if _, err := tmpl.Execute(t.Context(), writerFunc(func([]byte) (int, error) { return 0, broken }), nil, environment); !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestExecutionsOfATemplateKnowNothingOfEachOther(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse(`{{.name}}{{if .own}} {{documentID}}{{end}}{{range .n}}.{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(data, id string) (string, templates.Report, error) {
		var b strings.Builder
		report, err := tmpl.Execute(t.Context(), &b, []byte(data), templates.Environment{Identity: templates.Identity{DocumentID: id}})
		return b.String(), report, err
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 50 {
				id := fmt.Sprintf("doc_%d_%d", worker, i)
				if got, report, err := fill(`{"name":"a","own":true,"n":[1,2]}`, id); err != nil || got != "a "+id+".." || !report.OwnIdentity {
					t.Errorf("got %q, %+v, %v; want %s", got, report, err, id)
				}
				if _, _, err := fill(`{"name":"a","n":[1]}`, id); !errors.Is(err, templates.ErrDataMissing) {
					t.Errorf("got %v", err)
				}
				if got, report, err := fill(`{"name":"b","own":false,"n":[]}`, id); err != nil || got != "b" || report.OwnIdentity {
					t.Errorf("got %q, %+v, %v", got, report, err)
				}
			}
		})
	}
	group.Wait()
}
