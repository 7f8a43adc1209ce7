package templates_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// FuzzParseAndExecute: whatever the template and the data are, there is an answer in time, and an error is a
// fault of the caller's or the end of the context.
func FuzzParseAndExecute(f *testing.F) {
	for _, text := range []string{
		`{{range $i, $x := .a}}{{$i}}{{$x}}{{end}}`,
		`{{define "x"}}{{if .}}{{template "x" .a}}{{end}}{{end}}{{template "x" .}}`,
		"{{define `u`}}` ${ {{template `u`}} }`{{end}}<script>x={{template `u`}}</script>",
		`<a href="{{.a}}" style="top:{{.b}}" onclick='f({{.}})'>{{printf "%5.2f %d" .b 3}}</a>`,
		`{{$x := add .b 1.5}}{{mul $x $x | fixed 2}}{{eq .a .b}}{{index . "a" 0 "k"}}{{slice .c 1}}`,
		`<script>var a = {{.}}, b = "{{.a}}", c = /{{.b}}/;</script><style>p{x:{{.c}}}</style>`,
		`{{html .}}{{js .}}{{urlquery .}}{{print .}}{{println . .}}{{len .}}{{and . 0}}{{or 0 .}}{{not .}}`,
		`{{with .a}}{{.k}}{{else with .b}}{{.}}{{else}}-{{end}}{{range 5}}{{break}}{{end}}`,
		`{{documentID}}{{.a.b.c}}{{(index .a 0).k}}{{"x" | html}}{{/* c */}}{{- 1 -}}`,
	} {
		f.Add(text, `{"a": [{"k": 1.10}], "b": -2e3, "c": "<x>", "d": null}`)
		f.Add(text, `{"a": {"a": {"b": {"c": 0.0}}}, "b": 0, "c": true}`)
	}
	f.Fuzz(func(t *testing.T, text, data string) {
		tmpl, err := templates.Parse(text)
		if err != nil {
			if !errors.Is(err, templates.ErrInvalid) {
				t.Fatalf("parse: %v", err)
			}
			return
		}
		tmpl.Limits = templates.Limits{MaxBytes: 1 << 16, MaxSteps: 10_000}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err = tmpl.Execute(ctx, io.Discard, json.RawMessage(data), environment)
		if err != nil && fault.From(err).Kind != fault.Invalid {
			t.Fatalf("execute: %v", err)
		}
		if errors.Is(err, templates.ErrPanicked) {
			t.Fatalf("execute: %v", err)
		}
	})
}
