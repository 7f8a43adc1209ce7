package checks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/checks"
)

// document is a PDF of these pages.
func document(pages ...string) checks.Document {
	return checks.Document{
		ContentType: render.PDF.ContentType(), Pages: len(pages), Bytes: 1000,
		Text: func(context.Context) ([]string, error) { return pages, nil },
	}
}

func TestADocumentThatIsAsExpectedMayBeIssued(t *testing.T) {
	t.Parallel()
	doc := document("Invoice 7\r\nTotal  1,499.90", "Thank you")
	doc.Warnings = []render.Warning{{Code: "callback_ignored", Detail: "x"}, {Code: "cache_bypassed", Detail: "y"}}
	expect := render.Expect{MinPages: 2, MaxPages: 2, Contains: []string{"Total 1,499.90"}, NotContains: []string{"NaN"}, MaxBytes: 1000}
	if err := checks.Check(t.Context(), doc, expect, true); err != nil {
		t.Error(err)
	}
	if err := checks.Check(t.Context(), doc, render.Expect{}, false); err != nil {
		t.Error(err)
	}
}

func TestEachCheckHasItsCodeAndSaysWhatIsNotSo(t *testing.T) {
	t.Parallel()
	const both = "logo.png: answered with status 404 (resource_failed); page 2 (page_blank)."
	const everything = `The document has 2 pages, and must have at least 3. The document does not have the text "Total". ` +
		`The document has the text "NaN", which it must not have. The document has 1000 bytes, and must have at most 1. ` +
		"The job is strict, and there are warnings: " + both
	missing := []render.Warning{{Code: render.PageBlank, Detail: "page 2"}, {Code: render.ResourceFailed, Detail: "logo.png: answered with status 404"}}
	for name, tc := range map[string]struct {
		expect render.Expect
		strict bool
		code   string
		says   string
	}{
		"too few pages":   {render.Expect{MinPages: 3}, false, "expect_pages", "The document has 2 pages, and must have at least 3."},
		"too many pages":  {render.Expect{MaxPages: 1}, false, "expect_pages", "The document has 2 pages, and must have at most 1."},
		"a text":          {render.Expect{Contains: []string{"Invoice", "Total"}}, false, "expect_contains", `The document does not have the text "Total".`},
		"texts":           {render.Expect{Contains: []string{"Sum", "Total"}}, false, "expect_contains", `The document does not have the texts "Sum", "Total".`},
		"a text too many": {render.Expect{NotContains: []string{"x", "NaN"}}, false, "expect_not_contains", `The document has the text "NaN", which it must not have.`},
		"bytes":           {render.Expect{MaxBytes: 999}, false, "expect_max_bytes", "The document has 1000 bytes, and must have at most 999."},
		"strict":          {render.Expect{}, true, "resource_failed", "The job is strict, and there are warnings: " + both},
		"all":             {render.Expect{MinPages: 3, Contains: []string{"Total"}, NotContains: []string{"NaN"}, MaxBytes: 1}, true, "expect_pages", everything},
	} {
		doc := document("Invoice NaN", "")
		doc.Warnings = missing
		f := fault.From(checks.Check(t.Context(), doc, tc.expect, tc.strict))
		switch {
		case f == nil:
			t.Errorf("%s: passed", name)
		case f.Code != tc.code || f.Message != tc.says || f.Retryable():
			t.Errorf("%s: %s, %s, retryable %v", name, f.Code, f.Message, f.Retryable())
		}
	}
}

func TestEveryStrictWarningFailsUnderItsOwnCode(t *testing.T) {
	t.Parallel()
	for _, code := range render.Strict() {
		doc := document("x")
		doc.Warnings = []render.Warning{{Code: code, Detail: "what"}}
		if f := fault.From(checks.Check(t.Context(), doc, render.Expect{}, true)); f == nil || f.Code != code {
			t.Errorf("%s: %v", code, f)
		}
		if err := checks.Check(t.Context(), doc, render.Expect{}, false); err != nil {
			t.Errorf("%s, not strict: %v", code, err)
		}
	}
}

