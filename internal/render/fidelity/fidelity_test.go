package fidelity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/render/fidelity"
)

const bbox = `<!DOCTYPE html><html><head><title>Fünf &amp; mehr</title><meta name="Producer" content="x"/></head><body><doc>
  <page width="595.276000" height="841.890000">
    <word xMin="56.5" yMin="72.000001" xMax="99.25" yMax="85">R&amp;D</word>
    <word xMin="101" yMin="72" xMax="120" yMax="85">größer&lt;5</word>
  </page>
  <page width="841.89" height="595.276"></page>
  <page width="419" height="595"><word xMin="1" yMin="2" xMax="3" yMax="4">שלום</word></page>
</doc></body></html>`

func TestBoxesAreRead(t *testing.T) {
	t.Parallel()
	got, err := fidelity.Parse([]byte(bbox))
	if err != nil {
		t.Fatal(err)
	}
	want := fidelity.Document{
		Pages: []fidelity.Page{{595.276, 841.89}, {841.89, 595.276}, {419, 595}},
		Words: []fidelity.Word{
			{"R&D", 1, fidelity.Box{56.5, 72.000001, 99.25, 85}},
			{"größer<5", 1, fidelity.Box{101, 72, 120, 85}},
			{"שלום", 3, fidelity.Box{1, 2, 3, 4}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := fidelity.Parse([]byte(`<page width="wide" height="1">`)); err == nil {
		t.Error("a width that is no number was read")
	}
}

func TestWhatIsNoPDFIsAnError(t *testing.T) {
	t.Parallel()
	if d, err := fidelity.Read(t.Context(), []byte("not a PDF")); err == nil {
		t.Errorf("read %+v", d)
	}
}

// line sets words on one page, 10 pt apart, beginning at left.
func line(left float64, words ...string) fidelity.Document {
	d := fidelity.Document{Pages: []fidelity.Page{{595, 842}}}
	for i, w := range words {
		x := left + 10*float64(i)
		d.Words = append(d.Words, fidelity.Word{Text: w, Page: 1, Box: fidelity.Box{Left: x, Top: 100, Right: x + 8, Bottom: 112}})
	}
	return d
}

func TestTheSameDocumentIsTheSame(t *testing.T) {
	t.Parallel()
	d := line(50, "a", "b", "a", "b", "a")
	r := fidelity.Compare(d, d)
	if !r.SameText() || !r.SameSizes || r.Share() != 1 || r.Max != 0 || r.Matched != 5 || r.Details() != "" {
		t.Errorf("%+v", r)
	}
	if r := fidelity.Compare(fidelity.Document{}, fidelity.Document{}); !r.SameText() || r.Share() != 1 || len(r.Worst) != 0 {
		t.Errorf("two empty documents: %+v", r)
	}
}

func TestDistancesAreThoseOfTheFarthestEdge(t *testing.T) {
	t.Parallel()
	a, b := line(50, "a", "b", "c", "d"), line(50, "a", "b", "c", "d")
	b.Words[1].Box.Top++      // 1
	b.Words[2].Box.Right += 2 // 2
	b.Words[3].Box.Left -= 5  // 5
	r := fidelity.Compare(a, b)
	if r.P50 != 1 || r.P95 != 5 || r.Max != 5 || r.Within != 2 || r.Share() != 0.5 || !r.SameText() {
		t.Errorf("%+v", r)
	}
	if got := []string{r.Worst[0].A.Text, r.Worst[1].A.Text}; !slices.Equal(got, []string{"d", "c"}) {
		t.Errorf("the worst are %v, want d and c", got)
	}
	if details := r.Details(); !strings.Contains(details, `"d": page 1, 5.00 pt`) || strings.Contains(details, `"b"`) {
		t.Errorf("details %q", details)
	}
}

func TestMissingAndAddedWordsAreNamed(t *testing.T) {
	t.Parallel()
	r := fidelity.Compare(line(50, "a", "b", "c", "d"), line(50, "a", "c", "x", "d"))
	if r.Matched != 3 || len(r.Missing) != 1 || r.Missing[0].Text != "b" || len(r.Added) != 1 || r.Added[0].Text != "x" || r.SameText() {
		t.Errorf("%+v", r)
	}
	if details := r.Details(); !strings.Contains(details, `missing: 1 "b" (1)`) || !strings.Contains(details, `added: 1 "x" (1)`) {
		t.Errorf("details %q", details)
	}
	if r := fidelity.Compare(line(50, "a", "b"), line(50, "a", "b", "c", "d")); r.Share() != 0.5 {
		t.Errorf("share %v with as many words again, want 0.5", r.Share())
	}
}

func TestWordsInAnotherOrderAreMoved(t *testing.T) {
	t.Parallel()
	r := fidelity.Compare(line(50, "total", "is", "100", "euro"), line(50, "is", "100", "euro", "total"))
	if r.Matched != 3 || len(r.Moved) != 1 || r.Moved[0].A.Text != "total" || len(r.Missing)+len(r.Added) != 0 || r.SameText() || r.Max != 30 {
		t.Errorf("%+v", r)
	}
}

func TestWordsInTheirPlacesAreInOrderWhateverTheGuess(t *testing.T) {
	t.Parallel()
	a, b := line(50, "total", "is", "100", "100", "euro"), line(50, "total", "is", "100", "100", "euro")
	slices.Reverse(b.Words)
	if r := fidelity.Compare(a, b); !r.SameText() || r.Matched != 5 || len(r.Moved) != 0 || r.Max != 0 {
		t.Errorf("%+v", r)
	}
	b.Words[0].Box.Left, b.Words[4].Box.Left = 94, 44
	if r := fidelity.Compare(a, b); r.SameText() || len(r.Moved) != 1 {
		t.Errorf("out of place: %+v", r)
	}
}

func TestWordsWithoutAGapAreOne(t *testing.T) {
	t.Parallel()
	word := func(text string, left, right float64) fidelity.Word {
		return fidelity.Word{Text: text, Page: 1, Box: fidelity.Box{Left: left, Top: 10, Right: right, Bottom: 20}}
	}
	whole := fidelity.Document{Pages: []fidelity.Page{{}}, Words: []fidelity.Word{word("−612,40", 10, 50), word("€", 53, 60)}}
	cut := fidelity.Document{Pages: whole.Pages, Words: []fidelity.Word{word("−", 10, 16), word("612,40", 16.5, 50), word("€", 53, 60)}}
	if r := fidelity.Compare(whole, cut); !r.SameText() || r.WordsB != 2 || r.Max != 0 {
		t.Errorf("%+v", r)
	}
	if r := fidelity.Compare(whole, fidelity.Document{Pages: whole.Pages, Words: append(cut.Words[:1:1], word("612,40", 19.5, 53.5), word("€", 56, 63))}); r.SameText() {
		t.Errorf("a gap of a space: %+v", r)
	}
}

func TestWordsThatAreOneElsewhereAreOne(t *testing.T) {
	t.Parallel()
	whole, cut := line(50, "see", "↩↩", "below"), line(50, "see", "↩", "↩", "below")
	whole.Words[1].Box.Right = cut.Words[2].Box.Right
	whole.Words[2].Box = cut.Words[3].Box
	for _, r := range []fidelity.Report{fidelity.Compare(whole, cut), fidelity.Compare(cut, whole)} {
		if !r.SameText() || r.Share() != 1 || r.WordsA != 3 || r.Max != 0 {
			t.Errorf("%+v", r)
		}
	}
	cut.Words[1].Box.Left -= 8
	if r := fidelity.Compare(whole, cut); r.SameText() {
		t.Errorf("elsewhere: %+v", r)
	}
}

func TestPartsOfLigaturesMayComeInAnotherOrder(t *testing.T) {
	t.Parallel()
	if r := fidelity.Compare(line(50, "ملاسلا"), line(50, "مالسلا")); !r.SameText() {
		t.Errorf("%+v", r)
	}
	if r := fidelity.Compare(line(50, "ملاسلا"), line(50, "مالسلم")); r.SameText() {
		t.Errorf("another letter: %+v", r)
	}
}

func TestOfTheSameWordsThoseInTheirPlacesArePairs(t *testing.T) {
	t.Parallel()
	a, b := line(50, "1", "x", "1", "y", "z"), line(50, "1", "x", "1", "y", "z")
	a.Words, b.Words = slices.Delete(a.Words, 0, 1), slices.Delete(b.Words, 2, 3)
	if r := fidelity.Compare(a, b); r.Matched != 4 || r.Within != 3 || r.Max != 20 {
		t.Errorf("one is elsewhere: %+v", r)
	}
}

func TestWordsOnAnotherPageAreFarthest(t *testing.T) {
	t.Parallel()
	a, b := line(50, "a", "b", "c"), line(50, "a", "b", "c")
	b.Pages = append(b.Pages, b.Pages[0])
	b.Words[2].Page = 2
	r := fidelity.Compare(a, b)
	if r.PagesA != 1 || r.PagesB != 2 || r.SameSizes || r.OtherPage != 1 || !r.SameText() || r.Within != 2 || r.Max != 0 {
		t.Errorf("%+v", r)
	}
	if d := r.Worst[0].Distance(); !math.IsInf(d, 1) || !strings.Contains(r.Details(), `"c": page 1, page 2`) {
		t.Errorf("distance %v, details %q", d, r.Details())
	}
}

func TestPagesMayDifferByRounding(t *testing.T) {
	t.Parallel()
	a, b := line(50, "a"), line(50, "a")
	if b.Pages[0].Width += 0.3; !fidelity.Compare(a, b).SameSizes {
		t.Error("0.3 pt is another size")
	}
	if b.Pages[0].Width++; fidelity.Compare(a, b).SameSizes {
		t.Error("1.3 pt is the same size")
	}
}

func TestRowsAlignWithTheHeader(t *testing.T) {
	t.Parallel()
	row := fidelity.Compare(line(50, "a", "b", "c"), line(50, "a", "c")).Row("größte.html")
	if got, want := len([]rune(row)), len([]rune(fidelity.Header())); got != want {
		t.Errorf("a row of %d characters below a header of %d:\n%s\n%s", got, want, fidelity.Header(), row)
	}
	for _, want := range []string{"größte.html", "3/2", "66.6 %"} {
		if !strings.Contains(row, want) {
			t.Errorf("no %q in %q", want, row)
		}
	}
}

// TestAllThatIsLeftIsMatched: when words are only taken away, all others are found in order, however often they repeat.
func TestAllThatIsLeftIsMatched(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g 1 2 3 Σ ж")), 0, 60).Draw(t, "words")
		var kept []string
		for i, w := range words {
			if rapid.Bool().Draw(t, fmt.Sprintf("keep %d", i)) {
				kept = append(kept, w)
			}
		}
		r := fidelity.Compare(line(0, words...), line(0, kept...))
		if r.Matched != len(kept) || len(r.Added) != 0 || len(r.Missing) != len(words)-len(kept) || len(r.Moved) != 0 {
			t.Fatalf("%v, %v: %+v", words, kept, r)
		}
		if r := fidelity.Compare(line(0, kept...), line(0, words...)); r.Matched != len(kept) || len(r.Added) != len(words)-len(kept) {
			t.Fatalf("the other way round: %+v", r)
		}
	})
}

// TestEachWordHasOnePlaceInTheReport: whatever differs, matched, moved, missing and added words make up both documents.
func TestEachWordHasOnePlaceInTheReport(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g h i j")), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		r := fidelity.Compare(line(0, a...), line(0, b...))
		if r.Matched+len(r.Moved)+len(r.Missing) != len(a) || r.Matched+len(r.Moved)+len(r.Added) != len(b) {
			t.Fatalf("%v, %v: %+v", a, b, r)
		}
		for _, w := range r.Missing {
			if slices.ContainsFunc(r.Added, func(x fidelity.Word) bool { return x.Text == w.Text }) {
				t.Fatalf("%q is missing and added", w.Text)
			}
		}
	})
}

