package chromium

import (
	"context"
	"encoding/xml"
	"fmt"
	"io/fs"
	"log/slog"
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
// system, below home, and returns the path of the configuration for FONTCONFIG_FILE.
func WriteFonts(ctx context.Context, fontDir, home string, system bool) (string, error) {
	library, err := fonts.New(ctx, fontDir)
	if err != nil {
		return "", fmt.Errorf("font directory: %w", err)
	}
	return writeFonts(fontDir, library.Families(), home, filepath.Join(home, "fontconfig"), system)
}

// writeFonts is WriteFonts for families that are known. Another browser may be reading the configuration that is there, so it is replaced
// as a whole. Whoever runs the browser must not be able to change dir: this process writes there with its own rights.
func writeFonts(fontDir string, families []string, dir, cache string, system bool) (string, error) {
	path, embedded := filepath.Join(dir, "fonts.conf"), filepath.Join(dir, "fonts")
	if err := fonts.Extract(embedded); err != nil {
		return "", err
	}
	dirs := []string{embedded}
	if fontDir != "" {
		own, err := filepath.Abs(fontDir)
		if err != nil {
			return "", fmt.Errorf("font directory: %w", err)
		}
		dirs = append(dirs, own)
	}
	err := os.WriteFile(path+".new", []byte(fontsConf(dirs, families, cache, system)), 0o600)
	if err == nil {
		err = os.Chmod(path+".new", 0o644) //nolint:gosec // another user, the browser's, must read it, whatever the umask
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return "", fmt.Errorf("write fonts.conf: %w", err)
	}
	return path, nil
}

// fontsConf writes the configuration for a browser. The font directory is read at the first start only: it may hold thousands of
// files, and others wait meanwhile. Called with mu held.
func (e *Engine) fontsConf(user *User) (string, error) {
	if e.families == nil {
		library, err := fonts.New(context.Background(), e.opts.FontDir)
		if err != nil {
			return "", fmt.Errorf("font directory: %w", err)
		}
		e.families, e.fonts = library.Families(), library.Digest()
		if e.opts.FontDir == "" {
			e.fonts = digestWithSystem(e.fonts, systemFonts)
		}
		if user != nil && e.opts.FontDir != "" && !open(e.opts.FontDir) {
			e.opts.Logger.Warn("the browser's user may not be able to read the font directory: open it, what is above it and its files to all readers",
				slog.String("path", e.opts.FontDir), slog.Uint64("uid", uint64(user.UID)))
		}
	}
	return writeFonts(e.opts.FontDir, e.families, e.home.dir, filepath.Join(e.home.own, "fontconfig"), e.opts.FontDir == "")
}

// digest is that of all fonts that browsers can choose from, as they were at the first start.
func (e *Engine) digest() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fonts
}

// open reports whether everybody can list a directory, as far as its mode and those above it say.
func open(dir string) bool {
	const list, pass = 0o005, 0o001
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return false
	}
	for want := fs.FileMode(list); ; want = pass {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&want != want {
			return false
		}
		if filepath.Dir(path) == path {
			return true
		}
		path = filepath.Dir(path)
	}
}
