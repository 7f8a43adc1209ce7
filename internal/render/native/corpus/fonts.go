package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// noto is where Debian puts the fonts of Noto.
const noto = "/usr/share/fonts/truetype/noto"

// fonts have the characters of multiscript.html that the embedded families, which every engine has, lack. They are in the Debian
// package fonts-noto-core.
var fonts = []string{
	"NotoSansDevanagari-Regular", "NotoSansDevanagari-Bold",
	"NotoSansSymbols-Regular",
}

// FontDir returns a directory with the fonts of the documents that are not in the binary, to be given to every engine that is compared.
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
	for _, name := range fonts {
		copyFont(tb, filepath.Join(noto, name+".ttf"), dir)
	}
	return dir
}

// copyFont copies: a font directory is not followed to files outside of it.
func copyFont(tb testing.TB, font, dir string) {
	tb.Helper()
	data, err := os.ReadFile(font) //nolint:gosec // one of the fonts above
	if err != nil {
		tb.Fatalf("install the Debian package fonts-noto-core: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(font)), data, 0o644); err != nil { //nolint:gosec // another user, the browser's, must read it
		tb.Fatal(err)
	}
}
