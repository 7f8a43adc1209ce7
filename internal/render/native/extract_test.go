package native_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native"
	"github.com/platen-render/platen/internal/render/native/box"
	"github.com/platen-render/platen/internal/render/native/corpus"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/dom"
	"github.com/platen-render/platen/internal/render/native/images"
)

// tool runs a program on a document that it reads from its standard input. It must not complain.
func tool(tb testing.TB, pdf []byte, name, debian string, args ...string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatalf("%s is missing: install the Debian package %s", name, debian)
	}
	cmd := exec.CommandContext(tb.Context(), path, args...)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(pdf), &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		tb.Fatalf("%s: %v: %.2000s", name, err, said.String())
	}
	return out.String()
}

// checked fails the test when qpdf, which wants a file, finds fault with a document.
func checked(tb testing.TB, pdf []byte) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "document.pdf")
	if err := os.WriteFile(path, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	if said := tool(tb, nil, "qpdf", "qpdf", "--check", path); !strings.Contains(said, "No syntax or stream encoding errors found") {
		tb.Errorf("qpdf: %s", said)
	}
}

// extracted is the text of a document in the order in which it is written there, page by page.
func extracted(tb testing.TB, pdf []byte) []string {
	tb.Helper()
	pages := strings.Split(tool(tb, pdf, "pdftotext", "poppler-utils", "-raw", "-enc", "UTF-8", "-", "-"), "\f")
	for i := range pages {
		pages[i] = solid(pages[i])
	}
	return pages
}

// plain is the text of a document as pdftotext reads it off the paper. In the order of the file it puts the words of a line from left
// to right, even those that run to the left; here it does not.
func plain(tb testing.TB, pdf []byte) string {
	tb.Helper()
	return solid(tool(tb, pdf, "pdftotext", "poppler-utils", "-enc", "UTF-8", "-", "-"))
}

// leftwards reports whether a letter is of a script that runs to the left.
func leftwards(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) }

// mixed reports whether a character runs to the right, or as what is beside it: pdftotext puts those to where it thinks they belong.
func mixed(r rune) bool { return !leftwards(r) || unicode.IsDigit(r) || unicode.IsPunct(r) }

// solid is a text without blanks, without what is only there to break or to direct it.
func solid(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}

// stretch is text of the page that stands together: of one block, without what is generated in it.
type stretch struct {
	text  string // without blanks
	words []string
	// free says that it is drawn before or after what is around it: floats, and what is positioned or a layer of its own.
	free bool
	// leftwards says that it runs from right to left, or parts of it do.
	leftwards bool
}

// stretches lists what a page shows of its own text.
func stretches(tb testing.TB, req render.Request) []stretch {
	tb.Helper()
	ctx := tb.Context()
	doc, err := dom.Parse(ctx, req.HTML, dom.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	library := cascade.Library{Resources: req.Resources}
	styles, err := cascade.Compute(ctx, doc, cascade.Options{Library: library, Width: 794, Height: 1123})
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := box.Build(ctx, doc, styles, images.New(library, 0))
	if err != nil {
		tb.Fatal(err)
	}
	c := &collector{}
	c.collect(tree.Root, false)
	c.end(false)
	return c.list
}

type collector struct {
	list      []stretch
	text      strings.Builder
	leftwards bool
}

// end ends the stretch at hand.
func (c *collector) end(free bool) {
	if text := solid(c.text.String()); text != "" {
		words := strings.FieldsFunc(c.text.String(), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
		c.list = append(c.list, stretch{text, words, free, c.leftwards || strings.ContainsFunc(text, leftwards)})
	}
	c.text.Reset()
}

func (c *collector) collect(b *box.Box, free bool) {
	switch {
	case b.Pseudo != "":
		c.end(free)
		return
	case b.Kind == box.Text:
		if b.Style.Visibility == "visible" {
			c.text.WriteString(b.Text)
			c.leftwards = b.Style.Direction == "rtl"
		}
		return
	}
	s := b.Style
	own := b.Floats() || s.Position != "static" || s.Opacity < 1 || len(s.Transform) > 0 || s.Order != 0
	block := b.Kind != box.Inline || own
	if block {
		c.end(free)
	}
	for _, child := range b.Children {
		c.collect(child, free || own)
	}
	if block {
		c.end(free || own)
	}
}

// reader finds stretches in the pages of a document.
type reader struct {
	pages []string
	at    []int // on each page, how far what flows has been found
	page  int   // the last of those on which it has been found
}

func newReader(pages []string) *reader { return &reader{pages: pages, at: make([]int, len(pages))} }

// follow finds a stretch after all that was found before. The cells of a row that is cut are on two pages in turn.
func (r *reader) follow(text string) bool {
	for page := max(r.page-1, 0); page < len(r.pages); page++ {
		if i := strings.Index(r.pages[page][r.at[page]:], text); i >= 0 {
			r.found(page, r.at[page]+i+len(text))
			return true
		}
	}
	for page := max(r.page-1, 0); page < len(r.pages)-1; page++ {
		rest := r.pages[page][r.at[page]:]
		head := longest(rest, text)
		if next := strings.Index(r.pages[page+1], text[head:]); head > 0 && next >= 0 {
			r.found(page, r.at[page]+strings.Index(rest, text[:head])+head)
			r.found(page+1, next+len(text)-head)
			return true
		}
	}
	return false
}

func (r *reader) found(page, at int) {
	r.at[page] = at
	r.page = max(r.page, page)
}

// longest is how much of the beginning of a text is in a page.
func longest(page, text string) int {
	least, most := 0, len(text)-1
	for least < most {
		middle := (least + most + 1) / 2
		if strings.Contains(page, text[:middle]) {
			least = middle
		} else {
			most = middle - 1
		}
	}
	return least
}

// TestTheTextOfTheCorpusCanBeReadBack draws all documents: other programs find no fault in them, and read the text of the page
// in its order.
func TestTheTextOfTheCorpusCanBeReadBack(t *testing.T) {
	t.Parallel()
	names, requests := drawable(t)
	e := guarded(t, native.Options{FontDir: corpus.FontDir(t)})
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			var pdf bytes.Buffer
			if _, err := e.Render(ctx, &pdf, requests[i]); err != nil {
				t.Fatal(err)
			}
			checked(t, pdf.Bytes())
			pages := extracted(t, pdf.Bytes())
			laidOut, ordered := plain(t, pdf.Bytes()), newReader(pages)
			for _, s := range stretches(t, requests[i]) {
				switch {
				case s.leftwards:
					for _, word := range s.words {
						if !strings.Contains(laidOut, word) {
							t.Errorf("%q of %q is not there", word, s.text)
						}
					}
					if !strings.ContainsFunc(s.text, mixed) && !strings.Contains(laidOut, s.text) {
						t.Errorf("%q is not there", s.text)
					}
				case s.free:
					if !newReader(pages).follow(s.text) {
						t.Errorf("%q is not there", s.text)
					}
				case !ordered.follow(s.text):
					t.Errorf("%q is not after what is before it", s.text)
				}
			}
		})
	}
}

