package chromium

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// families are what the generic names, and the names that everybody writes, become when only the fonts of a
// directory may be used. The first family that is there wins.
var families = []struct {
	names  []string
	prefer []string
}{
	{[]string{"sans-serif", "system-ui", "Arial", "Helvetica", "Helvetica Neue"}, []string{"Liberation Sans", "Arimo", "Noto Sans", "DejaVu Sans"}},
	{[]string{"serif", "Times", "Times New Roman"}, []string{"Liberation Serif", "Tinos", "Noto Serif", "DejaVu Serif"}},
	{[]string{"monospace", "Courier", "Courier New"}, []string{"Liberation Mono", "Cousine", "Noto Sans Mono", "DejaVu Sans Mono"}},
	{[]string{"emoji"}, []string{"Noto Color Emoji"}},
}

// fontsConf is a configuration for fontconfig that knows the fonts of dir and no others.
func fontsConf(dir, cache string) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">\n<fontconfig>\n")
	element(&b, "dir", dir)
	element(&b, "cachedir", cache)
	for _, f := range families {
		for _, name := range f.names {
			b.WriteString("<alias binding=\"same\">")
			element(&b, "family", name)
			b.WriteString("<prefer>")
			for _, family := range f.prefer {
				element(&b, "family", family)
			}
			b.WriteString("</prefer></alias>\n")
		}
	}
	b.WriteString("</fontconfig>\n")
	return b.String()
}

func element(b *strings.Builder, name, text string) {
	b.WriteString("<" + name + ">")
	_ = xml.EscapeText(b, []byte(text)) // a strings.Builder does not fail
	b.WriteString("</" + name + ">")
}

// writeFontsConf puts the configuration for a font directory below home and returns its path. Another browser may be
// reading the one that is there, so it is replaced as a whole.
func writeFontsConf(fontDir, home string) (string, error) {
	dir, err := filepath.Abs(fontDir)
	if err != nil {
		return "", fmt.Errorf("font directory: %w", err)
	}
	if _, err := os.ReadDir(dir); err != nil {
		return "", fmt.Errorf("font directory: %w", err)
	}
	path := filepath.Join(home, "fonts.conf")
	text := fontsConf(dir, filepath.Join(home, "fontconfig"))
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil { //nolint:gosec // another user, the browser's, must read it
		return "", fmt.Errorf("write fonts.conf: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return "", fmt.Errorf("write fonts.conf: %w", err)
	}
	return path, nil
}
