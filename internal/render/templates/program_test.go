package templates_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/templates"
)

// programmed are templates that need no library, each with what it is about.
var programmed = map[string]string{
	"paths":               `{{.text}} {{.object.inner}} {{(index .list 1).name}} {{$.text}} {{.object}}`,
	"variables":           `{{$x := .text}}{{$x}}{{if true}}{{$x = "other"}}{{$y := $x}}{{$y}}{{end}}{{$x}}{{with $o := .object}}{{$o.inner}}{{.inner}}{{end}}`,
	"loops":               `{{range .list}}[{{with index . "name"}}{{.}}{{else}}none{{end}}]{{else}}empty{{end}}{{range .nothing}}x{{else}}empty{{end}}{{range .null}}x{{else}}null{{end}}`,
	"keys":                `{{range $name, $x := .object}}{{$name}}={{$x}};{{end}}{{range $i, $x := .list}}{{$i}}{{len $x}}{{end}}{{range $x := .words}}{{$x}}{{end}}`,
	"ends of passes":      `{{range .words}}{{if eq . "b"}}{{continue}}{{end}}{{if eq . "c"}}{{break}}{{end}}{{$w := .}}{{$w}}{{end}}.`,
	"truth":               `{{if .zero}}a{{else if .empty}}b{{else}}c{{end}}{{if .number}}d{{end}}{{with .nothing}}e{{else with .list}}{{len .}}{{end}}{{if not .null}}f{{end}}{{if sub 1 1}}g{{end}}`,
	"and, or":             `{{and .text .zero}}|{{or .empty .text}}|{{or .null .zero .empty}}|{{and true .null}}|{{if and .text (not .empty)}}y{{end}}`,
	"numbers":             `{{.number}} {{.zero}} {{.long}} {{.scientific}} {{add .number 1.5}} {{mul 2 .number | fixed 2}} {{gt .number 3}} {{len .text}}`,
	"functions":           `{{money "EUR" .number}} {{moneyIn "de" "EUR" .number}} {{date "long" .day}} {{number .number}} {{percent 0.055}} {{plural 2 "one" "# thing" "other" "# things"}} {{pluralIn "de" 1 "one" "#" "other" "##"}}`,
	"texts":               `{{printf "%05.1f %s %q" .number .text "x"}} {{print .text 1 nil}} {{.markup | html}} {{js .markup}} {{slice .text 1}} {{slice .text 0 2}}`,
	"default":             `{{.missing | default "-"}} {{.object.missing.more | default .text}} {{default "x" .empty}}`,
	"values":              `{{with dict "a" .text "b" (list 1 .number)}}{{.a}}{{index .b 1}}{{range .b}}{{.}}{{end}}{{end}}`,
	"identity":            `{{documentKey}} {{jobID | print}}`,
	"pictures":            `<img src="{{asset "logo.png"}}">{{qr "x"}}{{barcode "code128" "ABC"}}`,
	"break in an else":    `{{range .words}}{{.}}{{range $.nothing}}x{{else}}{{break}}{{end}}!{{end}}`,
	"continue in an else": `{{range .words}}{{.}}{{range $.nothing}}x{{else}}{{continue}}{{end}}!{{end}}`,
	"piped before given":  `{{$x := "a"}}{{($x = "b") | print $x}}{{($x := "i") | print $x}}`,
	"templates":           `{{define "row"}}<td>{{.}} {{$}}</td>{{end}}{{range .words}}{{template "row" .}}{{end}}{{template "row" "x"}}{{define "none"}}-{{end}}{{template "none"}}`,
	"recursion":           `{{define "grouped"}}{{if gt (len .) 2}}{{slice . 0 2}} {{template "grouped" (slice . 2)}}{{else}}{{.}}{{end}}{{end}}{{template "grouped" .markup}}`,
	"escaping in HTML":    `<p title="{{.markup}} {{.plus}}" class={{.text}}>{{.markup}}{{.plus}}{{.markup | print}}<title>{{.markup}}</title><textarea>{{.null}}</textarea>{{.yes}}{{.null}}{{.list}}`,
	"escaping in CSS":     `<style>p { content: "{{.markup}} {{.text}} {{.plus}}"; width: {{.number}}; color: {{.word}} }</style><p style="color: {{.word}}; content: '{{.markup}}'">`,
	"escaping in JS":      `<script>var a = {{.}}, b = "{{.markup}}", c = {{.number}}, d = {{.null}};</script><p onclick="f({{.text}})">`,
	"escaping of URLs":    `<a href="{{.url}}">{{.url}}</a><a href="/x?q={{.markup}}&amp;r={{.number}}"></a><img srcset="{{.url}} 2x">`,
}

