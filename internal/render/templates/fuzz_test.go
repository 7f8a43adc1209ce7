package templates_test

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/locale"
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
		`{{.c | date "d MMM"}}{{number .b}}{{money "EUR" .b}}{{plural .b "one" "#" "other" "##"}}{{.x.y | default .c | default "-"}}`,
		`{{$x := list .a (dict "a" .b)}}{{(index $x 1).a}}{{qr "L" .c}}{{barcode "ean13" .c}}<img src="{{asset .c}}">{{dateIn "de" "full" .c}}`,
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

// FuzzMoney: whatever the locale, what is written are the digits of the amount, rounded half away from zero.
func FuzzMoney(f *testing.F) {
	f.Add("-1234567890123456789012345678901234567890.125", "de", "EUR")
	f.Add("0.5", "en-IN", "JPY")
	f.Add("1e3", "ar-EG", "KWD")
	f.Add("-0.004999", "pt-CV", "CVE")
	tmpl, err := templates.Parse(`<title>{{moneyIn .l .c .n}}</title>`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, n, tag, currency string) {
		data, err := json.Marshal(map[string]string{"n": n, "l": tag, "c": currency})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err = tmpl.Execute(t.Context(), &b, data, environment); err != nil {
			if !errors.Is(err, templates.ErrFailed) {
				t.Fatal(err)
			}
			return
		}
		places, known := locale.Places(currency)
		amount, ok := new(big.Rat).SetString(n)
		if !known || !ok {
			t.Fatalf("%q of %q was written: %s", n, currency, b.String())
		}
		if got, want := digitsOf(html.UnescapeString(b.String())), digitsOf(amount.FloatString(places)); got != want {
			t.Fatalf("%s %s: got %s, want %s", n, currency, got, want)
		}
	})
}

// digitsOf are the digits of a text, of whatever script, as 0 to 9.
func digitsOf(text string) string {
	var digits strings.Builder
	for _, r := range text {
		if !unicode.IsDigit(r) {
			continue
		}
		zero := r
		for unicode.IsDigit(zero-1) && r-zero < 9 {
			zero--
		}
		digits.WriteByte(byte('0' + r - zero))
	}
	return digits.String()
}
