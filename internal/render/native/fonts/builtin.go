package fonts

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/platen-render/platen/internal/render/native/fonts/sfnt"
)

// The fonts are as Google published them, packed; noto/OFL.txt is their license.
//
//go:embed noto
var noto embed.FS

// packed is how the names of the fonts end.
const packed = ".ttf.gz"

// builtin are the families inside the binary, with how many of the faces below each has. Their order is that of fallback.
var builtin = []struct {
	family, prefix string
	faces          int
}{
	{"Noto Sans", "NotoSans", 4},
	{"Noto Serif", "NotoSerif", 4},
	{"Noto Sans Math", "NotoSansMath", 1},         // the minus, arrows
	{"Noto Sans Symbols2", "NotoSansSymbols2", 1}, // check marks and boxes, stars
	{"Noto Sans Mono", "NotoSansMono", 2},
	{"Noto Sans Arabic", "NotoSansArabic", 2},
	{"Noto Sans Hebrew", "NotoSansHebrew", 2},
}

// faces are the files that a family has.
var faces = []struct {
	suffix string
	style  Style
}{
	{"-Regular", Style{Weight: 400, Width: 5}},
	{"-Bold", Style{Weight: 700, Width: 5}},
	{"-Italic", Style{Weight: 400, Width: 5, Italic: true}},
	{"-BoldItalic", Style{Weight: 700, Width: 5, Italic: true}},
}

func builtinFonts() []*Font {
	var all []*Font
	for _, b := range builtin {
		for _, f := range faces[:b.faces] {
			name := b.prefix + f.suffix
			all = append(all, newFont(b.family, f.style, func() (*program, error) { return loadBuiltin(name) }))
		}
	}
	return all
}

// builtinDigest is that of all embedded fonts.
func builtinDigest() [sha256.Size]byte {
	var all []byte
	for _, b := range builtin {
		for _, f := range faces[:b.faces] {
			data, _ := noto.ReadFile("noto/" + b.prefix + f.suffix + packed) // they are there: a test loads them all
			sum := sha256.Sum256(data)
			all = append(all, sum[:]...)
		}
	}
	return sha256.Sum256(all)
}

func loadBuiltin(name string) (*program, error) {
	data, err := unpack(name)
	if err != nil {
		return nil, err
	}
	return parse(data, 0)
}

func unpack(name string) ([]byte, error) {
	file, err := noto.Open("noto/" + name + packed)
	if err != nil {
		return nil, fmt.Errorf("embedded font: %w", err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("embedded font: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(z, sfnt.MaxSize))
	if err != nil {
		return nil, fmt.Errorf("embedded font: %w", err)
	}
	return data, nil
}

// Extract writes the embedded fonts into a directory, which is made if need be, for engines that read files; those that are there stay. Everybody
// can read them, whatever the umask: a browser runs as another user.
func Extract(dir string) error {
	entries, err := noto.ReadDir("noto")
	if err == nil {
		err = os.MkdirAll(dir, 0o755) //nolint:gosec // see above
	}
	if err == nil {
		err = os.Chmod(dir, 0o755) //nolint:gosec // see above
	}
	for _, e := range entries {
		if name, isFont := strings.CutSuffix(e.Name(), packed); isFont && err == nil {
			err = extract(name, filepath.Join(dir, name+".ttf"))
		}
	}
	if err != nil {
		return fmt.Errorf("extract fonts: %w", err)
	}
	return nil
}

// extract writes one font, as a whole or not at all.
func extract(name, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	data, err := unpack(name)
	if err == nil {
		err = os.WriteFile(path+".new", data, 0o600)
	}
	if err == nil {
		err = os.Chmod(path+".new", 0o644) //nolint:gosec // see Extract
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	return err
}

// Licenses returns the license of the embedded fonts, to be shown where a program shows its licenses.
func Licenses() string {
	text, err := noto.ReadFile("noto/OFL.txt")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
