package fonts_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

func library(tb testing.TB, dir string) *fonts.Library {
	tb.Helper()
	l, err := fonts.New(tb.Context(), dir)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// hebrew is a font of the binary as a file: a small one.
func hebrew(tb testing.TB) []byte {
	tb.Helper()
	file, err := os.Open("noto/NotoSansHebrew-Regular.ttf.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// called is what a choice calls itself in a PDF, and what is done to it.
func called(c fonts.Choice) string {
	name := c.Font.Descriptor().Name
	if c.Slant {
		name += " slanted"
	}
	if c.Embolden {
		name += " emboldened"
	}
	return name
}

func TestFamiliesAndStylesFindTheirFaces(t *testing.T) {
	t.Parallel()
	l := library(t, "")
	for _, tt := range []struct {
		families string
		style    fonts.Style
		want     string
	}{
		{"", fonts.Style{}, "NotoSerif-Regular"}, // as in browsers
		{"sans-serif", fonts.Style{}, "NotoSans-Regular"},
		{"SANS-SERIF", fonts.Style{Weight: 700}, "NotoSans-Bold"},
		{"system-ui", fonts.Style{Italic: true}, "NotoSans-Italic"},
		{"Arial", fonts.Style{Weight: 600, Italic: true}, "NotoSans-BoldItalic"},
		{"Helvetica Neue", fonts.Style{Weight: 500}, "NotoSans-Regular"},
		{"Times New Roman", fonts.Style{Weight: 100}, "NotoSerif-Regular"},
		{"Courier New", fonts.Style{Weight: 900}, "NotoSansMono-Bold"},
		{"monospace", fonts.Style{Italic: true}, "NotoSansMono-Regular slanted"},
		{"No Such Font,noto sans", fonts.Style{}, "NotoSans-Regular"},
		{"No Such Font", fonts.Style{}, "NotoSerif-Regular"},
		{"Noto Sans Hebrew", fonts.Style{Italic: true, Weight: 800}, "NotoSansHebrew-Bold slanted"},
	} {
		got := called(l.NewSet().Select(strings.Split(tt.families, ","), tt.style).Primary())
		if got != tt.want {
			t.Errorf("%q %+v: got %s, want %s", tt.families, tt.style, got, tt.want)
		}
	}
}

// CSS Fonts 4, section 5.2.
func TestTheNearestWeightWins(t *testing.T) {
	t.Parallel()
	data := hebrew(t)
	for _, tt := range []struct {
		have []int
		want int
		get  int
	}{
		{[]int{300, 500, 700}, 400, 500},
		{[]int{300, 500, 700}, 450, 500},
		{[]int{300, 450, 700}, 500, 450},
		{[]int{300, 600}, 400, 300},
		{[]int{600, 900}, 500, 600},
		{[]int{100, 200, 400}, 300, 200},
		{[]int{400, 900}, 300, 400},
		{[]int{400, 700, 900}, 600, 700},
		{[]int{100, 300, 500}, 600, 500},
		{[]int{100, 900}, 501, 900},
		{[]int{400, 401}, 400, 400},
	} {
		s := library(t, "").NewSet()
		for _, w := range tt.have {
			if err := s.Add(fonts.Declaration{Family: "X", Lightest: w}, data); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Select([]string{"x"}, fonts.Style{Weight: tt.want}).Primary().Font.Style.Weight; got != tt.get {
			t.Errorf("of %v for %d: got %d, want %d", tt.have, tt.want, got, tt.get)
		}
	}
}

func TestSlantDecidesBeforeWeightAndWidthBeforeSlant(t *testing.T) {
	t.Parallel()
	data := hebrew(t)
	s := library(t, "").NewSet()
	for _, d := range []fonts.Declaration{{Lightest: 900, Italic: true}, {Lightest: 400}, {Lightest: 400, Italic: true, Width: 3}} {
		d.Family = "X"
		if err := s.Add(d, data); err != nil {
			t.Fatal(err)
		}
	}
	for want, style := range map[fonts.Style]fonts.Style{
		{Weight: 900, Italic: true, Width: 5}: {Weight: 400, Italic: true},
		{Weight: 400, Width: 5}:               {Weight: 900},
		{Weight: 400, Italic: true, Width: 3}: {Weight: 400, Width: 2},
	} {
		if got := s.Select([]string{"X"}, style).Primary().Font.Style; got != want {
			t.Errorf("%+v: got %+v, want %+v", style, got, want)
		}
	}
}

func TestARangeOfWeightsNeedsNoEmboldening(t *testing.T) {
	t.Parallel()
	s := library(t, "").NewSet()
	if err := s.Add(fonts.Declaration{Family: "X", Lightest: 100, Heaviest: 900}, hebrew(t)); err != nil {
		t.Fatal(err)
	}
	if c := s.Select([]string{"X"}, fonts.Style{Weight: 700}).Primary(); c.Embolden {
		t.Error("emboldened")
	}
	if c := s.Select([]string{"Noto Sans Hebrew"}, fonts.Style{Weight: 400}).Primary(); c.Embolden {
		t.Error("a regular face for regular text is emboldened")
	}
}

func TestWhatBusinessDocumentsWriteIsInTheBinary(t *testing.T) {
	t.Parallel()
	set := library(t, "").NewSet()
	sel := set.Select([]string{"sans-serif"}, fonts.Style{Weight: 700})
	for _, r := range "−×÷±≤≥≠≈√∞→←↑↓•·…–—€£¥₹₽₺₴₿№§¶†‡°′″™©®✓✔✗☐☑☒■□●○★☆½⅓‰²³ªº↩" {
		sel.For([]rune{r})
	}
	if missing := set.Missing(); len(missing) > 0 {
		t.Errorf("no font has %q", missing)
	}
	if got := called(sel.For([]rune("−"))); got != "NotoSansMath-Regular emboldened" {
		t.Errorf("the minus is of %s", got)
	}
}

func TestEachClusterGetsTheFirstFaceThatHasIt(t *testing.T) {
	t.Parallel()
	sel := library(t, "").NewSet().Select([]string{"monospace", "serif"}, fonts.Style{})
	for cluster, want := range map[string]string{
		"a":       "NotoSansMono-Regular",
		"ש":       "NotoSansHebrew-Regular",
		"שׁ":      "NotoSansHebrew-Regular",
		"م":       "NotoSansArabic-Regular",
		"e\u0301": "NotoSansMono-Regular",
		"\u00ad":  "NotoSansMono-Regular",
		"龘":       "NotoSansMono-Regular", // nobody has it
	} {
		if got := called(sel.For([]rune(cluster))); got != want {
			t.Errorf("%q: got %s, want %s", cluster, got, want)
		}
	}
}

func TestCharactersWithoutAGlyphAreNamed(t *testing.T) {
	t.Parallel()
	s := library(t, "").NewSet()
	sel := s.Select([]string{"serif"}, fonts.Style{Weight: 700})
	for _, cluster := range []string{"a", "龘", "\u00ad", "\n", "😀\u200d", "龘", "a\U000E0100", "ก"} {
		sel.For([]rune(cluster))
	}
	if diff := cmp.Diff([]rune("ก龘😀"), s.Missing()); diff != "" {
		t.Error(diff)
	}
}

func TestAWebFontHidesTheFamilyOfItsNameInItsSetOnly(t *testing.T) {
	t.Parallel()
	l := library(t, "")
	s := l.NewSet()
	before := called(s.Select([]string{"Noto Sans"}, fonts.Style{}).Primary())
	data, err := os.ReadFile("sfnt/testdata/Inter-Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(fonts.Declaration{Family: "NOTO Sans", Only: [][2]rune{{'a', 'z'}, {'0', '9'}}}, data); err != nil {
		t.Fatal(err)
	}
	sel := s.Select([]string{"Noto Sans", "monospace"}, fonts.Style{})
	for cluster, want := range map[string]string{"a": "Inter-Regular", "7": "Inter-Regular", "A": "NotoSansMono-Regular"} {
		if got := called(sel.For([]rune(cluster))); got != want {
			t.Errorf("%q: got %s, want %s", cluster, got, want)
		}
	}
	if got := called(l.NewSet().Select([]string{"Noto Sans"}, fonts.Style{}).Primary()); got != before {
		t.Errorf("another set has %s", got)
	}
}

func TestADamagedWebFontIsANamedError(t *testing.T) {
	t.Parallel()
	s := library(t, "").NewSet()
	err := s.Add(fonts.Declaration{Family: "Broken"}, hebrew(t)[:5000])
	if !errors.Is(err, pdf.ErrFontInvalid) || !strings.Contains(err.Error(), "Broken") {
		t.Errorf("got %v", err)
	}
}

func TestADirectoryAddsFamiliesAndReportsWhatItCannotUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string][]byte{
		"sub/Inter.woff2": nil, "hebrew.TTF": hebrew(t), "broken.otf": []byte("no font"), "readme.txt": []byte("x"),
	}
	inter, err := os.ReadFile("sfnt/testdata/Inter-Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	files["sub/Inter.woff2"] = inter
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	l := library(t, dir)
	if diff := cmp.Diff([]string{"Noto Sans", "Noto Serif", "Noto Sans Math", "Noto Sans Symbols2", "Noto Sans Mono", "Noto Sans Arabic", "Noto Sans Hebrew", "Inter"}, l.Families()); diff != "" {
		t.Error(diff)
	}
	if s := l.Skipped(); len(s) != 1 || s[0].Path != "broken.otf" || s[0].Err == nil {
		t.Errorf("skipped: %+v", s)
	}
	sel := l.NewSet().Select([]string{"inter"}, fonts.Style{})
	if got := called(sel.Primary()); got != "Inter-Regular" {
		t.Errorf("got %s", got)
	}
	if got := sel.Primary().Font.Advance(5); got <= 0 {
		t.Errorf("a glyph of it is %v wide", got)
	}
	if got := called(l.NewSet().Select([]string{"Noto Sans Hebrew"}, fonts.Style{Weight: 700}).Primary()); got != "NotoSansHebrew-Bold" {
		t.Errorf("a family that the directory has one face of lost another: %s", got)
	}
}

func TestAFontFileThatHasGoneHasNoCharacters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inter, err := os.ReadFile("sfnt/testdata/Inter-Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "i.woff2")
	if err := os.WriteFile(path, inter, 0o600); err != nil {
		t.Fatal(err)
	}
	l := library(t, dir)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := called(l.NewSet().Select([]string{"Inter"}, fonts.Style{}).For([]rune("a"))); got != "NotoSerif-Regular" {
		t.Errorf("got %s", got)
	}
}

func TestADirectoryThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := fonts.New(t.Context(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fonts.New(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v", err)
	}
}

func TestJobsShareALibrary(t *testing.T) {
	t.Parallel()
	l := library(t, "")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			sel := l.NewSet().Select([]string{"serif"}, fonts.Style{})
			for _, r := range "aשم龘" {
				f := sel.For([]rune{r}).Font
				if _, err := f.Subset([]uint16{1, 2, 3}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestTheLicenseIsAtHand(t *testing.T) {
	t.Parallel()
	if !strings.Contains(fonts.Licenses(), "SIL OPEN FONT LICENSE Version 1.1") {
		t.Error("no license")
	}
}

func TestCharactersOfFamiliesThatNobodyNamedAreRegular(t *testing.T) {
	t.Parallel()
	sel := library(t, "").NewSet().Select([]string{"Noto Sans"}, fonts.Style{Weight: 700, Italic: true})
	if got, want := called(sel.For([]rune{'ש'})), "NotoSansHebrew-Regular slanted emboldened"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := called(sel.Primary()), "NotoSans-BoldItalic"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