const programData = `{"text": "Müller", "word": "red", "markup": "<b>&amp;'\"{}/</b>", "plus": "a+b", "url": "https://x.example/?a=1&b='", "number": 1234.50, "zero": 0.00,
	"long": 12345678901234567890, "scientific": 1e+3, "day": "2026-03-31", "yes": true, "empty": "", "null": null, "nothing": [], "words": ["a", "b", "a&b", "c", "d"],
	"object": {"inner": "<i>", "b": [1, "x"], "a": null}, "list": [{"name": "Ada"}, {"name": "O'Brien"}, {"other": 1.10}]}`

func TestAProgramWritesWhatTheLibraryWrites(t *testing.T) {
	t.Parallel()
	for name, text := range programmed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tmpl, err := templates.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if !tmpl.FillsByProgram(t.Context(), json.RawMessage(programData), environment) {
				t.Error("it needs the library")
			}
			asTheLibrary(t.Context(), t, tmpl, programData)
		})
	}
}

// What is not for a program, errors most of all, is the library's.
func TestWhatAProgramGivesUpTheLibraryDoes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"missing data":       `a{{range .list}}{{.name}}{{end}}`,
		"an error":           `a{{documentID}}{{money "EUR" .text}}`,
		"a wrong count":      `a{{money "EUR"}}`,
		"a method":           `a{{.number.String}}`,
		"a count":            `{{range 3}}{{.}}{{end}}`,
		"a rune":             `{{print 'a'}}{{print 0x10}}`,
		"a list cut":         `{{slice .words 1 3}}`,
		"outside":            `{{slice .text 3 99}}`,
		"steps":              `{{define "x"}}{{template "x" .}}{{end}}{{template "x" .}}`,
		"what is nothing":    `{{.null.x}}`,
		"another's range":    `{{$x := 1}}{{range $x = .words}}{{$x}}{{end}}{{$x}}`,
		"args of an escaper": `{{html .markup .text}}{{urlquery .text}}`,
		"a derived template": `{{define "x"}}{{.}}{{end}}<a title="{{template "x" .markup}}">`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tmpl, err := templates.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if tmpl.FillsByProgram(t.Context(), json.RawMessage(programData), environment) {
				t.Error("a program did it")
			}
			asTheLibrary(t.Context(), t, tmpl, programData)
		})
	}
}

// A program and the library count the same steps and the same bytes, so that the bounds are at the same place.
func TestAProgramHasTheBoundsOfTheLibrary(t *testing.T) {
	t.Parallel()
	for name, text := range programmed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tmpl, err := templates.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for bound := 1; bound <= 24; bound++ {
				tmpl.Limits = templates.Limits{MaxSteps: 7 * bound}
				asTheLibrary(t.Context(), t, tmpl, programData)
				tmpl.Limits = templates.Limits{MaxBytes: int64(7 * bound)}
				asTheLibrary(t.Context(), t, tmpl, programData)
			}
		})
	}
}

// FuzzProgram: whatever the template and the data are, what comes out is the same with and without a program.
func FuzzProgram(f *testing.F) {
	for _, text := range programmed {
		f.Add(text, programData)
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		tmpl, err := templates.Parse(text)
		if err != nil {
			return
		}
		tmpl.Limits = templates.Limits{MaxBytes: 1 << 16, MaxSteps: 10_000}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		asTheLibrary(ctx, t, tmpl, data)
	})
}

// asTheLibrary fails where an execution and one by the library differ.
func asTheLibrary(ctx context.Context, t *testing.T, tmpl *templates.Template, data string) {
	t.Helper()
	var got, want strings.Builder
	report, err := tmpl.Execute(ctx, &got, json.RawMessage(data), environment)
	wantReport, wantErr := tmpl.ExecuteByLibrary(ctx, &want, json.RawMessage(data), environment)
	if text(err) != text(wantErr) || report != wantReport || err == nil && got.String() != want.String() {
		t.Errorf("with %+v\ngot  %s, %v, %+v\nwant %s, %v, %+v", tmpl.Limits, got.String(), err, report, want.String(), wantErr, wantReport)
	}
	if err != nil && !errors.Is(err, wantErr) && text(errors.Unwrap(err)) != text(errors.Unwrap(wantErr)) {
		t.Errorf("the cause is %v, want %v", errors.Unwrap(err), errors.Unwrap(wantErr))
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
