package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// noto is where Debian puts the fonts of Noto.
const noto = "/usr/share/fonts/truetype/noto"

// fonts are those that the documents name, and those that have the other characters of multiscript.html, by the package
// that brings them.
var fonts = []struct {
	pkg   string
	files []string
}{
	{"fonts-noto-core", []string{
		"NotoSans-Regular", "NotoSans-Bold", "NotoSans-Italic", "NotoSans-BoldItalic",
		"NotoSerif-Regular", "NotoSerif-Bold", "NotoSerif-Italic", "NotoSerif-BoldItalic",
		"NotoSansArabic-Regular", "NotoSansArabic-Bold", "NotoSansHebrew-Regular", "NotoSansHebrew-Bold",
		"NotoSansDevanagari-Regular", "NotoSansDevanagari-Bold", "NotoSansThai-Regular", "NotoSansThai-Bold",
		"NotoSansSymbols-Regular", "NotoSansSymbols2-Regular", "NotoSansMath-Regular",
	}},
	{"fonts-noto-mono", []string{"NotoSansMono-Regular", "NotoSansMono-Bold"}},
}

// FontDir returns a directory with the fonts of the documents and no others, to be given to every engine that is compared.
// Other users can read it; it is gone when the test ends.
func FontDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "platen-corpus-") //nolint:usetesting // the parent of tb.TempDir is closed to other users
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // another user, the browser's, must read it
		tb.Fatal(err)
	}
	for _, f := range fonts {
		for _, name := range f.files {
			font := filepath.Join(noto, name+".ttf")
			if _, err := os.Stat(font); err != nil {
				tb.Fatalf("install the Debian package %s: %v", f.pkg, err)
			}
			if err := os.Symlink(font, filepath.Join(dir, name+".ttf")); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return dir
}
