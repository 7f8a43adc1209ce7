package fonts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

// A disk that is away for a moment, or a process out of descriptors, does not change the fonts of a worker for good.
func TestAFontThatCouldNotBeReadOnceIsReadTheNextTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, aside := filepath.Join(dir, "hebrew.ttf"), filepath.Join(dir, "aside")
	if err := os.WriteFile(path, hebrew(t), 0o600); err != nil {
		t.Fatal(err)
	}
	l := library(t, dir)
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	set := l.NewSet()
	families := []string{"Noto Sans Hebrew"}
	letter := []rune("\u05d0")
	for range 2 { // whatever is made of it now is not for other jobs
		before := set.Misses()
		set.Select(families, fonts.Style{}).For(letter)
		if set.Misses() == before {
			t.Error("no miss is counted while the file is away")
		}
	}
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
	set = l.NewSet()
	choice := set.Select(families, fonts.Style{}).For(letter)
	if !choice.Font.Has(letter[0]) || choice.Font.Family != families[0] || len(set.Missing()) != 0 {
		t.Errorf("the font is %q, missing %q", choice.Font.Family, set.Missing())
	}
	before := set.Misses()
	set.Select(families, fonts.Style{}).For(letter)
	if set.Misses() != before {
		t.Error("a miss is counted although the file is back")
	}
}
