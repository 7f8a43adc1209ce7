package fonts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

func TestTheDigestIsOfTheFontsAndNotOfTheirPlace(t *testing.T) {
	t.Parallel()
	inter, err := os.ReadFile("sfnt/testdata/Inter-Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	digest := func(files map[string][]byte) string {
		dir := t.TempDir()
		for name, data := range files {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return library(t, dir).Digest()
	}
	own := digest(map[string][]byte{"a.woff2": inter})
	if again := digest(map[string][]byte{"b.woff2": inter, "read.me": []byte("no font")}); again != own {
		t.Error("the same fonts have another digest in another place")
	}
	if other := digest(map[string][]byte{"a.woff2": append(inter, 0)}); other == own {
		t.Error("another file has the same digest")
	}
	none, err := fonts.New(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if none.Digest() == own || len(own) != 64 {
		t.Errorf("with a font %s, without %s", own, none.Digest())
	}
}
