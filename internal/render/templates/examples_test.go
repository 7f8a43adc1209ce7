package templates_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// guide is the page whose examples are run.
const guide = "../../../docs/templates.md"

// example is a template of the guide, with what the guide says it gives.
type example struct {
	line             int // of the guide
	locale, zone     string
	text, data, want string
}

func TestEveryExampleOfTheGuideGivesWhatItSays(t *testing.T) {
	t.Parallel()
	examples := readGuide(t)
	if len(examples) < 100 {
		t.Fatalf("the guide has %d examples", len(examples))
	}
	for _, e := range examples {
		t.Run(fmt.Sprintf("line %d", e.line), func(t *testing.T) {
			t.Parallel()
			got, err := e.run(t)
			if f := fault.From(err); err != nil {
				got = "error " + f.Code + ": " + f.Message
			}
			if clean(got) != clean(e.want) {
				t.Errorf("%s\ngives %q\nnot   %q", e.text, clean(got), clean(e.want))
			}
		})
	}
}

func TestEveryFunctionHasAHeadingAndAnExample(t *testing.T) {
	t.Parallel()
	examples := readGuide(t)
	page := "\n" + string(read(t)) + "\n"
	for _, name := range templates.Functions() {
		if !strings.Contains(page, "\n### "+name+"\n") {
			t.Errorf("%s has no heading", name)
		}
		call := regexp.MustCompile(`\{\{(?:[^}]*[ (|])?` + name + `\b`)
		if !slices.ContainsFunc(examples, func(e example) bool { return call.MatchString(e.text) && !strings.HasPrefix(e.want, "error ") }) {
			t.Errorf("%s has no example", name)
		}
	}
}

func (e example) run(t *testing.T) (string, error) {
	t.Helper()
	tmpl, err := templates.Parse(e.text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	_, err = tmpl.Execute(t.Context(), &b, json.RawMessage(e.data), templates.Environment{
		Identity: templates.Identity{
			DocumentID: "doc_01K0000000000000000000000A", DocumentKey: "invoice:2026-00417", JobID: "job_01K0000000000000000000000B",
			VerifyURL: "https://platen.example.com/verify/doc_01K0000000000000000000000A?code=0123456789abcdef",
		},
		Locale: e.locale, TimeZone: e.zone,
	})
	return b.String(), err
}

// clean makes all blanks of one kind, which look alike in the guide, and drops those around.
func clean(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text))
}

func read(t *testing.T) []byte {
	t.Helper()
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// readGuide understands four kinds of blocks: "json data" is what the examples after it are filled in with, "examples" has one in
// each line, before and after an arrow, and after "html template" comes "html output".
func readGuide(t *testing.T) []example {
	t.Helper()
	var all []example
	var data string
	var pending *example
	for _, b := range blocks(string(read(t))) {
		words := append(strings.Fields(b.info), "", "")
		switch kind := words[0] + " " + words[1]; {
		case kind == "json data":
			if data = b.text; !json.Valid([]byte(data)) {
				t.Fatalf("line %d: the data is no JSON", b.line)
			}
		case words[0] == "examples":
			all = append(all, lineExamples(t, b, data)...)
		case kind == "html template" && pending == nil:
			pending = b.example(b.text, "", data, b.line)
		case kind == "html output" && pending != nil:
			pending.want = b.text
			all, pending = append(all, *pending), nil
		case words[0] == "examples" || words[0] == "html":
			t.Fatalf("line %d: a template without its output, or the other way round", b.line)
		}
	}
	if pending != nil {
		t.Fatalf("line %d: a template without its output", pending.line)
	}
	return all
}

func lineExamples(t *testing.T, b block, data string) []example {
	t.Helper()
	var found []example
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		text, want, hasArrow := strings.Cut(line+" ", " → ")
		if !hasArrow {
			t.Fatalf("line %d: no arrow", b.line+i)
		}
		found = append(found, *b.example(text, want, data, b.line+i))
	}
	return found
}

// block is a fenced block; line is that of its first line.
type block struct {
	line       int
	info, text string
}

func (b block) example(text, want, data string, line int) *example {
	e := &example{line: line, text: text, want: want, data: data}
	for word := range strings.FieldsSeq(b.info) {
		if locale, ok := strings.CutPrefix(word, "locale="); ok {
			e.locale = locale
		}
		if zone, ok := strings.CutPrefix(word, "zone="); ok {
			e.zone = zone
		}
	}
	return e
}

func blocks(page string) []block {
	var all []block
	var open *block
	for i, line := range strings.SplitAfter(page, "\n") {
		info, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			open = &block{line: i + 2, info: strings.TrimSpace(info)}
		case isFence:
			all, open = append(all, *open), nil
		case open != nil:
			open.text += line
		}
	}
	return all
}
