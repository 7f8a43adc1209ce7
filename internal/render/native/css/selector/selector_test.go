package selector_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/selector"
	"github.com/platen-render/platen/internal/render/native/css/syntax"
	"github.com/platen-render/platen/internal/render/native/dom"
)

func parse(t *testing.T, text string) (selector.List, bool) {
	t.Helper()
	values, err := syntax.ParseValues(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return selector.Parse(values, nil)
}

func TestSpecificityIsCounted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]selector.Specificity{
		"*": {}, "a": {0, 0, 1}, "a.b#c": {1, 1, 1}, "a > b ~ c": {0, 0, 3}, "a::before": {0, 0, 2}, ":is(a, #b)": {1, 0, 0}, ":where(#a)": {},
		":not(.a, b)": {0, 1, 0}, "a:nth-child(2n + 1)": {0, 1, 1}, "[a=b]": {0, 1, 0},
	} {
		list, ok := parse(t, text)
		if !ok || list[0].Specificity != want {
			t.Errorf("%s: %v", text, list)
		}
	}
}

func TestWrongSelectorsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a,", ">a", "a >", "a..b", "a[b=]", "a:nonsense", "::nonsense", "a::before b", ":nth-child(x)", ":not()", "x|a", "1a", "a:is"} {
		if list, ok := parse(t, text); ok {
			t.Errorf("%q is taken: %+v", text, list[0])
		}
	}
}

func TestManySpellingsOfNth(t *testing.T) {
	t.Parallel()
	doc, err := dom.Parse(t.Context(), "<p>1<p>2<p>3<p>4<p>5<p>6", dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for formula, want := range map[string]string{
		"odd": "135", "EVEN": "246", "2n+1": "135", "2n + 1": "135", "-n+3": "123", "- n": "", "n": "123456", "+3": "3", "3n-1": "25", "n+4": "456",
		"-2n+5": "135", "0n+2": "2", "+n": "123456", "-n- 1": "", "03": "3",
	} {
		list, ok := parse(t, "p:nth-child("+formula+")")
		if formula == "- n" {
			if ok {
				t.Errorf("%s is taken", formula)
			}
			continue
		}
		var got strings.Builder
		var m selector.Matcher
		for p := doc.Body().First; p != nil && ok; p = p.Next {
			if m.Match(list[0], p) {
				got.WriteString(p.AllText())
			}
		}
		if !ok || got.String() != want {
			t.Errorf("%s: %q, want %q", formula, got.String(), want)
		}
	}
}

func TestLongChainsCostNoMoreThanTheTreeIsDeep(t *testing.T) {
	t.Parallel()
	doc, err := dom.Parse(t.Context(), strings.Repeat("<div>", 400)+"x", dom.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	list, ok := parse(t, ".none "+strings.Repeat("div ", 30)+"div")
	if !ok {
		t.Fatal("the selector is refused")
	}
	var m selector.Matcher
	if deepest := doc.Elements[len(doc.Elements)-1]; m.Match(list[0], deepest) || m.Steps > 1000 {
		t.Errorf("%d steps", m.Steps)
	}
}