// TestArabicAndHebrewCanBeReadBack takes sentences that pdftotext itself does not put into another order.
func TestArabicAndHebrewCanBeReadBack(t *testing.T) {
	t.Parallel()
	e := guarded(t, native.Options{})
	for _, text := range []string{
		"السلام عليكم ورحمة الله", "هذه فاتورة بتاريخ اليوم", "شركة الواحة للتجارة", "المصدّر إلى الأردن", "ملح بحري خشن في أكياس", "لا إله إلا الله",
		"שלום עולם", "הצעת מחיר לעבודות נגרות", "בהמשך לפגישתנו להלן הצעתנו לריהוט המשרד החדש",
	} {
		pdf, err := ends(t, e, render.Request{HTML: "<!doctype html><p dir=rtl>" + text, Output: render.DefaultOutput()}, limit)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := plain(t, pdf); got != solid(text) {
			t.Errorf("got %q, want %q", got, solid(text))
		}
	}
}

// TestCharactersThatNoFontHasAreNamed has fonts without ideographs and without pictures.
func TestCharactersThatNoFontHasAreNamed(t *testing.T) {
	t.Parallel()
	e := guarded(t, native.Options{})
	report, err := e.Render(t.Context(), io.Discard, render.Request{HTML: "<!doctype html><p>😀 日本語, and 語 again<ul><li style='list-style-type:&quot;本&quot;'>x", Output: render.DefaultOutput()})
	if err != nil {
		t.Fatal(err)
	}
	want := []render.Warning{render.GlyphsMissing([]rune("日本語😀"))}
	if diff := cmp.Diff(want, report.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestCharactersWithoutAFontAreForTheBrowserWhereThereIsAChoice(t *testing.T) {
	t.Parallel()
	e := guarded(t, native.Options{})
	req := render.Request{HTML: "<!doctype html><p>日", Output: render.DefaultOutput(), Engine: render.Auto}
	var outside *render.OutsideError
	if _, err := e.Render(t.Context(), io.Discard, req); !errors.As(err, &outside) || outside.Reason != "`日 (U+65E5)`" {
		t.Errorf("auto: %v", err)
	}
	if d, err := e.Inspect(t.Context(), req); err != nil || d.Inside || d.Reason() != "`日 (U+65E5)`" {
		t.Errorf("inspect: %+v, %v", d, err)
	}
	req.Engine = render.Native
	if report, err := e.Render(t.Context(), io.Discard, req); err != nil || len(report.Warnings) != 1 {
		t.Errorf("native: %+v, %v", report, err)
	}
	if d, err := e.Inspect(t.Context(), req); err != nil || !d.Inside {
		t.Errorf("inspect for native: %+v, %v", d, err)
	}
}