func TestTextIsFoundAsAReaderReadsIt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		pages []string
		text  string
		found bool
	}{
		"as it is":                            {[]string{"Total 7"}, "Total 7", true},
		"case counts":                         {[]string{"TOTAL 7"}, "Total 7", false},
		"line ends":                           {[]string{"the whole\r\nsentence"}, "the whole sentence", true},
		"many spaces":                         {[]string{"Total \t  7"}, "Total\n7", true},
		"a space that does not break":         {[]string{"1\u00a0499,90\u202f€"}, "1 499,90 €", true},
		"across pages":                        {[]string{"first half,", "second half"}, "half, second", true},
		"on a later page":                     {[]string{"a", "b", "c d"}, "c d", true},
		"decomposed in the page":              {[]string{"Mu\u0308ller"}, "Müller", true},
		"decomposed in the expectation":       {[]string{"Müller"}, "Mu\u0308ller", true},
		"a ligature in the page":              {[]string{"o\ufb03ce \ufb01le"}, "office file", true},
		"a ligature in the expectation":       {[]string{"office file"}, "o\ufb03ce \ufb01le", true},
		"forms of Arabic letters":             {[]string{"\ufeb3\ufefc\ufee1"}, "سلام", true},
		"a soft hyphen in the page":           {[]string{"docu\u00adment"}, "document", true},
		"a soft hyphen in the expectation":    {[]string{"document"}, "docu\u00adment", true},
		"a word that is broken":               {[]string{"the docu-\r\nment ends"}, "the document ends", true},
		"a word that is broken by U+2010":     {[]string{"the docu\u2010\nment ends"}, "the document ends", true},
		"a word broken in the way of a PDF":   {[]string{"the docu\ufffement ends, and\x02\r\nso"}, "the document ends, andso", true},
		"a hyphen that ends a line":           {[]string{"an E-\nMail"}, "an E-Mail", true},
		"a hyphen that ends a line, as it is": {[]string{"pages 1-\nand so on"}, "1- and", true},
		"a hyphen within a line":              {[]string{"a - b"}, "ab", false},
		"a word broken across pages":          {[]string{"docu-", "ment"}, "document", true},
		"joiners":                             {[]string{"می\u200cخواهم"}, "میخواهم", true},
		"directions":                          {[]string{"\u202bשלום\u202c 7"}, "שלום 7", true},
		"a variant":                           {[]string{"❤"}, "❤\ufe0f", true},
		"a power is no digit":                 {[]string{"2²"}, "22", false},
		"nothing that is seen":                {[]string{"a"}, "\u00ad", false},
		"a null":                              {[]string{"a\x00b"}, "ab", true},
	} {
		doc := document(tc.pages...)
		if got := checks.Check(t.Context(), doc, render.Expect{Contains: []string{tc.text}}, false) == nil; got != tc.found {
			t.Errorf("%s: contains %v", name, got)
		}
		if got := checks.Check(t.Context(), doc, render.Expect{NotContains: []string{tc.text}}, false) != nil; got != tc.found {
			t.Errorf("%s: not_contains failed %v", name, got)
		}
	}
}

// What is expected may be spaced otherwise, since a PDF does not tell. What is feared must really be there.
func TestGapsBetweenLettersAreNotAlwaysSpaces(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		page, text              string
		contains, containsTruly bool
	}{
		"spaced letters":         {"I N V O I C E\r\nTotal", "INVOICE", true, true},
		"spaced words":           {"R e c h n u n g 2 0 2 6", "Rechnung 2026", true, true},
		"spaced in part":         {"I N V O I C E 2026", "INVOICE 2026", true, false},
		"letter by letter":       {"N\r\na\r\nN\r\n€\r\no\r\nffi\r\nc\r\ne", "NaN €", true, true},
		"another one":            {"N a N € o ffi c e", "NaN$", false, false},
		"words that make a word": {"Anna Nagel", "aNa", true, false},
		"one space less":         {"Total7", "Total 7", true, false},
		"a few short words":      {"as if it is so", "asif", true, false},
	} {
		doc := document(tc.page)
		if got := checks.Check(t.Context(), doc, render.Expect{Contains: []string{tc.text}}, false) == nil; got != tc.contains {
			t.Errorf("%s: contains %v", name, got)
		}
		if got := checks.Check(t.Context(), doc, render.Expect{NotContains: []string{tc.text}}, false) != nil; got != tc.containsTruly {
			t.Errorf("%s: not_contains failed %v", name, got)
		}
	}
}

func TestAPictureIsNotTakenToHaveTheRightText(t *testing.T) {
	t.Parallel()
	doc := document("Total")
	doc.ContentType = "image/png"
	for code, expect := range map[string]render.Expect{
		"expect_contains": {Contains: []string{"Total"}}, "expect_not_contains": {NotContains: []string{"NaN"}},
	} {
		if f := fault.From(checks.Check(t.Context(), doc, expect, false)); f == nil || f.Code != code {
			t.Errorf("%s: %v", code, f)
		}
	}
	if err := checks.Check(t.Context(), doc, render.Expect{MaxPages: 1, MaxBytes: 1000}, true); err != nil {
		t.Error(err)
	}
}

func TestTheTextIsAskedForOnlyWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	doc := document()
	weather := fault.New(fault.Unavailable, "weather", "Not now.")
	doc.Text = func(context.Context) ([]string, error) { return nil, weather }
	if err := checks.Check(t.Context(), doc, render.Expect{MaxBytes: 1 << 20}, true); err != nil {
		t.Error(err)
	}
	if err := checks.Check(t.Context(), doc, render.Expect{Contains: []string{"a"}}, true); !errors.Is(err, weather) || !fault.Retryable(err) {
		t.Errorf("got %v", err)
	}
}

func TestAMessageIsShortWhateverFailed(t *testing.T) {
	t.Parallel()
	doc := document("x")
	var expect render.Expect
	for i := range 50 {
		expect.Contains = append(expect.Contains, fmt.Sprint(i, strings.Repeat("ü", 400)))
	}
	for i := range 5000 {
		doc.Warnings = append(doc.Warnings, render.Warning{Code: render.ResourceFailed, Detail: fmt.Sprint(i, strings.Repeat("n", 4000))})
	}
	f := fault.From(checks.Check(t.Context(), doc, expect, true))
	if f == nil || len(f.Message) > 8000 || !strings.Contains(f.Message, "and 40 more") || !strings.Contains(f.Message, "and 4990 more") {
		t.Errorf("%d bytes: %v", len(f.Message), f)
	}
}
