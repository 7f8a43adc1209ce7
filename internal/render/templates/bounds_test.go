package templates_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// patience is how long a bounded thing may take: far more than it does, far less than what it prevents.
const patience = 60 * time.Second

// within fails the test when f takes too long.
func within(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > patience {
		t.Errorf("took %v", took)
	}
}

func TestAnExecutionIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       *fault.Error
	}{
		{"empty loop", `{{range 1000000000}}{{end}}`, templates.ErrTooLong},
		{"loops in loops", `{{range 100000}}{{range 100000}}{{range 100000}}{{end}}{{end}}{{end}}`, templates.ErrTooLong},
		{"loop that assigns", `{{$x := 0}}{{range 1000000000}}{{$x = add $x 1}}{{end}}`, templates.ErrTooLong},
		{"loop that continues", `{{range 1000000000}}{{continue}}{{end}}`, templates.ErrTooLong},
		{"recursion", `{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`, templates.ErrTooLong},
		{"recursion of two", `{{define "a"}}{{template "b"}}{{end}}{{define "b"}}{{template "a"}}{{end}}{{template "a"}}`, templates.ErrTooLong},
		{"recursion of the text itself", `{{template "the template"}}`, templates.ErrTooLong},
		{"exponential recursion", `{{define "a"}}{{if lt . 60}}{{template "a" (add . 1)}}{{template "a" (add . 1)}}{{end}}{{end}}{{template "a" 0}}`, templates.ErrTooLong},
		{"exponential templates", doubling(16), templates.ErrInvalid},
		{"doubled text", `{{$x := "x"}}{{range 100}}{{$x = print $x $x}}{{end}}`, templates.ErrFailed},
		{"escaped text", `{{$x := "\\"}}{{range 100}}{{$x = js $x}}{{end}}`, templates.ErrFailed},
		{"formatted text", `{{$x := printf "%999d" 1}}{{range 100}}{{$x = printf "%s%s%s" $x $x $x}}{{end}}`, templates.ErrFailed},
		{"long text again and again", `{{$x := printf "%999d" 1}}{{$x = print $x $x $x $x $x $x $x $x}}{{range 1000000}}{{$y := html $x}}{{end}}`, templates.ErrTooLong},
		{"doubled list", `{{$x := list 1}}{{range 100}}{{$x = list $x $x}}{{end}}`, templates.ErrFailed},
		{"doubled object", `{{$x := dict}}{{range 100}}{{$x = dict "a" $x "b" $x}}{{end}}`, templates.ErrFailed},
		{"list in a list", `{{$x := list}}{{range 1000000}}{{$x = list $x}}{{end}}{{$x}}`, templates.ErrTooLong},
		{"lists of the data", `{{$x := list $ $ $ $}}{{range 100}}{{$x = list $x $x}}{{end}}`, templates.ErrFailed},
		{"many lists", `{{range 1000000000}}{{$x := list 1 2 3}}{{end}}`, templates.ErrTooLong},
		{"many dates", `{{range 1000000000}}{{$x := date "full" "2026-03-31"}}{{end}}`, templates.ErrTooLong},
		{"many amounts", `{{range 1000000000}}{{$x := money "EUR" 1}}{{end}}`, templates.ErrTooLong},
		{"many locales", `{{range 1000000000}}{{$x := numberIn "zh-Hant-HK" 1}}{{end}}`, templates.ErrTooLong},
		{"many codes", `{{range 1000000000}}{{$x := barcode "code128" "x"}}{{$x = qr "x"}}{{end}}`, templates.ErrTooLong},
		{"large codes", `{{$x := printf "%999s" ""}}{{range 1000000000}}{{$y := qr $x}}{{end}}`, templates.ErrTooLong},
		{"doubled code", `{{$x := qr "x"}}{{range 100}}{{$x = print $x $x}}{{end}}`, templates.ErrFailed},
		{"a number in every place of a long text", `{{$x := "#-#-#-#-#-#-#-#-"}}{{range 12}}{{$x = print $x $x}}{{end}}{{plural "1e999" "other" $x}}`, templates.ErrFailed},
		{"long pattern", `{{$x := "d. "}}{{range 12}}{{$x = print $x $x}}{{end}}{{date $x "2026-03-31"}}`, templates.ErrFailed},
		{"output", `{{range 1000000}}` + strings.Repeat("x", 1000) + `{{end}}`, templates.ErrTooLarge},
		{"output of a recursive template", `{{define "a"}}{{if lt . 100}}{{range 10000}}` + strings.Repeat("x", 1000) + `{{end}}{{template "a" (add . 1)}}{{end}}{{end}}{{template "a" 0}}`, templates.ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			within(t, func() {
				tmpl, err := templates.Parse(c.text)
				if err == nil {
					tmpl.Limits = templates.Limits{MaxBytes: 1 << 20, MaxSteps: 300_000}
					_, err = tmpl.Execute(t.Context(), io.Discard, nil, environment)
				}
				if !errors.Is(err, c.want) {
					t.Errorf("got %v, want %s", err, c.want.Code)
				}
			})
		})
	}
}

// doubling is n templates of which each calls the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{{define "t%d"}}{{template "t%d"}}{{template "t%d"}}{{end}}`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `{{define "t%d"}}x{{end}}{{template "t0"}}`, n)
	return b.String()
}

func TestAnExecutionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse(`{{range 1000000000}}{{range 1000000000}}{{end}}{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	tmpl.Limits.MaxSteps = 1 << 60
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := tmpl.Execute(ctx, io.Discard, nil, environment); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
	stop := errors.New("shutdown")
	canceled, cancelCause := context.WithCancelCause(t.Context())
	cancelCause(stop)
	if _, err := tmpl.Execute(canceled, io.Discard, nil, environment); !errors.Is(err, stop) {
		t.Errorf("got %v, want the cause", err)
	}
}

// A template that hands its whole data to another one for each of many rows must not pay for all of it each time.
func TestTheDataIsWeighedOnce(t *testing.T) {
	t.Parallel()
	tmpl, err := templates.Parse(`{{define "row"}}<td>{{.row.n}}{{.root.name}}{{len .root.rows}}</td>{{end}}` +
		`{{range .rows}}{{template "row" dict "row" . "root" $ "rows" $.rows}}{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	data := `{"name": "x", "rows": [` + strings.Repeat(`{"n": 1, "text": "`+strings.Repeat("x", 200)+`"},`, 19_999) + `{"n": 2}]}`
	within(t, func() {
		if _, err := tmpl.Execute(t.Context(), io.Discard, json.RawMessage(data), environment); err == nil {
			t.Error("data and rows together are more than the data and a bit, and were let through")
		}
	})
	tmpl, err = templates.Parse(`{{define "row"}}<td>{{.row.n}}{{.root.name}}</td>{{end}}{{range .rows}}{{template "row" dict "row" . "root" $}}{{end}}`)
	if err != nil {
		t.Fatal(err)
	}
	within(t, func() {
		if _, err := tmpl.Execute(t.Context(), io.Discard, json.RawMessage(data), environment); err != nil {
			t.Error(err)
		}
	})
}

func TestBigDataInASmallPlaceIsInterrupted(t *testing.T) {
	t.Parallel()
	// In a style sheet an object is formatted as a whole and then replaced by a word.
	tmpl, err := templates.Parse(`<style>` + strings.Repeat(`p{top:{{.}}}`, 5000) + `</style>`)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"a": make([]int, 1_000_000)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	within(t, func() {
		if _, err := tmpl.Execute(ctx, io.Discard, data, environment); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
	})
}

// The standard library's escaper takes minutes, gigabytes or the process with it for each of these.
func TestAHostileTemplateIsRefusedBeforeItIsAnalysed(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"loops in loops":                     strings.Repeat("{{range .}}", 30) + "x" + strings.Repeat("{{end}}", 30),
		"templates in templates":             chain(40, ""),
		"templates that end in an error":     chain(20, `<a {{if .}}b="{{end}}`),
		"many templates":                     chain(3000, ""),
		"blocks in blocks":                   strings.Repeat("{{if .}}", 30_000),
		"else after else":                    "{{if .}}" + strings.Repeat("{{else if .}}", 30_000),
		"less than less than":                strings.Repeat("<", 1_000_000),
		"quotes in a script":                 "<script>var a=[" + strings.Repeat("'a',", 250_000),
		"end tags in a script":               "<script>var a=[" + strings.Repeat("</,", 100_000),
		"end tags after a string":            `<script>var a="</script>";` + strings.Repeat("</,", 100_000),
		"end tags after a string and a step": `<script>var a="</script>{{.}}";` + strings.Repeat("</,", 100_000),
		"end tags after an empty loop":       `{{range .}}` + strings.Repeat("</,", 100_000) + `<script>x={{end}}`,
		"end tags in a title":                "<title>" + strings.Repeat("</", 300_000),
		"tags in a text area":                "<textarea>" + strings.Repeat("<b>", 300_000),
		"a called body":                      `{{define "a"}}` + strings.Repeat("</,", 100_000) + `{{end}}<script>{{template "a"}}</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within(t, func() {
				if _, err := templates.Parse(text); !errors.Is(err, templates.ErrInvalid) {
					t.Errorf("got %v, want template_invalid", err)
				}
			})
		})
	}
}

// chain is n templates of which each calls the next one in a loop; the last one is end.
func chain(n int, end string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{{define "t%d"}}{{range .}}{{template "t%d" .}}{{end}}{{end}}`, i, i+1)
	}
	fmt.Fprintf(&b, `{{define "t%d"}}%sx{{end}}{{template "t0" .}}`, n, end)
	return b.String()
}

// What is just let through must not take long either: the estimate would be wrong.
func TestWhatIsLetThroughIsAnalysedInTime(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"quotes in a script":    "<script>var a=[" + strings.Repeat("'a',", 60_000) + "]</script>",
		"end tags in a script":  "<script>var a=[" + strings.Repeat("</,", 8_000) + "]</script>",
		"less than less than":   strings.Repeat("<", 25_000),
		"loops in loops":        strings.Repeat("{{range .}}", 15) + "x" + strings.Repeat("{{end}}", 15),
		"a long static page":    "<style>p{color:red}</style>" + strings.Repeat("<tr><td class=\"a b\">text</td></tr>\n", 100_000),
		"a page of many parts":  strings.Repeat(`<p class="a">{{.}}</p>`, 19_000),
		"an embedded font":      "<style>@font-face{src:url(data:font/woff2;base64," + strings.Repeat("aB3dEfaB3dEf+dEfaB3dEfaB3dEfaB3/", 15_000) + ")}</style>",
		"an embedded image":     `<img src="data:image/png;base64,` + strings.Repeat("aB3/+dEf", 500_000) + `">`,
		"a layout of templates": chain(8, "") + strings.Repeat("<p>x</p>", 100),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within(t, func() {
				start := time.Now()
				if _, err := templates.Parse(text); err != nil {
					t.Error(err)
				}
				t.Log(time.Since(start))
			})
		})
	}
}