func TestLongDocumentsTakeLittleTime(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name     string
		distinct int // words; few of them leave no landmarks
		edits    int
		want     float64 // of the words that are matched in order
	}{
		{"distinct words", 1_000_000, 2000, 1},
		{"a few hundred words", 300, 200, 1},
		{"the same word", 1, 100, 1},
		{"two unlike documents", 50, 40_000, 0},
	} {
		words := make([]string, 40_000)
		for i := range words {
			words[i] = fmt.Sprint(random.IntN(c.distinct))
		}
		changed := slices.Clone(words)
		for range c.edits {
			changed[random.IntN(len(changed))] = fmt.Sprint(random.IntN(c.distinct))
		}
		changed = changed[:len(changed)-c.edits/100]
		began := time.Now()
		r := fidelity.Compare(line(0, words...), line(0, changed...))
		took := time.Since(began)
		t.Logf("%s: %s, %d of %d in order", c.name, took.Round(time.Millisecond), r.Matched, len(words))
		if took > 20*time.Second {
			t.Errorf("%s: it took %s", c.name, took)
		}
		if wanted := c.want * float64(len(words)-3*c.edits); float64(r.Matched) < wanted {
			t.Errorf("%s: %d words in order, want %.0f", c.name, r.Matched, wanted)
		}
	}
}
