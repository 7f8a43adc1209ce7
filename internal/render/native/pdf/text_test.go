package pdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// extracted is the text that pdftotext finds. The marks by which it brackets text that runs against its paragraph become mark.
func extracted(tb testing.TB, doc []byte, mark string) []string {
	tb.Helper()
	text := tool(tb, doc, "pdftotext", "-enc", "UTF-8", "FILE", "-")
	text = strings.NewReplacer("\u202a", mark, "\u202b", mark, "\u202c", mark, "\f", "").Replace(text)
	var lines []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// each draws each text on a page of its own and returns what is extracted from the pages.
func each(tb testing.TB, texts []string, family, mark string) []string {
	tb.Helper()
	w := newWriter(tb)
	doc := document(tb, pdf.Info{}, func(d *pdf.Document) {
		for _, text := range texts {
			page := d.Page(595, 842)
			w.draw(tb, page.Canvas, 40, 60, line{text: text, size: 12, families: []string{family}})
			page.Finish()
		}
	})
	got := extracted(tb, doc, mark)
	if len(got) != len(texts) {
		tb.Fatalf("%d pages gave %d lines: %q", len(texts), len(got), got)
	}
	return got
}

// one is a document of one line.
func one(tb testing.TB, l line) []byte {
	tb.Helper()
	w := newWriter(tb)
	return document(tb, pdf.Info{}, func(d *pdf.Document) {
		page := d.Page(595, 842)
		w.draw(tb, page.Canvas, 40, 60, l)
		page.Finish()
	})
}

func TestExtractedTextIsTheTextThatWentIn(t *testing.T) {
	t.Parallel()
	texts := []string{
		`Invoice (no. 417) \ 50 % <net> [gross] {x} / #1`,
		"Příliš žluťoučký kůň úpěl ďábelské ódy",
		"Zażółć gęślą jaźń – „cytat”",
		"Cafe\u0301 u\u0308ber a\u0323\u0302",
		"office affluent fjord waffle ﬁ ﬂ",
		"Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
		"Съешь же ещё этих мягких французских булок",
		"שלום עולם",
		"مرحبا بالعالم",
		"السلام عليكم لا إله",
		"BA ΒΑ ВА Tooth Τοοο Тоо", // Latin, Greek and Cyrillic
		"€12.50 £7 ₪99 ₹1,234 $5 ¥100",
		"x² + y³ = ½ © ® ™",
	}
	for _, family := range []string{"sans-serif", "serif", "monospace"} {
		if diff := cmp.Diff(texts, each(t, texts, family, "")); diff != "" {
			t.Errorf("%s: %s", family, diff)
		}
	}
}

// pdftotext makes one kind of space of all, and takes a run against the direction of its line together with the space behind it.
func TestExtractedWordsAreTheWordsThatWentIn(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Summe 10\u00a0000\u202f€ und\u00a05 km",
		"The word سلام means peace",
		"and שלום too",
		"חשבונית Invoice מספר 1234",
		"מיום 28.11.2026 סך 99.50",
		"فاتورة رقم 1234 بتاريخ 28",
		"رقم ١٢٣٤ تاريخ",
	}
	words := cmpopts.SortSlices(strings.Compare)
	for i, got := range each(t, texts, "serif", " ") {
		if diff := cmp.Diff(strings.Fields(texts[i]), strings.Fields(got), words); diff != "" {
			t.Error(diff)
		}
	}
}

// Vowel points stand on their letters, where pdftotext loses their order, in our documents as in a browser's: nothing is lost, though.
func TestVowelPointsAreAllExtracted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"שָׁלוֹם עֲלֵיכֶם", "مُحَمَّدٌ رَسُولُ"} {
		letters := func(s string) []rune {
			r := []rune(strings.Join(strings.Fields(s), ""))
			slices.Sort(r)
			return r
		}
		got := strings.Join(extracted(t, one(t, line{text: text, size: 12}), ""), "")
		if diff := cmp.Diff(letters(text), letters(got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStyledTextIsExtractedToo(t *testing.T) {
	t.Parallel()
	const text = "Total due: 1,234.56 office"
	for _, l := range []line{
		{style: fonts.Style{Weight: 700}},
		{style: fonts.Style{Italic: true}},
		{families: []string{"monospace"}, style: fonts.Style{Italic: true, Weight: 700}},
		{families: []string{"Noto Sans Arabic"}, style: fonts.Style{Italic: true}},
	} {
		l.text, l.size = text, 11
		t.Run(fmt.Sprint(l.families, l.style), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string{text}, extracted(t, one(t, l), "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFontsAreEmbeddedSubsets(t *testing.T) {
	t.Parallel()
	list := tool(t, one(t, line{text: "Latin עברית عربي", size: 12}), "pdffonts", "FILE")
	rows := strings.Split(strings.TrimSpace(list), "\n")[2:]
	if len(rows) != 3 {
		t.Fatalf("want 3 fonts:\n%s", list)
	}
	for _, row := range rows {
		// name, type (two words and a bracket), encoding, emb, sub, uni
		f := strings.Fields(row)
		if diff := cmp.Diff([]string{"CID", "TrueType", "Identity-H", "yes", "yes", "yes"}, f[1:7]); diff != "" {
			t.Errorf("%s\n%s", row, diff)
		}
	}
}

func TestLetterSpacingKeepsWordsTogether(t *testing.T) {
	t.Parallel()
	l := line{text: "Spaced out words", size: 12}
	l.LetterSpacing = 1
	if diff := cmp.Diff([]string{l.text}, extracted(t, one(t, l), "")); diff != "" {
		t.Error(diff)
	}
}
