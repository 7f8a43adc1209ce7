package templates_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/templates"
)

// Of templates that nobody would write, thousands are filled in as the library does it.
func TestProgramsOfRandomTemplatesDoAsTheLibrary(t *testing.T) {
	t.Parallel()
	const many = 1500
	random, byProgram := rand.New(rand.NewPCG(7, 2)), 0 // the same ones each time
	for range many {
		author := author{Rand: random}
		text := `{{define "t"}}[{{.}}{{with $q := .}}{{$q}}{{end}}{{$}}]{{end}}` + author.body(0)
		tmpl, err := templates.Parse(text)
		if err != nil {
			continue
		}
		if tmpl.FillsByProgram(t.Context(), json.RawMessage(programData), environment) {
			byProgram++
		}
		if asTheLibrary(t.Context(), t, tmpl, programData); t.Failed() {
			t.Fatal(text)
		}
	}
	if byProgram < many/10 {
		t.Errorf("only %d of %d are filled in by programs", byProgram, many)
	}
}

// author writes templates, most of which make no sense.
type author struct {
	*rand.Rand
	declared []string
	loops    int
}

var (
	memberNames = strings.Fields("text word markup plus url number zero long scientific yes empty null nothing words object list object.inner object.b")
	literals    = strings.Fields(`1 0 -3 2.50 "a<b" "" true false "+"`)
	// Each % is an operand.
	callForms = []string{
		`index % "name"`, `index % 0`, `index % %`, "eq % %", "ne % %", "lt % %", "ge % %", "and % % %", "or % % %", "not %", "len %", "print % %", `printf "%v|%s" % %`,
		"default % %", "list % %", `dict "a" % "b" %`, "add 1 %", "mul $.number %", "number %", "slice % 1", `qr "x"`, `asset "l.png"`,
	}
	pipedForms = []string{"print", "len", `default "-"`, "not", "list", `print "z"`, `printf "%s"`, "add 1", "index", "print %"}
	// Each % is a pipeline.
	places = []string{
		"{{%}}", "{{%}}", "{{%}}", " t ", "<p title='{{%}}'>", "<p class={{%}}>", `<a href="{{%}}?q={{%}}">`, "<script>var x={{%}};y='{{%}}'</script>",
		"<style>a{b:{{%}};c:'{{%}}'}</style>", "<title>{{%}}</title>", "<!--{{%}}-->", `<img srcset="{{%}} 2x">`, `<p onclick="f({{%}})" style="a:{{%}}">`, `{{template "t" %}}`,
	}
)

func (a *author) pick(from []string) string { return from[a.IntN(len(from))] }

// fill puts a text of its own for each % that stands for something: those of printf are followed by a letter.
func (a *author) fill(form string, text func() string) string {
	var b strings.Builder
	for i := range len(form) {
		if form[i] == '%' && (i+1 == len(form) || !strings.ContainsRune("vs", rune(form[i+1]))) {
			b.WriteString(text())
		} else {
			b.WriteByte(form[i])
		}
	}
	return b.String()
}

func (a *author) operand(depth int) string {
	switch n := a.IntN(12); {
	case n < 3 || depth > 3:
		return "$." + a.pick(memberNames)
	case n < 5 && len(a.declared) > 0:
		return a.pick(a.declared)
	case n < 6:
		return "."
	case n < 7:
		return a.pick(literals)
	case n < 8 && len(a.declared) > 0:
		return "(" + a.pick(a.declared) + " = " + a.pipe(depth+1) + ")"
	}
	return "(" + a.pipe(depth+1) + ")"
}

func (a *author) pipe(depth int) string {
	operand := func() string { return a.operand(depth + 1) }
	text := operand()
	if a.IntN(2) == 0 {
		text = a.fill(a.pick(callForms), operand)
	}
	for a.IntN(5) == 0 {
		text += " | " + a.fill(a.pick(pipedForms), operand)
	}
	return text
}

// body writes a few statements. What is declared in it ends with it.
func (a *author) body(depth int) string {
	before := slices.Clone(a.declared)
	var b strings.Builder
	for range 1 + a.IntN(4) {
		b.WriteString(a.statement(depth))
	}
	a.declared = before
	return b.String()
}

func (a *author) statement(depth int) string {
	pipe := func() string { return a.pipe(0) }
	switch n := a.IntN(12); {
	case n < 1:
		name := a.pick([]string{"$a", "$b", "$c"})
		text := "{{" + name + " := " + pipe() + "}}"
		a.declared = append(a.declared, name)
		return text
	case n < 2 && len(a.declared) > 0:
		return "{{" + a.pick(a.declared) + " = " + pipe() + "}}"
	case n < 4 && depth < 3:
		return a.block(a.pick([]string{"if ", "with ", "if $w := ", "with $w := "}), pipe(), depth)
	case n < 6 && depth < 3:
		a.loops++
		defer func() { a.loops-- }()
		over := a.pick([]string{"$.words", "$.list", "$.object", "$.nothing", "$.null", "(list 1 $.text nil)", "(" + pipe() + ")"})
		return a.block(a.pick([]string{"range ", "range $w := ", "range $k, $w := "}), over, depth)
	case n < 7 && a.loops > 0:
		return "{{if " + pipe() + "}}{{" + a.pick([]string{"break", "continue"}) + "}}{{end}}"
	}
	return a.fill(a.pick(places), pipe)
}

// block is a branch or a loop, perhaps with an else. The variable that its head declares is known in both.
func (a *author) block(head, pipe string, depth int) string {
	before := slices.Clone(a.declared)
	if strings.Contains(head, "$w") {
		a.declared = append(a.declared, "$w")
	}
	text := "{{" + head + pipe + "}}" + a.body(depth+1)
	if a.IntN(2) == 0 {
		text += "{{else}}" + a.body(depth+1)
	}
	a.declared = before
	return text + "{{end}}"
}
