package templates_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// fillIn fills in for a locale and a zone.
func fillIn(tb testing.TB, locale, zone, text, data string) (string, error) {
	tb.Helper()
	tmpl, err := templates.Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	_, err = tmpl.Execute(tb.Context(), &b, json.RawMessage(data), templates.Environment{Locale: locale, TimeZone: zone})
	return b.String(), err
}

func TestTheLocaleAndTheZoneOfTheDocument(t *testing.T) {
	t.Parallel()
	data := `{"day": "2026-03-31", "at": "2026-03-31T23:30:00Z", "n": -1234567.50, "one": 1, "big": 1234567890123456789012345678901234567890.125, "text": "12.50", "rate": 0.055, "fine": 1e-32}`
	for _, c := range []struct{ name, locale, zone, text, want string }{
		{"English and UTC by default", "", "", `{{date "long" .day}}|{{date "datetime-short" .at}}|{{number .n}}|{{money "EUR" .n}}`, "March 31, 2026|3/31/26, 11:30\u202fPM|-1,234,567.50|-€1,234,567.50"},
		{"German", "de", "Europe/Berlin", `{{.day | date "full"}}|{{.at | date "datetime-long"}}|{{number .n}}|{{money "EUR" .n}}`, "Dienstag, 31. März 2026|1. April 2026 um 01:30|-1.234.567,50|-1.234.567,50\u00a0€"},
		{"a day is in no zone", "en", "Pacific/Kiritimati", `{{.day | date "yyyy-MM-dd"}} {{.at | date "yyyy-MM-dd HH:mm xxx VV"}}`, "2026-03-31 2026-04-01 13:30 &#43;14:00 Pacific/Kiritimati"},
		{"a pattern", "fr", "", `{{.day | date "EEEE d MMMM yyyy"}}`, "mardi 31 mars 2026"},
		{"another locale", "de", "", `{{dateIn "en-GB" "long" .day}}|{{numberIn "fr" .n}}|{{moneyIn "ja" "JPY" .n}}|{{pluralIn "en" 1 "one" "# item" "other" "# items"}}`, "31 March 2026|-1\u202f234\u202f567,50|-￥1,234,568|1 item"},
		{"an unknown locale", "xx-YY", "", `{{number .n}} {{numberIn "not a tag" .n}}`, "-1,234,567.50 -1,234,567.50"},
		{"money is rounded half away from zero", "en", "", `{{money "EUR" .big}} {{money "EUR" -0.005}} {{money "EUR" -0.004}} {{money "JPY" 0.5}} {{money "KWD" 1}}`, "€1,234,567,890,123,456,789,012,345,678,901,234,567,890.13 -€0.01 €0.00 ¥1 KWD\u00a01.000"},
		{"numbers keep their digits", "en", "", `{{number .big}} {{number "1.10"}} {{number -0.0}} {{number .text}} {{number "1e3"}} {{.n | fixed 0 | number}}`, "1,234,567,890,123,456,789,012,345,678,901,234,567,890.125 1.10 0 12.50 1,000 -1,234,568"},
		{"percents", "de", "", `{{percent .rate}}|{{percent 0.19}}|{{percent "0.190"}}|{{percent 1}}|{{percent 0}}|{{percent -0.0250}}|{{percent 12.345678}}|{{percent .fine}}`, "5,5\u00a0%|19\u00a0%|19\u00a0%|100\u00a0%|0\u00a0%|-2,5\u00a0%|1.234,5678\u00a0%|0,000000000000000000000000000001\u00a0%"},
		{"percents elsewhere", "en", "", `{{percent .rate}}|{{percentIn "fr" .rate}}|{{percentIn "tr" -0.2}}|{{percentIn "ar-EG" .rate}}|{{percentIn "eu" .rate}}`, "5.5%|5,5\u00a0%|-%20|٥٫٥٪\u061c|%\u00a05,5"},
		{"plurals", "pl", "", `{{range list 1 2 5 22 1.5}}{{plural . "one" "# plik" "few" "# pliki" "many" "# plików" "other" "# pliku"}}, {{end}}`, "1 plik, 2 pliki, 5 plików, 22 pliki, 1,5 pliku, "},
		{"plurals of one number", "en", "", `{{range list 0 1 1000}}{{plural . "=0" "none" "one" "just #" "other" "## #"}}, {{end}}`, "none, just 1, # 1,000, "},
		{"a category that is not given", "ru", "", `{{plural 2 "one" "x" "other" "y"}}`, "y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := fillIn(t, c.locale, c.zone, c.text, data); err != nil || got != c.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestFaultsOfLocalizedFunctionsSayWhatIsValid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{{date "long" "31.03.2026"}}`:                       `the text "31.03.2026" is not a date, as "2026-03-31"`,
		`{{date "long" "2026-02-30"}}`:                       `is not a date`,
		`{{date "long" "2026-03-31T10:00:00"}}`:              `is not a date`,
		`{{date "long" 5}}`:                                  `5 is not a date`,
		`{{date "long" .null}}`:                              `null is not a date`,
		`{{date "lang" "2026-03-31"}}`:                       `'l' is no field of a date. Fields are G y Q M`,
		`{{date "lang" "2026-03-31" | print}}`:               `Styles are short, medium, long, full, time`,
		`{{date 1 "2026-03-31"}}`:                            `1 is no style; short`,
		`{{date "time" "2026-03-31"}}`:                       `has no time of day`,
		`{{date "d HH" "2026-03-31"}}`:                       `has no time of day, which "d HH" writes`,
		`{{dateIn 1 "long" "2026-03-31"}}`:                   `1 is not a locale`,
		`{{number "1,5"}}`:                                   `number: the text "1,5" is not a number`,
		`{{number "1."}}`:                                    `is not a number`,
		`{{number " 1"}}`:                                    `is not a number`,
		`{{number "0x10"}}`:                                  `is not a number`,
		`{{number "NaN"}}`:                                   `is not a number`,
		`{{percent "19%"}}`:                                  `percent: the text "19%" is not a number`,
		`{{percentIn 1 1}}`:                                  `1 is not a locale`,
		`{{number .null}}`:                                   `null is not a number`,
		`{{number "1e999999999"}}`:                           `too many digits`,
		`{{money "EURO" 1}}`:                                 `the text "EURO" is not a currency; codes of ISO 4217`,
		`{{money "eur" 1}}`:                                  `is not a currency`,
		`{{money 1 1}}`:                                      `1 is not a currency`,
		`{{money "EUR" "ten"}}`:                              `money: the text "ten" is not a number`,
		`{{plural 1 "one" "x"}}`:                             `no text for the category "other"`,
		`{{plural 1 "singular" "x" "other" "y"}}`:            `the text "singular" is no category; zero, one, two`,
		`{{plural 1 "other"}}`:                               `the category "other" has no text`,
		`{{plural 1 "other" 2}}`:                             `the category "other" has no text`,
		`{{plural "x" "other" "y"}}`:                         `plural: the text "x" is not a number`,
		`{{plural 1 "=x" "a" "other" "y"}}`:                  `is no category`,
		`{{plural 1 1 "a" "other" "y"}}`:                     `1 is no category`,
		`{{qr ""}}`:                                          `qr: A QR code says a text that is not empty`,
		`{{qr "X" "a"}}`:                                     `the text "X" is no level; L, M, Q, H are.`,
		`{{qr "L" "M" "a"}}`:                                 `it takes a text, and a level before it`,
		`{{qr .null}}`:                                       `null is not a text`,
		`{{qr (printf "%999s%999s%999s%999s" "" "" "" "")}}`: `too long for a QR code`,
		`{{barcode "ean8" "1"}}`:                             `"code128" and "ean13" are.`,
		`{{barcode "code128" "ä"}}`:                          `printable ASCII`,
		`{{barcode "code128" (printf "%81s" "a")}}`:          `1 to 80 characters`,
		`{{barcode "ean13" "4006381333932"}}`:                `The check digit of the EAN-13 4006381333932 is wrong: it would be 1.`,
		`{{barcode "ean13" "123"}}`:                          `EAN-13 says 12 digits, or 13`,
		`{{asset "../x"}}`:                                   `no name of an asset: 1 to 100 letters`,
		`{{asset ""}}`:                                       `no name of an asset`,
		`{{asset "a\nb"}}`:                                   `no name of an asset`,
		`{{asset 1}}`:                                        `no name of an asset`,
		`{{dict "a"}}`:                                       `dict: the name "a" has no value.`,
		`{{dict 1 2}}`:                                       `dict: 1 is not a name`,
		`{{dict "a" 1 "a" 2}}`:                               `the name "a" is there twice`,
	} {
		_, err := fillIn(t, "de", "Europe/Berlin", text, `{"null": null}`)
		if !errors.Is(err, templates.ErrFailed) || !strings.Contains(fault.From(err).Message, want) || !strings.HasPrefix(fault.From(err).Message, "Line 1, column ") {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
	if _, err := fillIn(t, "", "Local", `{{date "time" "2026-03-31T10:00:00Z"}}`, ""); !errors.Is(err, templates.ErrFailed) {
		t.Errorf("the machine's zone: got %v", err)
	}
}

func TestDefaultStandsForWhatIsMissing(t *testing.T) {
	t.Parallel()
	data := `{"note": "hello", "null": null, "empty": "", "zero": 0.00, "no": false, "list": [], "o": {"a": {"b": 1.50}}, "rows": [{"n": 1}, {}]}`
	for _, c := range []struct{ name, text, want string }{
		{"there", `{{.note | default "-"}} {{.o.a.b | default 7}}`, "hello 1.50"},
		{"missing", `{{.x | default "-"}} {{default "-" .x}} {{.x.y.z | default "-"}} {{.o.x.b | default "-"}} {{$.x | default "-"}}`, "- - - - -"},
		{"null and empty", `{{.null | default "-"}}{{.null.x | default "-"}}{{.empty | default "-"}}{{default "-" .list}}{{index . "x" | default "-"}}`, "-----"},
		{"zero and false are values", `{{.zero | default "-"}} {{.no | default "-"}}`, "0.00 false"},
		{"in a variable", `{{$o := .o}}{{$o.x | default "-"}}{{$o.a.x | default "-"}}{{$x := .x | default "y"}}{{$x}}`, "--y"},
		{"in parentheses", `{{money "EUR" (.x | default 0)}} {{(.x) | default "-"}} {{(index .rows 1).n | default "-"}} {{default "-" (.x)}}`, "€0.00 - - -"},
		{"one after the other", `{{.x | default .y | default .note}} {{.x | default .y | default "-"}}`, "hello -"},
		{"in blocks", `{{if .x | default ""}}a{{else}}b{{end}}{{with .x | default .note}}{{.}}{{end}}{{range .x | default list}}c{{else}}d{{end}}`, "bhellod"},
		{"in a loop", `{{range .rows}}{{.n | default "-"}}{{end}}`, "1-"},
		{"in templates", `{{define "a"}}{{.x | default "-"}}{{end}}{{template "a" .}}{{template "a" .x | default dict}}`, "--"},
		{"in an attribute and a script", `<a title="{{.x | default "-"}}"><script>x={{.x | default 1}}</script>`, `<a title="-"><script>x= 1 </script>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := fill(t, c.text, data); err != nil || got != c.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestDefaultForgivesOnlyItsOwnPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*fault.Error{
		"{{.x}}": templates.ErrDataMissing, "{{default .x .y}}": templates.ErrDataMissing, `{{.y | print | default "-"}}`: templates.ErrDataMissing,
		`{{index .x "y" | default "-"}}`: templates.ErrDataMissing, `{{.note.x | default "-"}}`: templates.ErrFailed,
	} {
		_, err := fill(t, "<p>\n"+text, `{"note": "hello"}`)
		if !errors.Is(err, want) || !strings.Contains(fault.From(err).Message, "Line 2, column ") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestListsAndObjects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{{$d := dict "a" 1 "b" .text}}{{$d.a}} {{$d.b}} {{range $k, $v := $d}}{{$k}}{{end}}`:                            "1 a&lt;b ab",
		`{{range list 1 "x" .null .list}}[{{.}}]{{end}} {{len (list)}} {{len (dict)}}`:                                   "[1][x][][[10 20.0 30]] 0 0",
		`{{define "row"}}{{.item}}{{.root.text}}{{end}}{{range .list}}{{template "row" dict "item" . "root" $}};{{end}}`: "10a&lt;b;20.0a&lt;b;30a&lt;b;",
		`<script>x={{dict "b" .price "a" (list .zero)}}</script>`:                                                        `<script>x={"a":[0.00],"b":1.10}</script>`,
		`{{index (dict "a" 1) "b" | default "-"}} {{(dict "a" 1).a}}`:                                                    "- 1",
	} {
		if got, err := fill(t, text, numbers); err != nil || got != want {
			t.Errorf("%s\ngot  %q, %v\nwant %q", text, got, err, want)
		}
	}
}

func TestAnAssetIsSafeWhereAddressesStand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<img src="{{asset "logo.png"}}">`:                      `<img src="asset:logo.png">`,
		`<img src={{asset "logo.png"}}>`:                        `<img src=asset:logo.png>`,
		`<img srcset="{{asset "a.png"}} 2x">`:                   `<img srcset="asset:a.png 2x">`,
		`<link href='{{asset "a_b-c.css"}}'>`:                   `<link href='asset:a_b-c.css'>`,
		`<style>p{background:url({{asset "a.png"}})}</style>`:   `<style>p{background:url(asset:a.png)}</style>`,
		`<style>p{background:url("{{asset "a.png"}}")}</style>`: `<style>p{background:url("asset:a.png")}</style>`,
		`<style>@import "{{asset "a.css"}}";</style>`:           `<style>@import "asset\3a a.css";</style>`,
		`<p style="background:url('{{asset .name}}')">`:         `<p style="background:url('asset:x.png')">`,
		`{{asset "a.png"}}`:                                     `asset:a.png`,
	} {
		if got, err := fill(t, text, `{"name": "x.png"}`); err != nil || got != want {
			t.Errorf("%s\ngot  %q, %v\nwant %q", text, got, err, want)
		}
	}
}
