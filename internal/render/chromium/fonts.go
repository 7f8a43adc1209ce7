package chromium

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/fonts"
)

// systemFonts is where fontconfig is told of the fonts of this machine.
const systemFonts = "/etc/fonts/fonts.conf"

// unhinted keeps glyphs where they are: with hints, Chromium lets each of them take whole pixels, on paper too.
const unhinted = `<match target="font">
<edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
</match>
`

// fontsConf is a configuration for fontconfig that knows the fonts of some directories and, when it is to, those of the system.
// Generic names, and those that everybody writes, stand for the same families in every engine: the system's are only asked for
// by their own names, and for characters that the others lack. Families are those of the directories, in the order of fallback. Chromium takes a family in
// place of another one only if it is the first that it is told, so that is one that is there.
func fontsConf(dirs, families []string, cache string, system bool) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">\n<fontconfig>\n")
	for _, dir := range dirs {
		element(&b, "dir", dir)
	}
	element(&b, "cachedir", cache)
	for _, a := range fonts.Aliases() {
		preferred := slices.IndexFunc(a.Prefer, func(name string) bool {
			return slices.ContainsFunc(families, func(family string) bool { return strings.EqualFold(family, name) })
		})
		if preferred < 0 {
			continue
		}
		for _, name := range a.Names {
			b.WriteString("<alias binding=\"same\">")
			element(&b, "family", name)
			b.WriteString("<prefer>")
			element(&b, "family", a.Prefer[preferred])
			b.WriteString("</prefer></alias>\n")
		}
	}
	// Characters that no named family has are looked for in the order of every engine; without it, in that of the directory.
	b.WriteString("<match target=\"pattern\"><test qual=\"all\" name=\"family\"><string></string></test>\n<edit name=\"family\" mode=\"append\" binding=\"strong\">")
	for _, family := range families {
		element(&b, "string", family)
	}
	b.WriteString("</edit></match>\n")
	if system {
		b.WriteString("<include ignore_missing=\"yes\">" + systemFonts + "</include>\n")
	}
	b.WriteString(unhinted)
	b.WriteString("</fontconfig>\n")
	return b.String()
}

func element(b *strings.Builder, name, text string) {
	b.WriteString("<" + name + ">")
	_ = xml.EscapeText(b, []byte(text)) // a strings.Builder does not fail
	b.WriteString("</" + name + ">")
}

// WriteFonts puts the fonts that every engine has, and the configuration that adds those of a directory, "" being none, and of the
// system, below home, and returns the path of the configuration for FONTCONFIG_FILE. Another browser may be reading the one
// that is there, so it is replaced as a whole.
func WriteFonts(ctx context.Context, fontDir, home string, system bool) (string, error) {
	path, embedded := filepath.Join(home, "fonts.conf"), filepath.Join(home, "fonts")
	if _, err := os.Stat(path); err != nil {
		if err := fonts.Extract(embedded); err != nil {
			return "", err
		}
	}
	dirs := []string{embedded}
	if fontDir != "" {
		dir, err := filepath.Abs(fontDir)
		if err != nil {
			return "", fmt.Errorf("font directory: %w", err)
		}
		dirs = append(dirs, dir)
	}
	library, err := fonts.New(ctx, fontDir)
	if err != nil {
		return "", fmt.Errorf("font directory: %w", err)
	}
	text := fontsConf(dirs, library.Families(), filepath.Join(home, "fontconfig"), system)
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil { //nolint:gosec // another user, the browser's, must read it
		return "", fmt.Errorf("write fonts.conf: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return "", fmt.Errorf("write fonts.conf: %w", err)
	}
	return path, nil
}
